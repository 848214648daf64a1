/** The answers of a job that its provider has ended, into its run. May begin anew at any time: what was taken is not taken twice. */
import type { BatchAnswer, BatchOutcome, BatchProblem, BatchResult } from "@/server/backends/batch-backend";
import { adoptAnswers, type OfJob } from "../adopt-answers";
import type { MadeAnswer } from "../adopt-answers.schema";
import { plainChunkName, readAnswerId } from "../answer-id";
import type { JobAtWork } from "./job-deps";
import { orderOf } from "./job-requests";

/** What is adopted at once: as many answers, or as much text. */
const PAGE_ANSWERS = 200;
const PAGE_CHARACTERS = 8 * 1024 * 1024;

const EXPIRED = "The batch ended before this request had its turn.";
const CANCELLED = "The batch was cancelled before this request had its turn.";
const WITHOUT = "The batch has ended without an answer to this request.";

const UNANSWERED: Readonly<Record<BatchOutcome, NonNullable<MadeAnswer["error"]>>> = {
  completed: { message: WITHOUT, failureKind: "backend-failed" },
  failed: { message: WITHOUT, failureKind: "backend-failed" },
  expired: { message: EXPIRED, failureKind: "backend-timeout" },
  cancelled: { message: CANCELLED, failureKind: "cancelled" },
};

/**
 * An answer is adopted as an answer made elsewhere is. A chunk without one fails: to ask for it again, at whatever price, is up to a
 * person. But where somebody here cancelled the job, or its run, its chunks are open again as they were.
 */
export async function collectJob(work: JobAtWork): Promise<void> {
  const { job, deps, batch, signal } = work;
  const { nativeId, outcome } = job.state;
  if (nativeId === null || outcome === null) throw new Error(`batch job ${job.id} cannot be collected`);
  const isReturned = job.cancelAsked || job.runStatus === "cancelled";
  const { owns } = orderOf(deps.jobs, job);
  const pages = new Pages(work);
  const bad = { count: 0, first: "" };
  const isBad = ({ line, problem }: BatchProblem) => {
    bad.count += 1;
    if (bad.count === 1) bad.first = `line ${line}: ${problem}`;
  };
  const take = async (answer: BatchAnswer | BatchProblem) => {
    if ("problem" in answer) return isBad(answer);
    const place = owns(answer.id) ? readAnswerId(answer.id) : null;
    if (place?.kind !== "run") return isBad({ line: answer.line, problem: "Its id is of no request of this batch." });
    const isUndone = answer.kind === "expired" || answer.kind === "cancelled";
    if (!(isUndone && isReturned)) await pages.add(madeAnswer(work, place.index, answer), servedModelOf(answer));
  };
  // A job that failed as a whole (its requests were not even read) has nothing to fetch at some providers, and errors at others.
  await batch.collect(nativeId, take, work.access(), signal);
  await pages.send();
  if (!isReturned) {
    const error = outcome === "failed" && job.state.message ? failedAsWhole(job.state.message) : UNANSWERED[outcome];
    for (const index of await deps.jobs.held(job.id))
      await pages.add({ ...identityOf(work, index), error, source: sourceOf(nativeId, null) }, null);
    await pages.send();
  }
  const returned = (await deps.jobs.held(job.id)).length;
  const taken = { ...(await deps.jobs.taken(job)), returned };
  const badLines = bad.count === 0 ? {} : { badLines: bad.count, badLine: bad.first };
  await work.end({ state: outcome, taken }, [
    { type: "batch_collected", payload: { job: job.id, outcome, ...taken, ...badLines } },
  ]);
  deps.kick();
}

/** Answers that are handed on together. */
class Pages {
  readonly #work: JobAtWork;
  #answers: MadeAnswer[] = [];
  #servedModels = new Map<string, string>();
  #characters = 0;

  constructor(work: JobAtWork) {
    this.#work = work;
  }

  async add(answer: MadeAnswer, servedModel: string | null): Promise<void> {
    this.#answers.push(answer);
    if (servedModel !== null) this.#servedModels.set(answer.id, servedModel);
    this.#characters += (answer.text ?? "").length;
    if (this.#answers.length >= PAGE_ANSWERS || this.#characters >= PAGE_CHARACTERS) await this.send();
  }

  async send(): Promise<void> {
    if (this.#answers.length === 0) return;
    const { deps, job, signal } = this.#work;
    signal.throwIfAborted();
    const of: OfJob = { job: job.id, servedModels: this.#servedModels };
    const answers = this.#answers;
    this.#answers = [];
    this.#servedModels = new Map();
    this.#characters = 0;
    await adoptAnswers(deps.adopt, job.runId, answers, of);
  }
}

function identityOf({ job }: JobAtWork, index: number): Pick<MadeAnswer, "id" | "backend" | "model"> {
  return { id: plainChunkName(job.runId, index), backend: job.provider, model: job.model };
}

function madeAnswer(work: JobAtWork, index: number, answer: BatchAnswer): MadeAnswer {
  const common = { ...identityOf(work, index), source: sourceOf(work.job.state.nativeId ?? "", answer.line) };
  switch (answer.kind) {
    case "answered":
      return { ...common, ...answeredFields(answer.result) };
    case "failed": {
      const { failureKind, message, partialText } = answer;
      const error = { message: message.slice(0, 4_000), failureKind };
      return { ...common, error, ...(partialText === undefined ? {} : { text: partialText }) };
    }
    case "expired":
    case "cancelled":
      return { ...common, error: UNANSWERED[answer.kind] };
  }
}

function answeredFields({ text, finishReason, usage }: BatchResult): Partial<MadeAnswer> {
  return { text, ...(finishReason === "unknown" ? {} : { finishReason }), ...(usage ? { usage } : {}) };
}

function servedModelOf(answer: BatchAnswer): string | null {
  return answer.kind === "answered" ? (answer.result.servedModel ?? null) : null;
}

function failedAsWhole(reason: string): NonNullable<MadeAnswer["error"]> {
  return { message: `The batch failed as a whole: ${reason}`, failureKind: "backend-failed" };
}

function sourceOf(nativeId: string, line: number | null): string {
  return line === null ? `batch ${nativeId}` : `batch ${nativeId} line ${line}`;
}
