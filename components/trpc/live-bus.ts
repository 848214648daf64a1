import type { RunSummary } from "@/server/runs/run.schema";

/** Called with the run as it is now; null means "anything may have changed: read again" (catching up, polling). */
export type RunChangeListener = (run: RunSummary | null) => void;

/** Hands run changes to whoever shows the run; "*" hears of every run. */
export class LiveBus {
  readonly #listeners = new Map<string, Set<RunChangeListener>>();

  subscribe(runId: string, listener: RunChangeListener): () => void {
    const set = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.#listeners.get(runId) === set) this.#listeners.delete(runId);
    };
  }

  publish(run: RunSummary): void {
    for (const key of [run.id, "*"]) for (const listener of [...(this.#listeners.get(key) ?? [])]) listener(run);
  }

  publishRefresh(): void {
    for (const set of [...this.#listeners.values()]) for (const listener of [...set]) listener(null);
  }
}
