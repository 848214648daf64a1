"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths, RUN_TABS, type RunTab } from "@/components/paths";
import { doneFraction } from "@/components/status/run-progress";
import { errorCodeOf } from "@/components/trpc/error-code";
import { useErrorText } from "@/components/trpc/use-error-text";
import { ErrorState } from "@/components/ui/error-state";
import { PageTitle } from "@/components/ui/page-title";
import { Skeleton } from "@/components/ui/skeleton";
import { LinkTabs } from "@/components/ui/tabs";
import type { RunDetail } from "@/server/runs/run.schema";
import { RunHeader } from "./run-header";
import { RunNotFound } from "./run-not-found";
import { useRun } from "./use-run";

/** Header and tabs of a run around the tab that the address names; not found and broken runs have their own state. */
export function RunFrame({ runId, children }: { runId: string; children: ReactNode }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const query = useRun(runId);
  if (query.data !== undefined) {
    return (
      <RunLoaded run={query.data}>
        {query.error !== null && (
          <ErrorState
            title={t("runDetail.loadFailed")}
            message={errorText(query.error).title}
            onRetry={() => void query.refetch()}
          />
        )}
        {children}
      </RunLoaded>
    );
  }
  if (query.error === null) return <RunFrameSkeleton />;
  if (errorCodeOf(query.error) === "not_found") return <RunNotFound runId={runId} />;
  const { title, detail } = errorText(query.error);
  return (
    <ErrorState
      title={t("runDetail.loadFailed")}
      message={`${title} ${detail}`}
      retrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  );
}

function RunLoaded({ run, children }: { run: RunDetail; children: ReactNode }) {
  const { t, formatPercent, formatNumber } = useI18n();
  const pathname = usePathname();
  const current = RUN_TABS.find((tab) => tab !== "summary" && pathname === paths.run(run.id, tab)) ?? "summary";
  const mark = run.status === "running" ? `● ${formatPercent(doneFraction(run.counts))} ` : "";
  const extra: Partial<Record<RunTab, number>> = { chunks: run.counts.total, events: run.lastSeq, results: run.insights };
  return (
    <div className="mx-auto max-w-screen-2xl space-y-4">
      <PageTitle title={`${mark}${run.name} · ${t(`runDetail.tab.${current}`)}`} />
      <RunHeader run={run} />
      <div className="border-line border-b">
        <LinkTabs
          label={t("runDetail.tabs")}
          tabs={RUN_TABS.map((tab) => ({
            href: paths.run(run.id, tab),
            label: t(`runDetail.tab.${tab}`),
            current: tab === current,
            extra:
              extra[tab] === undefined ? null : (
                <span className="text-ink-faint text-xs tabular-nums">{formatNumber(extra[tab])}</span>
              ),
          }))}
        />
      </div>
      {children}
    </div>
  );
}

function RunFrameSkeleton() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("runDetail.loading")} className="mx-auto max-w-screen-2xl space-y-4">
      <Skeleton className="h-7 w-72" />
      <Skeleton className="h-5 w-96 max-w-full" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
