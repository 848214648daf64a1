/** OpenAI's Batch API, for chat completions and for Responses: a file of requests, a job over it, files of answers. */
import { z } from "zod";
import { BackendError } from "@/server/backends/backend";
import type {
  BatchAnswer,
  BatchBackend,
  BatchOrder,
  BatchOutcome,
  BatchProblem,
  BatchRequest,
} from "@/server/backends/batch-backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import { type BatchCalls, type Call, lineOf, MOST_JOB_PAGES, unlessEnded } from "./batch-calls";
import { providerErrorSchema } from "./error-body.schema";
import { boundedMessage, failureOfProviderError, failureOfStatus } from "./failure";

export const OPENAI_BATCH_LIMITS = { requests: 50_000, bytes: 200_000_000 };

/** The name under which a job keeps whose it is. */
const MARK = "switchyard_job";
const WINDOW = "24h";
const JOBS_A_PAGE = 100;
/** Clocks of two machines differ; a job that was handed in later than that before us is looked at. */
const CLOCK_SKEW_MS = 3_600_000;

const fileSchema = z.object({ id: z.string().min(1).max(300) });
const nullableId = z.string().min(1).max(300).nullish().catch(null);
const count = z.int().min(0).nullish().catch(null);
const jobSchema = z.object({
  id: z.string().min(1).max(300),
  status: z.string().max(100),
  created_at: z.number().nullish().catch(null),
  metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
  request_counts: z.object({ total: count, completed: count, failed: count }).nullish().catch(null),
  output_file_id: nullableId,
  error_file_id: nullableId,
  errors: z
    .object({
      data: z.array(z.object({ message: z.string().nullish().catch(null), line: z.number().nullish().catch(null) })).nullish(),
    })
    .nullish()
    .catch(null),
});
type Job = z.infer<typeof jobSchema>;
const jobPageSchema = z.object({ data: z.array(jobSchema), has_more: z.boolean().nullish().catch(null), last_id: nullableId });
const lineSchema = z.object({
  custom_id: z.string().min(1),
  response: z.object({ status_code: z.number().nullish().catch(null), body: z.unknown().optional() }).nullish(),
  error: providerErrorSchema.nullish(),
});

const OUTCOMES: Readonly<Record<string, BatchOutcome>> = {
  completed: "completed",
  failed: "failed",
  expired: "expired",
  cancelled: "cancelled",
};
/** Of a request that had no turn. */
const UNDONE: Readonly<Record<string, "expired" | "cancelled">> = { batch_expired: "expired", batch_cancelled: "cancelled" };

