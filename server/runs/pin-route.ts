/** From what an order names to the models it is pinned to. Pure. */
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import { BUILT_IN_SCENES, DISTILL_SCENE, USUAL_STRATEGY } from "@/server/config/config.rules";
import type { ConfigDocument } from "@/server/config/config-document.schema";
import { listNames, nearNames } from "@/server/config/near-names";
import type { PinnedRoute } from "@/server/config/pinned-route.schema";
import { profilesOf } from "@/server/config/profile-table";
import { providerNames, settingsOfProvider } from "@/server/config/provider-settings";
import { type RouteCandidate, resolveReference, resolveRoute } from "@/server/config/resolve-model";
import { decideRoute, strategyOf } from "@/server/inference/routing";
import { AppError } from "@/server/shared/app-error";

/** What an order may say of the model: a scene (usual: `extract`), or a provider by name; a model beside either. */
export interface ModelChoice {
  scene?: string | undefined;
  backend?: string | undefined;
  model?: string | undefined;
  /** The most tokens an answer may have. */
  maxTokens?: number | undefined;
}

/** Scenes of the document: the built-in ones, then the operator's own. */
export function sceneNames(document: ConfigDocument): string[] {
  const own = Object.keys(document.models ?? {}).filter((name) => !(BUILT_IN_SCENES as readonly string[]).includes(name));
  return [...BUILT_IN_SCENES, ...own];
}

/** Throws AppError `unknown_backend`, `unknown_scene`, `invalid_input` or `invalid_config` with one sentence. */
export function pinRoute(document: ConfigDocument, revision: number, choice: ModelChoice): PinnedRoute {
  const route = modelsOf(document, revision, choice);
  return choice.maxTokens === undefined ? route : withOutputLimit(route, choice.maxTokens);
}

/** The same models, with another limit of their answers. Throws AppError `invalid_input` when none of them takes one. */
export function withOutputLimit(route: PinnedRoute, maxTokens: number): PinnedRoute {
  if (!route.candidates.some(({ settings }) => BACKEND_KIND_FACTS[settings.kind].takesOutputLimit)) {
    const names = route.candidates.map(({ settings, model }) => `${settings.name}/${model}`).join(", ");
    throw new AppError(
      "invalid_input",
      `No output limit can be given to ${names}; leave maxTokens out, or name another backend.`,
    );
  }
  return { ...route, maxTokens };
}

function modelsOf(document: ConfigDocument, revision: number, choice: ModelChoice): PinnedRoute {
  if (choice.backend !== undefined) {
    if (choice.scene !== undefined)
      throw new AppError("invalid_input", "Name a scene or a backend, not both: the scene says which backend it gets.");
    const candidate = candidateOfProvider(document, choice.backend, choice.model);
    return {
      scene: null,
      mappedBy: null,
      revision,
      requires: [],
      strategy: USUAL_STRATEGY,
      candidates: [{ model: candidate.model, settings: candidate.settings }],
    };
  }
  const scene = choice.scene ?? DISTILL_SCENE;
  const known = sceneNames(document);
  if (!known.includes(scene))
    throw new AppError("unknown_scene", `There is no scene "${scene}"; there are: ${listNames(scene, known)}.`, {
      // As the sentence: a document may have hundreds.
      details: { scene, known: nearNames(scene, known) },
    });
  const route = resolveRoute(document, scene);
  if (!route.ok) throw new AppError("invalid_config", `The configuration names no model for ${scene}: ${route.error}`);
  const { mappedBy, requires, strategy } = route.value;
  const candidates = route.value.candidates.map(({ settings, model }, at) => ({
    model: at === 0 ? (choice.model ?? model) : model,
    settings,
  }));
  refuseIncapable(route.value.candidates, requires, scene);
  return {
    scene,
    mappedBy,
    revision,
    requires,
    strategy,
    // A model that is named for once is meant, and no other.
    candidates: choice.model === undefined ? candidates : candidates.slice(0, 1),
  };
}

function candidateOfProvider(document: ConfigDocument, name: string, model: string | undefined): RouteCandidate {
  const settings = settingsOfProvider(document, name);
  if (!settings) {
    const known = providerNames(document);
    const profile = profilesOf(document).get(name);
    const hint = profile ? ` The profile ${name} exists; name a provider that uses it.` : "";
    throw new AppError("unknown_backend", `There is no backend "${name}"; there are: ${listNames(name, known)}.${hint}`, {
      details: { backend: name, known: nearNames(name, known) },
    });
  }
  const chosen = model ?? modelOfProvider(document, name) ?? profilesOf(document).get(settings.profile)?.defaultModel;
  if (!chosen)
    throw new AppError("invalid_input", `The backend "${name}" has no usual model; name one, or map a scene to ${name}/MODEL.`, {
      details: { backend: name },
    });
  const resolved = resolveReference(document, `${name}/${chosen}`, "backend");
  if (!resolved.ok) throw new AppError("unknown_backend", resolved.error, { details: { backend: name } });
  return resolved.value;
}

/** The model of the first scene that names the provider: `extract`, `default`, then the others. */
function modelOfProvider(document: ConfigDocument, name: string): string | undefined {
  for (const scene of [DISTILL_SCENE, ...sceneNames(document)]) {
    const route = resolveRoute(document, scene);
    const found = route.ok ? route.value.candidates.find(({ settings }) => settings.name === name) : undefined;
    if (found) return found.model;
  }
  return undefined;
}

/** What no listed model can do is refused before anything is prepared. */
function refuseIncapable(candidates: readonly RouteCandidate[], requires: PinnedRoute["requires"], scene: string): void {
  const snapshots = candidates.map(({ settings, model }) => ({
    id: `${settings.name}/${model}`,
    provider: settings.name,
    model,
    scores: settings.scores,
    blockedBy: null,
    health: "unknown" as const,
    healthReason: "",
    isTested: false,
    cooldown: null,
    inFlight: 0,
    limit: settings.concurrency,
  }));
  const { chosen, verdicts } = decideRoute(snapshots, requires, strategyOf(USUAL_STRATEGY, 0), 0);
  if (chosen) return;
  const reasons = verdicts.map(({ candidate, reason }) => `${candidate.id}: ${reason}`).join(" ");
  throw new AppError(
    "invalid_config",
    `No model of the scene ${scene} can do what it requires (${requires.join(", ")}). ${reasons}`,
  );
}
