import type { RunStatus } from "./run-state.rules";

/**
 * run      queued ─► running ─► completed | failed | blocked      what the last turn came to
 *             │         ├─────► paused                            the turn was interrupted; the next one goes on
 *             └─────────┴─────► cancelled                         by the operator; the conversation is over
 *          completed, failed, paused ─► running                   another turn was ordered
 *
 * command  queued ─► running ─► completed | failed | cancelled | blocked
 */
export const COMMAND_STATUSES = ["queued", "running", "completed", "failed", "cancelled", "blocked"] as const;
export type CommandStatus = (typeof COMMAND_STATUSES)[number];

export const COMMAND_TYPES = ["turn", "interrupt"] as const;

export const APPROVAL_STATUSES = ["pending", "accepted", "declined", "expired", "moot"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** Where another turn may be ordered. A blocked run was stopped by its policy: a new run with another policy is a person's decision. */
export const TURN_FROM = ["queued", "running", "paused", "completed", "failed"] as const satisfies readonly RunStatus[];

export const AGENT_CANCEL_FROM = ["queued", "running", "paused"] as const satisfies readonly RunStatus[];

/** The one workflow of agent runs: a single role that answers turn by turn. */
export const AGENT_WORKFLOW = "agent";

/** Characters of a prompt that lists show. */
export const PROMPT_PREVIEW = 200;
