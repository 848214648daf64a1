"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPC } from "@/components/trpc/trpc-client";
import type { ChunkStatus } from "@/server/runs/run-state.schema";

const PAGE = 500;
/** A running run changes many times a second; its rows are read again at most this often. */
const REFRESH_MS = 1_500;

/** Chunks of a run in order of index, page by page, kept fresh by the change feed. */
export function useChunkPages(runId: string, status: readonly ChunkStatus[]) {
  const api = useTRPC();
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const options = api.chunks.list.infiniteQueryOptions(
    { runId, limit: PAGE, ...(status.length === 0 ? {} : { status: [...status] }) },
    { initialCursor: 0, getNextPageParam: (page) => page.nextAfterIndex ?? undefined },
  );
  useRunChange(runId, () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      void queryClient.invalidateQueries({ queryKey: options.queryKey });
    }, REFRESH_MS);
  });
  // The timer belongs to this tab of the page: it must not outlive it.
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  const query = useInfiniteQuery(options);
  return { query, chunks: query.data?.pages.flatMap((page) => page.items) ?? [] };
}
