/** Which model does a job, by the document alone: pure, without health, keys or the network. */
import type { Result } from "@/server/shared/result";
import { BACKEND_KIND_FACTS } from "./backend-kind.rules";
import { type ModelCapability, type RoutingStrategyName, splitModelReference, USUAL_STRATEGY } from "./config.rules";
import type { ConfigDocument, RoutedScene } from "./config-document.schema";
import { listNames } from "./near-names";
import { providerNames, settingsOfProvider } from "./provider-settings";
import type { ProviderSettings } from "./provider-settings.schema";

/** Credentials and model of a scene. `apiKey` is the reference (null = none needed); only the secret projection makes the value of it. */
export interface ResolvedModel {
  baseUrl: string | null;
  apiKey: string | null;
  model: string;
}
/** What callers of a model know it by. */
export type LlmProvider = ResolvedModel;

export interface RouteCandidate {
  settings: ProviderSettings;
  model: string;
}

/** Everything the document says of a scene. */
export interface SceneRoute {
  scene: string;
  /** The entry that was used: the scene's own, else `default`. */
  mappedBy: string;
  requires: ModelCapability[];
  strategy: RoutingStrategyName;
  candidates: RouteCandidate[];
}

/** The first model of a scene, falling back to `default`; an error is one sentence that names the path. */
export function resolveModel(document: ConfigDocument, scene: string): Result<ResolvedModel, string> {
  const route = resolveRoute(document, scene);
  if (!route.ok) return route;
  const [first] = route.value.candidates;
  if (!first) return { ok: false, error: `models.${route.value.mappedBy}.candidates: lists no model.` };
  return {
    ok: true,
    value: { baseUrl: first.settings.baseUrl, apiKey: first.settings.secretRefs.apiKey ?? null, model: first.model },
  };
}

/** All candidates of a scene in their order, falling back to `default`. */
export function resolveRoute(document: ConfigDocument, scene: string): Result<SceneRoute, string> {
  const models = document.models ?? {};
  const mappedBy = Object.hasOwn(models, scene) ? scene : "default";
  const mapping = Object.hasOwn(models, mappedBy) ? models[mappedBy] : undefined;
  if (mapping === undefined)
    return {
      ok: false,
      error: `models.${scene}: the scene has no model, and there is no models.default to fall back to.`,
    };
  const routed: RoutedScene = typeof mapping === "string" ? { candidates: [mapping] } : mapping;
  const candidates: RouteCandidate[] = [];
  for (const [at, reference] of routed.candidates.entries()) {
    const path = typeof mapping === "string" ? `models.${mappedBy}` : `models.${mappedBy}.candidates[${at}]`;
    const candidate = resolveReference(document, reference, path);
    if (!candidate.ok) return candidate;
    candidates.push(candidate.value);
  }
  const exact = candidates.find(({ settings }) => BACKEND_KIND_FACTS[settings.kind].chosenExactly);
  if (exact && candidates.length > 1)
    return {
      ok: false,
      error: `models.${mappedBy}.candidates: the provider "${exact.settings.name}" is chosen exactly, so it cannot stand beside others.`,
    };
  return {
    ok: true,
    value: { scene, mappedBy, requires: routed.requires ?? [], strategy: routed.strategy ?? USUAL_STRATEGY, candidates },
  };
}

/** One `provider/model`, split at the first slash. */
export function resolveReference(document: ConfigDocument, reference: string, path: string): Result<RouteCandidate, string> {
  const parts = splitModelReference(reference);
  if (!parts) return { ok: false, error: `${path}: "${reference.slice(0, 80)}" is not of the form provider/model.` };
  const settings = settingsOfProvider(document, parts.provider);
  if (!settings)
    return {
      ok: false,
      error: `${path}: there is no provider "${parts.provider}"; there are: ${listNames(parts.provider, providerNames(document))}.`,
    };
  return { ok: true, value: { settings, model: parts.model } };
}
