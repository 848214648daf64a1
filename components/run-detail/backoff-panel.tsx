"use client";

import { Hourglass } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { Badge } from "@/components/ui/badge";
import { Panel } from "@/components/ui/panel";
import type { RunDetail } from "@/server/runs/run.schema";
import { isResting } from "@/server/runs/run-state.rules";

const REFRESH_MS = 1_000;

/** "in 12s", "now" once it is due; null while nothing is scheduled, or nothing is sent. */
export function useNextTry(run: RunDetail): string | null {
  const { t, formatDuration } = useI18n();
  const now = useNow(REFRESH_MS);
  const { nextDueAt } = run.waiting;
  if (nextDueAt === null || now === null || isResting(run.status)) return null;
  const left = Date.parse(nextDueAt) - now;
  return left <= 0 ? t("runDetail.waits.now") : t("runDetail.waits.in", { duration: formatDuration(left) });
}

/** Chunks that failed an attempt and wait for the next one: after which failure, and until when. Nothing where none waits. */
export function BackoffPanel({ run }: { run: RunDetail }) {
  const { t, formatTime } = useI18n();
  const { backoff, nextDueAt, failures } = run.waiting;
  const when = useNextTry(run);
  if (backoff === 0) return null;
  return (
    <Panel
      title={
        <span className="tone-retry flex items-center gap-2">
          <Hourglass aria-hidden className="size-4 text-tone" />
          {t("runDetail.backoff")}
        </span>
      }
      hint={
        <span className="tabular-nums" title={nextDueAt === null ? undefined : formatTime(nextDueAt)}>
          {when === null
            ? t("runDetail.backoffHintOnly", { count: backoff })
            : t("runDetail.backoffHint", { count: backoff, when })}
        </span>
      }
      flush
    >
      <ul className="divide-y divide-line">
        {failures.map(({ failureKind, count }) => (
          <li key={failureKind} className="space-y-1 px-4 py-3">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {t(`failure.title.${failureKind}`)}
              <Badge tone="retry">{t("runDetail.group.count", { count })}</Badge>
              <code className="font-mono text-ink-faint text-xs">{failureKind}</code>
            </p>
            <p className="text-ink-faint text-xs">{t(`failure.advice.${failureKind}`)}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
