import type { Clock } from "@/server/shared/clock";

/** A provider's model that does not serve us (wrong key, empty account, no such model). Times are epoch milliseconds. */
export interface Refusal {
  provider: string;
  model: string;
  reason: string;
  since: number;
  until: number;
}

/** A refusal is believed this long: an operator mends keys and accounts without telling us. */
const REFUSAL_MS = 5 * 60_000;

/** The last refusal of each model, as long as it is believed. */
export class Refusals {
  readonly #clock: Clock;
  readonly #refusals = new Map<string, Refusal & { isOwn: boolean }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `isOwn`: a matter of this process (its key is not there), which others are not told. */
  begin(provider: string, model: string, reason: string, isOwn: boolean): Refusal {
    const since = this.#clock.now();
    const refusal = { provider, model, reason, since, until: since + REFUSAL_MS };
    this.#refusals.set(`${provider}/${model}`, { ...refusal, isOwn });
    return refusal;
  }

  /** It serves us again, or nobody believes it any longer. True when others were told that it began. */
  end(provider: string, model: string): boolean {
    const key = `${provider}/${model}`;
    const isTold = this.#refusals.get(key)?.isOwn === false;
    this.#refusals.delete(key);
    return isTold;
  }

  /** The one that holds now. */
  of(provider: string, model: string): Refusal | null {
    const refusal = this.#refusals.get(`${provider}/${model}`);
    return refusal && refusal.until > this.#clock.now() ? refusal : null;
  }

  /** Those of the provider that hold now. */
  ofProvider(provider: string): Refusal[] {
    const now = this.#clock.now();
    return [...this.#refusals.values()].filter((refusal) => refusal.provider === provider && refusal.until > now);
  }

  /** What other processes wrote down holds here too; one that began before `settled` and is gone there is over. */
  learn(stored: readonly Refusal[], settled: number): void {
    const keys = new Set(stored.map(({ provider, model }) => `${provider}/${model}`));
    for (const [key, { since, isOwn }] of this.#refusals)
      if (!isOwn && since < settled && !keys.has(key)) this.#refusals.delete(key);
    for (const refusal of stored) {
      const key = `${refusal.provider}/${refusal.model}`;
      if ((this.#refusals.get(key)?.until ?? 0) < refusal.until) this.#refusals.set(key, { ...refusal, isOwn: false });
    }
  }
}
