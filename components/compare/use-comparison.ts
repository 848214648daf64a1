"use client";

import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { parseAsArrayOf, parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useEffect, useRef } from "react";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPC } from "@/components/trpc/trpc-client";
import { MOST_COMPARED } from "@/server/runs/run-comparison.rules";

/** Runs at work change several times a second; their figures are read again at most this often. */
const REFRESH_MS = 1_500;
const PAGE_SIZE = 100;

/** The comparison as it stands in the address, without those of its runs that cannot be compared. */
export function useComparedIds(without: readonly string[]) {
  const [{ runs, differing }, set] = useQueryStates(
    { runs: parseAsArrayOf(parseAsString).withDefault([]), differing: parseAsBoolean.withDefault(false) },
    { history: "replace" },
  );
  // An address is anybody's: a run twice, or more runs than are compared, is no error of the page.
  const ids = [...new Set(runs.filter((id) => id !== "" && !without.includes(id)))].slice(0, MOST_COMPARED);
  return {
    ids,
    differing,
    add: (more: readonly string[]) => void set({ runs: [...new Set([...ids, ...more])].slice(0, MOST_COMPARED) }),
    remove: (id: string) => void set({ runs: ids.filter((other) => other !== id) }),
    setDiffering: (only: boolean) => void set({ differing: only || null }),
  };
}

/** The figures of the runs and their texts, kept fresh while the runs are at work. */
export function useComparison(ids: readonly string[], differing: boolean) {
  const api = useTRPC();
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useRunChange("*", (run) => {
    if (run !== null && !ids.includes(run.id)) return;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      void queryClient.invalidateQueries(api.runs.compare.pathFilter());
      void queryClient.invalidateQueries(api.runs.comparedChunks.pathFilter());
    }, REFRESH_MS);
  });
  // The timer belongs to this page: it must not outlive it.
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  const enabled = ids.length > 0;
  return {
    figures: useQuery(api.runs.compare.queryOptions({ ids: [...ids] }, { enabled, placeholderData: keepPreviousData })),
    texts: useInfiniteQuery(
      api.runs.comparedChunks.infiniteQueryOptions(
        { ids: [...ids], differing, limit: PAGE_SIZE },
        { enabled, getNextPageParam: (page) => page.nextCursor },
      ),
    ),
  };
}
