"use client";

import { CopyButton } from "./copy-button";

interface CodeBlockProps {
  text: string;
  /** Accessible name of the scrolling region. */
  label: string;
  copyLabel?: string;
  /** Long lines break instead of scrolling. */
  wrap?: boolean;
}

/** Text as it is, never as markup; scrolls inside itself and can be reached by the keyboard. */
export function CodeBlock({ text, label, copyLabel, wrap = true }: CodeBlockProps) {
  return (
    <div className="relative min-w-0">
      {copyLabel && (
        <div className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
          <CopyButton value={text} label={copyLabel} />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard. */}
      <section tabIndex={0} aria-label={label} className="max-h-128 overflow-auto rounded-md border border-line bg-sunken">
        <pre className={`p-3 pr-11 font-mono text-xs leading-5 ${wrap ? "whitespace-pre-wrap break-words" : "whitespace-pre"}`}>
          {text}
        </pre>
      </section>
    </div>
  );
}
