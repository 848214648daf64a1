/** Anthropic's Message Batches: the requests go with the job, and its answers lie behind an address that it names. */
import { z } from "zod";
import { BackendError } from "@/server/backends/backend";
import type {
  BatchAnswer,
  BatchBackend,
  BatchOrder,
  BatchOutcome,
  BatchProblem,
  BatchRequest,
  FoundBatch,
} from "@/server/backends/batch-backend";
import { type BatchCalls, lineOf, MOST_JOB_PAGES, unlessEnded } from "@/server/backends/http/batch-calls";
import { providerErrorSchema } from "@/server/backends/http/error-body.schema";
import { failureOfProviderError } from "@/server/backends/http/failure";
import type { ProviderAccess } from "@/server/backends/provider-access";

export const ANTHROPIC_BATCH_LIMITS = { requests: 100_000, bytes: 256_000_000 };

const PATH = "/messages/batches";
const OPENING = '{"requests":[';
const CLOSING = "]}";
const JOBS_A_PAGE = 100;
/** Clocks of two machines differ by that at most. */
const CLOCK_SKEW_MS = 300_000;

const count = z.int().min(0).nullish().catch(null);
const jobSchema = z.object({
  id: z.string().min(1).max(300),
  processing_status: z.string().max(100),
  created_at: z.string().nullish().catch(null),
  cancel_initiated_at: z.string().nullish().catch(null),
  request_counts: z
    .object({ processing: count, succeeded: count, errored: count, canceled: count, expired: count })
    .nullish()
    .catch(null),
  results_url: z.string().min(1).max(2_000).nullish().catch(null),
});
type Job = z.infer<typeof jobSchema>;
const jobPageSchema = z.object({
  data: z.array(jobSchema),
  has_more: z.boolean().nullish().catch(null),
  last_id: z.string().min(1).max(300).nullish().catch(null),
});
const lineSchema = z.object({
  custom_id: z.string().min(1),
  result: z.object({
    type: z.string(),
    message: z.unknown().optional(),
    /** `{type:"error", error:{type, message}}`, or the inner one alone. */
    error: z
      .union([z.object({ error: providerErrorSchema }), providerErrorSchema])
      .nullish()
      .catch(null),
  }),
});

