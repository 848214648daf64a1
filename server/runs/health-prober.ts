/** Checks providers: when an operator asks, and by the clock when nothing else has told how one is doing. */

import type { ProviderAccess } from "@/server/backends/provider-access";
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import { splitModelReference } from "@/server/config/config.rules";
import type { ConfigDocument } from "@/server/config/config-document.schema";
import type { CurrentConfig } from "@/server/config/current-config";
import { profilesOf } from "@/server/config/profile-table";
import { settingsOfProvider } from "@/server/config/provider-settings";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { isSecretUnavailableError } from "@/server/config/secret-reference";
import type { ProviderPool } from "@/server/inference/provider-pool";
import type { HealthRecord, ProviderState } from "@/server/inference/provider-state";
import { AppError } from "@/server/shared/app-error";
import type { Clock } from "@/server/shared/clock";
import type { Logger } from "@/server/shared/logger";
import type { CapabilityFindings, CheckOrder } from "./backend-view.schema";
import type { CapabilityChecksStore } from "./capability-checks.store";
import { checkCapabilities, nothingChecked } from "./check-capabilities";
import { sceneReferences } from "./config-evaluation";
import type { ProviderStateStore } from "./provider-state.store";
import type { ProviderStatsStore } from "./provider-stats.store";

/** How often it is looked whether a check is due. */
const LOOK_MS = 20_000;
/** A provider that is down is looked at more often: nothing else would notice that it is back. */
const DOWN_EVERY_MS = 60_000;
/** A check that takes longer says so. */
const LIMIT_MS = 30_000;

export interface ProberDeps {
  config: CurrentConfig;
  providers: ProviderPool;
  state: ProviderState;
  store: ProviderStateStore;
  capabilityChecks: CapabilityChecksStore;
  stats: ProviderStatsStore;
  access(settings: ProviderSettings): ProviderAccess;
  /** Milliseconds after which what is known of a provider is old; 0 = never check by the clock. */
  everyMs: number;
  redact(text: string): string;
  /** Throws AppError `invalid_input` when the name of a model holds the value of a key. */
  refuseSecret(model: string | undefined): void;
  clock: Clock;
  logger: Logger;
}

/** The model a provider is checked with: the first that a scene asks of it, else its profile's usual one. */
export function modelToCheck(document: ConfigDocument, provider: string): string | null {
  for (const { reference } of sceneReferences(document)) {
    const parts = splitModelReference(reference);
    if (parts?.provider === provider) return parts.model;
  }
  const settings = settingsOfProvider(document, provider);
  return (settings && profilesOf(document).get(settings.profile)?.defaultModel) ?? null;
}

/** What a check found; `capabilities` is null when they were not asked for. */
export interface CheckRecord extends HealthRecord {
  capabilities: CapabilityFindings | null;
}

type Found = Pick<CheckRecord, "state" | "reason" | "latencyMs" | "capabilities">;

export class HealthProber {
  readonly #deps: ProberDeps;
  readonly #stop = new AbortController();
  readonly #underWay = new Map<string, Promise<CheckRecord>>();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;

  constructor(deps: ProberDeps) {
    this.#deps = deps;
  }

  /** From now on by the clock too. */
  start(): void {
    if (this.#deps.everyMs === 0 || this.#timer) return;
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.look();
  }

  /** Checks what is due. */
  look(): void {
    void this.lookNow();
  }

  /** The same, to wait for; one look at a time. */
  lookNow(): Promise<void> {
    this.#looking ??= this.#checkDue()
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#deps.logger.error({ error }, "providers could not be checked");
      })
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #checkDue(): Promise<void> {
    const { config, state, stats, store, clock, everyMs } = this.#deps;
    const { document } = await config.newest();
    state.learn(await store.read(clock.now()));
    const named = new Set(sceneReferences(document).map(({ reference }) => splitModelReference(reference)?.provider ?? ""));
    for (const provider of named) {
      if (this.#stop.signal.aborted) return;
      const settings = settingsOfProvider(document, provider);
      if (!settings) continue;
      const last = state.lastCheck(provider);
      const isDown = last !== null && last.state !== "healthy";
      const old = clock.now() - (isDown ? Math.min(everyMs, DOWN_EVERY_MS) : everyMs);
      if ((last?.checkedAt ?? 0) > old) continue;
      // An answer in a real run tells more than a check, and is paid for already.
      const isRemote = BACKEND_KIND_FACTS[settings.kind].transport !== "in-process";
      if (
        isRemote &&
        !isDown &&
        (await stats.finished(provider)).some(({ status, endedAt }) => status === "succeeded" && endedAt > old)
      )
        continue;
      await this.check(provider, "background");
    }
  }

