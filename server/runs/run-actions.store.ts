import type { StoredText } from "@/server/artifacts/artifact-text";
import type { WriteOp, Writer } from "@/server/db/writer";
import { appendEventOps, type PreparedEvent } from "@/server/events/event-writes.store";
import type { Consolidated } from "@/server/pipeline/pipeline.schema";
import { RUN_ACTIONS, type RunStatus } from "./run-state.rules";
import { artifactOp, moveRunOp, type NewArtifact } from "./run-writes.store";

/** How many chunks go into one statement of a creation. */
const CREATE_BATCH = 500;

export interface NewRun {
  id: string;
  name: string;
  sourceDate: string;
  backend: string;
  model: string;
  scene: string | null;
  configRevision: number;
  /** JSON of the pinned routes, of the run's options and of the prep report. */
  routes: string;
  options: string;
  promptVersion: string;
  prep: string;
  documents: (StoredText & { id: string; index: number; name: string })[];
  /** Manifest and cleaned text. */
  artifacts: NewArtifact[];
  chunks: {
    id: string;
    index: number;
    document: number;
    tokens: number;
    start: number;
    end: number;
    sourceStart: number;
    sourceEnd: number;
    request: NewArtifact;
  }[];
}

function slices<T>(rows: readonly T[]): T[][] {
  const all: T[][] = [];
  for (let at = 0; at < rows.length; at += CREATE_BATCH) all.push(rows.slice(at, at + CREATE_BATCH));
  return all;
}

/** Everything of a new run in one transaction: either all of it is there, or nothing. */
export async function createRun(writer: Writer, run: NewRun, now: number, events: readonly PreparedEvent[]): Promise<void> {
  const total = run.chunks.length;
  const ops: WriteOp[] = [
    {
      sql: "insertRun",
      args: [
        run.id,
        "distill",
        run.name,
        run.sourceDate,
        run.backend,
        run.model,
        run.options,
        run.scene,
        run.configRevision,
        run.routes,
        run.promptVersion,
        run.prep,
        total,
        total,
        now,
        now,
      ],
    },
  ];
  for (const { id, index, name, bytes, sha256, body } of run.documents)
    ops.push({ sql: "insertDocument", args: [id, run.id, index, name, bytes, sha256, body] });
  ops.push(artifactOp(run.id, now, run.artifacts));
  for (const batch of slices(run.chunks)) {
    ops.push(
      artifactOp(
        run.id,
        now,
        batch.map((chunk) => chunk.request),
      ),
    );
    const rows = batch.map((c) => [
      c.id,
      c.index,
      c.document,
      c.tokens,
      c.start,
      c.end,
      c.sourceStart,
      c.sourceEnd,
      c.request.id,
    ]);
    ops.push({ sql: "insertChunks", args: [run.id, now, JSON.stringify(rows)] });
  }
  ops.push(...appendEventOps(run.id, events), moveRunOp(run.id, events.length, now));
  await writer.commit(ops);
}

function from(statuses: readonly RunStatus[]): string {
  return JSON.stringify(statuses);
}

/** False when the state had changed meanwhile. */
export async function pauseRun(
  writer: Writer,
  id: string,
  reason: string,
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "setRunStatus", args: ["paused", reason, now, null, null, id, from(RUN_ACTIONS.pause.from)], none: "rollback" },
    ...appendEventOps(id, events),
    moveRunOp(id, events.length, now),
  ]);
  return outcome.applied;
}

export async function resumeRun(writer: Writer, id: string, now: number, events: readonly PreparedEvent[]): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "resumeRun", args: [now, id], none: "rollback" },
    ...appendEventOps(id, events),
    moveRunOp(id, events.length, now),
  ]);
  return outcome.applied;
}

/** The run is cancelled at once, with everything that waits; chunks in flight follow when their turn lets go. */
export async function cancelRun(
  writer: Writer,
  id: string,
  reason: string,
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "setRunStatus", args: ["cancelled", reason, now, null, now, id, from(RUN_ACTIONS.cancel.from)], none: "rollback" },
    { sql: "cancelQueuedChunks", args: [now, id] },
    ...appendEventOps(id, events),
    { sql: "moveRunQueuedToCancelled", args: [{ rowsOf: 1 }, events.length, now, id] },
  ]);
  return outcome.applied;
}

