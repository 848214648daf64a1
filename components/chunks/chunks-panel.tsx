"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useQueryState } from "nuqs";
import { useRef, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { RetryWithDialog } from "@/components/run-actions/retry-with-dialog";
import { refusalSentence } from "@/components/status/action-refusal";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import { useMediaQuery } from "@/components/ui/use-media-query";
import type { RunDetail } from "@/server/runs/run.schema";
import { ChunkCards } from "./chunk-cards";
import { CHUNK_FILTER_PARSER, type ChunkFilter } from "./chunk-filter";
import type { ChunkListProps } from "./chunk-list";
import { ChunkTable } from "./chunk-table";
import { ChunkToolbar } from "./chunk-toolbar";
import { allToggled, EMPTY_SELECTION, extended, type Selection, toggled } from "./selection";
import { useChunkRefresh } from "./use-chunk-refresh";
import { useChunkRows } from "./use-chunk-rows";
import type { GoToTarget } from "./use-go-to-row";
import { useRetryChunks } from "./use-retry-chunks";

/** Below this the columns do not fit beside the open rail. */
const WIDE_TABLE = "(min-width: 72rem)";
const SKELETON_ROWS = 10;

/** The chunks of a run as a table: filter by status in the address, select failed ones, retry them. */
export function ChunksPanel({ runId }: { runId: string }) {
  const { t } = useI18n();
  const api = useTRPC();
  const errorText = useErrorText();
  // The frame around the tabs reads the same entry of the cache and keeps it fresh.
  const run = useQuery(api.runs.get.queryOptions({ id: runId }));
  if (run.data !== undefined) return <ChunksOfRun run={run.data} />;
  if (run.error === null) return <ListSkeleton />;
  const { title, detail } = errorText(run.error);
  return (
    <ErrorState
      title={t("chunks.loadFailed")}
      message={`${title} ${detail}`.trim()}
      retrying={run.isFetching}
      onRetry={() => void run.refetch()}
    />
  );
}

function ChunksOfRun({ run }: { run: RunDetail }) {
  const { t } = useI18n();
  const [status, setStatus] = useQueryState("status", CHUNK_FILTER_PARSER);
  const rows = useChunkRows(run.id, run.counts.total, status);
  const live = useChunkRefresh(run.id, status !== null);
  const [selection, setSelection] = useState<Selection>(EMPTY_SELECTION);
  const anchor = useRef<number | null>(null);
  const clear = () => setSelection(EMPTY_SELECTION);
  const [choosing, setChoosing] = useState(false);
  const retrying = useRetryChunks(run.id, () => {
    clear();
    setChoosing(false);
    live.refresh();
  });
  const router = useRouter();
  const [target, setTarget] = useState<GoToTarget | null>(null);
  const filter = (next: ChunkFilter | null) => {
    // Where one wanted to go was in the list before.
    setTarget(null);
    void setStatus(next);
  };
  const goTo = (index: number) => {
    if (status !== null) void setStatus(null);
    setTarget({ index });
  };

  const select = (index: number, range: boolean) => {
    const from = anchor.current;
    setSelection((now) => (range && from !== null ? extended(now, rows.loaded, from, index) : toggled(now, index)));
    anchor.current = index;
  };

  if (run.counts.total === 0) return <EmptyState title={t("chunks.none")} />;
  return (
    <section aria-label={t("chunks.title")} className="space-y-3">
      <ChunkToolbar
        run={run}
        status={status}
        onGoTo={goTo}
        onStatus={filter}
        isBehind={live.isBehind}
        onRefresh={live.refresh}
        selected={selection.size}
        onClear={clear}
        onRetry={() => retrying.retry(selection)}
        onRetryWith={() => setChoosing(true)}
        retrying={retrying.isPending}
        retryRefusal={refusalSentence(t, "retry", run) ?? (selection.size === 0 ? t("chunks.retryNone") : null)}
      />
      {choosing && (
        <RetryWithDialog
          open
          onOpenChange={setChoosing}
          count={selection.size}
          pending={retrying.isPending}
          onConfirm={(choice) => retrying.retry(selection, choice)}
        />
      )}
      {/* Only notices where the pointer is, so that rows hold still under it. */}
      <div onPointerEnter={() => live.onPointer(true)} onPointerLeave={() => live.onPointer(false)}>
        <ListBody
          // Another filter is another list: its scroll place and its rows are its own.
          key={status ?? "all"}
          runId={run.id}
          rows={rows}
          selection={selection}
          onSelect={select}
          onSelectAll={() => setSelection((now) => allToggled(now, rows.loaded))}
          onOpen={(index) => router.push(paths.chunk(run.id, index))}
          target={status === null ? target : null}
          onShowAll={() => filter(null)}
        />
      </div>
    </section>
  );
}

function ListBody({ onShowAll, ...list }: ChunkListProps & { onShowAll: () => void }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const isWide = useMediaQuery(WIDE_TABLE);
  const { rows } = list;
  const failure = rows.error === null ? null : errorText(rows.error);
  return (
    <>
      {failure !== null && (
        // Seen wherever the list is scrolled to.
        <div className="sticky top-14 z-30 mb-3 rounded-lg bg-surface">
          <ErrorState
            title={t("chunks.loadFailed")}
            message={`${failure.title} ${failure.detail}`.trim()}
            retrying={rows.isFetching}
            onRetry={rows.refetch}
          />
        </div>
      )}
      {rows.isPending && failure === null && <ListSkeleton />}
      {!rows.isPending && rows.count === 0 && failure === null && (
        <EmptyState title={t("chunks.noMatch")} actions={<Button onClick={onShowAll}>{t("chunks.showAll")}</Button>} />
      )}
      {!rows.isPending && rows.count > 0 && (isWide ? <ChunkTable {...list} /> : <ChunkCards {...list} />)}
    </>
  );
}

function ListSkeleton() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("chunks.loading")} className="space-y-2 rounded-lg border border-line bg-surface p-4">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places are all alike and never move.
        <Skeleton key={row} className="h-8 w-full" />
      ))}
    </div>
  );
}
