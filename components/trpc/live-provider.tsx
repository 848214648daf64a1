"use client";

import { useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { useNow } from "@/components/i18n/use-now";
import { LiveBus, type RunChangeListener } from "./live-bus";
import { applyRun, refreshRuns } from "./live-cache";
import { LiveFeed } from "./live-feed";
import { type LiveState, type LiveStatus, liveStatus } from "./live-status";
import { isSignedOut, subscribeSession } from "./session-state";
import { type ConsoleClient, useTRPC, useTRPCClient } from "./trpc-client";

const CHANNEL_NAME = "switchyard-live";
const STATUS_REFRESH_MS = 1_000;

interface Live {
  bus: LiveBus;
  state: LiveState;
  signedOut: boolean;
}

const LiveContext = createContext<Live | null>(null);

function openRunStream(client: ConsoleClient): ConstructorParameters<typeof LiveFeed>[0]["openStream"] {
  return (lastEventId, handlers) => {
    const subscription = client.live.runs.subscribe(lastEventId === null ? undefined : { lastEventId }, {
      onData: ({ id, data }) => (data === null ? handlers.onBegin(id) : handlers.onRun(id, data)),
      onConnectionStateChange: (state) => {
        if (state.state === "pending") handlers.onConnected();
        if (state.state === "connecting") handlers.onLost();
      },
      onError: () => handlers.onEnded(),
      // The server closes the stream when it shuts down.
      onComplete: () => handlers.onEnded(),
    });
    return { close: () => subscription.unsubscribe() };
  };
}

/** The live feed of the tab: keeps the query cache true and tells pages of changes. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const api = useTRPC();
  const client = useTRPCClient();
  const [bus] = useState(() => new LiveBus());
  const [state, setState] = useState<LiveState>({ connected: false, lastContactAt: null });

  const signedOut = useSyncExternalStore(subscribeSession, isSignedOut, () => false);

  // The browser's stream, lock and channel live outside React. Without a session they would only be refused, again and again.
  useEffect(() => {
    if (signedOut) return;
    const feed = new LiveFeed(
      {
        openStream: openRunStream(client),
        probe: async () => {
          await client.runs.list.query({ limit: 1 });
        },
        locks: navigator.locks,
        openChannel: () => new BroadcastChannel(CHANNEL_NAME),
        page: document,
        now: Date.now,
      },
      {
        onRun: (run) => {
          applyRun(queryClient, api, run);
          bus.publish(run);
        },
        onRefresh: () => {
          refreshRuns(queryClient, api);
          bus.publishRefresh();
        },
        onState: setState,
      },
    );
    feed.start();
    return () => feed.stop();
  }, [api, bus, client, queryClient, signedOut]);

  const value = useMemo(() => ({ bus, state, signedOut }), [bus, state, signedOut]);
  return <LiveContext.Provider value={value}>{children}</LiveContext.Provider>;
}

function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === null) throw new Error("LiveProvider is missing above this component");
  return live;
}

/**
 * Calls `callback` when the run ("*": any run) changes: at most some times a second, with the run as it is now, or with
 * null when everything should be read again. The caches of runs.get and runs.list are already up to date then; the page
 * invalidates what else it shows (chunks, events).
 */
export function useRunChange(runId: string, callback: RunChangeListener): void {
  const { bus } = useLive();
  const onChange = useEffectEvent(callback);
  // The bus is outside React.
  useEffect(() => bus.subscribe(runId, (run) => onChange(run)), [bus, runId]);
}

function subscribeOnline(notify: () => void): () => void {
  window.addEventListener("online", notify);
  window.addEventListener("offline", notify);
  return () => {
    window.removeEventListener("online", notify);
    window.removeEventListener("offline", notify);
  };
}

/** How fresh the page is. */
export function useLiveStatus(): LiveStatus {
  const { state, signedOut } = useLive();
  const now = useNow(STATUS_REFRESH_MS);
  const online = useSyncExternalStore(
    subscribeOnline,
    () => navigator.onLine,
    () => true,
  );
  return signedOut ? { kind: "signedOut" } : liveStatus(state, online, now ?? 0);
}
