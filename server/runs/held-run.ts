/** What the executor keeps in memory of its work. All of it can be lost: the rows are the truth. */
import type { RoutedModel } from "@/server/inference/inference-router";
import { type RoutingDeps, RunRoutes } from "./run-routes";
import type { ClaimedChunk } from "./run-writes.store";
import type { ActiveRun } from "./runs.store";
import type { TurnRecorder } from "./turn-recorder";

export interface Turn {
  run: Held;
  /** Who is asked. */
  routed: RoutedModel;
  /** The model was known to be down when it was asked, and is only tried. */
  isDown: boolean;
  recorder: TurnRecorder;
  abort: AbortController;
}

/** A run this process works for. */
export interface Held {
  run: ActiveRun;
  routes: RunRoutes;
  /** The provider that was chosen last: where the run's next request most likely goes. */
  provider: string;
  /** Claimed, waiting for a slot; still queued. */
  ready: ClaimedChunk[];
  /** Sent, and the start not yet on its way to the disk. */
  starting: Turn[];
  inFlight: Set<Turn>;
  claiming: boolean;
  nothingDueUntil: number;
  settling: boolean;
}

export function holdRun(run: ActiveRun, deps: RoutingDeps): Held {
  return {
    run,
    routes: new RunRoutes(deps, run.routes),
    provider: run.backend,
    ready: [],
    starting: [],
    inFlight: new Set(),
    claiming: false,
    nothingDueUntil: 0,
    settling: false,
  };
}
