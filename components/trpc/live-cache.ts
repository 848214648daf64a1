import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";
import type { RunDetail, RunSummary } from "@/server/runs/run.schema";
import type { useTRPC } from "./trpc-client";

type ConsoleApi = ReturnType<typeof useTRPC>;
interface RunPage {
  items: RunSummary[];
  nextCursor: string | null;
}

function isNewer(run: RunSummary, than: RunSummary): boolean {
  return run.lastSeq > than.lastSeq || (run.lastSeq === than.lastSeq && run.updatedAt >= than.updatedAt);
}

/** Puts the run, as it is now, wherever it is shown: in place, so that no list is reordered. What only a detail knows is read again by the page. */
export function applyRun(queryClient: QueryClient, api: ConsoleApi, run: RunSummary): void {
  queryClient.setQueryData(api.runs.get.queryKey({ id: run.id }), (old: RunDetail | undefined) =>
    old !== undefined && isNewer(run, old) ? { ...old, ...run } : old,
  );
  queryClient.setQueryData(api.agents.get.queryKey({ id: run.id }), (old: AgentRunDetail | undefined) =>
    old !== undefined && isNewer(run, old) ? { ...old, ...run, kind: old.kind } : old,
  );
  const replace = (page: RunPage): RunPage =>
    page.items.some((item) => item.id === run.id && isNewer(run, item))
      ? { ...page, items: page.items.map((item) => (item.id === run.id ? run : item)) }
      : page;
  queryClient.setQueriesData<InfiniteData<RunPage>>(api.runs.list.infiniteQueryFilter(), (old) => {
    if (old === undefined) return old;
    const pages = old.pages.map(replace);
    return pages.every((page, index) => page === old.pages[index]) ? old : { ...old, pages };
  });
}

/** Reads again what is on screen about single runs. Lists are read again by their page, which must not move rows under the pointer. */
export function refreshRuns(queryClient: QueryClient, api: ConsoleApi): void {
  void queryClient.invalidateQueries(api.runs.get.pathFilter());
  void queryClient.invalidateQueries(api.agents.get.pathFilter());
}
