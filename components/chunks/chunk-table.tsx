"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { ChunkStatusBadge } from "@/components/status/chunk-status-badge";
import type { ChunkSummary } from "@/server/runs/run.schema";

const ROW_PX = 44;
/** Rows mounted beyond the screen. */
const OVERSCAN = 12;
/** The next page is asked for when fewer rows than this are left below. */
const NEAR_END = 60;
const COLUMNS = "grid-cols-[2rem_3.5rem_7.5rem_minmax(0,1fr)] md:grid-cols-[2rem_4rem_8rem_4.5rem_5rem_5rem_minmax(0,1fr)_minmax(0,2fr)_5.5rem]";

interface ChunkTableProps {
  runId: string;
  chunks: readonly ChunkSummary[];
  selected: ReadonlySet<number>;
  onSelected: (selected: ReadonlySet<number>) => void;
  hasMore: boolean;
  onNearEnd: () => void;
}

/** Ten thousand rows as one list: only those near the screen are mounted. */
export function ChunkTable({ runId, chunks, selected, onSelected, hasMore, onNearEnd }: ChunkTableProps) {
  const { t } = useI18n();
  const body = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: chunks.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: body.current?.offsetTop ?? 0,
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  // Scrolling is outside React: the end coming near asks for the next page.
  useEffect(() => {
    if (hasMore && last >= chunks.length - NEAR_END) onNearEnd();
  }, [hasMore, last, chunks.length, onNearEnd]);
  const failed = chunks.filter((chunk) => chunk.status === "failed").map((chunk) => chunk.index);
  const allChosen = failed.length > 0 && failed.every((index) => selected.has(index));
  const toggle = (index: number) => {
    const next = new Set(selected);
    if (!next.delete(index)) next.add(index);
    onSelected(next);
  };
  const head = "hidden text-right md:block";
  return (
    <div role="table" aria-label={t("chunks.table")} aria-rowcount={hasMore ? -1 : chunks.length + 1} className="rounded-lg border border-line bg-surface shadow-panel">
      <div role="rowgroup">
        <div role="row" className={`grid ${COLUMNS} h-9 items-center gap-3 border-line border-b px-3 text-ink-faint text-xs`}>
          <span role="columnheader">
            <input
              type="checkbox"
              aria-label={t("chunks.selectAll")}
              checked={allChosen}
              disabled={failed.length === 0}
              onChange={() => onSelected(new Set(allChosen ? [] : failed))}
              className="size-4 accent-accent"
            />
          </span>
          <span role="columnheader">{t("chunks.index")}</span>
          <span role="columnheader">{t("chunks.status")}</span>
          <span role="columnheader" className={head}>
            {t("chunks.attempts")}
          </span>
          <span role="columnheader" className={head}>
            {t("chunks.tokens")}
          </span>
          <span role="columnheader" className={head}>
            {t("chunks.insights")}
          </span>
          <span role="columnheader" className="hidden md:block">
            {t("chunks.document")}
          </span>
          <span role="columnheader">{t("chunks.failure")}</span>
          <span role="columnheader" className={head}>
            {t("chunks.duration")}
          </span>
        </div>
      </div>
      <div ref={body} role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const chunk = chunks[item.index];
          if (chunk === undefined) return null;
          return (
            <div
              key={chunk.index}
              role="row"
              aria-rowindex={item.index + 2}
              className={`absolute inset-x-0 top-0 grid ${COLUMNS} items-center gap-3 border-line border-b px-3 last:border-b-0 hover:bg-hover`}
              style={{ height: ROW_PX, transform: `translateY(${item.start - virtual.options.scrollMargin}px)` }}
            >
              <ChunkRow runId={runId} chunk={chunk} chosen={selected.has(chunk.index)} onToggle={() => toggle(chunk.index)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface ChunkRowProps {
  runId: string;
  chunk: ChunkSummary;
  chosen: boolean;
  onToggle: () => void;
}

function ChunkRow({ runId, chunk, chosen, onToggle }: ChunkRowProps) {
  const { t, formatNumber, formatDuration } = useI18n();
  const canRetry = chunk.status === "failed";
  const last = chunk.attempts.at(-1);
  const length = last?.startedAt && last.endedAt ? Date.parse(last.endedAt) - Date.parse(last.startedAt) : null;
  const number = "hidden text-right tabular-nums md:block";
  return (
    <>
      <span role="cell">
        <input
          type="checkbox"
          aria-label={t("chunks.select", { index: chunk.index })}
          title={canRetry ? undefined : t("chunks.onlyFailed")}
          checked={canRetry && chosen}
          disabled={!canRetry}
          onChange={onToggle}
          className="size-4 accent-accent"
        />
      </span>
      <span role="cell">
        <Link href={paths.chunk(runId, chunk.index)} aria-label={t("chunks.open", { index: chunk.index })} className="rounded-sm font-medium tabular-nums underline touch:py-2.5">
          {chunk.index}
        </Link>
      </span>
      <span role="cell">
        <ChunkStatusBadge status={chunk.status} />
      </span>
      <span role="cell" className={number}>
        {formatNumber(chunk.attempts.length)}
      </span>
      <span role="cell" className={number}>
        {formatNumber(chunk.tokens)}
      </span>
      <span role="cell" className={number}>
        {chunk.insights === null ? "–" : formatNumber(chunk.insights)}
      </span>
      <span role="cell" className="hidden truncate md:block" title={chunk.document}>
        {chunk.document}
      </span>
      <span role="cell" className="truncate text-ink-soft text-xs" title={chunk.errorMessage ?? undefined}>
        {chunk.failureKind !== null && chunk.status !== "succeeded" && t(`failure.title.${chunk.failureKind}`)}
      </span>
      <span role="cell" className={number}>
        {length === null ? "–" : formatDuration(length)}
      </span>
    </>
  );
}
