import type { Profile } from "@/server/config/profile.schema";
import { ClaimPacer } from "./claim-pacer";
import { fairShares } from "./fair-share";
import type { Held } from "./held-run";

/**
 * How many chunks of a run may be sent and claimed at this moment: its own limit, its profile's limit over all runs of this
 * process, a fair share of that among the runs that have work, and what is claimed ahead for fast backends. Writes nothing.
 */
export class Slots {
  readonly #held: ReadonlyMap<string, Held>;
  readonly #pacers = new Map<string, ClaimPacer>();

  constructor(held: ReadonlyMap<string, Held>) {
    this.#held = held;
  }

  pacer(profile: string): ClaimPacer {
    let pacer = this.#pacers.get(profile);
    if (!pacer) {
      pacer = new ClaimPacer();
      this.#pacers.set(profile, pacer);
    }
    return pacer;
  }

  /** Requests the run may send now. A profile that is taken by another run gives slots over as they become free. */
  free(held: Held, profile: Profile): number {
    let busy = 0;
    for (const other of this.#held.values()) if (other.run.backend === profile.name) busy += other.inFlight.size;
    return Math.min(this.#share(held, profile) - held.inFlight.size, profile.concurrency - busy);
  }

  /** Chunks to claim now; 0 while those at hand will do. */
  toClaim(held: Held, profile: Profile): number {
    const slots = Math.max(0, this.free(held, profile));
    const ahead = this.pacer(profile.name).ahead(held.run.options.concurrency);
    // What is claimed is still queued.
    const unclaimed = held.run.queued - held.ready.length;
    const want = Math.min(slots + ahead - held.ready.length, unclaimed);
    // While the chunks at hand cover the free slots, a claim for a few would only cost: it waits until half of the reserve is used.
    const isCovered = held.ready.length >= slots && want < unclaimed && want * 2 < ahead;
    return isCovered ? 0 : Math.max(0, want);
  }

  #share(held: Held, profile: Profile): number {
    const others = [...this.#held.values()].filter(({ run }) => run.backend === profile.name);
    if (others.length === 1) return Math.min(held.run.options.concurrency, profile.concurrency);
    const wants = others.map(({ run, inFlight }) =>
      Math.min(run.options.concurrency, wantsWork(run) ? run.queued + inFlight.size : 0),
    );
    return fairShares(profile.concurrency, wants)[others.indexOf(held)] ?? 0;
  }
}

function wantsWork(run: Held["run"]): boolean {
  return run.status === "queued" || run.status === "running";
}
