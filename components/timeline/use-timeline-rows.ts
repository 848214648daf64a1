"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc-client";
import { type TimelineRow, toTimelineRow } from "./timeline-row";

const PAGE = 1_000;
/** A running run is read again at most this often, and only the pages that can still change. */
const REFRESH_MS = 1_500;

export interface TimelineRows {
  rows: readonly TimelineRow[];
  /** All pages are there. */
  complete: boolean;
  error: unknown;
  reload(): void;
}

/** Every chunk of the run, in pages of a thousand; a page whose chunks are all settled is not read again. */
export function useTimelineRows(runId: string): TimelineRows {
  const client = useTRPCClient();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const pages = useRef<TimelineRow[][]>([]);
  const [rows, setRows] = useState<readonly TimelineRow[]>([]);
  const [complete, setComplete] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const busy = useRef(false);
  const again = useRef(false);

  const load = useCallback(
    async (all: boolean) => {
      if (busy.current) {
        again.current = true;
        return;
      }
      busy.current = true;
      try {
        let after = 0;
        for (let page = 0; ; page++) {
          const known = pages.current[page];
          if (
            !all &&
            known !== undefined &&
            known.length === PAGE &&
            known.every((row) => row.status === "succeeded" || row.status === "cancelled")
          ) {
            after = known.at(-1)?.index ?? after;
            continue;
          }
          const answer = await client.chunks.list.query({ runId, cursor: after, limit: PAGE });
          pages.current[page] = answer.items.map(toTimelineRow);
          setRows(pages.current.flat());
          if (answer.nextAfterIndex === null) {
            pages.current.length = page + 1;
            break;
          }
          after = answer.nextAfterIndex;
        }
        setComplete(true);
        setError(null);
      } catch (problem) {
        setError(problem);
      } finally {
        busy.current = false;
        if (again.current) {
          again.current = false;
          void load(false);
        }
      }
    },
    [client, runId],
  );

  // Reading the server is what this effect is for.
  useEffect(() => {
    void load(true);
  }, [load]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  useRunChange(runId, (run) => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      void load(run === null);
      void queryClient.invalidateQueries({ queryKey: api.runs.get.queryKey({ id: runId }) });
    }, REFRESH_MS);
  });
  return { rows, complete, error, reload: () => void load(true) };
}
