"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc-client";
import { type FailedNeighbours, failedNeighbours } from "./failed-neighbours";

const NONE: FailedNeighbours = { previous: null, next: null };

/** The failed chunks around this one, as far as is known; nothing is asked while the run has none. */
export function useFailedNeighbours(runId: string, index: number, failedInRun: number): FailedNeighbours {
  const api = useTRPC();
  const client = useTRPCClient();
  const query = useQuery({
    // Another number of failed chunks is another answer.
    queryKey: [...api.chunks.list.pathKey(), "failed-neighbours", { runId, index, failedInRun }],
    queryFn: ({ signal }) =>
      failedNeighbours(async (after) => {
        const page = await client.chunks.list.query({ runId, afterIndex: after, limit: 1, status: ["failed"] }, { signal });
        return page.items[0]?.index ?? null;
      }, index),
    enabled: failedInRun > 0,
  });
  return failedInRun > 0 ? (query.data ?? NONE) : NONE;
}
