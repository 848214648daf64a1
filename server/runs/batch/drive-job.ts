/** One job from where it stands to where it has to wait for the provider. Whoever comes next goes on from the row. */
import { FAILURE_KINDS } from "@/server/artifacts/failure-kind.rules";
import { BackendError } from "@/server/backends/backend";
import type { NewEvent } from "@/server/events/event.schema";
import { collectJob } from "./collect-job";
import type { JobAtWork } from "./job-deps";
import { orderOf } from "./job-requests";

/** A submission that was broken off may still be on its way for so long; what is not there then did not arrive. */
const ARRIVAL_MS = 120_000;
const SOONEST_POLL_MS = 30_000;
const LATEST_POLL_MS = 300_000;
/** A job of an hour need not be looked at as often as one of a minute. */
const POLL_SHARE = 10;

/** Milliseconds until a job of that age is looked at again. */
export function pollDelay(ageMs: number): number {
  return Math.min(LATEST_POLL_MS, Math.max(SOONEST_POLL_MS, Math.floor(ageMs / POLL_SHARE)));
}

const NEVER_SENT = "It was cancelled before it was handed in.";
const GIVEN_UP = "It was given up: what the provider still answers is not fetched.";

/** Drives until nothing more can be done now. Rejects with what stood in the way: a `BackendError`, or `JobLeaseLost`. */
export async function driveJob(work: JobAtWork): Promise<void> {
  for (;;) {
    const { state } = work.job.state;
    // What is there to be fetched is fetched, unless that is what does not work.
    if (work.job.giveUp && (state !== "collecting" || work.job.state.problem !== null)) return abandon(work);
    await step(work);
    const after = work.job.state;
    if (after.endedAt !== null || after.state === state) return;
  }
}

function step(work: JobAtWork): Promise<void> {
  const { job } = work;
  switch (job.state.state) {
    case "waiting":
      return isUnwanted(work)
        ? work.end({ state: "cancelled", message: NEVER_SENT }, [stateEvent(work, "cancelled", {})])
        : submit(work);
    case "submitting":
      // Whoever began it is dead: nobody knows whether the provider has it.
      return work.write({ state: "unknown" }, [stateEvent(work, "unknown", {})]);
    case "unknown":
      return find(work);
    case "running":
    case "cancelling":
      return poll(work);
    case "collecting":
      return collectJob(work);
    default:
      return Promise.resolve();
  }
}

function isUnwanted({ job }: JobAtWork): boolean {
  return job.cancelAsked || job.runStatus === "cancelled";
}

function now({ deps }: JobAtWork): number {
  return deps.adopt.settle.clock.now();
}

function nextPoll(work: JobAtWork): number {
  const { job } = work;
  return now(work) + pollDelay(now(work) - (job.state.submittedAt ?? job.createdAt));
}

export function stateEvent(
  { job }: Pick<JobAtWork, "job">,
  state: string,
  more: { nativeState?: string; problem?: string; message?: string },
): NewEvent {
  return { type: "batch_state", payload: { job: job.id, state, ...more } };
}

function submittedEvent({ job }: JobAtWork, nativeId: string, foundAgain: boolean): NewEvent {
  const { id, provider, model, requests } = job;
  return {
    type: "batch_submitted",
    payload: { job: id, provider, model, requests, nativeId, ...(foundAgain ? { foundAgain } : {}) },
  };
}

async function submit(work: JobAtWork): Promise<void> {
  const { job, deps, batch, signal } = work;
  const order = orderOf(deps.jobs, job);
  try {
    const access = work.access();
    const fileId = await batch.upload(order, access, signal);
    // On disk before the request goes out: from here on nobody hands it in again without having looked for it.
    await work.write({ state: "submitting", fileId, submittedAt: now(work), problem: null });
    const nativeId = await batch.submit(order, fileId, access, signal);
    await work.write({ state: "running", nativeId, nextPollAt: now(work) + SOONEST_POLL_MS }, [
      submittedEvent(work, nativeId, false),
    ]);
  } catch (error) {
    const isSent = job.state.state === "submitting";
    if (!(error instanceof BackendError) || signal.aborted) throw error;
    if (isSent && !isRefused(error)) {
      // It may have been taken, and an answer was lost on its way.
      await work.write({ state: "unknown", nextPollAt: now(work) + SOONEST_POLL_MS, problem: error.message }, [
        stateEvent(work, "unknown", { problem: error.message }),
      ]);
      throw error;
    }
    if (isTransient(error)) {
      if (isSent) await work.write({ state: "waiting", submittedAt: null });
      throw error;
    }
    await work.end({ state: "failed", message: error.message }, [stateEvent(work, "failed", { message: error.message })]);
  }
}

