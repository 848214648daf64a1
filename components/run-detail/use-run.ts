"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPC } from "@/components/trpc/trpc-client";

/** The feed patches the summary at once; error groups and waits are read again at most this often. */
const REFRESH_MS = 1_500;

/** The run with its error groups, kept fresh by the change feed. */
export function useRun(runId: string) {
  const api = useTRPC();
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const options = api.runs.get.queryOptions({ id: runId });
  useRunChange(runId, () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      void queryClient.invalidateQueries({ queryKey: options.queryKey });
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
  return useQuery(options);
}
