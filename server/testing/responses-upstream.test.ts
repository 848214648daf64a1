import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEventReader } from "@/server/backends/transport/http-sse";
import type { Script } from "./loopback-upstream";
import * as answers from "./responses-answers";
import { type ResponsesUpstream, startResponsesUpstream } from "./responses-upstream";

let upstream: ResponsesUpstream;

beforeEach(async () => {
  upstream = await startResponsesUpstream();
});

afterEach(() => upstream.close());

function post(body: unknown = {}, more: RequestInit = {}): Promise<Response> {
  return fetch(`${upstream.baseUrl}/responses`, { method: "POST", body: JSON.stringify(body), ...more });
}

/** Events of the answer, ids left out because they are fresh each time. */
async function eventsOf(script: Script): Promise<Record<string, unknown>[]> {
  upstream.next(script);
  const response = await post();
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  const heard: Record<string, unknown>[] = [];
  const reader = createEventReader(100_000, (data) => {
    heard.push(
      JSON.parse(data, (key, value: unknown) => (["id", "item_id", "call_id", "output_index"].includes(key) ? undefined : value)),
    );
  });
  reader.feed(await response.text());
  reader.end();
  return heard;
}

const START = { type: "response.created", response: {} };
const END = {
  type: "response.completed",
  response: {
    usage: {
      input_tokens: 11,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 18,
    },
  },
};
const added = (item: unknown) => ({ type: "response.output_item.added", item });
const done = (item: unknown) => ({ type: "response.output_item.done", item });
const textDelta = (delta: string) => ({ type: "response.output_text.delta", content_index: 0, delta });
const startedMessage = { type: "message", role: "assistant", status: "in_progress", content: [] };
const message = (text: string) => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});

describe("requests", () => {
  it("are recorded with key, model, prompt and tool outputs", async () => {
    upstream.next(answers.reply("a"), answers.reply("b"));
    const input = [
      { type: "message", role: "user", content: [{ type: "input_text", text: "first" }] },
      { type: "function_call_output", call_id: "call_7", output: "exit 0" },
      { type: "custom_tool_call_output", call_id: "call_8", output: [{ type: "input_text", text: "done" }] },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "second " },
          { type: "input_text", text: "part" },
        ],
      },
    ];
    await (await post({ model: "m", input }, { headers: { authorization: "Bearer KEY-A" } })).text();
    await (await post("no object")).text();
    expect(upstream.requests).toEqual([
      {
        method: "POST",
        path: "/v1/responses",
        authorization: "Bearer KEY-A",
        body: { model: "m", input },
        model: "m",
        prompt: "second part",
        toolOutputs: [
          { callId: "call_7", output: "exit 0" },
          { callId: "call_8", output: "done" },
        ],
      },
      { method: "POST", path: "/v1/responses", authorization: null, body: {}, model: "", prompt: "", toolOutputs: [] },
    ]);
  });

  it("are answered from the queue, then by what they ask", async () => {
    upstream.otherwise(({ model }) => answers.refusal(400, null, `no ${model} here`));
    upstream.next(answers.unauthorized);
    const statuses = [];
    for (const model of ["x", "y"]) statuses.push([(await post({ model })).status, model]);
    expect(statuses).toEqual([
      [401, "x"],
      [400, "y"],
    ]);
    expect(await (await post({ model: "z" })).json()).toEqual({
      error: { message: "no z here", type: "error", param: null, code: null },
    });
  });
});

