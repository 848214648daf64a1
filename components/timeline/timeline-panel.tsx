"use client";

import { useQuery } from "@tanstack/react-query";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import { TimelineChart } from "./timeline-chart";
import { useTimelineRows } from "./use-timeline-rows";

/** Every chunk of a run over time, read by itself and kept up to date. */
export function TimelinePanel({ runId }: { runId: string }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const run = useQuery(useTRPC().runs.get.queryOptions({ id: runId })).data;
  const { rows, complete, error, reload } = useTimelineRows(runId);
  const problem = error === null ? null : errorText(error);
  const failure = problem !== null && (
    <ErrorState title={t("timeline.loadFailed")} message={`${problem.title} ${problem.detail}`} onRetry={reload} />
  );
  if (failure && rows.length === 0) return failure;
  if (run === undefined || (rows.length === 0 && !complete)) {
    return (
      <div role="status" aria-label={t("timeline.loading")} className="space-y-3">
        <Skeleton className="h-7 w-full max-w-lg" />
        <Skeleton className="h-[60vh] w-full" />
      </div>
    );
  }
  if (rows.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <EmptyState title={t("timeline.empty")} />
      </div>
    );
  }
  return (
    <div className="space-y-3">
      {failure}
      <TimelineChart run={run} rows={rows} />
    </div>
  );
}
