"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import { isResting } from "@/server/runs/run-state.rules";
import { mayHaveChanged } from "./page-refresh";
import { type TimelineRow, toTimelineRow } from "./timeline-row";

const PAGE = 1_000;
/** A run that goes on is read again at most this often, and of it only the pages that can have changed. */
const REFRESH_MS = 1_500;

export interface TimelineRows {
  rows: readonly TimelineRow[];
  /** All pages are there. */
  complete: boolean;
  /** Why the last reading broke off; the rows that were read before are kept. */
  error: unknown;
  reload(): void;
}

/** What the next reading has to look at. */
interface Wanted {
  everything: boolean;
  /** Failed chunks as the run counts them now; fewer than are shown: some were queued again. Null: unknown. */
  failed: number | null;
}

/** Every chunk of the run, in pages of a thousand. */
export function useTimelineRows(runId: string): TimelineRows {
  const client = useTRPCClient();
  const pages = useRef<TimelineRow[][]>([]);
  const [rows, setRows] = useState<readonly TimelineRow[]>([]);
  const [complete, setComplete] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isReading = useRef(false);
  const isWhole = useRef(false);
  const next = useRef<Wanted | null>(null);

  const readPages = useCallback(
    async (wanted: Wanted) => {
      const shownFailed = pages.current.flat().filter((row) => row.status === "failed").length;
      const failedLeft = wanted.failed !== null && wanted.failed < shownFailed;
      for (let page = 0; ; page++) {
        const known = pages.current[page];
        if (isWhole.current && known === undefined) return;
        const before = pages.current[page - 1];
        if (known !== undefined && !wanted.everything && !mayHaveChanged(known, before, failedLeft)) continue;
        const answer = await client.chunks.list.query({ runId, afterIndex: before?.at(-1)?.index ?? 0, limit: PAGE });
        pages.current[page] = answer.items.map(toTimelineRow);
        setRows(pages.current.flat());
        if (answer.nextAfterIndex === null) {
          isWhole.current = true;
          return;
        }
      }
    },
    [client, runId],
  );

  const read = useCallback(
    async (wanted: Wanted) => {
      // One reading at a time; what is asked for meanwhile is one more after it.
      next.current = {
        everything: wanted.everything || (next.current?.everything ?? false),
        failed: wanted.failed ?? next.current?.failed ?? null,
      };
      if (isReading.current) return;
      isReading.current = true;
      try {
        for (let turn: Wanted | null = next.current; turn !== null; turn = next.current) {
          next.current = null;
          await readPages(turn);
        }
        setComplete(true);
        setError(null);
      } catch (problem) {
        setError(problem);
      } finally {
        isReading.current = false;
      }
    },
    [readPages],
  );

  // Reading the server is what this effect is for.
  useEffect(() => {
    void read({ everything: true, failed: null });
  }, [read]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  const latest = useRef<Wanted | null>(null);
  useRunChange(runId, (run) => {
    // A run that came to rest may have changed everywhere: cancelling ends every queued chunk at once.
    latest.current = {
      everything: run === null || isResting(run.status) || (latest.current?.everything ?? false),
      failed: run?.counts.failed ?? null,
    };
    timer.current ??= setTimeout(() => {
      timer.current = null;
      const wanted = latest.current;
      latest.current = null;
      if (wanted !== null) void read(wanted);
    }, REFRESH_MS);
  });
  return { rows, complete, error, reload: () => void read({ everything: true, failed: null }) };
}
