import { DISTILL_SCENE } from "@/server/config/config.rules";
import type { ConfigEvaluation, SceneRow } from "@/server/runs/config-view.schema";
import type { RetryInput } from "@/server/runs/run.schema";

/** Who is asked. `model` is as entered; empty = the usual one. */
export type ModelChoice =
  | { by: "before" }
  | { by: "scene"; scene: string; model: string }
  | { by: "provider"; provider: string; model: string };

export const AS_BEFORE: ModelChoice = { by: "before" };
export const USUAL_CHOICE: Extract<ModelChoice, { by: "scene" }> = { by: "scene", scene: DISTILL_SCENE, model: "" };

/** What would be asked. An empty `references` goes with a problem that keeps the choice from being one. */
export interface Asked {
  /** `provider/model`, in the configuration's order. */
  references: string[];
  strategy: SceneRow["strategy"];
  /** The scene has no entry of its own. */
  inherited: boolean;
  problem: { kind: "server"; message: string } | { kind: "model_needed"; provider: string } | null;
}

/** The provider's model when none is named, by the server's rule: the first scene that names it, then its profile's. */
export function usualModel(config: ConfigEvaluation, provider: string): string | null {
  const usual = config.scenes.filter(({ scene }) => scene === DISTILL_SCENE);
  for (const { candidates, problem } of [...usual, ...config.scenes]) {
    const found = problem === null ? candidates.find((candidate) => candidate.provider === provider) : undefined;
    if (found) return found.model;
  }
  return config.providers.find(({ name }) => name === provider)?.defaultModel ?? null;
}

/** Models of the provider that the configuration speaks of, to pick from. */
export function knownModels(config: ConfigEvaluation, provider: string): string[] {
  const named = config.scenes.flatMap(({ candidates }) =>
    candidates.filter((candidate) => candidate.provider === provider).map(({ model }) => model),
  );
  const usual = config.providers.find(({ name }) => name === provider)?.defaultModel;
  return [...new Set([...named, ...(usual ? [usual] : [])])];
}

/** Null: as before, which the configuration does not know. */
export function askedBy(config: ConfigEvaluation, choice: ModelChoice): Asked | null {
  if (choice.by === "before") return null;
  const model = choice.model.trim();
  if (choice.by === "provider") {
    const one = model === "" ? usualModel(config, choice.provider) : model;
    return {
      references: one === null ? [] : [`${choice.provider}/${one}`],
      strategy: "fallback_chain",
      inherited: false,
      problem: one === null ? { kind: "model_needed", provider: choice.provider } : null,
    };
  }
  const row = config.scenes.find(({ scene }) => scene === choice.scene);
  if (row === undefined) return null;
  const [first] = row.candidates;
  return {
    references: model !== "" && first ? [`${first.provider}/${model}`] : row.candidates.map(({ reference }) => reference),
    strategy: row.strategy,
    inherited: row.inherited,
    problem: row.problem === null ? null : { kind: "server", message: row.problem },
  };
}

/** The choice as a retry takes it, with the most tokens of an answer or none; undefined = as before. */
export function retryWith(choice: ModelChoice, maxTokens: number | null = null): RetryInput["with"] {
  const limit = maxTokens === null ? {} : { maxTokens };
  if (choice.by === "before") return maxTokens === null ? undefined : limit;
  const model = choice.model.trim();
  return {
    ...(choice.by === "scene" ? { scene: choice.scene } : { backend: choice.provider }),
    ...(model === "" ? {} : { model }),
    ...limit,
  };
}
