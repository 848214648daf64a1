"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";
import type { InsightsView, RunSummary } from "@/server/runs/run.schema";
import { InsightCard } from "./insight-card";

/** Chunk indexes named in the coverage line. */
const NAMED_CHUNKS = 12;

/** The staged insights of a run in rank order, with their coverage; before consolidation, what it waits for. */
export function InsightsPanel({ runId }: { runId: string }) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const run = useQuery(api.runs.get.queryOptions({ id: runId }));
  const insights = useQuery(api.runs.insights.queryOptions({ id: runId }));
  const documents = run.data?.prep.documents.map((document) => document.name) ?? [];
  useRunChange(runId, (changed) => {
    if (changed === null || changed.insights !== insights.data?.items.length || changed.status === "completed") {
      void queryClient.invalidateQueries({ queryKey: api.runs.insights.queryKey({ id: runId }) });
    }
  });
  if (insights.data === undefined || run.data === undefined) {
    const error = insights.error ?? run.error;
    if (error === null) return <Skeleton className="h-64 w-full" />;
    const { title, detail } = errorText(error);
    return <ErrorState title={t("insights.loadFailed")} message={`${title} ${detail}`} onRetry={() => void insights.refetch()} />;
  }
  if (insights.data.coverage === null) return <Waiting run={run.data} />;
  return (
    <Panel title={t("insights.title")} hint={t("insights.staged")} actions={<Downloads runId={runId} />} flush>
      <Coverage insights={insights.data} />
      {insights.data.items.length === 0 ? (
        <EmptyState title={t("insights.none")} />
      ) : (
        <ol className="divide-y divide-line">
          {insights.data.items.map((insight) => (
            <InsightCard key={insight.rank} runId={runId} insight={insight} documents={documents} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Downloads({ runId }: { runId: string }) {
  const { t } = useI18n();
  const icon = <Download aria-hidden className="size-3.5" />;
  return (
    <>
      <a href={paths.api.stagedMarkdown(runId)} download className={buttonClass("secondary", "sm")}>
        {icon}
        {t("insights.downloadMarkdown")}
      </a>
      <a href={paths.api.insights(runId)} download={`${runId}-insights.json`} className={buttonClass("secondary", "sm")}>
        {icon}
        {t("insights.downloadJson")}
      </a>
    </>
  );
}

function Coverage({ insights }: { insights: InsightsView }) {
  const { t, formatNumber } = useI18n();
  const { coverage } = insights;
  if (coverage === null) return null;
  const list = (indexes: readonly number[]) =>
    `${indexes.slice(0, NAMED_CHUNKS).join(", ")}${indexes.length > NAMED_CHUNKS ? " …" : ""}`;
  const parts = [
    t("insights.count", { count: insights.items.length }),
    t("insights.coverage", { done: formatNumber(coverage.done), total: formatNumber(coverage.total) }),
    ...(coverage.failed.length > 0
      ? [t("insights.coverageFailed", { count: coverage.failed.length, list: list(coverage.failed) })]
      : []),
    ...(coverage.missing.length > 0
      ? [t("insights.coverageMissing", { count: coverage.missing.length, list: list(coverage.missing) })]
      : []),
    t("insights.duplicates", { count: insights.duplicates }),
  ];
  return (
    <div
      className={`border-line border-b px-4 py-2 text-xs ${insights.partial ? "tone-warning bg-tone-soft text-tone" : "text-ink-soft"}`}
    >
      <p>{parts.join(" · ")}</p>
      {coverage.total > 0 && <p>{t(insights.partial ? "insights.partial" : "insights.complete")}</p>}
    </div>
  );
}

function Waiting({ run }: { run: RunSummary }) {
  const { t } = useI18n();
  const { status, counts } = run;
  const sentence =
    status === "incomplete"
      ? t("insights.wait.incomplete", { failed: counts.failed })
      : status === "paused"
        ? t("insights.wait.paused")
        : status === "cancelled" || status === "blocked"
          ? t("insights.wait.cancelled")
          : status === "failed"
            ? t("insights.wait.failed")
            : t("insights.wait.running");
  return (
    <div className="rounded-lg border border-line bg-surface">
      <EmptyState
        title={t("insights.title")}
        actions={
          counts.failed > 0 ? (
            <Link href={`${paths.run(run.id, "chunks", { status: "failed" })}`} className={buttonClass("secondary", "md")}>
              {t("insights.seeFailed")}
            </Link>
          ) : null
        }
      >
        {sentence}
      </EmptyState>
    </div>
  );
}
