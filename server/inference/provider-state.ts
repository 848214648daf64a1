/** How providers and their models are doing, as this process knows it: the last check, the last refusals, cooldowns, load. */
import type { Clock } from "@/server/shared/clock";
import { type Cooldown, pauseOf } from "./cooldown";
import { effectOf, type ProviderFailure } from "./failure-effects";
import type { ProviderHealth } from "./inference.schema";
import { type Refusal, Refusals } from "./refusals";

export interface HealthRecord {
  provider: string;
  /** The model that was asked; empty when none could be. */
  model: string;
  state: ProviderHealth["state"];
  reason: string;
  latencyMs: number;
  checkedAt: number;
  /** `run`: seen in a real request. */
  by: "operator" | "background" | "run";
}

/** Counted failures in a row that start a cooldown; with many requests under way half of them, so that single faults do not. */
const FAILURES_TO_COOL = 3;
const UNDER_WAY_TO_COOL = 0.5;
const FIRST_COOLDOWN_MS = 15_000;
const LONGEST_COOLDOWN_MS = 5 * 60_000;
/** A provider may ask for a long wait; longer than this is treated as this. */
const LONGEST_ASKED_MS = 3_600_000;
/** A check is believed this long; a failed one is made anew soon. */
const CHECK_MS = 10 * 60_000;
const FAILED_CHECK_MS = 3 * 60_000;

const LONG_DOWN_COOLDOWNS = 6;
/** What began later than this ago may not have been written down yet. */
const SETTLED_MS = 5_000;

interface ModelState {
  failuresInRow: number;
  cooldowns: number;
  cooldown: Cooldown | null;
  inFlight: number;
}

/** What changed for others: to be written down, and told in the trace. */
export type StateChange =
  | { kind: "cooldown_started"; cooldown: Cooldown }
  | { kind: "cooldown_ended"; provider: string; model: string }
  | { kind: "refusal_began"; refusal: Refusal }
  | { kind: "refusal_ended"; provider: string; model: string };

/** What is written down of all providers. */
export interface StoredState {
  cooldowns: readonly Cooldown[];
  refusals: readonly Refusal[];
  checks: readonly HealthRecord[];
}

