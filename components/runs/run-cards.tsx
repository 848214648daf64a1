"use client";

import { memo, type ReactNode, useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import {
  CountCell,
  DurationCell,
  MoreCandidates,
  NameCell,
  ProgressCell,
  StartedCell,
  StatusCell,
  TokensCell,
} from "@/components/status/run-cells";
import type { RunSummary } from "@/server/runs/run.schema";
import { RunMenu } from "./run-menu";
import { type RunListProps, useVirtualRuns } from "./use-virtual-runs";

/** Of a usual card; the true height is measured. */
const CARD_REMS = 12.75;

/** The runs on a narrow screen: every fact of the table, one card a run. */
export function RunCards(props: RunListProps) {
  const { t } = useI18n();
  const list = useRef<HTMLUListElement>(null);
  const { height, rows } = useVirtualRuns({ ...props, list, rowRems: CARD_REMS, measured: true });
  return (
    <ul
      ref={list}
      aria-label={t("runs.title")}
      className="relative rounded-lg border border-line bg-surface shadow-panel"
      style={{ height }}
    >
      {rows.map(({ run, properties }) => (
        <li
          key={run.id}
          {...properties}
          className="absolute top-0 left-0 w-full cursor-pointer border-line border-b focus-within:bg-hover hover:bg-hover"
        >
          <RunCard run={run} />
        </li>
      ))}
    </ul>
  );
}

const RunCard = memo(function RunCard({ run }: { run: RunSummary }) {
  const { t } = useI18n();
  return (
    <div className="space-y-2 px-4 py-3">
      <div className="flex items-start justify-between gap-2">
        <StatusCell run={run} />
        <RunMenu run={run} />
      </div>
      <NameCell run={run} />
      <ProgressCell run={run} />
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {run.kind === "distill" && (
          <>
            <Fact name={t("runs.column.failed")}>
              <CountCell run={run} value={run.counts.failed} tone="danger" />
            </Fact>
            <Fact name={t("runs.column.retries")}>
              <CountCell run={run} value={run.retries} tone="retry" />
            </Fact>
          </>
        )}
        <Fact name={t("runs.column.tokens")}>
          <TokensCell run={run} />
        </Fact>
        <Fact name={t("runs.column.started")}>
          <StartedCell run={run} /> <DurationCell run={run} />
        </Fact>
        <Fact name={t("runs.column.backend")}>
          <span className="break-all">
            {run.backend} · {run.model} <MoreCandidates run={run} />
            {run.scene !== null && <span className="text-ink-faint"> · {run.scene}</span>}
          </span>
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
