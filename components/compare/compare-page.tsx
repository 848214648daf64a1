"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { useErrorText } from "@/components/trpc/use-error-text";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageTitle } from "@/components/ui/page-title";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";
import { AddRuns } from "./add-runs";
import { FiguresTable } from "./figures-table";
import { TextsPanel } from "./texts-panel";
import { useComparedIds, useComparison } from "./use-comparison";

interface ComparePageProps {
  /** Ids of the address that are no run's, and those of agent runs: they are said and left out. */
  unknown: readonly string[];
  agentRuns: readonly string[];
}

/** Runs side by side: their figures in one table, and below it what became of each stretch of their texts. */
export function ComparePage({ unknown, agentRuns }: ComparePageProps) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const { ids, differing, add, remove, setDiffering } = useComparedIds([...unknown, ...agentRuns]);
  const { figures, texts } = useComparison(ids, differing);
  const problem = figures.error === null ? null : errorText(figures.error);
  return (
    <div className="mx-auto max-w-screen-2xl space-y-4">
      <PageTitle title={t("compare.title")} />
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className="font-semibold text-xl tracking-tight">{t("compare.title")}</h1>
        <p className="text-ink-faint text-xs">{t("compare.hint")}</p>
      </header>
      <AddRuns ids={ids} onAdd={add} first={figures.data?.[0]?.run} />
      {unknown.map((id) => (
        <ErrorState key={id} title={t("compare.unknown", { id })} />
      ))}
      {agentRuns.map((id) => (
        <ErrorState key={id} title={t("compare.agentRun", { id })} />
      ))}
      {problem !== null && (
        <ErrorState
          title={t("compare.loadFailed")}
          message={`${problem.title} ${problem.detail}`.trim()}
          retrying={figures.isFetching}
          onRetry={() => void figures.refetch()}
        />
      )}
      {ids.length === 0 ? (
        <div className="rounded-lg border border-line bg-surface">
          <EmptyState title={t("compare.none")}>{t("compare.noneText")}</EmptyState>
        </div>
      ) : figures.data === undefined ? (
        problem === null && (
          <div role="status" aria-label={t("common.loading")}>
            <Skeleton className="h-40" />
          </div>
        )
      ) : (
        <>
          <Panel title={t("compare.figures")} flush>
            <FiguresTable compared={figures.data} onRemove={remove} />
          </Panel>
          <TextsPanel runs={figures.data.map(({ run }) => run)} query={texts} differing={differing} onDiffering={setDiffering} />
        </>
      )}
    </div>
  );
}
