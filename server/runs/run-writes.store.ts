import type { StoredText } from "@/server/artifacts/artifact-text";
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import type { WriteOp, WriteRow, Writer } from "@/server/db/writer";
import { appendEventOps, type PreparedEvent } from "@/server/events/event-writes.store";
import { WORKER_LEASE_MS } from "@/server/shared/worker-lease";
import type { RunStatus } from "./run-state.rules";

/** An artifact ready to be stored: the exact text and its hash. */
export interface NewArtifact extends StoredText {
  id: string;
  kind:
    | "request"
    | "result"
    | "late-result"
    | "manifest"
    | "cleaned"
    | "staged-markdown"
    | "staged-json"
    | "sample"
    | "prompt"
    | "reply";
}

/** The run's row after a write, as far as the executor needs it. */
export interface RunState {
  id: string;
  status: RunStatus;
  total: number;
  queued: number;
  running: number;
  succeeded: number;
  failed: number;
  cancelled: number;
}

export interface ClaimedChunk {
  id: string;
  runId: string;
  index: number;
  /** The fencing token: every write of this turn names it. The row has it from the start of the turn on. */
  attempt: number;
  /** Counted failures before this attempt. */
  failures: number;
  /** Epoch milliseconds; a claim of long ago may have been lost unnoticed. */
  claimedAt: number;
  /** Its place among the run's routes. */
  route: number;
  /** Repair rounds since the last retry, this one included. */
  repairs: number;
  /** The attempt whose invalid answer this one is to mend; null for a plain one. */
  repairOf: number | null;
  /** The attempt whose answer stands until another one is accepted: the chunk had succeeded and is asked again. */
  accepted: number | null;
  requestBody: string;
  requestSha256: string;
}

interface Deltas {
  queued?: number;
  running?: number;
  succeeded?: number;
  failed?: number;
  cancelled?: number;
  retries?: number;
  usage?: TokenUsage | undefined;
}

/** The last op of most units: counters, sequence and change feed in one statement; returns the run's state. */
export function moveRunOp(runId: string, events: number, now: number, deltas: Deltas = {}): WriteOp {
  const usage = deltas.usage;
  return {
    sql: "moveRun",
    args: [
      events,
      deltas.queued ?? 0,
      deltas.running ?? 0,
      deltas.succeeded ?? 0,
      deltas.failed ?? 0,
      deltas.cancelled ?? 0,
      deltas.retries ?? 0,
      usage?.promptTokens ?? 0,
      usage?.completionTokens ?? 0,
      usage?.cachedTokens ?? 0,
      usage?.cacheWriteTokens ?? 0,
      usage?.reasoningTokens ?? 0,
      usage?.estimated ? 1 : 0,
      now,
      runId,
    ],
  };
}

export function artifactOp(runId: string, now: number, artifacts: readonly NewArtifact[]): WriteOp {
  return {
    sql: "insertArtifacts",
    args: artifacts.flatMap(({ id, kind, body, bytes, sha256 }) => [id, runId, kind, body, bytes, sha256, now]),
    tuples: artifacts.length,
  };
}

/** The run as the unit left it. */
export function stateOf(rows: WriteRow[][]): RunState {
  // A unit that stopped early has the run further up.
  const row = rows.findLast((returned) => returned.length > 0)?.[0];
  if (!row) throw new Error("the unit did not return the run");
  // The statement's RETURNING list is RunState's fields; the columns are typed by the schema's CHECK.
  return row as unknown as RunState;
}

export interface ClaimOrder {
  runId: string;
  owner: string;
  limit: number;
  now: number;
}

/**
 * Claims up to `limit` due chunks of a run: a lease, and nothing else. They stay queued, and another worker leaves them
 * alone, until their request is sent (`startTurns`) or they are given back (`freeChunks`).
 */
export async function claimChunks(writer: Writer, order: ClaimOrder): Promise<ClaimedChunk[]> {
  const { runId, owner, now } = order;
  const outcome = await writer.commit([
    { sql: "leaseWorker", args: [owner, process.pid, "local", now, now + WORKER_LEASE_MS] },
    { sql: "claimChunks", args: [owner, runId, now, order.limit, runId], none: "stop" },
    { sql: "claimedRequests", args: [{ rowsOf: 1 }] },
  ]);
  if (!outcome.applied) return [];
  const bodies = new Map((outcome.rows[2] ?? []).map((row) => [row.id, row]));
  return (outcome.rows[1] ?? [])
    .map((row) => ({
      id: String(row.id),
      runId,
      index: Number(row.index),
      attempt: Number(row.attempt) + 1,
      failures: Number(row.failures),
      claimedAt: now,
      route: Number(row.route),
      repairs: Number(row.repairs),
      repairOf: row.repairOf === null ? null : Number(row.repairOf),
      accepted: row.acceptedAttempt === null ? null : Number(row.acceptedAttempt),
      requestBody: String(bodies.get(row.id ?? null)?.body ?? ""),
      requestSha256: String(bodies.get(row.id ?? null)?.sha256 ?? ""),
    }))
    .sort((a, b) => a.index - b.index);
}

/** Gives claimed chunks back unsent: as if they had never been claimed. */
export async function freeChunks(writer: Writer, chunks: readonly ClaimedChunk[], owner: string, now: number): Promise<void> {
  if (chunks.length === 0) return;
  await writer.commit([
    { sql: "freeChunks", args: [JSON.stringify(chunks.map(({ id }) => id)), owner], none: "stop" },
    { sql: "moveRunsOfFreed", args: [now, { rowsOf: 0 }] },
  ]);
}