export function createAnthropicBatch(calls: BatchCalls): BatchBackend {
  const { bounds } = calls;
  const one = (request: BatchRequest, access: ProviderAccess) =>
    JSON.stringify({ custom_id: request.id, params: calls.bodyOf(request, access) });
  const pathOf = (nativeId: string) => `${PATH}/${encodeURIComponent(nativeId)}`;
  const jobOf = (nativeId: string, access: ProviderAccess, signal: AbortSignal) =>
    calls.call({ method: "GET", path: pathOf(nativeId), access, signal }, jobSchema, "batch");

  async function* bodyPieces(order: BatchOrder, access: ProviderAccess) {
    let before = OPENING;
    for await (const request of order.requests()) {
      yield `${before}${one(request, access)}`;
      before = ",";
    }
    yield CLOSING;
  }

  async function submit(order: BatchOrder, _fileId: string | null, access: ProviderAccess, signal: AbortSignal): Promise<string> {
    let bytes = 0;
    for await (const piece of bodyPieces(order, access)) bytes += Buffer.byteLength(piece);
    const stream = { type: "application/json", bytes, pieces: () => bodyPieces(order, access) };
    const { id } = await calls.call({ method: "POST", path: PATH, access, signal, stream }, jobSchema, "batch");
    return id;
  }

  /** The lines of the results of a job that has ended; false of `take` ends the reading. */
  async function results(
    job: Job,
    access: ProviderAccess,
    signal: AbortSignal,
    take: (line: string, at: number) => Promise<boolean>,
  ) {
    if (!job.results_url)
      throw new BackendError("backend-protocol-error", `${calls.providerName} says of no place where the answers lie.`);
    await calls.lines({ method: "GET", path: pathOf(job.id), url: job.results_url, access, signal, isFile: true }, take);
  }

  /**
   * Jobs keep no mark, only the ids of their requests, and tell those when they have ended. So a job that came in the right time
   * with the right number of requests may be ours, and is when its first answer is to a request of ours.
   */
  async function find(
    order: Pick<BatchOrder, "owns" | "count">,
    since: number,
    others: ReadonlySet<string>,
    access: ProviderAccess,
    signal: AbortSignal,
  ): Promise<FoundBatch> {
    let after: string | null = null;
    let candidates = 0;
    for (let pages = 0; pages < MOST_JOB_PAGES; pages++) {
      const path: string = `${PATH}?limit=${JOBS_A_PAGE}${after === null ? "" : `&after_id=${encodeURIComponent(after)}`}`;
      const page: z.infer<typeof jobPageSchema> = await calls.call(
        { method: "GET", path, access, signal },
        jobPageSchema,
        "list of batches",
      );
      for (const job of page.data) {
        if (others.has(job.id) || isBefore(job, since) || countsOf(job)?.total !== order.count) continue;
        if (job.processing_status !== "ended" || !job.results_url) candidates += 1;
        else if (await isOwn(job, order, access, signal)) return { state: "found", nativeId: job.id };
      }
      const last = page.data.at(-1);
      if (!last || !page.has_more || isBefore(last, since))
        return candidates === 0 ? { state: "absent" } : { state: "unsure", candidates };
      after = page.last_id ?? last.id;
    }
    return { state: "unsure", candidates: candidates + 1 };
  }

  async function isOwn(
    job: Job,
    { owns }: Pick<BatchOrder, "owns">,
    access: ProviderAccess,
    signal: AbortSignal,
  ): Promise<boolean> {
    let own = false;
    await results(job, access, signal, async (text, line) => {
      const read = lineOf(lineSchema, text, line);
      own = !("problem" in read) && owns(read.value.custom_id);
      return false;
    });
    return own;
  }

  async function poll(nativeId: string, access: ProviderAccess, signal: AbortSignal) {
    const job = await jobOf(nativeId, access, signal);
    return {
      outcome: job.processing_status === "ended" ? outcomeOf(job) : null,
      nativeState: job.processing_status,
      counts: countsOf(job),
      reason: "",
    };
  }

  function answerOf(text: string, line: number, access: ProviderAccess): BatchAnswer | BatchProblem {
    const read = lineOf(lineSchema, text, line);
    if ("problem" in read) return read;
    const { custom_id: id, result } = read.value;
    const place = { id, line };
    if (result.type === "succeeded") return calls.answerOf(place, result.message, access);
    if (result.type === "expired") return { ...place, kind: "expired" };
    if (result.type === "canceled") return { ...place, kind: "cancelled" };
    if (result.type !== "errored") return { line, problem: "Its result is neither succeeded, errored, canceled nor expired." };
    const told = result.error ?? "an error without a word about it";
    const error = typeof told === "object" && "error" in told ? told.error : told;
    const { failureKind, message } = failureOfProviderError(calls.context(access), error, "");
    return { ...place, kind: "failed", failureKind, message };
  }

  return {
    limits: { requests: bounds.requests, bytes: bounds.bytes },
    // The comma after it counts as well.
    sizeOf: (request, access) => Buffer.byteLength(one(request, access)) + 1,
    upload: async () => null,
    submit,
    find,
    poll,
    async collect(nativeId, take, access, signal) {
      await results(await jobOf(nativeId, access, signal), access, signal, async (text, line) => {
        await take(answerOf(text, line, access));
        return true;
      });
    },
    async cancelJob(nativeId, access, signal) {
      const path = `${pathOf(nativeId)}/cancel`;
      const cancelling = calls.call({ method: "POST", path, access, signal }, z.unknown(), "batch");
      await unlessEnded(cancelling, async () => (await poll(nativeId, access, signal)).outcome !== null);
    },
  };
}

function countsOf({ request_counts: counts }: Job): { total: number; succeeded: number; failed: number } | null {
  if (!counts) return null;
  const { processing, succeeded, errored, canceled, expired } = counts;
  const failed = (errored ?? 0) + (canceled ?? 0) + (expired ?? 0);
  return { total: (processing ?? 0) + (succeeded ?? 0) + failed, succeeded: succeeded ?? 0, failed };
}

function outcomeOf({ request_counts: counts, cancel_initiated_at: cancelledAt }: Job): BatchOutcome {
  if (cancelledAt || (counts?.canceled ?? 0) > 0) return "cancelled";
  return (counts?.expired ?? 0) > 0 ? "expired" : "completed";
}

function isBefore({ created_at: at }: Job, since: number): boolean {
  const created = at ? Date.parse(at) : Number.NaN;
  return !Number.isNaN(created) && created < since - CLOCK_SKEW_MS;
}
