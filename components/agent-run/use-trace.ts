"use client";

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import { CONVERSATION_TYPES, EMPTY_TRACE, extendTrace, type Trace } from "./trace-rows";

/** The largest page the API gives. */
const PAGE = 500;
/** Of a longer trace the newest part is shown; the raw view has all of it. */
const LONGEST_TRACE = 100_000;
/** How often a live trace is read at most. */
const FOLLOW_MS = 400;

export interface TraceReading {
  trace: Trace;
  /** Events before this one are not in it; 0: all are. */
  firstSeq: number;
  /** The newest event of the run that is known of. */
  lastSeq: number;
  /** All that there was has been read once. */
  isComplete: boolean;
  error: unknown;
  retry(): void;
}

/** The whole conversation, read page by page from its beginning, and then as it goes on. `lastSeq`: as far as it is known to go. */
export function useTrace(runId: string, lastSeq: number): TraceReading {
  const client = useTRPCClient();
  const [firstSeq] = useState(() => Math.max(0, lastSeq - LONGEST_TRACE));
  const [trace, setTrace] = useState<Trace>(EMPTY_TRACE);
  const [isComplete, setComplete] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const readTo = useRef(firstSeq);
  const reading = useRef(false);
  const isGone = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);

  const read = useCallback(async () => {
    if (reading.current) return;
    reading.current = true;
    try {
      for (let hasMore = true; hasMore && !isGone.current; ) {
        const page = await client.events.list.query({
          runId,
          afterSeq: readTo.current,
          limit: PAGE,
          types: CONVERSATION_TYPES,
        });
        hasMore = page.hasMore;
        // What is of no other type was looked at as well.
        readTo.current = Math.max(readTo.current, hasMore ? page.nextAfterSeq : page.lastSeq, page.nextAfterSeq);
        setTrace((now) => extendTrace(now, page.items));
        setError(null);
      }
      setComplete(true);
    } catch (problem) {
      setError(problem);
    } finally {
      reading.current = false;
    }
  }, [client, runId]);

  // Of a trace that is shown nothing is read again; the reading itself lives outside React.
  useEffect(() => {
    isGone.current = false;
    void read();
    return () => {
      isGone.current = true;
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    };
  }, [read]);

  const onDue = useEffectEvent(() => {
    timer.current = null;
    if (reading.current) readSoon();
    else void read();
  });
  const readSoon = () => {
    timer.current ??= setTimeout(() => onDue(), FOLLOW_MS);
  };
  useRunChange(runId, (run) => {
    if (run === null || run.lastSeq > readTo.current) readSoon();
  });

  return { trace, firstSeq, lastSeq: Math.max(lastSeq, trace.lastSeq), isComplete, error, retry: () => void read() };
}
