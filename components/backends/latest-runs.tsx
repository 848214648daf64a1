"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { paths } from "@/components/paths";
import { RunStatusBadge, WaitingBadge } from "@/components/status/run-status-badge";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";

const SHOWN = 5;
const REFRESH_MS = 10_000;

/** The newest runs that ask this provider first, with what failed in them. */
export function LatestRuns({ provider }: { provider: string }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const query = useQuery(useTRPC().runs.list.queryOptions({ backend: provider, limit: SHOWN }, { refetchInterval: REFRESH_MS }));
  return (
    <section aria-label={t("backends.runsOf", { provider })}>
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <h3 className="font-semibold">{t("backends.latestRuns")}</h3>
        <Link href={paths.runs({ backend: provider })} className="rounded-sm text-ink-soft text-xs underline">
          {t("backends.allRunsOf")}
        </Link>
      </div>
      {query.isError && query.data === undefined && (
        <ErrorState
          title={t("runs.loadFailed")}
          message={errorText(query.error).title}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isPending && <Skeleton className="h-9 w-full" />}
      {query.data?.items.length === 0 && <p className="text-ink-soft">{t("backends.noRuns")}</p>}
      {query.data !== undefined && query.data.items.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {query.data.items.map((run) => (
            <li key={run.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
              <RunStatusBadge status={run.status} reason={run.statusReason} />
              <WaitingBadge waitingFor={run.waitingFor} />
              <Link href={paths.run(run.id)} className="min-w-0 flex-1 basis-40 truncate rounded-sm font-medium hover:underline">
                {run.name}
              </Link>
              {run.counts.failed > 0 && (
                <Link
                  href={paths.run(run.id, "chunks", { status: "failed" })}
                  className="tone-danger rounded-sm text-tone text-xs underline"
                >
                  {t("backends.failedChunks", { count: run.counts.failed })}
                </Link>
              )}
              <span className="text-ink-faint text-xs">
                <RelativeTime value={run.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
