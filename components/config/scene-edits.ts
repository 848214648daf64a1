/** What a click in the matrix changes in the document: as little as possible, so that the comments beside everything else stay. */
import { isUsableSecret, MODEL_CAPABILITIES, type ModelCapability, type RoutingStrategyName } from "@/server/config/config.rules";
import type { ConfigEdit, ProviderRow, SceneRow } from "@/server/runs/config-view.schema";

/** A scene with an entry that lists candidates. */
export type RoutedRow = SceneRow & { own: Exclude<SceneRow["own"], string | null> };

export function isRouted(row: SceneRow): row is RoutedRow {
  return row.own !== null && typeof row.own !== "string";
}

/** The models of the entry itself; none when it inherits. */
export function ownReferences(row: SceneRow): string[] {
  if (row.own === null) return [];
  return typeof row.own === "string" ? [row.own] : row.own.candidates;
}

/** The scene gets this one model and nothing else. */
export function mapTo(scene: string, reference: string): ConfigEdit[] {
  return [{ path: ["models", scene], value: reference }];
}

/** The scene's own entry goes: it inherits again, or (one of the operator's own) is gone. */
export function removeScene(scene: string): ConfigEdit[] {
  return [{ path: ["models", scene] }];
}

export function renameScene(row: SceneRow, name: string): ConfigEdit[] {
  return row.own === null ? [] : [{ path: ["models", row.scene] }, { path: ["models", name], value: row.own }];
}

export function changeCandidate(row: SceneRow, index: number, reference: string): ConfigEdit[] {
  return isRouted(row) ? [{ path: ["models", row.scene, "candidates", index], value: reference }] : mapTo(row.scene, reference);
}

/** Behind the others; a scene with one model, or none of its own, gets a list. */
export function addCandidate(row: SceneRow, reference: string): ConfigEdit[] {
  if (isRouted(row)) return [{ path: ["models", row.scene, "candidates", row.own.candidates.length], value: reference }];
  const first = row.own === null ? row.candidates.map((candidate) => candidate.reference) : ownReferences(row);
  return [{ path: ["models", row.scene], value: { candidates: [...first.filter((each) => each !== reference), reference] } }];
}

export function removeCandidate(row: RoutedRow, index: number): ConfigEdit[] {
  return [{ path: ["models", row.scene, "candidates", index] }];
}

/** Changes places with the neighbour; nothing at the ends. */
export function moveCandidate(row: RoutedRow, index: number, by: -1 | 1): ConfigEdit[] {
  const moved = row.own.candidates[index];
  const neighbour = row.own.candidates[index + by];
  if (moved === undefined || neighbour === undefined) return [];
  return [
    { path: ["models", row.scene, "candidates", index], value: neighbour },
    { path: ["models", row.scene, "candidates", index + by], value: moved },
  ];
}

export function setStrategy(row: RoutedRow, strategy: RoutingStrategyName): ConfigEdit[] {
  return [{ path: ["models", row.scene, "strategy"], value: strategy }];
}

export function toggleCapability(row: RoutedRow, capability: ModelCapability): ConfigEdit[] {
  const present = row.own.requires ?? [];
  const wanted = MODEL_CAPABILITIES.filter((each) => (each === capability) !== present.includes(each));
  const path = ["models", row.scene, "requires"];
  return wanted.length === 0 ? [{ path }] : [{ path, value: wanted }];
}

/** Whether a request to the provider can be made: its key is there or not needed. */
export function isUsableProvider(provider: ProviderRow): boolean {
  if (provider.keyState === null) return !provider.needsKey;
  return isUsableSecret(provider.keyState);
}

/** Every model the document uses, in the order of its scenes. */
export function usedReferences(scenes: readonly SceneRow[]): string[] {
  return [...new Set(scenes.flatMap(ownReferences))];
}
