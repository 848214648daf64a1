import { setMaxListeners } from "node:events";
import { BackendError } from "@/server/backends/backend";

/** The turns of one backend that are under way, so that `close()` can end them. */
export interface TurnScope {
  /** Aborted by `close()`. A turn watches it beside its caller's signal; a signal of its own for each turn would be dear. */
  readonly closing: AbortSignal;
  /**
   * Runs `work`, which ends when the caller's signal or `closing` is aborted. Rejects with the caller's reason when the
   * caller aborted, with a `cancelled` BackendError when the scope was closed, else with what `work` threw.
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Aborts what is under way and waits until it has settled. Further calls change nothing. */
  close(): Promise<void>;
}

export function createTurnScope(providerName: string): TurnScope {
  const closing = new AbortController();
  // Every turn under way listens to it.
  setMaxListeners(0, closing.signal);
  const underWay = new Set<Promise<unknown>>();
  return {
    closing: closing.signal,
    async run(signal, work) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      const turn = work();
      underWay.add(turn);
      try {
        return await turn;
      } catch (error) {
        signal.throwIfAborted();
        closing.signal.throwIfAborted();
        throw error;
      } finally {
        underWay.delete(turn);
      }
    },
    async close() {
      closing.abort(new BackendError("cancelled", `${providerName} was closed while the turn was under way.`));
      await Promise.allSettled(underWay);
    },
  };
}
