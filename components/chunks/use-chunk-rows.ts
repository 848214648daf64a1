"use client";

import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTRPC } from "@/components/trpc/trpc-client";
import type { ChunkSummary } from "@/server/runs/run.schema";
import { type ChunkFilter, isAnswerMark } from "./chunk-filter";

const PAGE_SIZE = 200;
/** Rows before the end at which a filtered list asks for its next page. */
const FETCH_AHEAD = 50;

export interface ChunkRows {
  /** Rows of the list, loaded or not. */
  count: number;
  /** The chunk at a position, from 0; undefined while its page is loading. */
  rowAt: (position: number) => ChunkSummary | undefined;
  /** The loaded chunks near the screen, in order of index. */
  loaded: readonly ChunkSummary[];
  isPending: boolean;
  error: unknown;
  isFetching: boolean;
  refetch: () => void;
  /** Tells which positions are on screen. */
  onRange: (first: number, last: number) => void;
}

/**
 * The chunks of a run. Without a filter chunk n stands at position n - 1 for good, so only the pages on screen are read, and
 * read again when the run changes. With a filter the list is walked page by page.
 */
export function useChunkRows(runId: string, total: number, status: ChunkFilter | null): ChunkRows {
  const everything = useAllRows(runId, total, status === null);
  const filtered = useFilteredRows(runId, status);
  return status === null ? everything : filtered;
}

function useAllRows(runId: string, total: number, enabled: boolean): ChunkRows {
  const api = useTRPC();
  const [pages, setPages] = useState({ first: 0, last: 0 });
  const numbers = Array.from({ length: pages.last - pages.first + 1 }, (_, at) => pages.first + at);
  const queries = useQueries({
    queries: numbers.map((page) =>
      api.chunks.list.queryOptions({ runId, afterIndex: page * PAGE_SIZE, limit: PAGE_SIZE }, { enabled: enabled && total > 0 }),
    ),
  });
  const failed = queries.find((query) => query.error !== null);
  return {
    count: total,
    rowAt: (position) => queries[Math.floor(position / PAGE_SIZE) - pages.first]?.data?.items[position % PAGE_SIZE],
    loaded: queries.flatMap((query) => query.data?.items ?? []),
    // The number of rows is known: a page that is loading is drawn row by row, and the scroll place holds.
    isPending: false,
    error: failed?.error ?? null,
    isFetching: failed?.isFetching ?? false,
    refetch: () => {
      for (const query of queries) if (query.error !== null) void query.refetch();
    },
    onRange: (first, last) => {
      const next = { first: Math.floor(first / PAGE_SIZE), last: Math.floor(last / PAGE_SIZE) };
      setPages((now) => (now.first === next.first && now.last === next.last ? now : next));
    },
  };
}

function useFilteredRows(runId: string, status: ChunkFilter | null): ChunkRows {
  const api = useTRPC();
  const query = useInfiniteQuery(
    api.chunks.list.infiniteQueryOptions(
      { runId, limit: PAGE_SIZE, ...(status === null ? {} : isAnswerMark(status) ? { mark: [status] } : { status: [status] }) },
      { enabled: status !== null, getNextPageParam: (page) => page.nextAfterIndex },
    ),
  );
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  return {
    count: rows.length,
    rowAt: (position) => rows[position],
    loaded: rows,
    isPending: query.isPending,
    error: query.error,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
    onRange: (_, last) => {
      if (last >= rows.length - FETCH_AHEAD && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
  };
}
