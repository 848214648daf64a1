"use client";

import { useQueryState } from "nuqs";
import { useEffect, useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { CopyButton } from "@/components/ui/copy-button";
import { Panel } from "@/components/ui/panel";
import type { ChunkDetail } from "@/server/runs/run.schema";
import { quoteRange } from "./artifact-text";

/** The slice of the cleaned text that was sent; the passage that an insight rests on is marked and scrolled to. */
export function SourceText({ chunk }: { chunk: ChunkDetail }) {
  const { t } = useI18n();
  const [at] = useQueryState("at");
  const mark = useRef<HTMLElement>(null);
  const range = quoteRange(at, chunk.start, chunk.text.length);
  const isMarked = range !== null;
  // The browser's own scrolling: the passage may be far down a long chunk.
  useEffect(() => {
    if (isMarked) mark.current?.scrollIntoView({ block: "center" });
  }, [isMarked]);
  return (
    <Panel
      title={t("chunk.source")}
      actions={<CopyButton value={chunk.text} label={t("chunk.copyBody", { name: t("chunk.source") })} />}
    >
      {at !== null && range === null && <p className="mb-2 text-ink-faint text-xs">{t("chunk.quoteOutside")}</p>}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard.
        tabIndex={0}
        aria-label={t("chunk.title", { index: chunk.index })}
        className="max-h-128 overflow-auto rounded-md border border-line bg-sunken"
      >
        <pre className="whitespace-pre-wrap break-words p-3 font-mono text-xs leading-5">
          {range === null ? (
            chunk.text
          ) : (
            <>
              {chunk.text.slice(0, range.start)}
              <mark ref={mark} className="tone-warning rounded-sm bg-tone-soft text-tone">
                {chunk.text.slice(range.start, range.end)}
              </mark>
              {chunk.text.slice(range.end)}
            </>
          )}
        </pre>
      </section>
    </Panel>
  );
}
