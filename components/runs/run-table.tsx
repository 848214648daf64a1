"use client";

import { memo, useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import type { MessageKey } from "@/components/i18n/messages";
import {
  BackendCell,
  CountCell,
  DurationCell,
  NameCell,
  ProgressCell,
  StartedCell,
  StatusCell,
  TokensCell,
} from "@/components/status/run-cells";
import { classNames } from "@/components/ui/class-names";
import type { RunSummary } from "@/server/runs/run.schema";
import { RunMenu } from "./run-menu";
import { type RunListProps, useVirtualRuns } from "./use-virtual-runs";

/** As the class h-14 below. */
const ROW_REMS = 3.5;

/** The columns, head and rows alike. */
const COLUMNS =
  "grid grid-cols-[7.5rem_minmax(12rem,1fr)_8rem_9rem_3.5rem_3.75rem_4.5rem_7.25rem_2rem] items-center gap-x-3 px-4";

const HEADS: readonly { word: MessageKey; className?: string }[] = [
  { word: "runs.column.status" },
  { word: "runs.column.name" },
  { word: "runs.column.backend" },
  { word: "runs.column.progress" },
  { word: "runs.column.failed", className: "text-right" },
  { word: "runs.column.retries", className: "text-right" },
  { word: "runs.column.tokens", className: "text-right" },
  { word: "runs.column.started", className: "pl-3" },
  { word: "runs.column.actions", className: "sr-only" },
];

/** The runs as a table; only the rows on screen are mounted. */
export function RunTable(props: RunListProps) {
  const { t } = useI18n();
  const body = useRef<HTMLTableSectionElement>(null);
  const { height, rows } = useVirtualRuns({ ...props, list: body, rowRems: ROW_REMS, measured: false });
  return (
    <table
      aria-label={t("runs.title")}
      aria-rowcount={props.hasMore ? -1 : props.runs.length + 1}
      className="block rounded-lg border border-line bg-surface shadow-panel"
    >
      <thead className="sticky top-12 z-20 block rounded-t-lg border-line border-b bg-surface">
        <tr className={classNames(COLUMNS, "h-9")}>
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
      <tbody ref={body} className="relative block" style={{ height }}>
        {rows.map(({ run, index, properties }) => (
          <tr
            key={run.id}
            aria-rowindex={index + 2}
            {...properties}
            className={classNames(
              COLUMNS,
              "absolute top-0 left-0 h-14 w-full cursor-pointer border-line border-b focus-within:bg-hover hover:bg-hover",
            )}
          >
            <RunTableCells run={run} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const RunTableCells = memo(function RunTableCells({ run }: { run: RunSummary }) {
  return (
    <>
      <td>
        <StatusCell run={run} />
      </td>
      <td className="min-w-0">
        <NameCell run={run} />
      </td>
      <td className="min-w-0">
        <BackendCell run={run} />
      </td>
      <td>
        <ProgressCell run={run} />
      </td>
      <td className="text-right">
        <CountCell run={run} value={run.counts.failed} tone="danger" />
      </td>
      <td className="text-right">
        <CountCell run={run} value={run.retries} tone="retry" />
      </td>
      <td className="text-right">
        <TokensCell run={run} />
      </td>
      <td className="flex flex-col pl-3">
        <StartedCell run={run} />
        <DurationCell run={run} />
      </td>
      <td>
        <RunMenu run={run} />
      </td>
    </>
  );
});
