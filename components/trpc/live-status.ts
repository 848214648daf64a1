/** What a tab knows about the stream. Times are epoch milliseconds. */
export interface LiveState {
  connected: boolean;
  /** The last time the server answered, by stream or by poll; null = not yet. */
  lastContactAt: number | null;
}

export type LiveStatus =
  | { kind: "connecting" }
  | { kind: "live" }
  | { kind: "polling" }
  | { kind: "stale"; seconds: number }
  | { kind: "offline" }
  | { kind: "signedOut" };

/** Three missed polls: what is shown may no longer be true. */
const STALE_AFTER_MS = 15_000;

export function liveStatus(state: LiveState, online: boolean, now: number): LiveStatus {
  if (!online) return { kind: "offline" };
  if (state.connected) return { kind: "live" };
  if (state.lastContactAt === null) return { kind: "connecting" };
  const age = now - state.lastContactAt;
  return age < STALE_AFTER_MS ? { kind: "polling" } : { kind: "stale", seconds: Math.floor(age / 1_000) };
}
