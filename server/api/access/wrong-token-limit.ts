import type { Clock } from "@/server/shared/clock";

const WINDOW_MS = 60_000;
/** Wrong tokens a minute: somebody who mistypes needs fewer, a program that guesses gets nowhere. */
const PER_CLIENT = 5;
/** Over all clients: guessing from many addresses at once is no way around. */
const OVERALL = 60;
/** Clients with the right token that are remembered: the limit over all clients must not keep them out. */
const PROVEN = 1_000;

/**
 * Counts wrong tokens by client in a sliding minute. A client that used up its own is refused, whatever it brings. When all
 * clients together used up theirs, only those are let through that had the right token before.
 *
 * Memory is bounded by itself: a refused attempt is not counted, so at most `OVERALL` clients and the proven ones have entries.
 */
export class WrongTokenLimit {
  readonly #clock: Clock;
  readonly #byClient = new Map<string, number[]>();
  readonly #proven = new Set<string>();
  #overall: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until a token of this client is looked at again; 0 = now. Ask before each comparison. */
  waitMs(client: string): number {
    const now = this.#clock.now();
    const own = waitOf(recent(this.#byClient.get(client) ?? [], now), PER_CLIENT, now);
    return this.#proven.has(client) ? own : Math.max(own, waitOf(recent(this.#overall, now), OVERALL, now));
  }

  /** The client brought a wrong token. */
  countWrong(client: string): void {
    const now = this.#clock.now();
    for (const [other, times] of this.#byClient) if (recent(times, now).length === 0) this.#byClient.delete(other);
    this.#byClient.set(client, [...recent(this.#byClient.get(client) ?? [], now), now]);
    if (!this.#proven.has(client)) this.#overall = [...recent(this.#overall, now), now];
  }

  /** The client brought the right one. Its wrong ones stay counted: others may share its address. */
  countRight(client: string): void {
    this.#proven.delete(client);
    this.#proven.add(client);
    const [oldest] = this.#proven;
    if (this.#proven.size > PROVEN && oldest !== undefined) this.#proven.delete(oldest);
  }

  /** How many clients are remembered. */
  get size(): number {
    return this.#byClient.size + this.#proven.size;
  }
}

function recent(times: readonly number[], now: number): number[] {
  return times.filter((time) => now - time < WINDOW_MS);
}

/** Until so many of the times are old that fewer than `limit` are left. */
function waitOf(times: readonly number[], limit: number, now: number): number {
  const deciding = times.at(-limit);
  return deciding === undefined ? 0 : deciding + WINDOW_MS - now;
}
