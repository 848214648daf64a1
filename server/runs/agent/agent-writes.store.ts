/** The writing units of agent runs: row, events and sequence in one, fenced by the command's attempt and owner. */
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import type { AgentOutcome, AgentProcess, ApprovalQuestion } from "@/server/backends/agent-backend";
import type { UnitOutcome, WriteOp, Writer } from "@/server/db/writer";
import { appendEventOps, type PreparedEvent } from "@/server/events/event-writes.store";
import { WORKER_LEASE_MS } from "@/server/shared/worker-lease";
import type { ApprovalStatus } from "../agent-run.rules";
import type { AgentProcessView } from "../agent-run.schema";
import type { RunStatus } from "../run-state.rules";
import { artifactOp, moveRunOp, type NewArtifact } from "../run-writes.store";

/** A command whose turn this worker runs. */
export interface ClaimedCommand {
  id: string;
  runId: string;
  index: number;
  /** The fencing token. */
  attempt: number;
  promptId: string;
}

/** A lease that ends later than this was written by a clock that was wrong. */
const LONGEST_BELIEF_MS = WORKER_LEASE_MS * 20;

/**
 * Claims the next turn of up to `limit` runs; their runs are running from then on. The thread of a run stays with the worker that
 * had it last for as long as that lives: its process has the thread loaded, and nobody else could take it up. `only`: of these runs.
 */
export async function claimCommands(
  writer: Writer,
  owner: string,
  limit: number,
  now: number,
  only?: ReadonlySet<string>,
): Promise<ClaimedCommand[]> {
  const runs = only === undefined ? null : JSON.stringify([...only]);
  const outcome = await writer.commit([
    { sql: "leaseWorker", args: [owner, process.pid, "local", now, now + WORKER_LEASE_MS] },
    { sql: "claimCommands", args: [owner, now, runs, runs, owner, now, now + LONGEST_BELIEF_MS, limit], none: "stop" },
    { sql: "holdThreads", args: [owner, { rowsOf: 1 }] },
    { sql: "startThreadRuns", args: [now, now, { rowsOf: 1 }] },
  ]);
  if (!outcome.applied) return [];
  return (outcome.rows[1] ?? []).map((row) => ({
    id: String(row.id),
    runId: String(row.runId),
    index: Number(row.index),
    attempt: Number(row.attempt),
    promptId: String(row.promptId),
  }));
}

const held = (command: ClaimedCommand, owner: string): WriteOp => ({
  sql: "holdsCommand",
  args: [command.id, command.attempt, owner],
  none: "rollback",
});

/** Events of a turn under way. `held: false` when the turn is not ours any more; `interrupt` when a person asked for its end. */
export async function appendCommandEvents(
  writer: Writer,
  command: ClaimedCommand,
  owner: string,
  now: number,
  events: readonly PreparedEvent[],
  thread: { nativeId: string | null; process: AgentProcess | null },
): Promise<{ held: boolean; interrupt: string | null }> {
  const outcome = await writer.commit([
    held(command, owner),
    { sql: "setThread", args: [thread.nativeId, thread.process === null ? null : JSON.stringify(thread.process), command.runId] },
    ...appendEventOps(command.runId, events),
    moveRunOp(command.runId, events.length, now),
  ]);
  if (!outcome.applied) return { held: false, interrupt: null };
  const asked = outcome.rows[0]?.[0]?.interruptAsked;
  return { held: true, interrupt: typeof asked === "string" ? asked : null };
}

/** Events that come after their turn: they need no lease, they are facts. */
export async function appendLateEvents(
  writer: Writer,
  runId: string,
  now: number,
  events: readonly PreparedEvent[],
): Promise<void> {
  await writer.commit([...appendEventOps(runId, events), moveRunOp(runId, events.length, now)]);
}

/** The end of a process that worked for a run, beside its turns. False when the run names another one by now. */
export async function endProcess(
  writer: Writer,
  runId: string,
  process: AgentProcessView,
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "endProcess", args: [JSON.stringify(process), runId, process.pid, process.startedAt], none: "rollback" },
    ...appendEventOps(runId, events),
    moveRunOp(runId, events.length, now),
  ]);
  return outcome.applied;
}

