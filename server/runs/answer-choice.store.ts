/** What choosing an answer of a chunk reads and writes. */
import type { Database } from "@/server/db/client";
import type { Writer } from "@/server/db/writer";
import { appendEventOps, type PreparedEvent } from "@/server/events/event-writes.store";
import { ADOPTING_STATUSES } from "./adopted-answer.rules";
import type { ChunkStatus } from "./run-state.rules";
import { chunkStatusSchema } from "./run-state.schema";
import { moveRunOp } from "./run-writes.store";

/** A chunk with one of its attempts, as far as a choice needs them. */
export interface ChoosableAnswer {
  chunk: { id: string; index: number; status: ChunkStatus; attempt: number; accepted: number | null; isClaimed: boolean };
  /** Null when the chunk has no attempt of that number; `resultBody` when it has no answer. */
  attempt: {
    resultBody: string | null;
    failureKind: string | null;
    errorMessage: string | null;
    repaired: number;
    truncated: number;
  } | null;
}

/** Null when the run has no such chunk. */
export async function choosableAnswer(
  database: Database,
  runId: string,
  index: number,
  number: number,
): Promise<ChoosableAnswer | null> {
  const row = await database.chunk.findUnique({
    select: { id: true, status: true, attempt: true, acceptedAttempt: true, leaseOwner: true },
    where: { runId_index: { runId, index } },
  });
  if (!row) return null;
  const attempt = await database.attempt.findUnique({
    select: { resultId: true, failureKind: true, errorMessage: true, repaired: true, truncated: true },
    where: { chunkId_number: { chunkId: row.id, number } },
  });
  const result = attempt?.resultId
    ? await database.artifact.findUnique({ select: { body: true }, where: { id: attempt.resultId } })
    : null;
  const { id, status, acceptedAttempt, leaseOwner } = row;
  return {
    chunk: {
      id,
      index,
      status: chunkStatusSchema.parse(status),
      attempt: row.attempt,
      accepted: acceptedAttempt,
      isClaimed: leaseOwner !== null,
    },
    attempt: attempt && { ...attempt, resultBody: result?.body ?? null },
  };
}

export interface AnswerChoice {
  runId: string;
  /** As it was read. */
  chunk: ChoosableAnswer["chunk"];
  /** What counts from now on; null: nothing, and the chunk has failed with the failure of the chosen attempt. */
  accepted: number | null;
  insights: number | null;
  failure: { kind: string; message: string | null } | null;
  repaired: boolean;
  truncated: boolean;
  events: readonly PreparedEvent[];
  /** Told when the run had ended and goes on, so that it settles anew. */
  resumed: { type: "run_resumed"; payload: string };
}

/**
 * Another answer counts: chunk, event and counters in one unit, fenced by the chunk's newest attempt, its status, the answer that
 * counted and its having no lease. A run that had ended is running afterwards, with nothing left to run. False when the chunk or
 * its run is another by now.
 */
export async function recordChoice(writer: Writer, choice: AnswerChoice, now: number): Promise<boolean> {
  const { runId, chunk, accepted, insights, failure, events, resumed } = choice;
  const after = accepted === null ? "failed" : "succeeded";
  const appended = appendEventOps(runId, events);
  const reopened = { rowsOf: 2 + appended.length };
  const written = await writer.commit([
    {
      sql: "chooseAnswer",
      args: [
        after,
        accepted,
        insights,
        failure?.kind ?? null,
        failure?.message ?? null,
        choice.repaired ? 1 : 0,
        choice.truncated ? 1 : 0,
        chunk.id,
        chunk.attempt,
        chunk.status,
        chunk.accepted,
        JSON.stringify(ADOPTING_STATUSES),
      ],
      none: "rollback",
    },
    ...appended,
    moveRunOp(runId, events.length, now, chunk.status === after ? {} : { [chunk.status]: -1, [after]: 1 }),
    { sql: "reopenChosen", args: [now, runId], none: "stop" },
    {
      sql: "appendEventsOfRows",
      args: [resumed.type, now, resumed.payload, Buffer.byteLength(resumed.payload), reopened],
    },
    { sql: "countEventsOfRows", args: [resumed.type, now, reopened] },
    moveRunOp(runId, 1, now),
  ]);
  return written.applied;
}