  /**
   * Throws `not_found` for an unknown provider; what is wrong with it is the answer. Who asks for a check that is under way gets that
   * one. Capabilities cost more than a tiny request: nobody but an operator asks for them.
   */
  async check(provider: string, by: "operator" | "background", order: CheckOrder = {}): Promise<CheckRecord> {
    this.#deps.refuseSecret(order.model);
    const { document } = await this.#deps.config.newest();
    const settings = settingsOfProvider(document, provider);
    if (!settings) throw new AppError("not_found", `There is no provider "${provider}".`, { details: { provider } });
    const model = order.model ?? modelToCheck(document, provider);
    const withCapabilities = order.capabilities ?? false;
    const key = JSON.stringify([provider, model, withCapabilities]);
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const check = this.#checkNow(settings, model, withCapabilities, by).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, check);
    return check;
  }

  async #checkNow(
    settings: ProviderSettings,
    model: string | null,
    withCapabilities: boolean,
    by: HealthRecord["by"],
  ): Promise<CheckRecord> {
    const { clock, state, store, capabilityChecks } = this.#deps;
    const { capabilities, ...found } = await this.#ask(settings, model, withCapabilities);
    const checkedAt = clock.now();
    const record: HealthRecord = {
      provider: settings.name,
      model: model ?? "",
      ...found,
      reason: this.#shown(found.reason),
      checkedAt,
      by,
    };
    const findings = capabilities && this.#shownFindings(capabilities);
    await store.checked(record, state.checked(record));
    if (findings && model !== null) await capabilityChecks.keep({ provider: settings.name, model, findings, checkedAt });
    return { ...record, capabilities: findings };
  }

  async #ask(settings: ProviderSettings, model: string | null, withCapabilities: boolean): Promise<Found> {
    const { providers, access, clock } = this.#deps;
    const without = (state: Found["state"], reason: string, latencyMs: number): Found => ({
      state,
      reason,
      latencyMs,
      capabilities: withCapabilities ? nothingChecked(reason) : null,
    });
    if (model === null)
      return without(
        "unknown",
        `No scene names a model of ${settings.name} and its profile has none, so there is nothing to ask for.`,
        0,
      );
    try {
      const provider = providers.of(settings);
      if (withCapabilities) {
        const order = { model, access: access(settings), signal: this.#stop.signal, now: () => clock.now() };
        const { health, findings } = await checkCapabilities(provider.backend, order);
        return { ...health, capabilities: findings };
      }
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(LIMIT_MS)]);
      return { ...(await provider.healthCheck(signal, access(settings), model)), capabilities: null };
    } catch (error) {
      if (isSecretUnavailableError(error)) return without("unavailable", error.message, 0);
      if (error instanceof Error && error.name === "TimeoutError")
        return without("unavailable", `${settings.name} did not answer within ${LIMIT_MS / 1000} s.`, LIMIT_MS);
      throw error;
    }
  }

  #shown(reason: string): string {
    return this.#deps.redact(reason).slice(0, 1_000);
  }

  /** What a provider said stands in them too. */
  #shownFindings({ streaming, usage, structuredOutput, cancel }: CapabilityFindings): CapabilityFindings {
    const shown = ({ outcome, reason }: CapabilityFindings[keyof CapabilityFindings]) => ({
      outcome,
      reason: this.#shown(reason),
    });
    return {
      streaming: shown(streaming),
      usage: shown(usage),
      structuredOutput: shown(structuredOutput),
      cancel: shown(cancel),
    };
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#stop.abort(new Error("the prober was closed"));
    await Promise.allSettled([this.#looking, ...this.#underWay.values()]);
  }
}
