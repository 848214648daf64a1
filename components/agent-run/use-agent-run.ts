"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPC } from "@/components/trpc/trpc-client";
import type { RunSummary } from "@/server/runs/run.schema";

/** Turns, questions and the process are read again at most this often; what changes the run itself, at once. */
const REFRESH_MS = 1_000;

/** What of a run must be seen at once: its state, a question, another turn. */
const stateOf = ({ status, waitingFor, turns }: RunSummary) => `${status} ${waitingFor} ${turns}`;

/** The agent run with its turns and questions. */
export function useAgentRun(runId: string) {
  return useQuery(useTRPC().agents.get.queryOptions({ id: runId }));
}

/** Keeps it fresh by the change feed; once a page. */
export function useAgentRunRefresh(runId: string): void {
  const api = useTRPC();
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const seen = useRef<string | null>(null);
  const read = () => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    void queryClient.invalidateQueries(api.agents.get.queryFilter({ id: runId }));
  };
  useRunChange(runId, (run) => {
    const state = run === null ? null : stateOf(run);
    if (state !== seen.current) {
      seen.current = state;
      read();
    } else timer.current ??= setTimeout(read, REFRESH_MS);
  });
  // The timer belongs to this page: it must not outlive it.
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
}
