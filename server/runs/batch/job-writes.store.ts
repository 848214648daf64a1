/** What is written of batch jobs: every unit is fenced by the lease of whoever drives the job. */
import type { BatchOutcome } from "@/server/backends/batch-backend";
import type { WriteOp, Writer } from "@/server/db/writer";
import { appendEventOps, type PreparedEvent } from "@/server/events/event-writes.store";
import { WORKER_LEASE_MS } from "@/server/shared/worker-lease";
import { ADOPTING_STATUSES } from "../adopted-answer.rules";
import type { BatchState } from "../batch-job.rules";
import { moveRunOp } from "../run-writes.store";

/** A lease that ends later than this was written before the clock was set back: it says nothing. */
const LONGEST_LEASE_MS = 60_000;

/** Everything of a job that changes. Times are epoch milliseconds. */
export interface JobState {
  state: BatchState;
  /** How the provider has ended it. */
  outcome: BatchOutcome | null;
  nativeId: string | null;
  nativeState: string | null;
  fileId: string | null;
  counts: { total: number; succeeded: number; failed: number } | null;
  taken: { adopted: number; unusable: number; returned: number } | null;
  problem: string | null;
  message: string | null;
  submittedAt: number | null;
  polledAt: number | null;
  nextPollAt: number;
  cancelSentAt: number | null;
  endedAt: number | null;
}

export interface NewJob {
  id: string;
  runId: string;
  provider: string;
  model: string;
  /** JSON of the provider's settings. */
  settings: string;
  chunks: readonly number[];
}

/**
 * The row of a job that nothing was sent for yet, with the chunks that it holds from now on: those of the named ones that are open
 * and that nobody else has. Returns how many those are; with none, or in a run that takes none, there is no job and it is 0.
 */
export async function createJob(writer: Writer, job: NewJob, owner: string, now: number): Promise<number> {
  const { id, runId, provider, model, settings, chunks } = job;
  const rows = { rowsOf: 2 };
  const outcome = await writer.commit([
    leaseOp(owner, now),
    {
      sql: "insertBatchJob",
      args: [id, provider, model, settings, owner, now, now, runId, JSON.stringify(ADOPTING_STATUSES)],
      none: "rollback",
    },
    { sql: "holdChunks", args: [id, runId, JSON.stringify(chunks)], none: "rollback" },
    { sql: "setBatchChunks", args: [rows, rows, id] },
    moveRunOp(runId, 0, now),
  ]);
  return outcome.applied ? (outcome.rows[2] ?? []).length : 0;
}

function leaseOp(owner: string, now: number): WriteOp {
  return { sql: "leaseWorker", args: [owner, process.pid, "local", now, now + WORKER_LEASE_MS] };
}

/** False when the job has ended, or somebody else who lives works on it. The owner must beat from now on. */
export async function claimJob(writer: Writer, id: string, owner: string, now: number): Promise<boolean> {
  const outcome = await writer.commit([
    leaseOp(owner, now),
    { sql: "claimBatchJob", args: [owner, id, owner, now, now + LONGEST_LEASE_MS], none: "rollback" },
  ]);
  return outcome.applied;
}

export async function freeJob(writer: Writer, id: string, owner: string): Promise<void> {
  await writer.commit([{ sql: "freeBatchJob", args: [id, owner] }]);
}

/** The job as it stands now. False when the lease was lost: nothing was written, and nothing more may be done for it. */
export async function writeJob(
  writer: Writer,
  job: { id: string; runId: string; state: JobState },
  owner: string,
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const outcome = await writer.commit([
    writeOp(job, owner),
    ...appendEventOps(job.runId, events),
    moveRunOp(job.runId, events.length, now),
  ]);
  return outcome.applied;
}

/** The end of a job, and what it still holds is open again, in one unit. False as above. */
export async function endJob(
  writer: Writer,
  job: { id: string; runId: string; state: JobState },
  owner: string,
  now: number,
  events: readonly PreparedEvent[],
): Promise<boolean> {
  const outcome = await writer.commit([
    writeOp(job, owner),
    { sql: "releaseChunks", args: [job.id] },
    { sql: "moveRunsOfFreed", args: [now, { rowsOf: 1 }] },
    ...appendEventOps(job.runId, events),
    moveRunOp(job.runId, events.length, now),
  ]);
  return outcome.applied;
}

function writeOp({ id, state: job }: { id: string; state: JobState }, owner: string): WriteOp {
  const { counts, taken } = job;
  return {
    sql: "writeBatchJob",
    args: [
      job.state,
      job.outcome,
      job.nativeId,
      job.nativeState,
      job.fileId,
      counts?.total ?? null,
      counts?.succeeded ?? null,
      counts?.failed ?? null,
      taken?.adopted ?? null,
      taken?.unusable ?? null,
      taken?.returned ?? null,
      job.problem,
      job.message,
      job.submittedAt,
      job.polledAt,
      job.nextPollAt,
      job.cancelSentAt,
      job.endedAt,
      id,
      owner,
    ],
    none: "rollback",
  };
}

/** False when the job has ended meanwhile. */
export async function askCancel(writer: Writer, id: string, runId: string, giveUp: boolean, now: number): Promise<boolean> {
  const outcome = await writer.commit([
    { sql: "askBatchCancel", args: [now, giveUp ? 1 : 0, id], none: "rollback" },
    moveRunOp(runId, 0, now),
  ]);
  return outcome.applied;
}
