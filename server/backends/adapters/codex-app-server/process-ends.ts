/** Who is to be told when a process ends: it outlives the turns and the sessions that it served. */
import type { ChildExit } from "@/server/backends/transport/child-process";

export class ProcessEnds {
  readonly #runs = new WeakMap<object, Map<string, () => void>>();

  /** Calls `tell` once that process has ended, unless the run says later whom else to tell. */
  watch(server: { readonly exited: Promise<ChildExit> }, runId: string, tell: () => void): void {
    const known = this.#runs.get(server);
    if (known) {
      known.set(runId, tell);
      return;
    }
    const runs = new Map([[runId, tell]]);
    this.#runs.set(server, runs);
    void server.exited.then(() => {
      this.#runs.delete(server);
      for (const each of runs.values()) each();
    });
  }
}