/** The provider has said that it did not take it. */
function isRefused({ httpStatus }: BackendError): boolean {
  return httpStatus !== undefined && httpStatus >= 400 && httpStatus < 500 && httpStatus !== 408;
}

/** It may go better later by itself. */
function isTransient({ failureKind, retryable }: BackendError): boolean {
  return retryable ?? FAILURE_KINDS[failureKind].retry === "always";
}

async function find(work: JobAtWork): Promise<void> {
  const { job, deps, batch, signal } = work;
  const access = work.access();
  const since = job.state.submittedAt ?? job.createdAt;
  const found = await batch.find(orderOf(deps.jobs, job), since, await deps.jobs.otherNativeIds(job), access, signal);
  if (found.state === "found") {
    const { nativeId } = found;
    return work.write({ state: "running", nativeId, problem: null }, [submittedEvent(work, nativeId, true)]);
  }
  if (found.state === "unsure") {
    const count = found.candidates;
    const problem = `It is not known whether ${job.provider} has it: ${count} of its batches may be this one, which shows when they have ended. Cancel it to give it up.`;
    return tell(work, problem, nextPoll(work));
  }
  const arrivedBy = since + ARRIVAL_MS;
  if (now(work) < arrivedBy) {
    const problem = `It is not known whether ${job.provider} has it: its submission was broken off, and it is looked for.`;
    return tell(work, problem, arrivedBy);
  }
  // It is not there, so nothing is paid twice.
  await work.write({ state: "waiting", submittedAt: null, problem: null }, [stateEvent(work, "waiting", {})]);
}

async function poll(work: JobAtWork): Promise<void> {
  const { job, batch, signal } = work;
  const access = work.access();
  const { nativeId } = job.state;
  if (nativeId === null) throw new Error(`batch job ${job.id} runs without an id of its provider`);
  if (isUnwanted(work) && job.state.cancelSentAt === null) {
    await batch.cancelJob(nativeId, access, signal);
    await work.write({ state: "cancelling", cancelSentAt: now(work), problem: null }, [stateEvent(work, "cancelling", {})]);
  }
  const { outcome, nativeState, counts, reason } = await batch.poll(nativeId, access, signal);
  const isNews = nativeState !== job.state.nativeState || job.state.problem !== null;
  const state = outcome === null ? job.state.state : "collecting";
  await work.write(
    {
      state,
      outcome,
      nativeState,
      counts: counts ?? job.state.counts,
      problem: null,
      message: reason === "" ? null : reason,
      polledAt: now(work),
      nextPollAt: outcome === null ? nextPoll(work) : now(work),
    },
    isNews ? [stateEvent(work, state, { nativeState, ...(reason === "" ? {} : { message: reason }) })] : [],
  );
}

/** Something is in its way: told in the trace when it is new. */
export async function tell(work: JobAtWork, problem: string, nextPollAt: number): Promise<void> {
  const { job } = work;
  const isNews = job.state.problem !== problem;
  await work.write({ problem, polledAt: now(work), nextPollAt }, isNews ? [stateEvent(work, job.state.state, { problem })] : []);
}

/** What stood in the way of a job; it is tried again when its provider says, else as one of its age is. */
export function tellFailure(work: JobAtWork, error: BackendError): Promise<void> {
  const wait = error.retryAfterMs === undefined ? 0 : Math.min(error.retryAfterMs, LATEST_POLL_MS);
  return tell(work, error.message, Math.max(nextPoll(work), now(work) + wait));
}

async function abandon(work: JobAtWork): Promise<void> {
  const { job, deps } = work;
  const returned = (await deps.jobs.held(job.id)).length;
  await work.end({ state: "abandoned", message: GIVEN_UP, taken: { adopted: 0, unusable: 0, returned } }, [
    stateEvent(work, "abandoned", { message: GIVEN_UP }),
  ]);
}