export class ProviderState {
  readonly #clock: Clock;
  readonly #models = new Map<string, ModelState>();
  readonly #checks = new Map<string, HealthRecord>();
  /** The last check of each model that this process knows of, by `provider/model`; `#checks` has the provider's last one. */
  readonly #ownChecks = new Map<string, HealthRecord>();
  /** When a model last answered this process, in a check or a run, by `provider/model`. */
  readonly #answeredAt = new Map<string, number>();
  readonly #refusals: Refusals;
  /** Requests under way by provider, over all its models. */
  readonly #inFlight = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#refusals = new Refusals(clock);
  }

  #model(provider: string, model: string): ModelState {
    const key = `${provider}/${model}`;
    let state = this.#models.get(key);
    if (!state) {
      state = { failuresInRow: 0, cooldowns: 0, cooldown: null, inFlight: 0 };
      this.#models.set(key, state);
    }
    return state;
  }

  began(provider: string, model: string): void {
    this.#model(provider, model).inFlight += 1;
    this.#inFlight.set(provider, this.inFlight(provider) + 1);
  }

  ended(provider: string, model: string): void {
    this.#model(provider, model).inFlight -= 1;
    this.#inFlight.set(provider, this.inFlight(provider) - 1);
  }

  inFlight(provider: string): number {
    return this.#inFlight.get(provider) ?? 0;
  }

  inFlightOfModel(provider: string, model: string): number {
    return this.#models.get(`${provider}/${model}`)?.inFlight ?? 0;
  }

  /** An answer came: whatever was held against the model is over. */
  succeeded(provider: string, model: string): StateChange[] {
    const state = this.#model(provider, model);
    state.failuresInRow = 0;
    state.cooldowns = 0;
    this.#answeredAt.set(`${provider}/${model}`, this.#clock.now());
    this.#ownChecks.delete(`${provider}/${model}`);
    const check = this.#checks.get(provider);
    if (check && check.state !== "healthy")
      this.#checks.set(provider, { ...check, model, state: "healthy", reason: "", checkedAt: this.#clock.now(), by: "run" });
    const changes: StateChange[] = [];
    if (state.cooldown) changes.push({ kind: "cooldown_ended", provider, model });
    if (this.#refusals.end(provider, model)) changes.push({ kind: "refusal_ended", provider, model });
    state.cooldown = null;
    return changes;
  }

  /** `retryAfterMs`: what the provider asked for. Returns what it led to. */
  failed(
    provider: string,
    model: string,
    failure: ProviderFailure & { message: string; retryAfterMs: number | undefined },
  ): StateChange[] {
    const state = this.#model(provider, model);
    const now = this.#clock.now();
    const effect = effectOf(failure);
    if (effect === "none") return [];
    if (effect === "refuses") {
      const isOwn = failure.failureKind === "secret-unavailable";
      const refusal = this.#refusals.begin(provider, model, failure.message, isOwn);
      return isOwn ? [] : [{ kind: "refusal_began", refusal }];
    }
    state.failuresInRow += 1;
    const asked = Math.min(failure.retryAfterMs ?? 0, LONGEST_ASKED_MS);
    const isTestFailed = state.cooldown !== null && state.cooldown.until <= now;
    const isEnough = state.failuresInRow >= Math.max(FAILURES_TO_COOL, state.inFlight * UNDER_WAY_TO_COOL);
    if (asked === 0 && !isTestFailed && !isEnough) return [];
    const usual = Math.min(LONGEST_COOLDOWN_MS, FIRST_COOLDOWN_MS * 2 ** Math.min(state.cooldowns, 10));
    const until = now + (asked > 0 ? asked : usual);
    // Requests that were under way when it began only tell the same again.
    if (state.cooldown && state.cooldown.until > now) {
      if (asked === 0 || until <= state.cooldown.until) return [];
    } else state.cooldowns += 1;
    const cooldown: Cooldown = {
      provider,
      model,
      failureKind: failure.failureKind,
      reason: failure.message,
      failures: state.failuresInRow,
      asked: asked > 0,
      since: now,
      until,
    };
    state.cooldown = cooldown;
    return [{ kind: "cooldown_started", cooldown }];
  }

  /** The cooldown that holds now. */
  cooldown(provider: string, model: string): Cooldown | null {
    const cooldown = this.#models.get(`${provider}/${model}`)?.cooldown ?? null;
    return cooldown && cooldown.until > this.#clock.now() ? cooldown : null;
  }

  /** A cooldown is over and no answer has come since. */
  isOnTrial(provider: string, model: string): boolean {
    const state = this.#models.get(`${provider}/${model}`);
    return state !== undefined && state.cooldown !== null && state.cooldown.until <= this.#clock.now();
  }

  /** It cools down, or has not answered since it did. */
  isDown(provider: string, model: string): boolean {
    return this.#lastCooldown(provider, model) !== null;
  }

  /** The cooldown after which no answer has come yet; it may be over. */
  #lastCooldown(provider: string, model: string): Cooldown | null {
    return this.#models.get(`${provider}/${model}`)?.cooldown ?? null;
  }

  /** Milliseconds until it may be asked: 0 unless it cools down, then until it is tried next or, when it asked to wait, until the end. */
  pauseMs(provider: string, model: string): number {
    const cooldown = this.cooldown(provider, model);
    return cooldown ? Math.min(cooldown.until - this.#clock.now(), pauseOf(cooldown)) : 0;
  }

  /** It has been down for so many cooldowns in a row (a quarter of an hour) that work must not wait for it any longer. */
  isLongDown(provider: string, model: string): boolean {
    return (this.#models.get(`${provider}/${model}`)?.cooldowns ?? 0) > LONG_DOWN_COOLDOWNS;
  }

  cooldowns(): Cooldown[] {
    const now = this.#clock.now();
    return [...this.#models.values()].flatMap(({ cooldown }) => (cooldown && cooldown.until > now ? [cooldown] : []));
  }

  /** By the operator. What was known before is not known any more: returned to be written down, when it was held against the model. */
  clear(provider: string, model: string): HealthRecord | null {
    const wasDown = this.isDown(provider, model) || this.refuses(provider, model);
    this.#forget(provider, model);
    this.#refusals.end(provider, model);
    if (!wasDown) return null;
    const record: HealthRecord = {
      provider,
      model,
      state: "unknown",
      reason: "An operator has cleared what was held against it; it has not answered since.",
      latencyMs: 0,
      checkedAt: this.#clock.now(),
      by: "operator",
    };
    this.#keepCheck(record);
    return record;
  }

  #keepCheck(record: HealthRecord): void {
    this.#checks.set(record.provider, record);
    this.#ownChecks.set(`${record.provider}/${record.model}`, record);
  }

  /** The check of that model, or else of its provider, as long as it is believed. */
  #believedCheck(provider: string, model: string): HealthRecord | null {
    const own = this.#ownChecks.get(`${provider}/${model}`);
    const last = this.#checks.get(provider);
    return [own, last].find((check) => check !== undefined && this.#isBelieved(check)) ?? null;
  }

  #isBelieved({ state, checkedAt }: HealthRecord): boolean {
    return checkedAt + (state === "healthy" ? CHECK_MS : FAILED_CHECK_MS) > this.#clock.now();
  }

  #forget(provider: string, model: string): void {
    Object.assign(this.#model(provider, model), { failuresInRow: 0, cooldowns: 0, cooldown: null });
  }

  /** It said lately that it does not serve us, and has not answered since. */
  refuses(provider: string, model: string): boolean {
    return this.#refusals.of(provider, model) !== null;
  }

  /**
   * A check that the model has answered ends what its failures have begun, but for a time that the provider named itself. True when
   * that was a cooldown.
   */
  checked(record: HealthRecord): boolean {
    const { provider, model } = record;
    this.#keepCheck(record);
    if (record.state !== "healthy") return false;
    this.#answeredAt.set(`${provider}/${model}`, record.checkedAt);
    this.#refusals.end(provider, model);
    if (this.cooldown(provider, model)?.asked) return false;
    const wasDown = this.isDown(provider, model);
    this.#forget(provider, model);
    return wasDown;
  }

  /**
   * What is believed of a model: its own last refusal, else the newer of the provider's last check and the model's failures in real
   * requests (a cooldown after which it has not answered), else nothing. A check that failed may be the fault of the model it asked:
   * others are degraded by it and not out of use.
   */
  health(provider: string, model: string): Pick<ProviderHealth, "state" | "reason"> {
    const now = this.#clock.now();
    const refusal = this.#refusals.of(provider, model);
    if (refusal) return { state: "unavailable", reason: refusal.reason };
    const check = this.#believedCheck(provider, model);
    const down = this.#lastCooldown(provider, model);
    if (down && (!check || (check.state !== "unavailable" && check.checkedAt < down.since)))
      return { state: "degraded", reason: down.reason };
    if (!check) return { state: "unknown", reason: "" };
    if (check.state === "unavailable" && check.model !== model)
      return { state: "degraded", reason: `A check of ${check.model} failed: ${check.reason}` };
    const isKnown = check.model === model || (this.#answeredAt.get(`${provider}/${model}`) ?? 0) + CHECK_MS > now;
    if (check.state === "healthy" && !isKnown)
      return { state: "healthy", reason: `Its provider has answered for ${check.model}; of this model no answer is known.` };
    return { state: check.state, reason: check.reason };
  }

  lastCheck(provider: string): HealthRecord | null {
    return this.#checks.get(provider) ?? null;
  }

  /**
   * The newest of the last check and of what real runs have met since: refusals, and cooldowns after which no answer has come. A check
   * ends none of another model: then the provider is degraded, whatever was checked last.
   */
  lastWord(provider: string): HealthRecord | null {
    const check = this.lastCheck(provider);
    let word = check;
    const met = (state: HealthRecord["state"], { model, reason, since }: Refusal | Cooldown) => {
      const record: HealthRecord = { provider, model, state, reason, latencyMs: 0, checkedAt: since, by: "run" };
      if (since >= (word?.checkedAt ?? 0)) word = record;
      else if (word === check && check !== null && check.model !== model && check.state !== "unavailable")
        word = { ...record, state: "degraded" };
    };
    for (const { cooldown } of this.#models.values()) if (cooldown?.provider === provider) met("degraded", cooldown);
    for (const refusal of this.#refusals.ofProvider(provider)) met("unavailable", refusal);
    if (word === check && check !== null && check.state !== "unavailable") {
      const failed = [...this.#ownChecks.values()].find(
        (own) => own.provider === provider && own.model !== check.model && isFailed(own) && this.#isBelieved(own),
      );
      if (failed) word = { ...failed, state: "degraded" };
    }
    return word;
  }

  /**
   * What other processes wrote down: their cooldowns and refusals hold here too. A cooldown that is over is among them until its model
   * has answered, so that everybody tries it with one request; one that is gone there was cleared, answered or is long over.
   */
  learn(stored: StoredState): void {
    const settled = this.#clock.now() - SETTLED_MS;
    this.#refusals.learn(stored.refusals, settled);
    const keys = new Set(stored.cooldowns.map(({ provider, model }) => `${provider}/${model}`));
    for (const [key, state] of this.#models)
      if (state.cooldown && state.cooldown.since < settled && !keys.has(key))
        Object.assign(state, { cooldown: null, failuresInRow: 0, cooldowns: 0 });
    for (const cooldown of stored.cooldowns) {
      const state = this.#model(cooldown.provider, cooldown.model);
      if ((state.cooldown?.until ?? 0) < cooldown.until) state.cooldown = cooldown;
      state.cooldowns = Math.max(state.cooldowns, 1);
    }
    for (const check of stored.checks)
      if ((this.#checks.get(check.provider)?.checkedAt ?? 0) < check.checkedAt) this.#keepCheck(check);
  }
}

function isFailed({ state }: HealthRecord): boolean {
  return state === "unavailable" || state === "degraded";
}
