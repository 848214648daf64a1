/** What a document comes to: scenes, providers, limits, as pages show them. Pure but for the states of keys, which are asked for. */
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import {
  BUILT_IN_SCENES,
  type ConfigProblem,
  isUsableSecret,
  splitModelReference,
  USUAL_CURRENCY,
  USUAL_MAX_DEPTH,
  USUAL_MAX_ROUNDS,
  USUAL_STRATEGY,
  USUAL_SUPERVISOR_INTERVAL,
} from "@/server/config/config.rules";
import type { ConfigDocument } from "@/server/config/config-document.schema";
import { AGENT_TIME, USUAL_AGENT_SANDBOX } from "@/server/config/execution-policy.rules";
import { isInProcess, priceOf } from "@/server/config/price-table";
import { profilesOf } from "@/server/config/profile-table";
import { providerNames, settingsOfProvider } from "@/server/config/provider-settings";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { resolveReference, resolveRoute } from "@/server/config/resolve-model";
import type { secretStates } from "@/server/config/secret-projection";
import type { ConfigEvaluation, ProviderRow, SceneRow } from "./config-view.schema";
import { sceneNames } from "./pin-route";

export type KeyStates = (settings: ProviderSettings) => ReturnType<typeof secretStates>;

/** `document`: what could be read of it, errors or not; null = nothing, then only its problems are known. */
export function evaluateDocument(
  document: ConfigDocument | null,
  problems: readonly ConfigProblem[],
  keyStates: KeyStates,
): ConfigEvaluation {
  const known = document ?? {};
  const usable = document !== null && problems.every(({ severity }) => severity === "warning");
  return {
    problems: [...problems, ...(document ? keyProblems(document, keyStates) : [])],
    usable,
    scenes: document ? sceneNames(document).map((scene) => sceneRow(document, scene)) : [],
    providers: document ? providerNames(document).flatMap((name) => providerRow(document, name, keyStates)) : [],
    profiles: [...profilesOf(known).values()].map((profile) => ({
      name: profile.name,
      kind: profile.kind,
      description: profile.description,
      baseUrl: profile.baseUrl,
      defaultModel: profile.defaultModel,
      needsKey: profile.requiredSecretKeys.length > 0,
      needsBaseUrl: BACKEND_KIND_FACTS[profile.kind].needsBaseUrl && profile.baseUrl === null,
    })),
    ...pricesOf(known),
    limits: limitsOf(known),
    agents: agentRulesOf(known),
  };
}

function sceneRow(document: ConfigDocument, scene: string): SceneRow {
  const models = document.models ?? {};
  const own = Object.hasOwn(models, scene) ? (models[scene] ?? null) : null;
  const used = own ?? (Object.hasOwn(models, "default") ? models.default : undefined) ?? null;
  const routed = used === null ? null : typeof used === "string" ? { candidates: [used] } : used;
  const resolved = resolveRoute(document, scene);
  return {
    scene,
    builtIn: (BUILT_IN_SCENES as readonly string[]).includes(scene),
    own,
    inherited: own === null && used !== null,
    requires: routed?.requires ?? [],
    strategy: routed?.strategy ?? USUAL_STRATEGY,
    candidates: (routed?.candidates ?? []).map((reference) => {
      const parts = splitModelReference(reference);
      const candidate = resolveReference(document, reference, `models.${scene}`);
      return {
        reference,
        provider: parts?.provider ?? reference,
        model: parts?.model ?? "",
        problem: candidate.ok ? null : candidate.error,
      };
    }),
    problem: resolved.ok ? null : resolved.error,
  };
}

/** Every `provider/model` of the document with the scenes that name it. */
export function sceneReferences(document: ConfigDocument): { scene: string; reference: string }[] {
  return Object.entries(document.models ?? {}).flatMap(([scene, mapping]) =>
    (typeof mapping === "string" ? [mapping] : mapping.candidates).map((reference) => ({ scene, reference })),
  );
}

export function scenesOfProvider(document: ConfigDocument, name: string): string[] {
  const scenes = sceneReferences(document)
    .filter(({ reference }) => splitModelReference(reference)?.provider === name)
    .map(({ scene }) => scene);
  return [...new Set(scenes)];
}

