import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { pauseOf } from "@/server/inference/cooldown";
import type { RoutedModel } from "@/server/inference/inference-router";
import type { ProviderState } from "@/server/inference/provider-state";
import type { Clock } from "@/server/shared/clock";
import { ClaimPacer } from "./claim-pacer";
import { fairShares } from "./fair-share";
import type { Held } from "./held-run";

/**
 * How many chunks of a run may be sent and claimed at this moment: its own limit, its provider's limit over all runs of this
 * process, a fair share of that among the runs that have work, what is claimed ahead for fast backends, and a trickle while
 * everything is cooling. Writes nothing.
 */
export class Slots {
  readonly #held: ReadonlyMap<string, Held>;
  readonly #state: ProviderState;
  readonly #clock: Clock;
  readonly #pacers = new Map<string, ClaimPacer>();
  readonly #triedAt = new Map<string, number>();

  constructor(held: ReadonlyMap<string, Held>, state: ProviderState, clock: Clock) {
    this.#held = held;
    this.#state = state;
    this.#clock = clock;
  }

  pacer(provider: string): ClaimPacer {
    let pacer = this.#pacers.get(provider);
    if (!pacer) {
      pacer = new ClaimPacer();
      this.#pacers.set(provider, pacer);
    }
    return pacer;
  }

  /** Whether a request of the run may be sent to the chosen model now. */
  hasRoom(held: Held, { id, provider, model, decision }: RoutedModel): boolean {
    if (this.#free(held, provider.backend.settings) < 1) return false;
    const cooldown = decision.leastBad ? this.#state.cooldown(provider.id, model) : null;
    if (!cooldown) {
      // After a cooldown, and while it refuses us, one request tells whether the model is back.
      const isTested = this.#state.isOnTrial(provider.id, model) || this.#state.refuses(provider.id, model);
      return !isTested || this.#state.inFlightOfModel(provider.id, model) === 0;
    }
    if (cooldown.asked || this.#state.inFlightOfModel(provider.id, model) > 0) return false;
    return this.#clock.now() - Math.max(cooldown.since, this.#triedAt.get(id) ?? 0) >= pauseOf(cooldown);
  }

  /** A request is sent to it. */
  sent({ id, decision }: RoutedModel): void {
    if (decision.leastBad) this.#triedAt.set(id, this.#clock.now());
  }

  /** Requests the run may send to the provider now. One that is taken by another run gives slots over as they become free. */
  #free(held: Held, settings: ProviderSettings): number {
    const own = held.run.options.concurrency - held.inFlight.size;
    const busy = this.#state.inFlight(settings.name);
    return Math.min(own, this.#share(held, settings) - inFlightOn(held, settings.name), settings.concurrency - busy);
  }

  /** Chunks to claim now; 0 while those at hand will do. */
  toClaim(held: Held): number {
    const slots = Math.max(0, ...held.routes.providers().map((settings) => this.#free(held, settings)));
    const ahead = this.pacer(held.provider).ahead(held.run.options.concurrency);
    // What is claimed is still queued.
    const unclaimed = held.run.queued - held.run.held - held.ready.length;
    const want = Math.min(slots + ahead - held.ready.length, unclaimed);
    // While the chunks at hand cover the free slots, a claim for a few would only cost: it waits until half of the reserve is used.
    const isCovered = held.ready.length >= slots && want < unclaimed && want * 2 < ahead;
    return isCovered ? 0 : Math.max(0, want);
  }

  #share(held: Held, settings: ProviderSettings): number {
    const others = [...this.#held.values()].filter(
      (other) => other === held || other.provider === settings.name || inFlightOn(other, settings.name) > 0,
    );
    if (others.length === 1) return Math.min(held.run.options.concurrency, settings.concurrency);
    const wants = others.map(({ run, inFlight }) =>
      Math.min(run.options.concurrency, wantsWork(run) ? Math.max(0, run.queued - run.held) + inFlight.size : 0),
    );
    return fairShares(settings.concurrency, wants)[others.indexOf(held)] ?? 0;
  }
}

function inFlightOn(held: Held, provider: string): number {
  if (held.inFlight.size === 0) return 0;
  let count = 0;
  for (const { routed } of held.inFlight) if (routed.provider.id === provider) count += 1;
  return count;
}

function wantsWork(run: Held["run"]): boolean {
  return run.status === "queued" || run.status === "running";
}
