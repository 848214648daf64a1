/** What saving a draft would change. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { ConfigDocument } from "@/server/config/config-document.schema";
import { providerNames, settingsOfProvider } from "@/server/config/provider-settings";
import { resolveRoute } from "@/server/config/resolve-model";
import { agentRulesOf, limitsOf } from "./config-evaluation";
import { type ConfigImpact, LIMIT_PATHS } from "./config-view.schema";
import { sceneNames } from "./pin-route";

export type DocumentChange = Pick<ConfigImpact, "scenes" | "providers" | "prices" | "limits"> & {
  /** Scenes whose models, or whose providers' settings, would be others. */
  touchedScenes: string[];
};

/** What a scene comes to, as one line; null when it has no model. */
export function describeScene(document: ConfigDocument, scene: string): string | null {
  const route = resolveRoute(document, scene);
  if (!route.ok) return null;
  const { candidates, strategy, requires } = route.value;
  const models = candidates.map(({ settings, model }) => `${settings.name}/${model}`);
  const needs = requires.length === 0 ? "" : ` (requires ${requires.join(", ")})`;
  return models.length === 1 ? `${models[0]}${needs}` : `${strategy}: ${models.join(" → ")}${needs}`;
}

export function changeOf(before: ConfigDocument, after: ConfigDocument): DocumentChange {
  const scenes = [...new Set([...sceneNames(before), ...sceneNames(after)])];
  const providers = changedProviders(before, after);
  const changed = new Set(providers.map(({ name }) => name));
  const described = scenes.map((scene) => ({
    scene,
    before: describeScene(before, scene),
    after: describeScene(after, scene),
  }));
  return {
    scenes: described.filter((row) => row.before !== row.after),
    providers,
    prices: changedPrices(before, after),
    limits: changedLimits(before, after),
    touchedScenes: described
      .filter((row) => row.before !== row.after || usesAny(before, row.scene, changed) || usesAny(after, row.scene, changed))
      .map(({ scene }) => scene),
  };
}

function usesAny(document: ConfigDocument, scene: string, providers: ReadonlySet<string>): boolean {
  const route = resolveRoute(document, scene);
  return route.ok && route.value.candidates.some(({ settings }) => providers.has(settings.name));
}

function changedProviders(before: ConfigDocument, after: ConfigDocument): ConfigImpact["providers"] {
  const names = [...new Set([...providerNames(before), ...providerNames(after)])];
  return names.flatMap((name) => {
    const was = JSON.stringify(settingsOfProvider(before, name));
    const is = JSON.stringify(settingsOfProvider(after, name));
    if (was === is) return [];
    return [{ name, change: was === "null" ? ("added" as const) : is === "null" ? ("removed" as const) : ("changed" as const) }];
  });
}

function changedPrices(before: ConfigDocument, after: ConfigDocument): ConfigImpact["prices"] {
  const [was, is] = [before.prices ?? {}, after.prices ?? {}];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((reference) => {
    const [old, now] = [was, is].map((prices) => (Object.hasOwn(prices, reference) ? prices[reference] : undefined));
    if (isDeepStrictEqual(old, now)) return [];
    const change = old === undefined ? ("added" as const) : now === undefined ? ("removed" as const) : ("changed" as const);
    return [{ reference, change }];
  });
}

type LimitValues = Record<(typeof LIMIT_PATHS)[number], ConfigImpact["limits"][number]["before"]>;

/** In effect: what the document leaves out has its usual value, and saying that value changes nothing. */
function limitValues(document: ConfigDocument): LimitValues {
  const { supervisor, maxRounds, maxDepth, workflows } = limitsOf(document);
  const agents = agentRulesOf(document);
  return {
    maxRounds,
    maxDepth,
    "supervisor.enabled": supervisor.enabled,
    "supervisor.interval": supervisor.interval,
    "agents.backends": agents.backends,
    "agents.workspaces": agents.workspaces,
    "agents.sandbox": agents.sandbox,
    "agents.network": agents.network,
    "agents.timeoutMs": agents.timeoutMs,
    workflows,
  };
}

function changedLimits(before: ConfigDocument, after: ConfigDocument): ConfigImpact["limits"] {
  const [was, is] = [limitValues(before), limitValues(after)];
  return LIMIT_PATHS.flatMap((path) =>
    JSON.stringify(was[path]) === JSON.stringify(is[path]) ? [] : [{ path, before: was[path], after: is[path] }],
  );
}
