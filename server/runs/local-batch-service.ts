import type { BatchBackend } from "@/server/backends/batch-backend";
import type { PinnedRoute } from "@/server/config/pinned-route.schema";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { isSecretUnavailableError } from "@/server/config/secret-reference";
import { AppError, isAppError } from "@/server/shared/app-error";
import { newId } from "@/server/shared/ids";
import { ADOPTING_STATUSES } from "./adopted-answer.rules";
import { batchRequestName } from "./answer-id";
import type { BatchWorker } from "./batch/batch-worker";
import type { JobDeps } from "./batch/job-deps";
import { partIntoJobs, requestOf } from "./batch/job-requests";
import { askCancel } from "./batch/job-writes.store";
import type { CandidateChunk } from "./batch/jobs.store";
import type { SubmitBatchOutcome } from "./batch-job.schema";
import type { BatchService } from "./batch-service";
import type { ModelChoice } from "./pin-route";
import type { RunSummary } from "./run.schema";
import type { RunStatus } from "./run-state.rules";

export interface LocalBatchDeps extends JobDeps {
  /** The models that a choice means now. Throws AppError. */
  pin(choice: ModelChoice): Promise<PinnedRoute>;
  worker: BatchWorker;
}

/** Chunks that are named are looked up so many at a time. */
const PAGE = 500;

interface Chosen {
  settings: ProviderSettings;
  model: string;
}

const SKIPS: Readonly<Record<CandidateChunk["status"], string | null>> = {
  queued: null,
  failed: null,
  running: "it is running",
  succeeded: "it has succeeded already",
  cancelled: "it was cancelled",
};

