/** Checks providers: when an operator asks, and by the clock when nothing else has told how one is doing. */

import type { ProviderAccess } from "@/server/backends/backend";
import { BACKEND_KIND_FACTS, isBuiltKind } from "@/server/config/backend-kind.rules";
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
  stats: ProviderStatsStore;
  access(settings: ProviderSettings): ProviderAccess;
  /** Milliseconds after which what is known of a provider is old; 0 = never check by the clock. */
  everyMs: number;
  redact(text: string): string;
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

export class HealthProber {
  readonly #deps: ProberDeps;
  readonly #stop = new AbortController();
  readonly #underWay = new Map<string, Promise<HealthRecord>>();
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
      if (!settings || !isBuiltKind(settings.kind)) continue;
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

  /** Throws `not_found` for an unknown provider; what is wrong with it is the answer. Who asks while a check is under way gets that one. */
  async check(provider: string, by: HealthRecord["by"]): Promise<HealthRecord> {
    const { document } = await this.#deps.config.newest();
    const settings = settingsOfProvider(document, provider);
    if (!settings) throw new AppError("not_found", `There is no provider "${provider}".`, { details: { provider } });
    if (!isBuiltKind(settings.kind))
      throw new AppError("conflict", `The kind ${settings.kind} is not built yet, so ${provider} cannot be checked.`);
    const underWay = this.#underWay.get(provider);
    if (underWay) return underWay;
    const check = this.#checkNow(document, settings, by).finally(() => this.#underWay.delete(provider));
    this.#underWay.set(provider, check);
    return check;
  }

  async #checkNow(document: ConfigDocument, settings: ProviderSettings, by: HealthRecord["by"]): Promise<HealthRecord> {
    const { providers, access, clock, state, store, redact } = this.#deps;
    const model = modelToCheck(document, settings.name);
    const found = await this.#ask(providers, settings, model, access);
    const done: HealthRecord = {
      provider: settings.name,
      model: model ?? "",
      ...found,
      reason: redact(found.reason).slice(0, 1_000),
      checkedAt: clock.now(),
      by,
    };
    state.checked(done);
    await store.checked(done);
    return done;
  }

  async #ask(
    providers: ProviderPool,
    settings: ProviderSettings,
    model: string | null,
    access: ProberDeps["access"],
  ): Promise<Pick<HealthRecord, "state" | "reason" | "latencyMs">> {
    if (model === null)
      return {
        state: "unknown",
        reason: `No scene names a model of ${settings.name} and its profile has none, so there is nothing to ask for.`,
        latencyMs: 0,
      };
    try {
      const provider = providers.of(settings);
      return await provider.healthCheck(
        AbortSignal.any([this.#stop.signal, AbortSignal.timeout(LIMIT_MS)]),
        access(settings),
        model,
      );
    } catch (error) {
      if (isSecretUnavailableError(error)) return { state: "unavailable", reason: error.message, latencyMs: 0 };
      if (error instanceof Error && error.name === "TimeoutError")
        return {
          state: "unavailable",
          reason: `${settings.name} did not answer within ${LIMIT_MS / 1000} s.`,
          latencyMs: LIMIT_MS,
        };
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#stop.abort(new Error("the prober was closed"));
    await Promise.allSettled([this.#looking, ...this.#underWay.values()]);
  }
}
