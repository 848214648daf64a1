/** What saving a draft would change. Pure. */
import type { ConfigDocument } from "@/server/config/config-document.schema";
import { providerNames, settingsOfProvider } from "@/server/config/provider-settings";
import { resolveRoute } from "@/server/config/resolve-model";
import type { ConfigImpact } from "./config-view.schema";
import { sceneNames } from "./pin-route";

export type DocumentChange = Pick<ConfigImpact, "scenes" | "providers"> & {
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
