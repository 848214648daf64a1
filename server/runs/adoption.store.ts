/** What adopting an answer reads and writes. */
import type { Database } from "@/server/db/client";
import type { Writer } from "@/server/db/writer";
import { appendEventOps, type PreparedEvent } from "@/server/events/event-writes.store";
import { groupBy } from "@/server/shared/group-by";
import { adoptingStatuses } from "./adopted-answer.rules";
import { chunkStatusOf, endAttemptOp, endChunkOp, type TurnOutcome } from "./end-turn.store";
import type { ChunkStatus } from "./run-state.rules";
import { chunkStatusSchema } from "./run-state.schema";
import { artifactOp, moveRunOp } from "./run-writes.store";

/** Parameters of one statement are limited. */
const BATCH = 500;

/** A chunk as far as an answer for it needs to know. */
export interface AdoptableChunk {
  id: string;
  index: number;
  status: ChunkStatus;
  /** The number of its newest attempt. */
  attempt: number;
  /** The attempt whose answer counts until another one does. */
  accepted: number | null;
  /** A worker has it, and may be about to send its request. */
  isClaimed: boolean;
  /** The batch job that holds it. */
  heldBy: string | null;
  requestBody: string;
  requestSha256: string;
  /** Its attempts by the id of their request. */
  attempts: ReadonlyMap<string, number>;
}

/** The chunks of a run with these indexes, by index. */
export async function adoptableChunks(
  database: Database,
  runId: string,
  indexes: readonly number[],
): Promise<Map<number, AdoptableChunk>> {
  const found = new Map<number, AdoptableChunk>();
  for (let at = 0; at < indexes.length; at += BATCH) {
    const rows = await database.chunk.findMany({
      select: {
        id: true,
        index: true,
        status: true,
        attempt: true,
        acceptedAttempt: true,
        leaseOwner: true,
        batchJob: true,
        requestId: true,
      },
      where: { runId, index: { in: indexes.slice(at, at + BATCH) } },
    });
    const [requests, attempts] = await Promise.all([
      database.artifact.findMany({
        select: { id: true, body: true, sha256: true },
        where: { id: { in: rows.map(({ requestId }) => requestId) } },
      }),
      database.attempt.findMany({
        select: { chunkId: true, number: true, requestId: true },
        where: { chunkId: { in: rows.map(({ id }) => id) } },
      }),
    ]);
    const requestOf = new Map(requests.map((request) => [request.id, request]));
    const attemptsOf = groupBy(attempts, ({ chunkId }) => chunkId);
    for (const { id, index, status, attempt, acceptedAttempt, leaseOwner, batchJob, requestId } of rows) {
      const request = requestOf.get(requestId);
      if (!request) throw new Error(`chunk ${id} has no request artifact`);
      found.set(index, {
        id,
        index,
        status: chunkStatusSchema.parse(status),
        attempt,
        accepted: acceptedAttempt,
        isClaimed: leaseOwner !== null,
        heldBy: batchJob,
        requestBody: request.body,
        requestSha256: request.sha256,
        attempts: new Map((attemptsOf.get(id) ?? []).map((each) => [each.requestId, each.number])),
      });
    }
  }
  return found;
}

/** An answer as it is recorded. */
export interface Adoption {
  runId: string;
  /** As it was read: whoever was faster has changed its status or its number. */
  chunk: Pick<AdoptableChunk, "id" | "attempt" | "accepted" | "heldBy"> & { status: "queued" | "failed" };
  owner: string;
  requestId: string;
  backend: string;
  model: string;
  outcome: TurnOutcome;
  events: readonly PreparedEvent[];
  /** Told once, when nothing of the run is open any more and it rested until now. */
  resumed: { type: "run_resumed"; payload: string };
}

/**
 * Records an attempt with its answer, from its beginning to its end: chunk, attempt, result artifact, events and counters in
 * one unit, fenced by the chunk's status, the number of its newest attempt, its having no lease, and the job that holds it. False when the chunk or
 * its run is another by now. A run whose last open chunk this was is running afterwards, with nothing left to run.
 */
export async function recordAdoption(writer: Writer, adoption: Adoption): Promise<boolean> {
  const { runId, owner, outcome, events, resumed } = adoption;
  const { status: before, ...chunk } = adoption.chunk;
  const { end, endedAt, usage } = outcome;
  const taken = { id: chunk.id, attempt: chunk.attempt + 1, accepted: chunk.accepted };
  const after = chunkStatusOf(taken, end);
  const isAccepted = after === "succeeded";
  const appended = appendEventOps(runId, events);
  const reopened = { rowsOf: 6 + appended.length };
  const written = await writer.commit([
    {
      sql: "adoptChunk",
      args: [owner, chunk.id, chunk.attempt, before, chunk.heldBy, JSON.stringify(adoptingStatuses(chunk.heldBy))],
      none: "rollback",
    },
    {
      sql: "openAdoptedAttempt",
      args: [adoption.requestId, endedAt, adoption.backend, adoption.model, chunk.id, owner],
      none: "rollback",
    },
    endChunkOp(taken, owner, outcome),
    artifactOp(runId, endedAt, [outcome.result]),
    endAttemptOp(taken, outcome),
    ...appended,
    moveRunOp(runId, events.length, endedAt, {
      ...(before === after ? {} : { [before]: -1, [after]: 1 }),
      retries: taken.attempt > 1 ? 1 : 0,
      usage,
    }),
    { sql: "reopenAdopted", args: [endedAt, endedAt, runId, isAccepted ? 1 : 0], none: "stop" },
    {
      sql: "appendEventsOfRows",
      args: [resumed.type, endedAt, resumed.payload, Buffer.byteLength(resumed.payload), reopened],
    },
    { sql: "countEventsOfRows", args: [resumed.type, endedAt, reopened] },
    moveRunOp(runId, 1, endedAt),
  ]);
  return written.applied;
}
