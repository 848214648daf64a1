import type { PinnedRoute } from "@/server/config/pinned-route.schema";
import type { RoutedModel } from "@/server/inference/inference-router";
import type { Executed } from "./judge-answer";
import { type RoutedChunk, type RoutingDeps, RunRoutes } from "./run-routes";
import type { Outlook } from "./turn-end";
import { learnOfProvider, outlookOf } from "./turn-work";

/**
 * Which model a request file goes to next: as in a run, but what is learnt of the models ends with this process. No provider gets
 * more requests at once than it allows.
 */
export class ExecRoutes {
  readonly #deps: RoutingDeps;
  readonly #routes: RunRoutes;
  readonly #waiting: (() => void)[] = [];

  constructor(deps: RoutingDeps, route: PinnedRoute) {
    this.#deps = deps;
    this.#routes = new RunRoutes(deps, [route]);
  }

  /**
   * Sends the file's next request to the chosen model, once its provider has room, and learns from what comes back; `outlook` is
   * what else the file could do.
   */
  async ask(
    file: RoutedChunk,
    signal: AbortSignal,
    send: (routed: RoutedModel) => Promise<Executed>,
  ): Promise<{ routed: RoutedModel; executed: Executed; outlook: Outlook }> {
    const { state } = this.#deps;
    const routed = await this.#begin(file);
    let executed: Executed;
    try {
      executed = await send(routed);
    } finally {
      state.ended(routed.provider.id, routed.model);
      for (const wake of this.#waiting.splice(0)) wake();
    }
    // A command ends: it does not sit out an outage, so every failure counts that is not passed on.
    const turn = { run: { routes: this.#routes }, routed, isDown: false, abort: { signal } };
    learnOfProvider({ state, keepState: () => undefined }, turn, file, executed);
    return { routed, executed, outlook: outlookOf(this.#deps, turn, file) };
  }

  async #begin(file: RoutedChunk): Promise<RoutedModel> {
    const { state } = this.#deps;
    for (;;) {
      // Chosen anew after each wait: what came meanwhile may have changed it.
      const routed = this.#routes.choose(file);
      if (state.inFlight(routed.provider.id) < routed.provider.backend.settings.concurrency) {
        state.began(routed.provider.id, routed.model);
        this.#routes.taken(file);
        return routed;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}