export interface CommandEnd {
  outcome: Pick<AgentOutcome, "status" | "failureKind" | "message" | "turnId">;
  usage: TokenUsage | null;
  reply: NewArtifact | null;
  thread: { nativeId: string | null; process: AgentProcess | null };
}

/** How the run rests after a turn: an interrupted turn leaves it paused, so that the next one goes on. */
function restingStatus(status: AgentOutcome["status"]): RunStatus {
  return status === "cancelled" ? "paused" : status;
}

/** Ends a turn and rests its run, unless another turn waits. False when the lease was lost: then nothing is changed. */
export async function endCommand(
  writer: Writer,
  command: ClaimedCommand,
  owner: string,
  end: CommandEnd,
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const { outcome, usage } = end;
  const status = restingStatus(outcome.status);
  const stops = outcome.status === "failed" || outcome.status === "blocked";
  const result = await writer.commit([
    {
      sql: "endCommand",
      args: [
        outcome.status,
        outcome.turnId,
        end.reply?.id ?? null,
        outcome.failureKind,
        outcome.message,
        usage?.promptTokens ?? null,
        usage?.completionTokens ?? null,
        usage?.cachedTokens ?? null,
        usage?.cacheWriteTokens ?? null,
        usage?.reasoningTokens ?? null,
        usage?.costUsd ?? null,
        now,
        command.id,
        command.attempt,
        owner,
      ],
      none: "rollback",
    },
    ...(end.reply ? [artifactOp(command.runId, now, [end.reply])] : []),
    { sql: "closeApprovalsOf", args: [now, JSON.stringify([command.id])] },
    ...(stops ? [cancelQueued(command.runId, now, "The turn before it did not complete.")] : []),
    {
      sql: "restThread",
      // A turn may end before anything else of it was written: then its thread is told here, or it would be lost.
      args: [
        end.thread.nativeId,
        end.reply?.id ?? null,
        end.thread.process === null ? null : JSON.stringify(end.thread.process),
        command.runId,
      ],
    },
    { sql: "restThreadRun", args: [status, outcome.message, now, status === "paused" ? null : now, command.runId] },
    ...appendEventOps(command.runId, events),
    moveRunOp(command.runId, events.length, now, { usage: usage ?? undefined }),
  ]);
  return result.applied;
}

function cancelQueued(runId: string, now: number, message: string): WriteOp {
  return { sql: "cancelQueuedCommands", args: [now, message, runId] };
}

export interface NewCommand {
  id: string;
  /** Its place in the run, from 0. */
  index: number;
  type: "turn" | "interrupt";
  prompt: NewArtifact | null;
  preview: string;
}

/** What became of an order: `late` when another one took its place in the row, so that it is to be tried again with the next index. */
export type Ordered = "ordered" | "refused" | "late";

function orderedAs(outcome: UnitOutcome): Ordered {
  if (outcome.applied) return "ordered";
  return outcome.at === 0 ? "refused" : "late";
}

/** Another turn of a resting or running run; refused when its state had changed meanwhile. */
export async function queueTurn(
  writer: Writer,
  runId: string,
  command: NewCommand & { prompt: NewArtifact },
  allowed: readonly RunStatus[],
  now: number,
  events: readonly PreparedEvent[],
): Promise<Ordered> {
  return orderedAs(
    await writer.commit([
      { sql: "reviveThreadRun", args: [now, runId, JSON.stringify(allowed)], none: "rollback" },
      insertCommand(runId, command, "queued", now),
      artifactOp(runId, now, [command.prompt]),
      ...appendEventOps(runId, events),
      moveRunOp(runId, events.length, now),
    ]),
  );
}

