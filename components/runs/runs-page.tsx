"use client";

import { ArrowUp, Plus } from "lucide-react";
import { debounce, useQueryStates } from "nuqs";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button, ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageTitle } from "@/components/ui/page-title";
import { PoliteStatus } from "@/components/ui/polite-status";
import { Skeleton } from "@/components/ui/skeleton";
import { useDebounced } from "@/components/ui/use-debounced";
import { useMediaQuery } from "@/components/ui/use-media-query";
import { FilterBar } from "./filter-bar";
import { FirstVisit } from "./first-visit";
import { RunCards } from "./run-cards";
import { hasFilters, RUN_FILTER_PARSERS, type RunFilters } from "./run-filters";
import { RunTable } from "./run-table";
import { useRunList } from "./use-run-list";

/** Typing rests this long before the address and the server hear of it. */
const SEARCH_REST_MS = 250;
const SKELETON_ROWS = 8;
/** Below this the columns do not fit beside the open rail. */
const WIDE_TABLE = "(min-width: 80rem)";

export function RunsPage() {
  const { t, formatNumber } = useI18n();
  const [filters, setFilters] = useQueryStates(RUN_FILTER_PARSERS, { history: "replace" });
  const search = useDebounced(filters.q, SEARCH_REST_MS);
  const applied: RunFilters = { ...filters, q: search };
  const { query, runs, newCount, showNew } = useRunList(applied);
  const change = (part: Partial<RunFilters>) =>
    void setFilters(part, part.q === undefined ? {} : { limitUrlUpdates: debounce(SEARCH_REST_MS) });
  const clear = () => void setFilters(null);
  const isFirstVisit = query.isSuccess && runs.length === 0 && !hasFilters(applied) && !hasFilters(filters);
  const running = runs.filter((run) => run.status === "running").length;
  const failed = runs.filter((run) => run.counts.failed > 0).length;

  return (
    <div className="mx-auto max-w-screen-2xl space-y-4">
      <PageTitle title={t("runs.title")} />
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="font-semibold text-xl tracking-tight">{t("runs.title")}</h1>
        {runs.length > 0 && (
          <span className="text-ink-faint tabular-nums">
            {query.hasNextPage ? t("runs.endMore", { count: formatNumber(runs.length) }) : t("runs.end", { count: runs.length })}
          </span>
        )}
        {!isFirstVisit && (
          <ButtonLink href={paths.newRun()} variant="primary" className="ml-auto" icon={<Plus aria-hidden className="size-4" />}>
            {t("runs.newRun")}
          </ButtonLink>
        )}
      </div>
      {isFirstVisit ? (
        <FirstVisit />
      ) : (
        <>
          <FilterBar filters={filters} onChange={change} onClear={clear} />
          <RunListBody query={query} runs={runs} onClear={clear} />
        </>
      )}
      {newCount > 0 && (
        <div className="fixed top-16 left-1/2 z-20 -translate-x-1/2">
          <Button
            variant="primary"
            size="sm"
            className="rounded-full! shadow-raised"
            icon={<ArrowUp aria-hidden className="size-3.5" />}
            onClick={() => {
              showNew();
              window.scrollTo({ top: 0 });
            }}
          >
            {t("runs.newRows", { count: newCount })}
          </Button>
        </div>
      )}
      <PoliteStatus text={runs.length === 0 ? "" : t("runs.announce", { running, failed })} />
    </div>
  );
}

interface RunListBodyProps extends Pick<ReturnType<typeof useRunList>, "query" | "runs"> {
  onClear: () => void;
}

function RunListBody({ query, runs, onClear }: RunListBodyProps) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const List = useMediaQuery(WIDE_TABLE) ? RunTable : RunCards;
  if (query.isPending) return <RunListSkeleton />;
  const problem = query.error === null ? null : errorText(query.error);
  if (problem !== null && query.data === undefined) {
    return (
      <ErrorState
        title={t("runs.loadFailed")}
        message={`${problem.title} ${problem.detail}`}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (runs.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <EmptyState title={t("runs.noMatch")} actions={<Button onClick={onClear}>{t("runs.clear")}</Button>}>
          {t("runs.noMatchText")}
        </EmptyState>
      </div>
    );
  }
  const loadMore = () => {
    if (query.hasNextPage && !query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage();
  };
  return (
    <div className={query.isPlaceholderData ? "space-y-3 opacity-60" : "space-y-3"}>
      {problem !== null && !query.isFetchNextPageError && (
        <ErrorState title={t("runs.refreshFailed")} message={problem.title} onRetry={() => void query.refetch()} />
      )}
      <List runs={runs} hasMore={query.hasNextPage} onNearEnd={loadMore} />
      {query.isFetchingNextPage && <p className="py-3 text-center text-ink-faint">{t("runs.loadingMore")}…</p>}
      {problem !== null && query.isFetchNextPageError && (
        <ErrorState title={t("runs.moreFailed")} message={problem.title} onRetry={() => void query.fetchNextPage()} />
      )}
    </div>
  );
}

function RunListSkeleton() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("common.loading")} className="rounded-lg border border-line bg-surface shadow-panel">
      <div className="hidden h-9 border-line border-b xl:block" />
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places only; they never move.
        <div key={row} className="flex h-51 items-center gap-6 border-line border-b px-4 xl:h-14">
          <Skeleton className="h-5.5 w-24 rounded-full!" />
          <Skeleton className="h-4 flex-1" />
          <Skeleton className="h-2 w-36" />
          <Skeleton className="hidden h-4 w-20 sm:block" />
        </div>
      ))}
    </div>
  );
}
