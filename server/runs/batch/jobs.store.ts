/** Reads of batch jobs and of the chunks that they hold. */
import { type ProviderSettings, providerSettingsSchema } from "@/server/config/provider-settings.schema";
import type { Database } from "@/server/db/client";
import type { BatchJob } from "@/server/db/generated/client";
import { AppError } from "@/server/shared/app-error";
import { isoTime } from "@/server/shared/clock";
import { ADOPTION_OWNER } from "../adopted-answer.rules";
import type { BatchState } from "../batch-job.rules";
import { type BatchJobView, batchOutcomeSchema, batchStateSchema } from "../batch-job.schema";
import type { RunStatus } from "../run-state.rules";
import { chunkStatusSchema, runStatusSchema } from "../run-state.schema";
import type { JobState } from "./job-writes.store";

/** A job as whoever drives it needs it. */
export interface OpenJob {
  id: string;
  runId: string;
  runStatus: RunStatus;
  provider: string;
  model: string;
  settings: ProviderSettings;
  requests: number;
  createdAt: number;
  /** Somebody wants it cancelled, or has given it up. */
  cancelAsked: boolean;
  giveUp: boolean;
  /** What changes while it is driven. */
  state: JobState;
}

type ListedJob = Omit<BatchJob, "chunks" | "settings">;

/** A chunk that could be handed in, or why not. */
export interface CandidateChunk {
  index: number;
  status: "queued" | "failed" | "running" | "succeeded" | "cancelled";
  isClaimed: boolean;
  isHeld: boolean;
  body: string;
}

const LIST_OMIT = { chunks: true, settings: true } as const;
const PAGE = 500;

