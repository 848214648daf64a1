import type { SceneRow } from "@/server/runs/config-view.schema";

/** What is open over the matrix; one at a time, whatever the number of scenes. */
export type MatrixDialog =
  | { kind: "pick"; row: SceneRow; index: number }
  | { kind: "add-candidate"; row: SceneRow }
  | { kind: "why"; scene: string }
  | { kind: "rename"; row: SceneRow }
  | { kind: "new-scene" }
  | { kind: "new-scene-model"; scene: string };
