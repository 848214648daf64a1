"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPC } from "@/components/trpc/trpc-client";

/** A busy run changes all the time; this chunk is read again at most this often. */
const REFRESH_MS = 1_500;

/** The chunk with its artifacts. One that has succeeded or was cancelled stays as it is: changes of its run do not concern it. */
export function useChunk(runId: string, index: number) {
  const api = useTRPC();
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const options = api.chunks.get.queryOptions({ runId, index });
  const query = useQuery(options);
  const status = query.data?.status;
  const isAtRest = status === "succeeded" || status === "cancelled";
  useRunChange(runId, (run) => {
    if (run !== null && isAtRest) return;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      void queryClient.invalidateQueries({ queryKey: options.queryKey });
      void queryClient.invalidateQueries({ queryKey: [...api.events.list.pathKey(), { input: { runId, chunk: index } }] });
    }, REFRESH_MS);
  });
  // The timer belongs to this chunk: it must not outlive it.
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return query;
}