/** A claimed chunk whose request was sent. */
export interface StartedTurn {
  chunk: ClaimedChunk;
  /** Epoch milliseconds. */
  startedAt: number;
  /** The provider and the model that were chosen for it. */
  backend: string;
  model: string;
}

export interface StartOrder {
  runId: string;
  owner: string;
  /** What was started until the group is written; called once. Not empty. */
  take(): readonly StartedTurn[];
}

/**
 * Records the start of turns: status, attempt, event and counters in one unit, ahead of whatever else they write. The
 * requests are on their way meanwhile; returns those whose lease was lost, and which must be called off.
 */
export async function startTurns(writer: Writer, order: StartOrder): Promise<StartedTurn[]> {
  const { runId, owner } = order;
  const payload = JSON.stringify({ worker: owner });
  const rows = { rowsOf: 0 };
  let turns: readonly StartedTurn[] = [];
  const outcome = await writer.commit(() => {
    turns = order.take();
    const now = turns[0]?.startedAt ?? 0;
    return [
      { sql: "startChunks", args: [JSON.stringify(turns.map(({ chunk }) => chunk.id)), owner], none: "stop" },
      {
        sql: "openAttempts",
        args: [
          ...turns.flatMap(({ chunk, startedAt, backend, model }) => [
            chunk.id,
            chunk.attempt,
            requestIdOf(chunk),
            startedAt,
            backend,
            model,
          ]),
          owner,
        ],
        tuples: turns.length,
      },
      { sql: "appendEventsOfRows", args: ["chunk_claimed", now, payload, payload.length, rows] },
      { sql: "countEventsOfRows", args: ["chunk_claimed", now, rows] },
      { sql: "moveRunToRunning", args: [rows, now, runId] },
    ];
  });
  const started = new Map(outcome.applied ? (outcome.rows[0] ?? []).map((row) => [row.id, row.attempt]) : []);
  return turns.filter(({ chunk }) => started.get(chunk.id) !== chunk.attempt);
}

/** As the store writes it into the attempt's row. */
export function requestIdOf(chunk: Pick<ClaimedChunk, "runId" | "index" | "attempt">): string {
  return `req_${chunk.runId.slice(4)}.${chunk.index}.${chunk.attempt}`;
}

/** queued -> running, once; false when another process was first or the run was paused or cancelled meanwhile. */
export async function startRun(writer: Writer, runId: string, now: number, events: readonly PreparedEvent[]): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "setRunStatus", args: ["running", null, now, now, null, runId, '["queued"]'], none: "rollback" },
    ...appendEventOps(runId, events),
    moveRunOp(runId, events.length, now),
  ]);
  return outcome.applied;
}

/** Where a turn stands in time, epoch milliseconds. */
export interface TurnTimes {
  startedAt: number | null;
  firstTokenAt: number | null;
}

/** Events of a turn that is still going on; refused (false) when the lease is lost. */
export async function appendTurnEvents(
  writer: Writer,
  chunk: ClaimedChunk,
  owner: string,
  times: TurnTimes,
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "holdsLease", args: [chunk.id, chunk.attempt, owner], none: "rollback" },
    { sql: "markStarted", args: [times.startedAt, times.firstTokenAt, chunk.id, chunk.attempt] },
    ...appendEventOps(chunk.runId, events),
    moveRunOp(chunk.runId, events.length, now),
  ]);
  return outcome.applied;
}

/** `swept` is the op that returned the rows, and the last one before these. */
function sweptOps(now: number, reason: string, swept: { rowsOf: number }): WriteOp[] {
  const payload = JSON.stringify({ by: "sweeper", reason });
  const ended = { rowsOf: swept.rowsOf + 2 };
  return [
    { sql: "abandonAttempts", args: [now, reason, swept] },
    { sql: "endInferencesOfRows", args: [now, reason, swept] },
    { sql: "countEventsOfRows", args: ["inference_failed", now, ended] },
    { sql: "raiseSeqOfRows", args: [ended, ended] },
    { sql: "appendEventsOfRows", args: ["chunk_requeued", now, payload, Buffer.byteLength(payload), swept] },
    { sql: "countEventsOfRows", args: ["chunk_requeued", now, swept] },
    { sql: "moveRunsOfSwept", args: [swept, now] },
  ];
}

/** A lease that ends later than this was written before the clock was set back: it says nothing. */
const LONGEST_LEASE_MS = 60_000;

/** Rows of dead workers are of use to nobody after that; one that is frozen for so long takes a new lease. */
const FORGET_WORKER_MS = 24 * 3_600_000;

/** Chunks of dead workers go back to the queue. Returns the ids of the runs they belong to. */
export async function sweepDeadWorkers(writer: Writer, now: number): Promise<string[]> {
  const outcome = await writer.commit([
    { sql: "freeDeadClaims", args: [now, now + LONGEST_LEASE_MS] },
    { sql: "moveRunsOfFreed", args: [now, { rowsOf: 0 }] },
    { sql: "sweepChunks", args: [now, now, now + LONGEST_LEASE_MS], none: "stop" },
    ...sweptOps(now, "its worker stopped answering", { rowsOf: 2 }),
    { sql: "forgetWorkers", args: [now - FORGET_WORKER_MS] },
  ]);
  return outcome.applied ? [...new Set((outcome.rows[2] ?? []).map((row) => String(row.runId)))] : [];
}

/** Puts a chunk whose turn was broken off (shutdown) back into the queue. The attempt is abandoned, a failure is not counted. */
export async function releaseChunk(writer: Writer, chunk: ClaimedChunk, owner: string, now: number): Promise<void> {
  await writer.commit([
    { sql: "releaseChunk", args: [now, chunk.id, chunk.attempt, owner], none: "stop" },
    ...sweptOps(now, "its worker shut down", { rowsOf: 0 }),
  ]);
}
