import type { I18n } from "@/components/i18n/i18n-provider";
import type { RunSummary } from "@/server/runs/run.schema";

/** Fewer results than this say too little about the speed. */
const LEAST_DONE_FOR_ESTIMATE = 3;

/** Milliseconds until the run is done at the speed so far; null while nothing can be said. */
export function millisecondsLeft(run: RunSummary, now: number): number | null {
  const { counts } = run;
  if (run.status !== "running" || run.startedAt === null || counts.succeeded < LEAST_DONE_FOR_ESTIMATE) return null;
  const elapsed = now - Date.parse(run.startedAt);
  const open = counts.queued + counts.running;
  return elapsed <= 0 ? null : (elapsed / counts.succeeded) * open;
}

/** What the run is doing, why, and what follows, in one sentence. */
export function statusSentence({ t, formatNumber, formatDuration }: I18n, run: RunSummary, now: number | null): string {
  const { counts } = run;
  const done = formatNumber(counts.succeeded);
  const total = formatNumber(counts.total);
  const reason = run.statusReason;
  const reasonPart = reason === null ? "" : t("runDetail.sentence.reasonPart", { reason: reason.replace(/[.。]$/, "") });
  switch (run.status) {
    case "queued":
      return t("runDetail.sentence.queued", { total: counts.total });
    case "running": {
      const left = now === null ? null : millisecondsLeft(run, now);
      return t("runDetail.sentence.running", {
        done,
        total,
        failed: counts.failed === 0 ? "" : t("runDetail.sentence.failedPart", { count: formatNumber(counts.failed) }),
        left: left === null ? "" : t("runDetail.sentence.leftPart", { duration: formatDuration(left) }),
      });
    }
    case "paused":
      return reason === null
        ? t("runDetail.sentence.pausedOperator", { done, total })
        : t("runDetail.sentence.paused", { reason: reason.replace(/[.。]$/, ""), done, total });
    case "incomplete":
      return t("runDetail.sentence.incomplete", { failed: counts.failed, total });
    case "completed":
      if (counts.total === 0) return t("runDetail.sentence.completedEmpty");
      return t(counts.succeeded < counts.total ? "runDetail.sentence.completedGaps" : "runDetail.sentence.completed", {
        done,
        total,
        insights: run.insights,
      });
    case "failed":
      return reason === null
        ? t("runDetail.sentence.failedUnknown")
        : t("runDetail.sentence.failed", { reason: reason.replace(/[.。]$/, "") });
    case "cancelled":
      return t("runDetail.sentence.cancelled", { done, total, reason: reasonPart });
    case "blocked":
      return t("runDetail.sentence.blocked", { reason: reasonPart });
  }
}