/** `turnPath` is where one request alone is posted, below `/v1`. */
export function createOpenAiBatch(calls: BatchCalls, turnPath: string): BatchBackend {
  const { bounds } = calls;
  const endpoint = `/v1${turnPath}`;

  const lineFor = (request: BatchRequest, access: ProviderAccess) =>
    `${JSON.stringify({ custom_id: request.id, method: "POST", url: endpoint, body: calls.bodyOf(request, access) })}\n`;

  const jobOf = (nativeId: string, access: ProviderAccess, signal: AbortSignal) =>
    calls.call({ method: "GET", path: `/batches/${encodeURIComponent(nativeId)}`, access, signal }, jobSchema, "batch");

  async function* multipart(order: BatchOrder, access: ProviderAccess, parts: { head: string; tail: string }) {
    yield parts.head;
    for await (const request of order.requests()) yield lineFor(request, access);
    yield parts.tail;
  }

  async function upload(order: BatchOrder, access: ProviderAccess, signal: AbortSignal): Promise<string> {
    // No line of JSON holds a line end, so none can hold the boundary.
    const boundary = `----${order.mark}`;
    const head =
      `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="${order.mark}.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n`;
    const tail = `\r\n--${boundary}--\r\n`;
    let bytes = Buffer.byteLength(head) + Buffer.byteLength(tail);
    for await (const request of order.requests()) bytes += Buffer.byteLength(lineFor(request, access));
    const stream = {
      type: `multipart/form-data; boundary=${boundary}`,
      bytes,
      pieces: () => multipart(order, access, { head, tail }),
    };
    const { id } = await calls.call({ method: "POST", path: "/files", access, signal, stream }, fileSchema, "file");
    return id;
  }

  async function submit(order: BatchOrder, fileId: string | null, access: ProviderAccess, signal: AbortSignal): Promise<string> {
    if (fileId === null) throw new BackendError("backend-failed", `${calls.providerName}: a batch needs a file of requests.`);
    const json = { input_file_id: fileId, endpoint, completion_window: WINDOW, metadata: { [MARK]: order.mark } };
    const { id } = await calls.call({ method: "POST", path: "/batches", access, signal, json }, jobSchema, "batch");
    return id;
  }

  /** The newest come first; a job keeps the mark it was given, so there is no doubt. */
  async function find(
    { mark }: Pick<BatchOrder, "mark">,
    since: number,
    _others: ReadonlySet<string>,
    access: ProviderAccess,
    signal: AbortSignal,
  ) {
    let after: string | null = null;
    for (let pages = 0; pages < MOST_JOB_PAGES; pages++) {
      const path: string = `/batches?limit=${JOBS_A_PAGE}${after === null ? "" : `&after=${encodeURIComponent(after)}`}`;
      const page: z.infer<typeof jobPageSchema> = await calls.call(
        { method: "GET", path, access, signal },
        jobPageSchema,
        "list of batches",
      );
      const found = page.data.find(({ metadata }) => metadata?.[MARK] === mark);
      if (found) return { state: "found" as const, nativeId: found.id };
      const last = page.data.at(-1);
      const isOlder = typeof last?.created_at === "number" && last.created_at * 1000 < since - CLOCK_SKEW_MS;
      if (!last || !page.has_more || isOlder) return { state: "absent" as const };
      after = page.last_id ?? last.id;
    }
    return { state: "unsure" as const, candidates: MOST_JOB_PAGES * JOBS_A_PAGE };
  }

  async function poll(nativeId: string, access: ProviderAccess, signal: AbortSignal) {
    const job = await jobOf(nativeId, access, signal);
    const { total, completed, failed } = job.request_counts ?? {};
    return {
      outcome: OUTCOMES[job.status] ?? null,
      nativeState: job.status,
      counts: typeof total === "number" ? { total, succeeded: completed ?? 0, failed: failed ?? 0 } : null,
      reason: boundedMessage(calls.context(access), reasonOf(job)),
    };
  }

  function answerOf(text: string, line: number, access: ProviderAccess): BatchAnswer | BatchProblem {
    const read = lineOf(lineSchema, text, line);
    if ("problem" in read) return read;
    const { custom_id: id, response, error } = read.value;
    const place = { id, line };
    const context = calls.context(access);
    if (response) {
      const status = response.status_code ?? 200;
      if (status >= 200 && status <= 299) return calls.answerOf(place, response.body, access);
      const { failureKind, message } = failureOfStatus(context, {
        status,
        headers: {},
        body: JSON.stringify(response.body ?? ""),
      });
      return { ...place, kind: "failed", failureKind, message };
    }
    if (!error) return { line, problem: "It has neither a response nor an error." };
    const undone = typeof error === "string" ? undefined : UNDONE[String(error.code)];
    if (undone) return { ...place, kind: undone };
    const { failureKind, message } = failureOfProviderError(context, error, "");
    return { ...place, kind: "failed", failureKind, message };
  }

  async function collect(
    nativeId: string,
    take: (answer: BatchAnswer | BatchProblem) => Promise<void>,
    access: ProviderAccess,
    signal: AbortSignal,
  ): Promise<void> {
    const job = await jobOf(nativeId, access, signal);
    for (const fileId of [job.output_file_id, job.error_file_id]) {
      if (!fileId) continue;
      const path = `/files/${encodeURIComponent(fileId)}/content`;
      const call: Call = { method: "GET", path, access, signal, isFile: true };
      await calls.lines(call, async (text, line) => {
        await take(answerOf(text, line, access));
        return true;
      });
    }
  }

  return {
    limits: { requests: bounds.requests, bytes: bounds.bytes },
    sizeOf: (request, access) => Buffer.byteLength(lineFor(request, access)),
    upload,
    submit,
    find,
    poll,
    collect,
    async cancelJob(nativeId, access, signal) {
      const path = `/batches/${encodeURIComponent(nativeId)}/cancel`;
      const cancelling = calls.call({ method: "POST", path, access, signal }, z.unknown(), "batch");
      await unlessEnded(cancelling, async () => (await poll(nativeId, access, signal)).outcome !== null);
    },
  };
}

function reasonOf({ errors }: Job): string {
  return (errors?.data ?? [])
    .slice(0, 3)
    .map(({ message, line }) => `${typeof line === "number" ? `line ${line}: ` : ""}${message ?? ""}`)
    .filter((sentence) => sentence !== "")
    .join("; ");
}
