/** Anthropic's Message Batches on 127.0.0.1. A job stays in progress until the test ends it. */
import { type FakeBatches, type FakeDialect, type FakeFate, type FakeJob, newJob, startFakeBatches } from "./fake-batches";

/** `resultsHost` is another place that the service names for its answers. */
export function startFakeAnthropicBatches(resultsHost?: string): Promise<FakeBatches> {
  const dialect: FakeDialect = {
    ended: { completed: "ended", expired: "ended", cancelled: "ended" },
    async route(request, jobs, baseUrl) {
      const { pathname, searchParams } = new URL(request.path, "http://fake");
      const path = pathname.replace(/^\/v1\/messages\/batches/, "");
      if (path === pathname) return null;
      const json = (job: FakeJob) => jobJson(job, resultsHost ?? baseUrl);
      if (request.method === "POST" && path === "") {
        const requests = JSON.parse(request.body).requests.map((one: { custom_id: string; params: Record<string, unknown> }) => ({
          customId: one.custom_id,
          body: one.params,
        }));
        const job = newJob(`msgbatch_${jobs.length + 1}`, requests, {});
        return { made: job, json: json(job) };
      }
      if (path === "") {
        const newest = [...jobs].reverse();
        const from = newest.findIndex(({ id }) => id === searchParams.get("after_id")) + 1;
        const page = newest.slice(from, from + 2);
        return {
          status: 200,
          json: { data: page.map(json), has_more: from + 2 < newest.length, last_id: page.at(-1)?.id ?? null },
        };
      }
      const [, id, action = ""] = /^\/([^/]+)(\/cancel|\/results)?$/.exec(path) ?? [];
      const job = jobs.find((each) => each.id === id);
      if (!job) return null;
      if (action === "/results") return { status: 200, text: resultsText(job) };
      if (action === "/cancel") {
        if (job.status === "ended")
          return { status: 400, json: { type: "error", error: { type: "invalid_request_error", message: "It has ended." } } };
        job.cancelled = true;
        job.status = "canceling";
      }
      return { status: 200, json: json(job) };
    },
  };
  return startFakeBatches(dialect, "msgbatch_");
}

function jobJson(job: FakeJob, resultsBase: string) {
  const of = (kind: FakeFate["kind"]) => [...job.fates.values()].filter((fate) => fate.kind === kind).length;
  return {
    id: job.id,
    type: "message_batch",
    processing_status: job.status,
    created_at: new Date(job.createdAt).toISOString(),
    cancel_initiated_at: job.cancelled ? new Date(job.createdAt).toISOString() : null,
    request_counts: {
      processing: job.requests.length - job.fates.size,
      succeeded: of("answer"),
      errored: of("error"),
      canceled: of("cancelled"),
      expired: of("expired"),
    },
    results_url: job.status === "ended" ? `${resultsBase}/messages/batches/${job.id}/results` : null,
  };
}

function resultsText(job: FakeJob): string {
  // The service promises no order.
  return [...job.fates]
    .reverse()
    .map(([id, fate]) => `${JSON.stringify({ custom_id: id, result: resultOf(fate) })}\n`)
    .join("");
}

function resultOf(fate: FakeFate) {
  switch (fate.kind) {
    case "answer":
      return {
        type: "succeeded",
        message: {
          type: "message",
          role: "assistant",
          model: "served-1",
          content: [{ type: "text", text: fate.text }],
          stop_reason: fate.finish ?? "end_turn",
          usage: { input_tokens: 30, output_tokens: 9 },
        },
      };
    case "error":
      return { type: "errored", error: { type: "error", error: { type: fate.type, message: fate.message } } };
    case "cancelled":
      return { type: "canceled" };
    default:
      return { type: "expired" };
  }
}
