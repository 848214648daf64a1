"use client";

import { LocateFixed } from "lucide-react";
import { useQueryState } from "nuqs";
import { useEffect, useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Panel } from "@/components/ui/panel";
import type { ChunkDetail } from "@/server/runs/run.schema";
import { AT_PARSER, placeInChunk } from "./quote";

/** The slice of the cleaned text that was sent; the passage that an insight rests on is marked and scrolled to. */
export function SourceText({ chunk }: { chunk: ChunkDetail }) {
  const { t } = useI18n();
  const [at] = useQueryState("at", AT_PARSER);
  const mark = useRef<HTMLElement>(null);
  const range = at === null ? null : placeInChunk(chunk, at);
  const place = range === null ? null : `${range.start}-${range.end}`;
  const scroll = () => mark.current?.scrollIntoView({ block: "center" });
  // The browser's own scrolling: the passage may be far down a long chunk.
  useEffect(() => {
    if (place !== null) mark.current?.scrollIntoView({ block: "center" });
  }, [place]);
  return (
    <Panel
      title={t("chunk.source")}
      actions={
        <>
          {range !== null && (
            <Button size="sm" icon={<LocateFixed aria-hidden className="size-3.5" />} onClick={scroll}>
              {t("chunk.jumpQuote")}
            </Button>
          )}
          <CopyButton value={chunk.text} label={t("chunk.copySource")} />
        </>
      }
    >
      {at !== null && range === null && <p className="mb-2 text-ink-faint text-xs">{t("chunk.quoteOutside")}</p>}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard.
        tabIndex={0}
        aria-label={t("chunk.sourceOf", { index: chunk.index })}
        className="max-h-128 overflow-auto rounded-md border border-line bg-sunken"
      >
        <pre className="whitespace-pre-wrap break-words p-3 font-mono text-xs leading-5">
          {range === null ? (
            chunk.text
          ) : (
            <>
              {chunk.text.slice(0, range.start)}
              <mark ref={mark} title={t("chunk.sourceQuote")} className="tone-warning rounded-sm bg-tone-soft text-tone">
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
