"use client";

import { memo, type ReactNode, useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { classNames } from "@/components/ui/class-names";
import { Skeleton } from "@/components/ui/skeleton";
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
import { canSelect } from "./selection";
import { useGoToRow } from "./use-go-to-row";
import { useRowKeys } from "./use-row-keys";
import { useVirtualRows } from "./use-virtual-rows";

/** Of a usual card; the true height is measured. */
const CARD_REMS = 5.75;

/** The chunks on a narrow screen: every fact of the table, one card a chunk. */
export function ChunkCards({ runId, rows, selection, onSelect, target, onOpen }: ChunkListProps) {
  const { t } = useI18n();
  const list = useRef<HTMLUListElement>(null);
  const virtual = useVirtualRows({ list, count: rows.count, rowRems: CARD_REMS, measured: true, onRange: rows.onRange });
  useGoToRow(list, target, virtual.scrollTo);
  useRowKeys({
    count: rows.count,
    list,
    scrollTo: virtual.scrollTo,
    onSelect: (position, range) => {
      const chunk = rows.rowAt(position);
      if (chunk !== undefined && canSelect(chunk)) onSelect(chunk.index, range);
    },
  });
  return (
    <ul
      ref={list}
      aria-label={t("chunks.table")}
      className="relative rounded-lg border border-line bg-surface shadow-panel"
      style={{ height: virtual.height }}
    >
      {virtual.rows.map(({ position, properties }) => {
        const chunk = rows.rowAt(position);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the card repeats what the link in it does; the link has the keyboard.
          <li
            key={chunk?.index ?? `position ${position}`}
            {...properties}
            onClick={(event) => chunk !== undefined && isPressOnRow(event) && onOpen(chunk.index)}
            className={classNames(
              "absolute top-0 left-0 w-full border-line border-b focus-within:bg-hover hover:bg-hover",
              chunk !== undefined && selection.has(chunk.index) && "bg-accent-soft",
            )}
          >
            {chunk === undefined ? (
              <div className="h-23 px-4 py-3">
                <span className="sr-only">{t("chunks.loading")}</span>
                <Skeleton className="h-full w-full" />
              </div>
            ) : (
              <ChunkCard runId={runId} chunk={chunk} selected={selection.has(chunk.index)} onSelect={onSelect} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

const ChunkCard = memo(function ChunkCard({ runId, ...cell }: SelectCellProps & { runId: string }) {
  const { t } = useI18n();
  const { chunk } = cell;
  return (
    <div className="space-y-1.5 px-4 py-3">
      <div className="flex items-center gap-3">
        <SelectCell {...cell} />
        <IndexCell runId={runId} chunk={chunk} />
        <StatusCell chunk={chunk} />
        <span className="ml-auto text-xs" title={t("chunks.duration")}>
          <DurationCell chunk={chunk} />
        </span>
      </div>
      {chunk.failureKind !== null && <FailureCell chunk={chunk} />}
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        <Fact name={t("chunks.attempts")}>
          <AttemptsCell chunk={chunk} />
        </Fact>
        <Fact name={t("chunks.tokens")}>
          <TokensCell chunk={chunk} />
        </Fact>
        <Fact name={t("chunks.insights")}>
          <InsightsCell chunk={chunk} />
        </Fact>
        <Fact name={t("chunks.document")}>
          <span className="break-all text-ink-soft">{chunk.document}</span>
        </Fact>
      </dl>
    </div>
  );
});

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="shrink-0 text-ink-faint">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
