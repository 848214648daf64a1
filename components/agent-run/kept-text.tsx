"use client";

import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { CopyButton } from "@/components/ui/copy-button";
import { excerptParts } from "./plain-output";

interface KeptTextViewProps {
  text: string;
  isCut: boolean;
  /** Accessible name of the scrolling region. */
  label: string;
  copyLabel: string;
  /** How a part of the text is drawn; usual: as it is. */
  render?: (part: string) => ReactNode;
}

const PRE = "px-3 font-mono text-xs leading-5 whitespace-pre-wrap break-words";
const asItIs = (part: string): ReactNode => part;

/** A long text inside a row: scrolls in itself, and says in the middle what is missing there. */
export function KeptTextView({ text, isCut, label, copyLabel, render = asItIs }: KeptTextViewProps) {
  const { t, formatBytes } = useI18n();
  const parts = isCut ? excerptParts(text) : null;
  return (
    <div className="relative min-w-0">
      <div className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton value={text} label={copyLabel} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard. */}
      <section tabIndex={0} aria-label={label} className="max-h-96 overflow-auto rounded-md border border-line bg-sunken py-2">
        {parts === null ? (
          <pre className={`${PRE} pr-11`}>{render(text)}</pre>
        ) : (
          <>
            <pre className={`${PRE} pr-11`}>{render(parts.head)}</pre>
            <p className="tone-warning my-1.5 bg-tone-soft px-3 py-0.5 text-center text-tone text-xs">
              {t("trace.output.cut", { bytes: formatBytes(parts.missingBytes) })}
            </p>
            <pre className={PRE}>{render(parts.tail)}</pre>
          </>
        )}
      </section>
    </div>
  );
}

/** Leads to the whole of a text that was cut. */
export function WholeLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} download className="inline-block rounded-sm text-xs underline">
      {children}
    </a>
  );
}
