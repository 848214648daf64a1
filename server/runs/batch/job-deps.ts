import type { BatchBackend } from "@/server/backends/batch-backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { NewEvent } from "@/server/events/event.schema";
import { prepareEvent } from "@/server/events/event-writes.store";
import type { ProviderPool } from "@/server/inference/provider-pool";
import type { AdoptDeps } from "../adopt-answers";
import { endJob, type JobState, writeJob } from "./job-writes.store";
import type { JobsStore, OpenJob } from "./jobs.store";

/** What batch jobs are driven with; the container makes it. */
export interface JobDeps {
  jobs: JobsStore;
  adopt: AdoptDeps;
  providers: ProviderPool;
  /** Address and secrets of a provider, read anew. Throws `SecretUnavailableError`. */
  access(settings: ProviderSettings): ProviderAccess;
  /** Something of a run is open again. */
  kick(): void;
}

/** Somebody else has the job: nothing more is written, and nothing more may be asked for it here. */
export class JobLeaseLost extends Error {}

/** One job while it is driven: what it is, and the way to write down what it becomes. */
export interface JobAtWork {
  job: OpenJob;
  deps: JobDeps;
  batch: BatchBackend;
  /** Address and secrets, read anew. Throws a `BackendError` where the key is not there. */
  access(): ProviderAccess;
  signal: AbortSignal;
  /** Writes the job with these changes. Throws `JobLeaseLost`. */
  write(changes: Partial<JobState>, events?: readonly NewEvent[]): Promise<void>;
  /** The same for its end, which gives back what it still holds. */
  end(changes: Partial<JobState> & Pick<JobState, "state">, events?: readonly NewEvent[]): Promise<void>;
}

/** The two ways to write down a job that `owner` drives. */
export function jobWrites(deps: JobDeps, job: OpenJob, owner: string): Pick<JobAtWork, "write" | "end"> {
  const { writer, clock, redactor } = deps.adopt.settle;
  const prepared = (events: readonly NewEvent[]) => events.map((event) => prepareEvent(event, { ts: clock.now() }, redactor));
  const apply = async (put: typeof writeJob, changes: Partial<JobState>, events: readonly NewEvent[]) => {
    const plain = (text: string | null) => (text === null ? null : redactor.text(text).slice(0, 2_000));
    const state = { ...job.state, ...changes };
    const next = { ...state, problem: plain(state.problem), message: plain(state.message) };
    if (!(await put(writer, { ...job, state: next }, owner, clock.now(), prepared(events)))) throw new JobLeaseLost();
    job.state = next;
  };
  return {
    write: (changes, events = []) => apply(writeJob, changes, events),
    end: (changes, events = []) =>
      apply(endJob, { problem: null, endedAt: clock.now(), taken: { adopted: 0, unusable: 0, returned: 0 }, ...changes }, events),
  };
}
