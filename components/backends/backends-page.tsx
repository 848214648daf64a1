"use client";

import { ChevronRight } from "lucide-react";
import { useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageTitle } from "@/components/ui/page-title";
import { Skeleton } from "@/components/ui/skeleton";
import type { BackendRow } from "@/server/runs/backend-view.schema";
import { BACKEND_FILTER_PARSERS, type BackendFilters, groupBackends, matchesFilters } from "./backend-groups";
import { BackendList } from "./backend-table";
import { FilterBar } from "./filter-bar";
import { useBackends } from "./use-backends";

const SKELETON_ROWS = 3;
const NO_FILTERS: BackendFilters = { q: "", status: [] };

/** Every profile that runs can be sent to: what it can do, how it is doing, and the providers behind it. */
export function BackendsPage() {
  const { t } = useI18n();
  const errorText = useErrorText();
  const query = useBackends();
  const [filters, setFilters] = useQueryStates(BACKEND_FILTER_PARSERS, { history: "replace" });
  const failure = query.error === null ? null : errorText(query.error);
  return (
    <div className="mx-auto max-w-screen-2xl space-y-4">
      <PageTitle title={t("backends.title")} />
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className="font-semibold text-xl tracking-tight">{t("backends.title")}</h1>
        {query.data && (
          <p className="text-ink-faint text-xs">
            {t("backends.updated")} <RelativeTime value={query.data.generatedAt} />
          </p>
        )}
      </header>
      {failure !== null && (
        <ErrorState
          title={t(query.data === undefined ? "backends.loadFailed" : "backends.refreshFailed")}
          message={`${failure.title} ${failure.detail}`.trim()}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data === undefined ? (
        failure === null && <BackendsSkeleton />
      ) : (
        <>
          <FilterBar
            rows={query.data.items}
            filters={filters}
            onChange={(change) => void setFilters(change)}
            onClear={() => void setFilters(NO_FILTERS)}
          />
          <BackendGroupsView rows={query.data.items} filters={filters} onClear={() => void setFilters(NO_FILTERS)} />
        </>
      )}
    </div>
  );
}

interface BackendGroupsViewProps {
  rows: readonly BackendRow[];
  filters: BackendFilters;
  onClear: () => void;
}

function BackendGroupsView({ rows, filters, onClear }: BackendGroupsViewProps) {
  const { t } = useI18n();
  const shown = rows.filter((row) => matchesFilters(row, filters));
  const { configured, notConfigured } = groupBackends(shown);
  const isNarrowed = shown.length < rows.length;
  if (shown.length === 0)
    return (
      <EmptyState title={t("backends.noMatch")} actions={<Button onClick={onClear}>{t("runs.clear")}</Button>}>
        {t("backends.noMatchText")}
      </EmptyState>
    );
  return (
    <>
      {configured.length > 0 && (
        <section aria-label={t("backends.configured")} className="rounded-lg border border-line bg-surface shadow-panel">
          <h2 className="sr-only">{t("backends.configured")}</h2>
          <BackendList rows={configured} label={t("backends.configured")} />
        </section>
      )}
      <FoldedGroup
        title={t("backends.notConfigured", { count: notConfigured.length })}
        hint={t("backends.notConfiguredHint")}
        rows={notConfigured}
        open={isNarrowed}
      />
    </>
  );
}

interface FoldedGroupProps {
  title: string;
  hint: ReactNode;
  rows: readonly BackendRow[];
  /** Unfolded from the beginning: what was searched for is to be seen. */
  open: boolean;
}

/** What cannot be chosen now stands back, and is there when it is looked for. */
function FoldedGroup({ title, hint, rows, open }: FoldedGroupProps) {
  if (rows.length === 0) return null;
  return (
    <details key={String(open)} open={open} className="group rounded-lg border border-line bg-surface shadow-panel">
      <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-0.5 rounded-lg px-4 py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 shrink-0 transition-transform group-open:rotate-90" />
        <h2 className="font-semibold text-sm">{title}</h2>
        <span className="text-ink-faint text-xs">{hint}</span>
      </summary>
      <div className="border-line border-t">
        <BackendList rows={rows} label={title} />
      </div>
    </details>
  );
}

function BackendsSkeleton() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("backends.loading")} className="space-y-4 rounded-lg border border-line bg-surface p-4">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places are all alike and never move.
        <Skeleton key={row} className="h-40 w-full" />
      ))}
    </div>
  );
}