export function insertCommand(runId: string, command: NewCommand, status: "queued" | "completed", now: number): WriteOp {
  const { id, index, type, prompt, preview } = command;
  const endedAt = status === "queued" ? null : now;
  return {
    sql: "insertCommand",
    args: [id, runId, index, type, status, prompt?.id ?? null, preview, now, endedAt, runId, index],
    none: "rollback",
  };
}

/** Asks the worker of the turn under way to interrupt it; refused when none is. */
export async function askInterrupt(
  writer: Writer,
  runId: string,
  command: NewCommand,
  now: number,
  events: readonly PreparedEvent[],
): Promise<Ordered> {
  return orderedAs(
    await writer.commit([
      { sql: "askInterrupt", args: [command.preview, runId], none: "rollback" },
      insertCommand(runId, command, "completed", now),
      ...appendEventOps(runId, events),
      moveRunOp(runId, events.length, now),
    ]),
  );
}

/** The conversation is over: queued turns are cancelled, the one under way is asked to end. False when the run was over already. */
export async function cancelThread(
  writer: Writer,
  runId: string,
  reason: string,
  allowed: readonly RunStatus[],
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "setRunStatus", args: ["cancelled", reason, now, null, now, runId, JSON.stringify(allowed)], none: "rollback" },
    cancelQueued(runId, now, reason),
    { sql: "askInterrupt", args: [reason, runId] },
    ...appendEventOps(runId, events),
    moveRunOp(runId, events.length, now),
  ]);
  return outcome.applied;
}

/** A turn whose worker may be dead. */
export interface StaleCommand {
  id: string;
  runId: string;
  index: number;
  leaseOwner: string;
}

/**
 * A turn whose worker is dead fails: what it had done is unknown, so nothing is sent a second time by itself. One unit, so that no
 * turn that waited behind it can be claimed in between. False when the worker lives, or another one was faster.
 */
export async function sweepCommand(
  writer: Writer,
  { id, runId, leaseOwner }: StaleCommand,
  now: number,
  message: string,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "sweepCommand", args: [message, now, id, leaseOwner, now, now + LONGEST_BELIEF_MS], none: "rollback" },
    { sql: "closeApprovalsOf", args: [now, JSON.stringify([id])] },
    cancelQueued(runId, now, "The turn before it did not complete."),
    { sql: "restThread", args: [null, null, null, runId] },
    { sql: "restThreadRun", args: ["failed", message, now, now, runId] },
    ...appendEventOps(runId, events),
    moveRunOp(runId, events.length, now),
  ]);
  return outcome.applied;
}

export async function openApproval(
  writer: Writer,
  command: ClaimedCommand,
  owner: string,
  approval: { id: string; question: ApprovalQuestion; deadlineAt: number },
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const { id, question, deadlineAt } = approval;
  const outcome = await writer.commit([
    held(command, owner),
    {
      sql: "insertApproval",
      args: [id, command.runId, command.id, question.kind, question.subject, question.cwd, question.reason, now, deadlineAt],
    },
    { sql: "setWaiting", args: ["approval", command.runId] },
    ...appendEventOps(command.runId, events),
    moveRunOp(command.runId, events.length, now),
  ]);
  return outcome.applied;
}

/** A person's answer; false when it was answered before, or its time is up. */
export async function decideApproval(
  writer: Writer,
  runId: string,
  decision: { id: string; status: ApprovalStatus; by: string },
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "decideApproval", args: [decision.status, decision.by, now, decision.id, runId, now], none: "rollback" },
    { sql: "settleWaiting", args: [runId] },
    ...appendEventOps(runId, events),
    moveRunOp(runId, events.length, now),
  ]);
  return outcome.applied;
}

/** Nobody answered in time, or nobody needs the answer any more; false when a person was faster. */
export async function closeApproval(
  writer: Writer,
  runId: string,
  id: string,
  status: "expired" | "moot",
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "closeApproval", args: [status, now, id], none: "rollback" },
    { sql: "settleWaiting", args: [runId] },
    ...appendEventOps(runId, events),
    moveRunOp(runId, events.length, now),
  ]);
  return outcome.applied;
}