function providerRow(document: ConfigDocument, name: string, keyStates: KeyStates): ProviderRow[] {
  const settings = settingsOfProvider(document, name);
  if (!settings) return [];
  const profile = profilesOf(document).get(settings.profile);
  return [
    {
      name,
      declared: Object.hasOwn(document.providers ?? {}, name),
      profile: settings.profile,
      kind: settings.kind,
      description: settings.description,
      baseUrl: settings.baseUrl,
      apiKey: settings.secretRefs.apiKey ?? null,
      keyState: keyStates(settings).find(({ name: key }) => key === "apiKey")?.state ?? null,
      needsKey: (profile?.requiredSecretKeys.length ?? 0) > 0,
      concurrency: settings.concurrency,
      timeouts: { requestMs: settings.timeoutMs, idleMs: settings.idleMs, connectMs: settings.connectMs },
      scores: settings.scores,
      defaultModel: profile?.defaultModel ?? null,
      scenes: scenesOfProvider(document, name),
    },
  ];
}

/** The price table with the models that it is for, and those that it says nothing of. */
function pricesOf(document: ConfigDocument): Pick<ConfigEvaluation, "prices" | "unpriced"> {
  const used = [...new Set(sceneReferences(document).map(({ reference }) => reference))].filter(
    (reference) => !isInProcess(document, splitModelReference(reference)?.provider ?? ""),
  );
  const found = new Map(used.map((reference) => [reference, priceOf(document, reference)?.reference ?? null]));
  return {
    prices: Object.entries(document.prices ?? {}).map(([reference, price]) => ({
      reference,
      input: price.input,
      cachedInput: price.cachedInput ?? null,
      cacheWrite: price.cacheWrite ?? null,
      output: price.output,
      reasoning: price.reasoning ?? null,
      currency: price.currency ?? USUAL_CURRENCY,
      models: used.filter((model) => found.get(model) === reference),
    })),
    unpriced: used.filter((model) => found.get(model) === null),
  };
}

/** What the environment lacks: warnings, since a run needs it only when it begins. */
function keyProblems(document: ConfigDocument, keyStates: KeyStates): ConfigProblem[] {
  return Object.keys(document.providers ?? {}).flatMap((name) => {
    const settings = settingsOfProvider(document, name);
    if (!settings) return [];
    return keyStates(settings).flatMap(({ name: key, reference, state }): ConfigProblem[] => {
      if (state === "set") return [];
      const isUrl = key === "baseUrl";
      return [
        {
          severity: "warning",
          code: isUrl ? "variable_not_set" : "secret_not_set",
          path: `providers.${name}.${key}`,
          line: null,
          column: null,
          message: isUsableSecret(state)
            ? `${reference} has white space around its value; it is cut off when it is used.`
            : `${reference} is ${state}, so this provider cannot be asked.`,
          details: { reference, state, ...(isUsableSecret(state) ? { reason: "usable" } : {}) },
        },
      ];
    });
  });
}

export function agentRulesOf({ agents = {} }: ConfigDocument): ConfigEvaluation["agents"] {
  return {
    backends: agents.backends ?? null,
    workspaces: agents.workspaces ?? [],
    sandbox: agents.sandbox ?? USUAL_AGENT_SANDBOX,
    network: agents.network ?? false,
    timeoutMs: agents.timeoutMs ?? AGENT_TIME.turn.max,
  };
}

export function limitsOf(document: ConfigDocument): ConfigEvaluation["limits"] {
  const interval = document.supervisor?.interval ?? USUAL_SUPERVISOR_INTERVAL;
  const rounds = interval === false ? 0 : interval;
  // A supervisor that only falls back to the default model was not asked for.
  const enabled = document.supervisor?.enabled ?? Object.hasOwn(document.models ?? {}, "supervisor");
  return {
    supervisor: { enabled: enabled && rounds > 0, interval: rounds },
    maxRounds: document.maxRounds ?? USUAL_MAX_ROUNDS,
    maxDepth: document.maxDepth ?? USUAL_MAX_DEPTH,
    workflows: Object.keys(document.workflows ?? {}),
  };
}