export class JobsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(runId: string): Promise<BatchJobView[]> {
    const rows = await this.#database.batchJob.findMany({ omit: LIST_OMIT, where: { runId }, orderBy: { id: "desc" } });
    return rows.map(toView);
  }

  async view(id: string): Promise<BatchJobView> {
    const row = await this.#database.batchJob.findUnique({ omit: LIST_OMIT, where: { id } });
    if (!row) throw new AppError("not_found", `There is no batch ${id.slice(0, 60)}.`, { details: { batch: id.slice(0, 60) } });
    return toView(row);
  }

  /** Jobs that have not ended and whose time has come: by the clock, or because somebody or the end of their run wants them cancelled. */
  async due(now: number, only: ReadonlySet<string> | undefined): Promise<string[]> {
    const rows = await this.#database.batchJob.findMany({
      select: { id: true },
      where: {
        endedAt: null,
        ...(only ? { runId: { in: [...only] } } : {}),
        OR: [
          { nextPollAt: { lte: BigInt(now) } },
          { cancelSentAt: null, problem: null, run: { status: "cancelled" }, state: { not: "collecting" } },
        ],
      },
      orderBy: { nextPollAt: "asc" },
      take: PAGE,
    });
    return rows.map(({ id }) => id);
  }

  /** Null when it has ended or is not there. */
  async open(id: string): Promise<OpenJob | null> {
    const row = await this.#database.batchJob.findUnique({
      omit: { chunks: true },
      where: { id },
      include: { run: { select: { status: true } } },
    });
    if (!row || row.endedAt !== null) return null;
    return {
      id,
      runId: row.runId,
      runStatus: runStatusSchema.parse(row.run.status),
      provider: row.provider,
      model: row.model,
      settings: providerSettingsSchema.parse(JSON.parse(row.settings)),
      requests: row.requests,
      createdAt: Number(row.createdAt),
      cancelAsked: row.cancelAskedAt !== null,
      giveUp: row.giveUp === 1,
      state: {
        state: batchStateSchema.parse(row.state),
        outcome: row.outcome === null ? null : batchOutcomeSchema.parse(row.outcome),
        nativeId: row.nativeId,
        nativeState: row.nativeState,
        fileId: row.fileId,
        counts: countsOf(row),
        taken: null,
        problem: row.problem,
        message: row.message,
        submittedAt: numberOf(row.submittedAt),
        polledAt: numberOf(row.polledAt),
        nextPollAt: Number(row.nextPollAt),
        cancelSentAt: numberOf(row.cancelSentAt),
        endedAt: null,
      },
    };
  }

  /** The providers' ids of all other jobs of that provider. */
  async otherNativeIds(job: Pick<OpenJob, "id" | "provider">): Promise<Set<string>> {
    const rows = await this.#database.batchJob.findMany({
      select: { nativeId: true },
      where: { provider: job.provider, id: { not: job.id }, nativeId: { not: null } },
    });
    return new Set(rows.flatMap(({ nativeId }) => nativeId ?? []));
  }

  /** Indexes that the job holds, in order. */
  async held(jobId: string): Promise<number[]> {
    const rows = await this.#database.chunk.findMany({
      select: { index: true },
      where: { batchJob: jobId },
      orderBy: { index: "asc" },
    });
    return rows.map(({ index }) => index);
  }

  /** Requests of the chunks that the job covers, held or not any more, in order and page by page. */
  async *requests(jobId: string): AsyncGenerator<{ index: number; body: string }> {
    const row = await this.#database.batchJob.findUnique({ select: { runId: true, chunks: true }, where: { id: jobId } });
    // Written by one statement as a list of whole numbers.
    const indexes = JSON.parse(row?.chunks ?? "[]") as number[];
    for (let at = 0; at < indexes.length; at += PAGE) {
      for (const { index, body } of await this.candidates(row?.runId ?? "", indexes.slice(at, at + PAGE))) yield { index, body };
    }
  }

  /** These chunks of the run, in order; at most `PAGE` of them. */
  async candidates(runId: string, indexes: readonly number[]): Promise<CandidateChunk[]> {
    return this.#withBodies({ runId, index: { in: [...indexes] } });
  }

  /** Open chunks that nobody has, above an index. */
  async openAfter(runId: string, afterIndex: number): Promise<CandidateChunk[]> {
    const isOpen = { status: { in: ["queued", "failed"] }, leaseOwner: null, batchJob: null };
    return this.#withBodies({ runId, index: { gt: afterIndex }, ...isOpen });
  }

  async #withBodies(where: NonNullable<Parameters<Database["chunk"]["findMany"]>[0]>["where"]): Promise<CandidateChunk[]> {
    const rows = await this.#database.chunk.findMany({
      select: { index: true, status: true, leaseOwner: true, batchJob: true, requestId: true },
      where: where ?? {},
      orderBy: { index: "asc" },
      take: PAGE,
    });
    const artifacts = await this.#database.artifact.findMany({
      select: { id: true, body: true },
      where: { id: { in: rows.map(({ requestId }) => requestId) } },
    });
    const bodies = new Map(artifacts.map(({ id, body }) => [id, body]));
    return rows.map(({ index, status, leaseOwner, batchJob, requestId }) => ({
      index,
      status: chunkStatusSchema.parse(status),
      isClaimed: leaseOwner !== null,
      isHeld: batchJob !== null,
      body: bodies.get(requestId) ?? "",
    }));
  }

  /** Answers of the job that its run has taken, by whether they were accepted. */
  async taken(job: Pick<OpenJob, "id" | "runId">): Promise<{ adopted: number; unusable: number }> {
    const groups = await this.#database.attempt.groupBy({
      by: ["status"],
      where: { runId: job.runId, requestId: { startsWith: `${job.id}.` }, owner: { startsWith: ADOPTION_OWNER } },
      _count: { _all: true },
    });
    const of = (isAccepted: boolean) =>
      groups.filter(({ status }) => (status === "succeeded") === isAccepted).reduce((sum, { _count }) => sum + _count._all, 0);
    return { adopted: of(true), unusable: of(false) };
  }
}

function numberOf(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}

function timeOf(value: bigint | null): string | null {
  return value === null ? null : isoTime(Number(value));
}

function countsOf({ total, succeeded, failed }: Pick<BatchJob, "total" | "succeeded" | "failed">): BatchJobView["counts"] {
  return total === null ? null : { total, succeeded: succeeded ?? 0, failed: failed ?? 0 };
}

function toView(row: ListedJob): BatchJobView {
  const state: BatchState = batchStateSchema.parse(row.state);
  return {
    id: row.id,
    runId: row.runId,
    backend: row.provider,
    model: row.model,
    state,
    nativeId: row.nativeId,
    nativeState: row.nativeState,
    requests: row.requests,
    counts: countsOf(row),
    taken: row.adopted === null ? null : { adopted: row.adopted, unusable: row.unusable ?? 0, returned: row.returned ?? 0 },
    problem: row.problem,
    message: row.message,
    createdAt: isoTime(Number(row.createdAt)),
    submittedAt: timeOf(row.submittedAt),
    polledAt: timeOf(row.polledAt),
    nextPollAt: row.endedAt === null ? isoTime(Number(row.nextPollAt)) : null,
    cancelAskedAt: timeOf(row.cancelAskedAt),
    endedAt: timeOf(row.endedAt),
  };
}
