import type { RoutedModel } from "@/server/inference/inference-router";
import type { ExecutorDeps } from "./executor-deps";
import type { Held, Turn } from "./held-run";
import { routeEvent } from "./route-events";
import type { ClaimedChunk } from "./run-writes.store";
import { Slots } from "./slots";
import { TurnRecorder } from "./turn-recorder";

/**
 * Fills slots: which of the claimed chunks is sent now, and to which model. Every choice sees the turns that began before it,
 * so a turn is under way from `fill` on, and until `ended`. Writes nothing.
 */
export class Dispatcher {
  readonly #held: ReadonlyMap<string, Held>;
  readonly #deps: Pick<ExecutorDeps, "state" | "clock" | "redactor">;
  readonly #slots: Slots;

  constructor(held: ReadonlyMap<string, Held>, deps: Pick<ExecutorDeps, "state" | "clock" | "redactor">) {
    this.#held = held;
    this.#deps = deps;
    this.#slots = new Slots(held, deps.state, deps.clock);
  }

  /** Chunks to claim now; 0 while those at hand will do. */
  toClaim(held: Held): number {
    return this.#slots.toClaim(held);
  }

  /** A claim for the run took this long. */
  claimed(held: Held, milliseconds: number): void {
    this.#slots.pacer(held.provider).claimed(milliseconds);
  }

  /** Begins a turn for every chunk at hand that has room; `send` must not throw. The others stay at hand, in their order. */
  fill(held: Held, send: (turn: Turn, chunk: ClaimedChunk) => void): void {
    // A chunk whose provider has no room waits; those behind it may go elsewhere.
    const full = new Set<string>();
    const waiting: ClaimedChunk[] = [];
    const { concurrency } = held.run.options;
    for (let chunk = held.ready.shift(); chunk; chunk = held.ready.shift()) {
      const key = held.routes.choiceKey(chunk);
      const routed = full.has(key) || held.inFlight.size >= concurrency ? null : held.routes.choose(chunk);
      if (routed && this.#slots.hasRoom(held, routed)) {
        send(this.#begin(held, chunk, routed), chunk);
        continue;
      }
      full.add(key);
      waiting.push(chunk);
      if (held.inFlight.size >= concurrency) break;
    }
    held.ready.unshift(...waiting);
  }

  #begin(held: Held, chunk: ClaimedChunk, routed: RoutedModel): Turn {
    const { state, clock, redactor } = this.#deps;
    const { provider, model } = routed;
    const isDown = state.isDown(provider.id, model);
    const turn: Turn = { run: held, routed, isDown, recorder: new TurnRecorder(chunk, clock), abort: new AbortController() };
    turn.recorder.started();
    held.inFlight.add(turn);
    held.provider = provider.id;
    held.routes.taken(chunk);
    this.#slots.sent(routed);
    state.began(provider.id, model);
    if (held.routes.hasAlternatives(chunk) || routed.decision.leastBad) turn.recorder.add(routeEvent(routed), redactor({}));
    return turn;
  }

  /** The upstream is done with the turn: its slot is free. */
  ended(turn: Turn, now: number): void {
    const { provider, model } = turn.routed;
    this.#deps.state.ended(provider.id, model);
    this.#slots.pacer(provider.id).served(now - (turn.recorder.times.startedAt ?? now));
    turn.run.inFlight.delete(turn);
  }

  /** The runs that have a chunk at hand for which the provider is among those it may go to. */
  waitingFor(provider: string): Held[] {
    return [...this.#held.values()].filter(
      ({ ready, routes }) => ready.length > 0 && routes.providers().some(({ name }) => name === provider),
    );
  }
}