export interface RetryOrder {
  /** Null = all of these states. */
  chunks: readonly number[] | null;
  /** Failed ones, or also those that have succeeded. */
  states: readonly ("failed" | "succeeded")[];
  /** Null = as before, else its JSON, and how it differs in words of the log: other models, another output limit. */
  route: { json: string; models: string | null; maxTokens: number | undefined } | null;
  /** Only chunks that have this place among the run's routes; null = any. */
  from: number | null;
}

/** What a retry did; null when the state had changed meanwhile. */
export async function retryRun(
  writer: Writer,
  id: string,
  order: RetryOrder,
  now: number,
): Promise<{ requeued: number; skipped: { chunk: number; status: string }[] } | null> {
  const { chunks, route, from: way } = order;
  const list = chunks === null ? null : JSON.stringify(chunks);
  const states = JSON.stringify(order.states);
  const payload = JSON.stringify({
    by: "operator",
    ...(route?.models ? { reason: `with ${route.models}` } : {}),
    ...(route?.maxTokens === undefined ? {} : { maxTokens: route.maxTokens }),
  });
  const before: WriteOp[] = route ? [{ sql: "addRoute", args: [route.json, id] }] : [];
  const skips = before.length;
  const rows = { rowsOf: skips + 1 };
  const outcome = await writer.commit([
    ...before,
    { sql: "retrySkips", args: [list ?? "[]", id, states] },
    { sql: "requeueChunks", args: [now, route ? 1 : 0, id, states, list, list, way, way], none: "stop" },
    { sql: "reviveRun", args: [now, id, from(RUN_ACTIONS.retry.from)], none: "rollback" },
    { sql: "appendEventsOfRows", args: ["chunk_requeued", now, payload, Buffer.byteLength(payload), rows] },
    { sql: "countEventsOfRows", args: ["chunk_requeued", now, rows] },
    { sql: "moveRunToQueued", args: [rows, now, id] },
  ]);
  if (!outcome.applied) return null;
  return {
    requeued: (outcome.rows[skips + 1] ?? []).length,
    skipped: (outcome.rows[skips] ?? []).map((row) => ({ chunk: Number(row.chunk), status: String(row.status) })),
  };
}

/** A run whose consolidation broke is taken up again although no chunk failed. */
export async function reviveFailedRun(writer: Writer, id: string, now: number): Promise<boolean> {
  const outcome = await writer.commit([{ sql: "reviveRun", args: [now, id, from(["failed"])], none: "rollback" }]);
  return outcome.applied;
}

/** Ends a run that has nothing queued or running: incomplete, or failed with the reason. */
export async function restRun(
  writer: Writer,
  id: string,
  status: "incomplete" | "failed",
  reason: string | null,
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "settleRun", args: [status, reason, now, now, id, from(["queued", "running"])], none: "rollback" },
    ...appendEventOps(id, events),
    moveRunOp(id, events.length, now),
  ]);
  return outcome.applied;
}

export interface Completion {
  consolidated: Consolidated;
  artifacts: NewArtifact[];
  /** Set when the operator accepted gaps. */
  gapsAcceptedAt: number | null;
  reason: string | null;
  allowed: readonly RunStatus[];
}

/** Stages the insights and completes the run, in one transaction. */
export async function completeRun(
  writer: Writer,
  id: string,
  completion: Completion,
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const { consolidated } = completion;
  const rows = consolidated.insights.map((i) => [
    i.rank,
    i.content,
    i.topic,
    i.section,
    i.confidence,
    i.date,
    i.score,
    JSON.stringify(i.scoreParts),
    JSON.stringify(i.sources),
  ]);
  const outcome = await writer.commit([
    { sql: "settleRun", args: ["completed", completion.reason, now, now, id, from(completion.allowed)], none: "rollback" },
    { sql: "deleteInsights", args: [id] },
    { sql: "insertInsights", args: [id, JSON.stringify(rows)] },
    {
      sql: "setRunInsights",
      args: [rows.length, consolidated.duplicates, JSON.stringify(consolidated.coverage), completion.gapsAcceptedAt, id],
    },
    artifactOp(id, now, completion.artifacts),
    ...appendEventOps(id, events),
    moveRunOp(id, events.length, now),
  ]);
  return outcome.applied;
}
