"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { CHUNK_STATUS_STYLE } from "@/components/status/status-table";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import { CHUNK_STATUSES, type ChunkStatus } from "@/server/runs/run-state.schema";
import { ChunkTable } from "./chunk-table";
import { useChunkPages } from "./use-chunk-pages";

/** Every chunk of the run; the status filter is in the address, failed ones can be chosen and retried. */
export function ChunksPanel({ runId }: { runId: string }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const [status, setStatus] = useQueryState("status", parseAsStringLiteral(CHUNK_STATUSES));
  const { query, chunks } = useChunkPages(runId, status === null ? [] : [status]);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  // A chunk that went on meanwhile is no longer chosen: only failed ones can be retried.
  const chosen = chunks.filter((chunk) => chunk.status === "failed" && selected.has(chunk.index)).map((chunk) => chunk.index);

  if (query.data === undefined && query.error !== null) {
    const { title, detail } = errorText(query.error);
    return <ErrorState title={t("chunk.loadFailed")} message={`${title} ${detail}`} onRetry={() => void query.refetch()} />;
  }
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <StatusFilter runId={runId} status={status} onStatus={(next) => void setStatus(next)} />
        <RetrySelected runId={runId} chosen={chosen} onDone={() => setSelected(new Set())} />
      </div>
      {query.data === undefined ? (
        <Skeleton className="h-96 w-full" />
      ) : chunks.length === 0 ? (
        <div className="rounded-lg border border-line bg-surface">
          <EmptyState
            title={t(status === null ? "chunks.none" : "chunks.noMatch")}
            actions={status === null ? null : <Button onClick={() => void setStatus(null)}>{t("chunks.showAll")}</Button>}
          />
        </div>
      ) : (
        <ChunkTable
          runId={runId}
          chunks={chunks}
          selected={selected}
          onSelected={setSelected}
          hasMore={query.hasNextPage}
          onNearEnd={() => {
            if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
          }}
        />
      )}
    </div>
  );
}

interface StatusFilterProps {
  runId: string;
  status: ChunkStatus | null;
  onStatus: (status: ChunkStatus | null) => void;
}

function StatusFilter({ runId, status, onStatus }: StatusFilterProps) {
  const { t, formatNumber } = useI18n();
  const counts = useQuery(useTRPC().runs.get.queryOptions({ id: runId })).data?.counts;
  const choices = [null, ...CHUNK_STATUSES] as const;
  return (
    <div role="group" aria-label={t("chunks.filter")} className="flex flex-wrap gap-1.5">
      {choices.map((each) => {
        const count = formatNumber(counts === undefined ? 0 : each === null ? counts.total : counts[each]);
        return (
          <button
            key={each ?? "all"}
            type="button"
            aria-pressed={status === each}
            onClick={() => onStatus(each)}
            className={classNames(
              "h-7 rounded-full border px-3 text-xs tabular-nums touch:h-9",
              status === each ? "border-accent bg-accent-soft font-medium text-ink" : "border-line text-ink-soft hover:bg-hover",
            )}
          >
            {each === null ? t("chunks.filterAll", { count }) : t("chunks.filterOne", { status: t(CHUNK_STATUS_STYLE[each].word), count })}
          </button>
        );
      })}
    </div>
  );
}

interface RetrySelectedProps {
  runId: string;
  chosen: readonly number[];
  onDone: () => void;
}

function RetrySelected({ runId, chosen, onDone }: RetrySelectedProps) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const retry = useMutation(
    api.runs.retry.mutationOptions({
      onSuccess: ({ requeued, skipped }) => {
        const [first] = skipped;
        const part = first === undefined ? "" : t("chunks.retriedSkipped", { count: skipped.length, reason: first.reason });
        toast.success(t("chunks.retried", { requeued, asked: requeued + skipped.length, skipped: part }));
        void queryClient.invalidateQueries({ queryKey: api.chunks.list.pathKey() });
        onDone();
      },
      onError: (error) => {
        const { title, detail } = errorText(error);
        toast.error(t("chunks.retryFailed"), { description: `${title} ${detail}`.trim() });
      },
    }),
  );
  return (
    <div className="ml-auto flex items-center gap-3">
      <span className="text-ink-faint text-xs tabular-nums">{t("chunks.selected", { count: chosen.length })}</span>
      <Button
        size="sm"
        icon={<RotateCw aria-hidden className="size-3.5" />}
        pending={retry.isPending}
        disabledReason={chosen.length === 0 ? t("chunks.retryNone") : null}
        onClick={() => retry.mutate({ id: runId, chunks: [...chosen] })}
      >
        {t("chunks.retrySelected")}
      </Button>
    </div>
  );
}
