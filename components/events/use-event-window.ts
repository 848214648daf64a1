"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc-client";
import type { EventType } from "@/server/events/event.rules";
import type { StoredEvent } from "@/server/events/event.schema";

const PAGE = 200;
/** More rows than this are never mounted: the far end of the window is let go when the near end grows. */
const LONGEST_WINDOW = 2_000;
/** How often a followed run is read at most. */
const FOLLOW_MS = 800;

export interface EventFilter {
  types: readonly EventType[];
  chunk: number | null;
}

export interface EventWindow {
  items: readonly StoredEvent[];
  /** Something lies before or after what is shown. */
  hasOlder: boolean;
  hasNewer: boolean;
  loading: boolean;
  error: unknown;
  /** Events that came since it stopped following. */
  unseen: number;
  older(): void;
  newer(): void;
  latest(): void;
  jump(seq: number): void;
  /** Reads again what could not be read. */
  retry(): void;
}

export interface EventStart {
  /** Stays at the end while the run goes on. */
  follow: boolean;
  /** The event to begin with; null: the newest. */
  start: number | null;
}

interface State {
  items: StoredEvent[];
  hasOlder: boolean;
  hasNewer: boolean;
  lastSeq: number;
}

const EMPTY: State = { items: [], hasOlder: false, hasNewer: false, lastSeq: 0 };

/** A window over a trace of any length: pages are read by sequence in both directions, so the last page costs what the first does. */
export function useEventWindow(runId: string, filter: EventFilter, { follow, start }: EventStart): EventWindow {
  const api = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [state, setState] = useState<State>(EMPTY);
  const [loading, setLoading] = useState(true);
  const [error, setError] = useState<unknown>(null);
  const shown = useRef<State>(EMPTY);
  shown.current = state;
  const turn = useRef(0);
  const reading = useRef(false);
  const again = useRef(() => {});
  const filterKey = JSON.stringify(filter);

  const read = useCallback(
    async (
      at: { afterSeq: number } | { beforeSeq: number },
      merge: (page: { items: StoredEvent[]; hasMore: boolean; lastSeq: number }) => State,
    ) => {
      turn.current += 1;
      const mine = turn.current;
      again.current = () => void read(at, merge);
      reading.current = true;
      setLoading(true);
      const { types, chunk }: EventFilter = JSON.parse(filterKey);
      try {
        const input = {
          runId,
          limit: PAGE,
          ...at,
          ...(types.length === 0 ? {} : { types: [...types] }),
          ...(chunk === null ? {} : { chunk }),
        };
        const page = await client.events.list.query(input);
        if (mine !== turn.current) return;
        setState(merge(page));
        setError(null);
      } catch (problem) {
        if (mine === turn.current) setError(problem);
      } finally {
        if (mine === turn.current) {
          reading.current = false;
          setLoading(false);
        }
      }
    },
    [client, runId, filterKey],
  );

  const latest = useCallback(
    () =>
      void read({ beforeSeq: Number.MAX_SAFE_INTEGER }, (page) => ({
        items: page.items,
        hasOlder: page.hasMore,
        hasNewer: false,
        lastSeq: page.lastSeq,
      })),
    [read],
  );
  const jump = useCallback(
    (seq: number) => {
      let isPastEnd = false;
      void read({ afterSeq: Math.max(0, seq - 1) }, (page) => {
        isPastEnd = page.items.length === 0;
        return { items: page.items, hasOlder: seq > 1, hasNewer: page.hasMore, lastSeq: page.lastSeq };
      }).then(() => {
        if (isPastEnd) latest();
      });
    },
    [read, latest],
  );
  const older = useCallback(() => {
    const before = shown.current.items[0]?.seq;
    if (before === undefined) return;
    void read({ beforeSeq: before }, (page) => {
      const items = [...page.items, ...shown.current.items];
      return {
        items: items.slice(0, LONGEST_WINDOW),
        hasOlder: page.hasMore,
        hasNewer: shown.current.hasNewer || items.length > LONGEST_WINDOW,
        lastSeq: page.lastSeq,
      };
    });
  }, [read]);
  const newer = useCallback(() => {
    const after = shown.current.items.at(-1)?.seq ?? 0;
    void read({ afterSeq: after }, (page) => {
      const items = [...shown.current.items, ...page.items];
      return {
        items: items.slice(-LONGEST_WINDOW),
        hasOlder: shown.current.hasOlder || items.length > LONGEST_WINDOW,
        hasNewer: page.hasMore,
        lastSeq: page.lastSeq,
      };
    });
  }, [read]);

  /** Reads what came since; more than a page of it is jumped over, or following would never reach the end. */
  const catchUp = useCallback(() => {
    const after = shown.current.items.at(-1)?.seq ?? 0;
    let isBehind = false;
    void read({ afterSeq: after }, (page) => {
      isBehind = page.hasMore;
      const items = [...shown.current.items, ...page.items];
      return isBehind
        ? shown.current
        : {
            items: items.slice(-LONGEST_WINDOW),
            hasOlder: shown.current.hasOlder || items.length > LONGEST_WINDOW,
            hasNewer: false,
            lastSeq: page.lastSeq,
          };
    }).then(() => {
      if (isBehind) latest();
    });
  }, [read, latest]);

  // Another filter or address is another window: it begins where that says, or at the end, where things happen.
  useEffect(() => {
    if (start === null) latest();
    else jump(start);
  }, [latest, jump, start]);

  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  const onDue = useEffectEvent(() => {
    timer.current = null;
    if (!follow) return;
    // What the operator asked for goes first.
    if (reading.current) {
      readSoon();
      return;
    }
    void queryClient.invalidateQueries(api.events.counts.queryFilter({ runId }));
    if (!shown.current.hasNewer) catchUp();
  });
  const readSoon = () => {
    timer.current ??= setTimeout(() => onDue(), FOLLOW_MS);
  };
  useRunChange(runId, (run) => {
    if (run !== null) setState((now) => (run.lastSeq > now.lastSeq ? { ...now, lastSeq: run.lastSeq } : now));
    if (follow) readSoon();
  });

  // Where it stopped following: what came later is unseen, whatever part of the trace is shown.
  const [stoppedAt, setStoppedAt] = useState<number | null>(null);
  if (follow && stoppedAt !== null) setStoppedAt(null);
  if (!follow && stoppedAt === null && state.lastSeq > 0) setStoppedAt(state.lastSeq);
  const lastShown = state.items.at(-1)?.seq ?? 0;
  const isFiltered = filter.types.length > 0 || filter.chunk !== null;
  return {
    items: state.items,
    hasOlder: state.hasOlder,
    hasNewer: state.hasNewer || (!follow && !isFiltered && state.lastSeq > lastShown),
    loading,
    error,
    unseen: follow || stoppedAt === null ? 0 : Math.max(0, state.lastSeq - Math.max(stoppedAt, lastShown)),
    older,
    newer,
    latest,
    jump,
    retry: () => again.current(),
  };
}