describe("answers that go well", () => {
  it("a reply: beginning, pieces, whole item, end", async () => {
    expect(await eventsOf(answers.reply("A reply in pieces."))).toEqual([
      START,
      added(startedMessage),
      textDelta("A reply in p"),
      textDelta("ieces."),
      done(message("A reply in pieces.")),
      END,
    ]);
  });

  it("two messages, each with its phase", async () => {
    const items = (await eventsOf(answers.twoMessages("one", "two"))).filter(({ type }) => type === "response.output_item.done");
    expect(items).toEqual([done({ ...message("one"), phase: "commentary" }), done({ ...message("two"), phase: "final_answer" })]);
  });

  it("a thought before the reply", async () => {
    expect((await eventsOf(answers.reasonedReply("Plan", "Think", "Say"))).slice(1, 6)).toEqual([
      added({ type: "reasoning", summary: [] }),
      { type: "response.reasoning_summary_part.added", summary_index: 0, part: { type: "summary_text", text: "" } },
      { type: "response.reasoning_summary_text.delta", summary_index: 0, delta: "Plan" },
      { type: "response.reasoning_text.delta", content_index: 0, delta: "Think" },
      done({
        type: "reasoning",
        summary: [{ type: "summary_text", text: "Plan" }],
        content: [{ type: "reasoning_text", text: "Think" }],
      }),
    ]);
  });

  it.each([
    ["a command", answers.runCommand("ls"), "function_call", "exec_command", { cmd: "ls" }],
    [
      "a command that asks",
      answers.runCommand("rm x", { escalated: true, yieldMs: 250 }),
      "function_call",
      "exec_command",
      { cmd: "rm x", sandbox_permissions: "require_escalated", justification: "the command needs it", yield_time_ms: 250 },
    ],
    [
      "a question",
      answers.askUser("Which?", ["A", "B"]),
      "function_call",
      "request_user_input",
      {
        questions: [
          {
            id: "q1",
            header: "Choice",
            question: "Which?",
            options: [
              { label: "A", description: "A" },
              { label: "B", description: "B" },
            ],
          },
        ],
      },
    ],
  ])("%s", async (_, script, type, name, parameters) => {
    expect(await eventsOf(script)).toEqual([START, done({ type, name, arguments: JSON.stringify(parameters) }), END]);
  });

  it("a patch", async () => {
    const patch = "*** Begin Patch\n*** End Patch";
    expect(await eventsOf(answers.applyPatch(patch))).toEqual([
      START,
      done({ type: "custom_tool_call", name: "apply_patch", input: patch }),
      END,
    ]);
  });

  it("have ids of their own", async () => {
    upstream.otherwise(() => answers.reply("same"));
    const texts = [await (await post()).text(), await (await post()).text()];
    const ids = texts.map((text) => text.match(/"id":"(msg_\d+)"/)?.[1]);
    expect(ids).toEqual([expect.stringMatching(/^msg_\d{4}$/), expect.stringMatching(/^msg_\d{4}$/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });
});

describe("answers without a reply", () => {
  it.each([
    ["nothing", answers.nothing(), [START, END]],
    ["an empty message", answers.emptyMessage(), [START, added(startedMessage), done(message("")), END]],
    ["only pieces", answers.onlyDeltas("piece"), [START, added(startedMessage), textDelta("piece"), END]],
    [
      "a failure in the stream",
      answers.failedResponse("rate_limit_exceeded", "slow down"),
      [
        START,
        { type: "response.failed", response: { status: "failed", error: { code: "rate_limit_exceeded", message: "slow down" } } },
      ],
    ],
    [
      "an answer that stops early",
      answers.incompleteResponse("content_filter", "half"),
      [
        START,
        added(startedMessage),
        textDelta("half"),
        { type: "response.incomplete", response: { status: "incomplete", incomplete_details: { reason: "content_filter" } } },
      ],
    ],
    ["a clean end that is none", answers.endWithoutCompleted("half"), [START, added(startedMessage), textDelta("half")]],
  ])("%s", async (_, script, events) => {
    expect(await eventsOf(script)).toEqual(events);
  });

  it.each([
    ["unauthorized", answers.unauthorized, 401, "invalid_api_key"],
    ["paymentRequired", answers.paymentRequired, 402, "insufficient_balance"],
    ["forbidden", answers.forbidden, 403, "forbidden"],
    ["notFound", answers.notFound, 404, null],
    ["modelNotFound", answers.modelNotFound, 404, "model_not_found"],
    ["badRequest", answers.badRequest, 400, "invalid_request_error"],
    ["tooManyRequests", answers.tooManyRequests(), 429, "rate_limit_exceeded"],
    ["quotaExceeded", answers.quotaExceeded, 429, "insufficient_quota"],
    ["serverError", answers.serverError, 500, "server_error"],
    ["unavailable", answers.unavailable, 503, null],
    ["overloaded", answers.overloaded, 503, "server_is_overloaded"],
  ])("%s is its status and code", async (_, script, status, code) => {
    upstream.next(script);
    const response = await post();
    expect([response.status, response.headers.get("retry-after")]).toEqual([status, null]);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  it("429 with Retry-After, 502 as a page, malformed events, JSON for a stream", async () => {
    upstream.next(answers.tooManyRequests(2), answers.badGateway, answers.malformedEvents, answers.jsonInsteadOfEvents);
    const [limited, gateway, malformed, json] = [await post(), await post(), await post(), await post()];
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "2"]);
    expect([gateway.status, await gateway.text()]).toEqual([502, "<html><body><h1>502 Bad Gateway</h1></body></html>"]);
    expect([malformed.status, await malformed.text()]).toEqual([
      200,
      "event: response.created\ndata: {not json\n\ndata: neither is this\n\n",
    ]);
    expect([json.status, json.headers.get("content-type"), await json.json()]).toEqual([
      200,
      "application/json",
      { id: "resp_json", object: "response", status: "completed", output: [] },
    ]);
  });

  it.each([
    ["cutStream", answers.cutStream("half"), "response.output_text.delta"],
    ["cutAfterMessage", answers.cutAfterMessage("whole"), "response.output_item.done"],
  ])("%s breaks off after its last event", async (_, script, last) => {
    upstream.next(script);
    const reader = (await post()).body?.getReader();
    let heard = "";
    const problem = await (async () => {
      for (;;) {
        const piece = await reader?.read();
        if (!piece || piece.done) return "none";
        heard += Buffer.from(piece.value).toString("utf8");
      }
    })().catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(TypeError);
    expect(heard.match(/event: (\S+)/g)?.at(-1)).toBe(`event: ${last}`);
  });
});

describe("answers that wait", () => {
  it("noHeaders takes the request and says nothing; silence says its headers", async () => {
    const caller = new AbortController();
    upstream.next(answers.noHeaders, answers.silence("half"));
    const unanswered = post({}, { signal: caller.signal }).catch((error: unknown) => error);
    await upstream.received(1);
    const response = await post({}, { signal: caller.signal });
    expect(response.status).toBe(200);
    expect(upstream.openConnections).toBe(2);
    caller.abort();
    expect(await unanswered).toMatchObject({ name: "AbortError" });
    await upstream.disconnected(2);
  });

  it("held answers when it is released, and ends when the client goes first", async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    upstream.next(answers.held(released, answers.unauthorized));
    const answered = post();
    await upstream.received(1);
    release();
    expect((await answered).status).toBe(401);
    const caller = new AbortController();
    upstream.next(answers.held(new Promise(() => undefined), answers.unauthorized));
    const left = post({}, { signal: caller.signal }).catch((error: unknown) => error);
    await upstream.received(2);
    caller.abort();
    expect(await left).toMatchObject({ name: "AbortError" });
  });

  it("slowReply is a whole reply", async () => {
    expect((await eventsOf(answers.slowReply("slowly", 1))).at(-1)).toEqual(END);
  });

  it("nobody listens at a refused address", async () => {
    const problem = await fetch(`${await answers.refusedBaseUrl()}/responses`, { method: "POST" }).catch(
      (error: unknown) => error,
    );
    expect(problem).toMatchObject({ cause: { code: "ECONNREFUSED" } });
  });
});
