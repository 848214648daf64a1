import { BACKEND_CAPABILITIES } from "@/server/backends/adapter-table";
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import { isUsableSecret, splitModelReference } from "@/server/config/config.rules";
import type { ConfigDocument } from "@/server/config/config-document.schema";
import type { CurrentConfig } from "@/server/config/current-config";
import { type BackendProfile, profilesOf } from "@/server/config/profile-table";
import { providerNames, settingsOfProvider } from "@/server/config/provider-settings";
import type { Cooldown as StoredCooldown } from "@/server/inference/cooldown";
import type { HealthRecord, ProviderState } from "@/server/inference/provider-state";
import { AppError } from "@/server/shared/app-error";
import { type Clock, isoTime } from "@/server/shared/clock";
import type { BackendService } from "./backend-service";
import type { BackendProvider, BackendRow, Cooldown, HealthCheck } from "./backend-view.schema";
import type { CapabilityChecksStore, CapabilityRecord } from "./capability-checks.store";
import { type KeyStates, sceneReferences, scenesOfProvider } from "./config-evaluation";
import type { HealthProber } from "./health-prober";
import { providerFigures } from "./provider-figures";
import type { ProviderStateStore } from "./provider-state.store";
import type { ProviderStatsStore } from "./provider-stats.store";

export interface LocalBackendDeps {
  config: CurrentConfig;
  state: ProviderState;
  store: ProviderStateStore;
  capabilityChecks: CapabilityChecksStore;
  stats: ProviderStatsStore;
  prober: HealthProber;
  keyStates: KeyStates;
  clock: Clock;
  kick(): void;
}

export function createLocalBackendService(deps: LocalBackendDeps): BackendService {
  const { config, state, store, capabilityChecks, stats, prober, clock } = deps;

  async function rows(): Promise<BackendRow[]> {
    const { document } = await config.newest();
    const [stored, checks] = await Promise.all([store.read(clock.now()), capabilityChecks.read()]);
    state.learn(stored);
    const cooldowns = state.cooldowns();
    const providers = await Promise.all(providerNames(document).map((name) => providerOf(document, name, cooldowns, checks)));
    return [...profilesOf(document).values()].map((profile) =>
      rowOf(
        profile,
        providers.flatMap((each) => (each && each.profile === profile.name ? [each.view] : [])),
      ),
    );
  }

  async function providerOf(
    document: ConfigDocument,
    name: string,
    cooldowns: readonly StoredCooldown[],
    checks: readonly CapabilityRecord[],
  ) {
    const settings = settingsOfProvider(document, name);
    if (!settings) return null;
    const [finished, inFlight] = await Promise.all([stats.finished(name), stats.inFlight(name)]);
    const check = state.lastWord(name);
    const models = sceneReferences(document).flatMap(({ reference }) => {
      const parts = splitModelReference(reference);
      return parts?.provider === name ? [parts.model] : [];
    });
    const view: BackendProvider = {
      name,
      declared: Object.hasOwn(document.providers ?? {}, name),
      baseUrl: settings.baseUrl,
      secrets: deps.keyStates(settings),
      scenes: scenesOfProvider(document, name),
      models: [...new Set(models)],
      health: check && toHealthCheck(check),
      cooldowns: cooldowns.filter(({ provider }) => provider === name).map(toCooldown),
      inFlight,
      limit: settings.concurrency,
      ...providerFigures(
        finished,
        BACKEND_CAPABILITIES[settings.kind],
        checks.filter(({ provider }) => provider === name),
      ),
    };
    return { profile: settings.profile, view };
  }

  return {
    async list() {
      return { items: await rows(), generatedAt: isoTime(clock.now()) };
    },
    async get(profile) {
      const row = (await rows()).find((each) => each.profile === profile);
      if (!row) throw new AppError("not_found", `There is no profile "${profile}".`, { details: { profile } });
      return row;
    },
    async check(provider, order) {
      const record = await prober.check(provider, "operator", order);
      deps.kick();
      return { ...toHealthCheck(record), capabilities: record.capabilities };
    },
    async cooldowns() {
      state.learn(await store.read(clock.now()));
      return state.cooldowns().map(toCooldown);
    },
    async clearCooldown(provider, model) {
      const held = state.cooldown(provider, model) !== null;
      const unknown = state.clear(provider, model);
      const stored = await store.drop(provider, model);
      if (unknown) await store.checked(unknown, false);
      deps.kick();
      return held || stored;
    },
  };
}

function rowOf(profile: BackendProfile, providers: BackendProvider[]): BackendRow {
  const { protocol, transport, command } = BACKEND_KIND_FACTS[profile.kind];
  return {
    profile: profile.name,
    backendKind: profile.kind,
    protocol,
    transport,
    command,
    description: profile.description,
    origin: profile.origin,
    requiredSecretKeys: [...profile.requiredSecretKeys],
    isolation: profile.isolation,
    capabilities: { ...BACKEND_CAPABILITIES[profile.kind], scores: profile.scores },
    tokenizer: { id: profile.tokenizer, estimate: profile.tokenizerIsEstimate },
    ...statusOf(providers),
    defaultModel: profile.defaultModel,
    providers,
  };
}

const WORST_FIRST = ["unavailable", "degraded", "unknown", "healthy"] as const;

/** The worst of its providers; never checked is unknown and never green. */
function statusOf(providers: readonly BackendProvider[]): Pick<BackendRow, "status" | "reason"> {
  if (providers.length === 0) return { status: "not_configured", reason: "No provider of the configuration uses this profile." };
  const unset = providers.flatMap(({ name, secrets }) =>
    secrets.filter(({ state }) => !isUsableSecret(state)).map((secret) => ({ provider: name, ...secret })),
  );
  const [first] = unset;
  if (first && unset.length > 0 && providers.every(({ name }) => unset.some(({ provider }) => provider === name)))
    return { status: "secret_missing", reason: `${first.provider}: ${first.reference} is ${first.state}.` };
  const states = providers.map((provider) => stateOf(provider));
  for (const status of WORST_FIRST) {
    const found = states.find((each) => each.status === status);
    if (found) return found;
  }
  return { status: "unknown", reason: "It was never checked." };
}

function stateOf({
  name,
  health,
  cooldowns,
  secrets,
}: BackendProvider): Pick<BackendRow, "status" | "reason"> & { status: (typeof WORST_FIRST)[number] } {
  const unset = secrets.find(({ state }) => !isUsableSecret(state));
  if (unset) return { status: "unavailable", reason: `${name}: ${unset.reference} is ${unset.state}.` };
  const [cooldown] = cooldowns;
  if (cooldown) return { status: "degraded", reason: `${name}: ${cooldown.model} cools down: ${cooldown.reason}` };
  if (!health) return { status: "unknown", reason: `${name} was never checked.` };
  return { status: health.state, reason: health.reason };
}

function toHealthCheck({ model, state, reason, latencyMs, checkedAt, by }: HealthRecord): HealthCheck {
  return { model, state, reason, latencyMs, checkedAt: isoTime(checkedAt), by };
}

function toCooldown({ asked: _asked, since, until, ...cooldown }: StoredCooldown): Cooldown {
  return { ...cooldown, since: isoTime(since), until: isoTime(until) };
}
