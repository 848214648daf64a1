import { BackendError } from "@/server/backends/backend";
import { isSecretUnavailableError } from "@/server/config/secret-reference";
import { newId } from "@/server/shared/ids";
import type { Logger } from "@/server/shared/logger";
import { driveJob, tellFailure } from "./drive-job";
import { type JobAtWork, type JobDeps, JobLeaseLost, jobWrites } from "./job-deps";
import { claimJob, createJob, freeJob, type NewJob } from "./job-writes.store";
import type { OpenJob } from "./jobs.store";

/** How often it is looked whether the time of a job has come. */
const LOOK_MS = 5_000;
/** Jobs at work at once in this process: each may hold a file of answers in pieces, and none shall wait for the others. */
const AT_ONCE = 4;

/**
 * Drives batch jobs: by the clock once it was started, and when somebody asks. The row is the truth: a job is claimed by the lease
 * of this worker, which ends when the process does, and every write is fenced by it. So a job goes on wherever it was left.
 */
export class BatchWorker {
  readonly #deps: JobDeps;
  readonly #logger: Logger;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #workerId: string;
  readonly #stop = new AbortController();
  readonly #underWay = new Map<string, Promise<void>>();
  #working = 0;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;

  constructor(deps: JobDeps, logger: Logger, only?: ReadonlySet<string>) {
    this.#deps = deps;
    this.#logger = logger;
    this.#only = only;
    this.#workerId = newId("wrk", deps.adopt.settle.clock.now());
  }

  start(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => void this.lookNow(), LOOK_MS);
    void this.lookNow();
  }

  /** Drives the jobs whose time has come; resolves when they wait for their providers again. One look at a time. */
  lookNow(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#logger.error({ error }, "batch jobs could not be looked at");
      })
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const due = await this.#deps.jobs.due(this.#deps.adopt.settle.clock.now(), this.#only);
    const lane = async () => {
      for (let id = due.shift(); id !== undefined && !this.#stop.signal.aborted; id = due.shift()) await this.drive(id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  /** Makes a job and hands it in. False when there was no chunk that it could hold. */
  async create(job: NewJob): Promise<boolean> {
    this.#begin();
    try {
      const { writer, clock } = this.#deps.adopt.settle;
      if ((await createJob(writer, job, this.#workerId, clock.now())) === 0) return false;
      await this.drive(job.id);
      return true;
    } finally {
      this.#end();
    }
  }

  /** Goes on with a job as far as that is possible now, unless another process does. Never rejects for what a provider does. */
  drive(id: string): Promise<void> {
    const known = this.#underWay.get(id);
    if (known) return known;
    const driven = this.#drive(id).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, driven);
    return driven;
  }

  async #drive(id: string): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { writer, clock } = this.#deps.adopt.settle;
    this.#begin();
    try {
      if (!(await claimJob(writer, id, this.#workerId, clock.now()))) return;
      const job = await this.#deps.jobs.open(id);
      if (job) await this.#work(job);
      await freeJob(writer, id, this.#workerId);
    } finally {
      this.#end();
    }
  }

  async #work(job: OpenJob): Promise<void> {
    const { provider, release } = this.#deps.providers.hold(job.settings);
    const { signal } = this.#stop;
    const { batch } = provider.backend;
    if (!batch) throw new Error(`batch job ${job.id} is of a provider that takes none`);
    const access = () => this.#access(job);
    const work: JobAtWork = { job, deps: this.#deps, batch, access, signal, ...jobWrites(this.#deps, job, this.#workerId) };
    try {
      await driveJob(work);
    } catch (error) {
      if (error instanceof JobLeaseLost)
        this.#logger.warn({ job: job.id }, "the lease of a batch job was lost; another process has it");
      else if (!signal.aborted) await this.#failed(work, error);
    } finally {
      release();
    }
  }

  #access({ settings }: OpenJob) {
    try {
      return this.#deps.access(settings);
    } catch (error) {
      if (isSecretUnavailableError(error)) throw new BackendError("secret-unavailable", error.message);
      throw error;
    }
  }

  async #failed(work: JobAtWork, error: unknown): Promise<void> {
    const isProviders = error instanceof BackendError;
    if (!isProviders) this.#logger.error({ error, job: work.job.id }, "a batch job broke; it is tried again");
    const failure = isProviders
      ? error
      : new BackendError("backend-failed", "The server itself broke at it; its log says where.");
    await tellFailure(work, failure).catch((lost: unknown) => {
      if (!(lost instanceof JobLeaseLost)) throw lost;
    });
  }

  /** While anything is under way the leases of this process are kept alive. */
  #begin(): void {
    this.#working += 1;
    if (this.#working === 1) this.#deps.adopt.settle.writer.beat(this.#workerId, true);
  }

  #end(): void {
    this.#working -= 1;
    if (this.#working === 0) this.#deps.adopt.settle.writer.beat(this.#workerId, false);
  }

  /** Breaks off what is under way, and leaves the jobs to whoever comes next. May be called twice. */
  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#stop.abort(new BackendError("cancelled", "The server is shutting down."));
    await Promise.allSettled([this.#looking, ...this.#underWay.values()]);
    await this.#deps.adopt.settle.writer.commit([{ sql: "dropWorker", args: [this.#workerId] }]);
  }
}
