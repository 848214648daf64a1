import type { I18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import type { RunDetail, RunSummary } from "@/server/runs/run.schema";

/** What the sentence is about besides the run itself. */
export interface Prospect {
  /** Milliseconds until it is done; null while nothing can be said. */
  left: number | null;
  /** Queued chunks that wait after a failed attempt; absent where only the summary is known. */
  waiting?: RunDetail["waiting"];
}

/** How many chunks wait after which failure, and when the next one is tried; empty when none does. */
function waitPart({ t, formatList, formatClock }: I18n, waiting: RunDetail["waiting"] | undefined): string {
  if (waiting === undefined || waiting.backoff === 0) return "";
  const kinds = formatList(waiting.failures.map(({ failureKind }) => t(`failure.short.${failureKind}`)));
  return t("runDetail.sentence.waitPart", {
    count: waiting.backoff,
    kinds: kinds === "" ? "" : t("runDetail.sentence.waitKinds", { kinds }),
    // A time of the clock, not a countdown: the sentence is read aloud whenever it changes.
    next: waiting.nextDueAt === null ? "" : t("runDetail.sentence.waitNext", { time: formatClock(waiting.nextDueAt) }),
  });
}

/** What the run is doing, why, and what follows, in one sentence. */
export function statusSentence(i18n: I18n, run: RunSummary, { left, waiting }: Prospect): string {
  const { t, formatNumber, formatDuration } = i18n;
  const { counts } = run;
  const done = formatNumber(counts.succeeded);
  const total = formatNumber(counts.total);
  // The sentence around it has its own full stop.
  const reason = run.statusReason === null ? null : serverSentence(t, run.statusReason).replace(/[.。]$/, "");
  const reasonPart = reason === null ? "" : t("runDetail.sentence.reasonPart", { reason });
  switch (run.status) {
    case "queued":
      return t("runDetail.sentence.queued", { total: counts.total });
    case "running": {
      const isHeldUp = waiting !== undefined && waiting.backoff > 0 && waiting.slot + counts.running === 0;
      return t("runDetail.sentence.running", {
        done,
        total,
        failed: counts.failed === 0 ? "" : t("runDetail.sentence.failedPart", { count: formatNumber(counts.failed) }),
        waiting: waitPart(i18n, waiting),
        left: left === null || isHeldUp ? "" : t("runDetail.sentence.leftPart", { duration: formatDuration(left) }),
      });
    }
    case "paused":
      return reason === null
        ? t("runDetail.sentence.pausedOperator", { done, total })
        : t("runDetail.sentence.paused", { reason, done, total });
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
      return reason === null ? t("runDetail.sentence.failedUnknown") : t("runDetail.sentence.failed", { reason });
    case "cancelled":
      return t("runDetail.sentence.cancelled", { done, total, reason: reasonPart });
    case "blocked":
      return t("runDetail.sentence.blocked", { reason: reasonPart });
  }
}
