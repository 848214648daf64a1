/**
 * The states of a run and of a chunk, once, as data: the store's compare-and-set, the API and the pages read the same tables.
 *
 * run    queued ─► running ─► completed                      every chunk has an accepted result
 *          │         ├──────► incomplete ─► completed         failed chunks left; "finish with gaps" is an explicit act
 *          │         │            └───────► running           retry
 *          │         ├──────► paused ─────► running           by the operator, or by the executor with a reason
 *          │         ├──────► failed ─────► running           the run itself broke (consolidation); retry tries again
 *          └─────────┴──────► cancelled, blocked              terminal
 *
 * chunk  queued ─► running ─► succeeded | failed | cancelled; running ─► queued (backoff, or its worker died); failed ─► queued (retry)
 */
export const RUN_STATUSES = ["queued", "running", "paused", "incomplete", "completed", "failed", "cancelled", "blocked"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const RUN_TRANSITIONS = {
  queued: ["running", "paused", "completed", "failed", "cancelled", "blocked"],
  running: ["paused", "incomplete", "completed", "failed", "cancelled", "blocked"],
  paused: ["running", "queued", "cancelled"],
  incomplete: ["running", "completed", "cancelled"],
  completed: ["running"],
  failed: ["running"],
  cancelled: [],
  blocked: [],
} as const satisfies Record<RunStatus, readonly RunStatus[]>;

/** Nothing will happen to the run by itself any more. */
export const RESTING_STATUSES = [
  "paused",
  "incomplete",
  "completed",
  "failed",
  "cancelled",
  "blocked",
] as const satisfies readonly RunStatus[];

export function isResting(status: RunStatus): boolean {
  return (RESTING_STATUSES as readonly RunStatus[]).includes(status);
}

export const CHUNK_STATUSES = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type ChunkStatus = (typeof CHUNK_STATUSES)[number];

/** `abandoned`: its worker died or lost its lease; the answer, if one came, was refused. */
export const ATTEMPT_STATUSES = ["running", "succeeded", "failed", "cancelled", "abandoned"] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** Chunks by state. */
export type Counts = Record<"total" | ChunkStatus, number>;

export const RUN_ACTIONS = {
  pause: { from: ["queued", "running"] },
  resume: { from: ["paused"] },
  cancel: { from: ["queued", "running", "paused", "incomplete"] },
  retry: { from: ["running", "paused", "incomplete", "failed", "completed"] },
  finish: { from: ["incomplete"] },
} as const satisfies Record<string, { from: readonly RunStatus[] }>;
export type RunAction = keyof typeof RUN_ACTIONS;

/** Why an action is not possible; pages translate the code, REST sends the sentence. */
export type ActionRefusal = "wrong_status" | "nothing_failed";

/** Whether `action` is possible now, and if not, why. A failed run may be retried without failed chunks: consolidation is tried again. */
export function actionRefusal(action: RunAction, run: { status: RunStatus; counts: Counts }): ActionRefusal | null {
  if (!(RUN_ACTIONS[action].from as readonly RunStatus[]).includes(run.status)) return "wrong_status";
  if (action === "retry" && run.counts.failed === 0 && run.status !== "failed") return "nothing_failed";
  return null;
}
