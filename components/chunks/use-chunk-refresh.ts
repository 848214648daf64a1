"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPC } from "@/components/trpc/trpc-client";

/** A busy run changes all the time; what is on screen is read again at most this often. */
const REFRESH_MS = 1_500;

export interface ChunkRefresh {
  /** Something changed that the list does not show yet, because the pointer is on it. */
  isBehind: boolean;
  refresh: () => void;
  /** The pointer came onto the list, or left it. */
  onPointer: (inside: boolean) => void;
}

/**
 * Reads the mounted pages again when the run changes. Rows of a filtered list come and go, so such a list (`moves`) waits
 * until the pointer has left it, or until the operator asks.
 */
export function useChunkRefresh(runId: string, moves: boolean): ChunkRefresh {
  const api = useTRPC();
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const inside = useRef(false);
  const [isBehind, setBehind] = useState(false);

  const refresh = () => {
    setBehind(false);
    void queryClient.invalidateQueries({ queryKey: [...api.chunks.list.pathKey(), { input: { runId } }] });
  };
  const onDue = useEffectEvent(() => {
    if (moves && inside.current) setBehind(true);
    else refresh();
  });
  useRunChange(runId, () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      onDue();
    }, REFRESH_MS);
  });
  // The timer belongs to this list: it must not outlive it.
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return {
    isBehind,
    refresh,
    onPointer: (now) => {
      inside.current = now;
      if (!now && isBehind) refresh();
    },
  };
}
