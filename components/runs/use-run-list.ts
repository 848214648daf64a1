"use client";

import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { applyRun } from "@/components/trpc/live-cache";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc-client";
import type { RunSummary } from "@/server/runs/run.schema";
import { listInput, matchesFilters, type RunFilters } from "./run-filters";

const PAGE_SIZE = 100;
/** How far back a refresh looks when the stream is down; the largest page the API gives. */
const REFRESH_SIZE = 200;

/**
 * The runs that match, newest first, page by page. Runs that change are replaced in place by the live feed; runs that
 * are new are only counted until the operator asks for them, so that no row moves under the pointer.
 */
export function useRunList(filters: RunFilters) {
  const api = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const input = useMemo(() => listInput(filters), [filters]);
  const query = useInfiniteQuery(
    api.runs.list.infiniteQueryOptions(
      { ...input, limit: PAGE_SIZE },
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData },
    ),
  );
  const runs = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  // Another filter, another list: what was counted as new belongs to the key it was counted under.
  const listKey = JSON.stringify(input);
  const [counted, setCounted] = useState<{ key: string; ids: ReadonlySet<string> }>({ key: listKey, ids: new Set() });
  const newIds = counted.key === listKey ? counted.ids : new Set<string>();

  const showNew = () => {
    setCounted({ key: listKey, ids: new Set() });
    // Only the first page is read again: what the operator had scrolled to comes back as he scrolls.
    queryClient.setQueryData(api.runs.list.infiniteQueryKey({ ...input, limit: PAGE_SIZE }), (old) =>
      old === undefined ? old : { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) },
    );
    void query.refetch();
  };

  const notice = (found: readonly RunSummary[]) => {
    if (query.data === undefined) return;
    const newest = runs[0]?.id ?? "";
    // Ids grow with time: a larger one than the first is a run that was started since.
    const fresh = found.filter((run) => run.id > newest && matchesFilters(run, filters));
    if (fresh.length === 0) return;
    if (runs.length === 0) showNew();
    else setCounted({ key: listKey, ids: new Set([...newIds, ...fresh.map((run) => run.id)]) });
  };

  useRunChange("*", (run) => {
    if (run !== null) {
      notice([run]);
      return;
    }
    if (query.isError) {
      void query.refetch();
      return;
    }
    // A failed refresh is not an error of the list: the live pill says that the server is silent.
    client.runs.list.query({ ...input, limit: REFRESH_SIZE }).then(
      (page) => {
        for (const item of page.items) applyRun(queryClient, api, item);
        notice(page.items);
      },
      () => undefined,
    );
  });

  return { query, runs, newCount: newIds.size, showNew };
}