/** The service over the database of this process. */
export function createLocalBatchService(deps: LocalBatchDeps): BatchService {
  const { jobs, worker } = deps;
  const { runs, clock, writer } = deps.adopt.settle;

  async function choose(routes: readonly PinnedRoute[], choice: { backend?: string; model?: string }): Promise<Chosen> {
    if (choice.backend !== undefined) {
      const [chosen] = (await deps.pin({ backend: choice.backend, model: choice.model })).candidates;
      if (chosen?.settings.batch) return chosen;
      throw takesNone(`The backend "${choice.backend}" takes no batches`);
    }
    const candidates = routes.flatMap((route) => route.candidates);
    for (const { settings, model } of candidates) {
      const usable = settings.batch ? settings : await asItIsNow(settings.name, model);
      if (usable) return { settings: usable, model: choice.model ?? model };
    }
    const names = [...new Set(candidates.map(({ settings }) => settings.name))].join(", ");
    throw takesNone(`No backend of this run takes batches (${names})`);
  }

  /** What a run pinned may be older than what its provider is known to do. */
  async function asItIsNow(name: string, model: string): Promise<ProviderSettings | null> {
    try {
      const settings = (await deps.pin({ backend: name, model })).candidates[0]?.settings;
      return settings?.batch ? settings : null;
    } catch (error) {
      // It is not set up here any more.
      if (isAppError(error)) return null;
      throw error;
    }
  }

  /** Named chunks that can be handed in; the others are told. */
  async function* named(run: RunSummary, indexes: readonly number[], skipped: SubmitBatchOutcome["skipped"]) {
    const wanted = [...new Set(indexes)].sort((a, b) => a - b);
    for (let at = 0; at < wanted.length; at += PAGE) {
      const page = wanted.slice(at, at + PAGE);
      const found = new Map((await jobs.candidates(run.id, page)).map((chunk) => [chunk.index, chunk]));
      for (const index of page) {
        const chunk = found.get(index);
        const reason = chunk ? skipReason(chunk) : "there is no such chunk";
        if (reason !== null) skipped.push({ chunk: index, reason });
        else if (chunk) yield chunk;
      }
    }
  }

  async function* open(run: RunSummary) {
    for (let after = 0; ; ) {
      const page = await jobs.openAfter(run.id, after);
      yield* page;
      const last = page.at(-1);
      if (!last) return;
      after = last.index;
    }
  }

  async function plan(run: RunSummary, { settings, model }: Chosen, chunks: AsyncIterable<CandidateChunk>): Promise<number[][]> {
    const { provider, release } = deps.providers.hold(settings);
    try {
      const { batch } = provider.backend;
      if (!batch) throw takesNone(`The backend "${settings.name}" takes no batches`);
      return await partIntoJobs(sized(run, model, chunks, batch, deps.access(settings)), batch.limits);
    } catch (error) {
      if (isSecretUnavailableError(error)) throw new AppError("conflict", error.message, { cause: error });
      throw error;
    } finally {
      release();
    }
  }

  return {
    async submit(runId, order) {
      const { summary, routes } = await runs.whole(runId);
      refuseRun(summary);
      const { backend, model, chunks: indexes } = order;
      const chosen = await choose(routes, {
        ...(backend === undefined ? {} : { backend }),
        ...(model === undefined ? {} : { model }),
      });
      const skipped: SubmitBatchOutcome["skipped"] = [];
      const parts = await plan(summary, chosen, indexes ? named(summary, indexes, skipped) : open(summary));
      const made: string[] = [];
      for (const chunks of parts) {
        const id = newId("bat", clock.now());
        const { settings } = chosen;
        const job = { id, runId, provider: settings.name, model: chosen.model, settings: JSON.stringify(settings), chunks };
        if (await worker.create(job)) made.push(id);
      }
      if (made.length === 0) {
        const [first] = skipped;
        const why = first ? `chunk ${first.chunk} is not: ${first.reason}` : "none is queued or failed, or others have them";
        throw new AppError("conflict", `No chunk of this run can be handed in; ${why}.`, { details: { skipped } });
      }
      return { jobs: await Promise.all(made.map((id) => jobs.view(id))), skipped };
    },
    async list(runId) {
      await runs.summary(runId);
      return jobs.list(runId);
    },
    async poll(jobId) {
      await jobs.view(jobId);
      await worker.drive(jobId);
      return jobs.view(jobId);
    },
    async cancel(jobId, { giveUp = false } = {}) {
      const { runId, state } = await jobs.view(jobId);
      if (!(await askCancel(writer, jobId, runId, giveUp, clock.now())))
        throw new AppError("conflict", `This batch has ended already; it is ${state}.`, { details: { state } });
      // One that is under way here has read the row before: it goes on with the next look.
      await worker.drive(jobId);
      deps.kick();
      return jobs.view(jobId);
    },
  };
}

function refuseRun({ kind, status }: RunSummary): void {
  if (kind === "thread")
    throw new AppError("conflict", "An agent run has no chunks, so none of it can be handed in.", { details: { kind } });
  if (!(ADOPTING_STATUSES as readonly RunStatus[]).includes(status))
    throw new AppError("conflict", `Nothing of a run that was ${status} is handed in.`, { details: { status } });
}

function takesNone(beginning: string): AppError {
  return new AppError(
    "conflict",
    `${beginning}. OpenAI and Anthropic do at their own addresses; of another server say it in its profile (batch: true).`,
  );
}

function skipReason({ status, isClaimed, isHeld }: CandidateChunk): string | null {
  if (isHeld) return "a batch job holds it";
  return SKIPS[status] ?? (isClaimed ? "a worker has just taken it to ask for it" : null);
}

async function* sized(
  run: RunSummary,
  model: string,
  chunks: AsyncIterable<CandidateChunk>,
  batch: BatchBackend,
  access: Parameters<BatchBackend["sizeOf"]>[1],
) {
  // As long as that of any job.
  const job = newId("bat");
  for await (const { index, body } of chunks)
    yield { index, bytes: batch.sizeOf(requestOf(body, batchRequestName(run.id, index, job), model), access) };
}
