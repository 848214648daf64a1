"use client";

import { Bot } from "lucide-react";
import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { useNow } from "@/components/i18n/use-now";
import { paths } from "@/components/paths";
import { doneFraction, RunProgress } from "@/components/status/run-progress";
import { GapsBadge, RunStatusBadge, WaitingBadge } from "@/components/status/run-status-badge";
import { CopyButton } from "@/components/ui/copy-button";
import type { RunSummary } from "@/server/runs/run.schema";
import { isResting } from "@/server/runs/run-state.rules";

const DURATION_REFRESH_MS = 1_000;
/** The end of an id tells runs apart; its beginning is the time, alike for neighbours. */
const SHORT_ID_LENGTH = 6;

export function StatusCell({ run }: { run: RunSummary }) {
  return (
    <span className="flex flex-wrap items-center gap-1">
      <RunStatusBadge status={run.status} reason={run.statusReason} />
      <WaitingBadge waitingFor={run.waitingFor} />
      <GapsBadge acceptedAt={run.gapsAcceptedAt} />
    </span>
  );
}

export function NameCell({ run }: { run: RunSummary }) {
  const { t } = useI18n();
  return (
    <div className="min-w-0">
      <Link
        href={paths.run(run.id)}
        data-row-link
        title={run.name}
        className="block truncate rounded-sm font-medium text-ink hover:underline"
      >
        {run.name}
      </Link>
      <span className="flex items-center gap-1.5 text-ink-faint text-xs">
        {run.kind === "thread" && (
          <span title={t("agentRun.kind")} className="inline-flex">
            <Bot aria-hidden className="size-3.5" />
            <span className="sr-only">{t("agentRun.kind")}</span>
          </span>
        )}
        <span className="tabular-nums" title={t("runs.sourceDate", { date: run.sourceDate })}>
          {run.sourceDate}
        </span>
        <span title={run.id} className="font-mono">
          …{run.id.slice(-SHORT_ID_LENGTH)}
        </span>
        <CopyButton value={run.id} label={t("common.copyId")} className="h-5! w-5! touch:h-9! touch:w-9!" />
      </span>
    </div>
  );
}

/** How many models beside the first one the run may ask. */
export function MoreCandidates({ run }: { run: RunSummary }) {
  const { t } = useI18n();
  const more = run.candidates.length - 1;
  if (more < 1) return null;
  return (
    <span>
      <span aria-hidden>+{more}</span>
      <span className="sr-only">{t("runs.moreModels", { count: more })}</span>
    </span>
  );
}

export function BackendCell({ run }: { run: RunSummary }) {
  const { t, formatList } = useI18n();
  return (
    <div className="min-w-0 text-xs">
      <span
        className="flex min-w-0 items-baseline gap-1.5 text-ink text-sm"
        title={run.scene === null ? run.backend : `${run.backend}, ${t("runs.sceneOf", { scene: run.scene })}`}
      >
        <span className="truncate">{run.backend}</span>
        {run.scene !== null && <span className="shrink truncate text-ink-faint text-xs">{run.scene}</span>}
      </span>
      {/* The browser's own tooltip: lists hold hundreds of these; the page of the run shows the same. */}
      <span className="flex min-w-0 gap-1.5 text-ink-faint" title={formatList(run.candidates)}>
        <span className="truncate">{run.model}</span>
        <MoreCandidates run={run} />
      </span>
    </div>
  );
}

export function ProgressCell({ run }: { run: RunSummary }) {
  const { t, formatNumber, formatPercent } = useI18n();
  const { counts } = run;
  if (run.kind === "thread") return <span className="tabular-nums">{t("agentRun.turns", { count: run.turns ?? 0 })}</span>;
  return (
    <div className="min-w-0">
      <RunProgress counts={counts} />
      <span aria-hidden className="mt-1 flex justify-between text-ink-faint text-xs tabular-nums">
        <span>{formatPercent(doneFraction(counts))}</span>
        <span>{t("runs.done", { done: formatNumber(counts.succeeded), total: formatNumber(counts.total) })}</span>
      </span>
    </div>
  );
}

interface CountCellProps {
  run: RunSummary;
  value: number;
  tone: "danger" | "retry";
}

/** A count of chunks that is loud only when it is not zero. */
export function CountCell({ run, value, tone }: CountCellProps) {
  const { t, formatNumber } = useI18n();
  if (run.kind === "thread") {
    return (
      <span className="text-ink-faint" title={t("runs.notForAgents")}>
        {t("common.none")}
      </span>
    );
  }
  if (value === 0) return <span className="text-ink-faint tabular-nums">0</span>;
  return (
    <span className={`font-medium text-tone tabular-nums ${tone === "danger" ? "tone-danger" : "tone-retry"}`}>
      {formatNumber(value)}
    </span>
  );
}

export function TokensCell({ run }: { run: RunSummary }) {
  const { t, formatCompact, formatNumber } = useI18n();
  const { prompt, completion, estimated } = run.tokens;
  const title = t(estimated ? "runs.tokensTitleEstimated" : "runs.tokensTitle", {
    prompt: formatNumber(prompt),
    completion: formatNumber(completion),
  });
  return (
    <span title={title} className="whitespace-nowrap tabular-nums">
      {estimated ? "≈ " : ""}
      {formatCompact(prompt + completion)}
    </span>
  );
}

export function StartedCell({ run }: { run: RunSummary }) {
  const { t, formatTime } = useI18n();
  return run.startedAt === null ? (
    <span className="text-ink-faint" title={t("runs.created", { time: formatTime(run.createdAt) })}>
      {t("runs.notStarted")}
    </span>
  ) : (
    <RelativeTime value={run.startedAt} />
  );
}

/** From the start to the end, or to now while something can still happen by itself. */
export function DurationCell({ run }: { run: RunSummary }) {
  const { t } = useI18n();
  if (run.startedAt === null) return <span aria-hidden />;
  const end = run.endedAt ?? (isResting(run.status) ? run.updatedAt : null);
  return (
    <span className="text-ink-faint text-xs tabular-nums" title={t("runs.duration")}>
      {end === null ? (
        <RunningDuration startedAt={run.startedAt} />
      ) : (
        <FixedDuration milliseconds={Date.parse(end) - Date.parse(run.startedAt)} />
      )}
    </span>
  );
}

function FixedDuration({ milliseconds }: { milliseconds: number }) {
  return <>{useI18n().formatDuration(milliseconds)}</>;
}

function RunningDuration({ startedAt }: { startedAt: string }) {
  const now = useNow(DURATION_REFRESH_MS);
  return now === null ? null : <FixedDuration milliseconds={now - Date.parse(startedAt)} />;
}
