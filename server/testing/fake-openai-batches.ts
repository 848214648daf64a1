/** OpenAI's Files and Batches on 127.0.0.1. A job stays in progress until the test ends it. */
import {
  type FakeBatches,
  type FakeDialect,
  type FakeFate,
  type FakeJob,
  type FakeRequest,
  newJob,
  startFakeBatches,
} from "./fake-batches";
import type { RecordedRequest } from "./loopback-upstream";

const USAGE = { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 };
const RESPONSES_USAGE = { input_tokens: 30, output_tokens: 9 };

export function startFakeOpenAiBatches(): Promise<FakeBatches> {
  const files = new Map<string, FakeRequest[]>();

  const dialect: FakeDialect = {
    ended: { completed: "completed", expired: "expired", cancelled: "cancelled" },
    async route(request, jobs) {
      const { pathname, searchParams } = new URL(request.path, "http://fake");
      const path = pathname.replace(/^\/v1/, "");
      if (request.method === "POST" && path === "/files") {
        const id = `file-${files.size + 1}`;
        files.set(id, await requestsOf(request));
        return { status: 200, json: { id, object: "file", purpose: "batch" } };
      }
      if (request.method === "POST" && path === "/batches") {
        const { input_file_id: input, metadata } = JSON.parse(request.body);
        const requests = files.get(input);
        if (!requests)
          return { status: 400, json: { error: { message: "There is no such file.", type: "invalid_request_error" } } };
        const job = newJob(`batch_${jobs.length + 1}`, requests, metadata);
        return { made: job, json: jobJson(job) };
      }
      if (request.method === "GET" && path === "/batches") return listed(jobs, searchParams);
      const [, id, action] = /^\/batches\/([^/]+)(\/cancel)?$/.exec(path) ?? [];
      const job = jobs.find((each) => each.id === id);
      if (job && action === "/cancel") {
        if (!/progress|validating/.test(job.status))
          return { status: 409, json: { error: { message: "It has ended.", type: "invalid_request_error" } } };
        job.cancelled = true;
        job.status = "cancelling";
        return { status: 200, json: jobJson(job) };
      }
      if (job) return { status: 200, json: jobJson(job) };
      const [, kind, of] = /^\/files\/(out|err)-(.+)\/content$/.exec(path) ?? [];
      const filed = jobs.find((each) => each.id === of);
      return filed ? { status: 200, text: fileText(filed, kind === "err") } : null;
    },
  };
  return startFakeBatches(dialect, "batch_");
}

/** The file in a multipart body, read by the platform's own reader. */
async function requestsOf({ headers, body }: RecordedRequest): Promise<FakeRequest[]> {
  const form = await new Response(body, { headers: { "content-type": String(headers["content-type"]) } }).formData();
  const file = form.get("file");
  if (form.get("purpose") !== "batch" || !(file instanceof File)) throw new Error("this is no file for a batch");
  const lines = (await file.text()).split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const { custom_id: customId, body: one } = JSON.parse(line);
    return { customId, body: one };
  });
}

function listed(jobs: readonly FakeJob[], query: URLSearchParams) {
  const newest = [...jobs].reverse();
  const from = newest.findIndex(({ id }) => id === query.get("after")) + 1;
  // Small pages, so that a few jobs have several.
  const page = newest.slice(from, from + 2);
  return {
    status: 200,
    json: { object: "list", data: page.map(jobJson), has_more: from + 2 < newest.length, last_id: page.at(-1)?.id ?? null },
  };
}

const isError = (fate: FakeFate) => fate.kind !== "answer";

function jobJson(job: FakeJob) {
  const fates = [...job.fates.values()];
  const failed = fates.filter(isError).length;
  return {
    id: job.id,
    object: "batch",
    status: job.status,
    created_at: Math.floor(job.createdAt / 1000),
    metadata: job.metadata,
    request_counts: { total: job.requests.length, completed: fates.length - failed, failed },
    output_file_id: fates.length > failed ? `out-${job.id}` : null,
    error_file_id: failed > 0 ? `err-${job.id}` : null,
    errors:
      job.status === "failed"
        ? { object: "list", data: [{ code: "token_limit", message: "Enqueued token limit reached." }] }
        : null,
  };
}

function fileText(job: FakeJob, errors: boolean): string {
  return [...job.fates]
    .filter(([, fate]) => isError(fate) === errors)
    .map(([id, fate]) => `${JSON.stringify(lineOf(id, fate, "input" in (job.requests[0]?.body ?? {})))}\n`)
    .join("");
}

function lineOf(customId: string, fate: FakeFate, isResponses: boolean) {
  const line = { id: `batch_req_${customId}`, custom_id: customId, response: null, error: null };
  switch (fate.kind) {
    case "answer": {
      const chat = {
        object: "chat.completion",
        model: "served-1",
        choices: [{ index: 0, message: { role: "assistant", content: fate.text }, finish_reason: fate.finish ?? "stop" }],
        usage: USAGE,
      };
      const response = {
        object: "response",
        status: "completed",
        model: "served-1",
        output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: fate.text }] }],
        usage: RESPONSES_USAGE,
      };
      return { ...line, response: { status_code: 200, request_id: "r", body: isResponses ? response : chat } };
    }
    case "error":
      return { ...line, response: { status_code: fate.status, body: { error: { type: fate.type, message: fate.message } } } };
    default:
      return { ...line, error: { code: `batch_${fate.kind}`, message: "This request could not be executed." } };
  }
}
