"use client";

import { memo, useEffect, useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import type { MessageKey } from "@/components/i18n/messages";
import { classNames } from "@/components/ui/class-names";
import { Skeleton } from "@/components/ui/skeleton";
import type { ChunkSummary } from "@/server/runs/run.schema";
import {
  AttemptsCell,
  DurationCell,
  FailureCell,
  IndexCell,
  InsightsCell,
  SelectCell,
  type SelectCellProps,
  StatusCell,
  TokensCell,
} from "./chunk-cells";
import { type ChunkListProps, isPressOnRow } from "./chunk-list";
import { allState, canSelect } from "./selection";
import { useGoToRow } from "./use-go-to-row";
import { useRowKeys } from "./use-row-keys";
import { useVirtualRows } from "./use-virtual-rows";

/** As the class h-11 below. */
const ROW_REMS = 2.75;

/** The columns, head and rows alike. */
const COLUMNS =
  "grid grid-cols-[1.25rem_3.5rem_minmax(7rem,14rem)_4.5rem_5rem_4rem_minmax(6rem,1fr)_minmax(9rem,1.6fr)_4.5rem] items-center gap-x-3 px-4";

const HEADS: readonly { word: MessageKey; className?: string }[] = [
  { word: "chunks.index" },
  { word: "chunks.status" },
  { word: "chunks.attempts", className: "text-right" },
  { word: "chunks.tokens", className: "text-right" },
  { word: "chunks.insights", className: "text-right" },
  { word: "chunks.document", className: "pl-3" },
  { word: "chunks.failure" },
  { word: "chunks.duration", className: "text-right" },
];

/** The chunks as a table; only the rows on screen are mounted. */
export function ChunkTable({ runId, rows, selection, onSelect, onSelectAll, target, onOpen }: ChunkListProps) {
  const { t } = useI18n();
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useVirtualRows({ list: body, count: rows.count, rowRems: ROW_REMS, measured: false, onRange: rows.onRange });
  useGoToRow(body, target, virtual.scrollTo);
  useRowKeys({
    count: rows.count,
    list: body,
    scrollTo: virtual.scrollTo,
    onSelect: (position, range) => {
      const chunk = rows.rowAt(position);
      if (chunk !== undefined && canSelect(chunk)) onSelect(chunk.index, range);
    },
  });
  return (
    <table
      aria-label={t("chunks.table")}
      aria-rowcount={rows.count + 1}
      className="block rounded-lg border border-line bg-surface shadow-panel"
    >
      <thead className="sticky top-12 z-20 block rounded-t-lg border-line border-b bg-surface">
        <tr className={classNames(COLUMNS, "h-9")}>
          <th scope="col">
            <SelectAll state={allState(selection, rows.loaded)} disabled={!rows.loaded.some(canSelect)} onToggle={onSelectAll} />
          </th>
          {HEADS.map((head) => (
            <th
              key={head.word}
              scope="col"
              className={classNames("text-left font-medium text-ink-faint text-xs", head.className)}
            >
              {t(head.word)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body} className="relative block" style={{ height: virtual.height }}>
        {virtual.rows.map(({ position, properties }) => {
          const chunk = rows.rowAt(position);
          return (
            // The row repeats what the link in it does; the link has the keyboard.
            <tr
              key={chunk?.index ?? `position ${position}`}
              aria-rowindex={position + 2}
              {...properties}
              onClick={(event) => chunk !== undefined && isPressOnRow(event) && onOpen(chunk.index)}
              className={classNames(
                COLUMNS,
                "absolute top-0 left-0 h-11 w-full border-line border-b focus-within:bg-hover hover:bg-hover",
                chunk !== undefined && "cursor-pointer",
                chunk !== undefined && selection.has(chunk.index) && "bg-accent-soft",
              )}
            >
              {chunk === undefined ? (
                <LoadingCells />
              ) : (
                <ChunkTableCells runId={runId} chunk={chunk} selected={selection.has(chunk.index)} onSelect={onSelect} />
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface SelectAllProps {
  state: "all" | "some" | "none";
  disabled: boolean;
  onToggle: () => void;
}

function SelectAll({ state, disabled, onToggle }: SelectAllProps) {
  const { t } = useI18n();
  const box = useRef<HTMLInputElement>(null);
  // Half ticked is a property of the element; HTML has no attribute for it.
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === "some";
  }, [state]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={t("chunks.selectAll")}
      title={t("chunks.selectAll")}
      disabled={disabled}
      checked={state === "all"}
      onChange={onToggle}
      className="block size-4 accent-(--accent)"
    />
  );
}

const ChunkTableCells = memo(function ChunkTableCells({ runId, ...cell }: SelectCellProps & { runId: string }) {
  const { chunk } = cell;
  return (
    <>
      <td>
        <SelectCell {...cell} />
      </td>
      <td>
        <IndexCell runId={runId} chunk={chunk} />
      </td>
      <td className="min-w-0">
        <StatusCell chunk={chunk} />
      </td>
      <td className="text-right">
        <AttemptsCell chunk={chunk} />
      </td>
      <td className="text-right">
        <TokensCell chunk={chunk} />
      </td>
      <td className="text-right">
        <InsightsCell chunk={chunk} />
      </td>
      <DocumentCell chunk={chunk} />
      <td className="min-w-0">
        <FailureCell chunk={chunk} />
      </td>
      <td className="text-right">
        <DurationCell chunk={chunk} />
      </td>
    </>
  );
});

function DocumentCell({ chunk }: { chunk: ChunkSummary }) {
  return (
    <td className="truncate pl-3 text-ink-soft" title={chunk.document}>
      {chunk.document}
    </td>
  );
}

function LoadingCells() {
  const { t } = useI18n();
  return (
    <td colSpan={HEADS.length + 1} className="col-span-full">
      <span className="sr-only">{t("chunks.loading")}</span>
      <Skeleton className="h-4 w-full" />
    </td>
  );
}
