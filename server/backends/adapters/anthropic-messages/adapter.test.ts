import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { messageFrames } from "@/server/testing/answer-frames";
import { CHAT_SECRETS, failureOf } from "@/server/testing/contract-chat-turn";
import { CANARY } from "@/server/testing/contract-harness";
import { type HttpBench, openHttpBench } from "@/server/testing/http-turn";
import {
  cutAfter,
  cutUpAnswer,
  hang,
  hangAfter,
  jsonAnswer,
  type Script,
  slowLoris,
  sseAnswer,
  textAnswer,
} from "@/server/testing/loopback-upstream";
import { createAnthropicMessagesBackend } from "./adapter";

let bench: HttpBench;

beforeEach(async () => {
  bench = await openHttpBench("anthropic", createAnthropicMessagesBackend);
});

afterEach(() => bench.close());

const failed = (type: string, message = "its words") => ({ type: "error", error: { type, message }, request_id: "req_1" });

describe("a streamed message", () => {
  it("becomes text, usage and the served model, told as it grows", async () => {
    const result = await bench.run(sseAnswer(messageFrames()));
    expect(result).toEqual({
      text: '{"insights":[]}',
      finishReason: "stop",
      usage: { promptTokens: 11, completionTokens: 7 },
      servedModel: "served-1",
      firstTokenMs: expect.any(Number),
    });
    expect(bench.heard.characters).toEqual([5, 10, 15]);
    expect(bench.heard.events.map(({ type, payload }) => [type, "phase" in payload ? payload.phase : payload.final])).toEqual([
      ["backend_status", "started"],
      ["backend_status", "responding"],
      ["assistant_message", true],
    ]);
  });

  it.each([1, 3, 7])("is right however the bytes are cut (%i at a time)", async (size) => {
    const text = "Müller 😀 漢字 — done";
    expect((await bench.run(cutUpAnswer(messageFrames({ text, pieceLength: 100 }).join(""), size))).text).toBe(text);
  });

  it.each(["", "/"])("is asked for with the key and the version of the protocol, below a base with /v1%s", async (end) => {
    await bench.run(sseAnswer(messageFrames()), { baseUrl: `${bench.upstream.baseUrl}${end}` });
    const [request] = bench.upstream.requests;
    expect([request?.method, request?.path]).toEqual(["POST", "/v1/messages"]);
    expect(request?.headers).toMatchObject({
      "x-api-key": CANARY,
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
      "accept-encoding": "identity",
    });
    expect(request?.headers.authorization).toBeUndefined();
    expect(bench.sent()).toMatchObject({ model: "test-model", stream: true, max_tokens: 32_000 });
  });

  it.each(["", "/anthropic"])("is asked for below a base without /v1 (%s)", async (below) => {
    const baseUrl = `${bench.upstream.baseUrl.replace(/\/v1$/, "")}${below}`;
    await bench.run(sseAnswer(messageFrames()), { baseUrl });
    expect(bench.upstream.requests[0]?.path).toBe(`${below}/v1/messages`);
  });
});

describe("an answer with an error status", () => {
  it.each<[number, string, string, boolean | undefined]>([
    [400, "invalid_request_error", "backend-failed", undefined],
    [401, "authentication_error", "provider-auth-failed", undefined],
    [402, "billing_error", "provider-rate-limited", false],
    [403, "permission_error", "provider-auth-failed", undefined],
    [404, "not_found_error", "backend-failed", undefined],
    [413, "request_too_large", "backend-failed", undefined],
    [429, "rate_limit_error", "provider-rate-limited", undefined],
    [500, "api_error", "provider-unavailable", undefined],
    [504, "timeout_error", "provider-unavailable", undefined],
    [529, "overloaded_error", "provider-unavailable", undefined],
  ])("%i %s is %s, told by one request", async (status, type, failureKind, retryable) => {
    const error = await bench.fail(jsonAnswer(status, failed(type)));
    expect(error).toMatchObject({ failureKind, httpStatus: status, message: `llm-api answered ${status}: its words` });
    expect(error.retryable).toBe(retryable);
    expect(bench.upstream.requests).toHaveLength(1);
  });

  it.each([
    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
    "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
    "You have reached your specified workspace API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
  ])("400 is an empty account where it says so: %s", async (message) => {
    const error = await bench.fail(jsonAnswer(400, failed("invalid_request_error", message)));
    expect(error).toMatchObject({ failureKind: "provider-rate-limited", retryable: false, httpStatus: 400 });
  });

  it("says how long to wait", async () => {
    const error = await bench.fail(jsonAnswer(429, failed("rate_limit_error"), { "retry-after": "3" }));
    expect(error.retryAfterMs).toBe(3000);
  });

  it("does not follow a redirect", async () => {
    const error = await bench.fail(textAnswer(307, "", { location: `${bench.upstream.baseUrl}/elsewhere` }));
    expect(error.failureKind).toBe("backend-failed");
    expect(bench.upstream.requests).toHaveLength(1);
  });

  it("is told from a page, which may be a wrong address", async () => {
    const error = await bench.fail(textAnswer(200, "<html>login</html>", { "content-type": "text/html" }));
    expect(error).toMatchObject({
      failureKind: "backend-protocol-error",
      message: "llm-api answered with text/html where a chat answer was expected. Is the base URL the address of its API?",
    });
  });

  it("never repeats the key", async () => {
    const error = await bench.fail(jsonAnswer(401, failed("authentication_error", `invalid x-api-key ${CANARY}`)));
    expect(error.message).toBe("llm-api answered 401: invalid x-api-key [redacted env:LLM_API_KEY]");
  });
});

describe("an answer that fails on its way", () => {
  const half = messageFrames({ text: "half an answer", pieceLength: 4 }).slice(0, 9);

  it.each<[string, Script, string, string]>([
    [
      "an error in the stream",
      sseAnswer([...half, `event: error\ndata: ${JSON.stringify(failed("overloaded_error", "Overloaded"))}\n\n`]),
      "provider-unavailable",
      "llm-api reported an error: Overloaded",
    ],
    ["a cut", cutAfter(half), "provider-unavailable", "llm-api broke off its answer: the connection failed (UND_ERR_SOCKET)"],
    ["an early end", sseAnswer(half), "provider-unavailable", "llm-api ended its answer before the model had finished."],
  ])("by %s keeps what the model had said", async (_name, script, failureKind, message) => {
    const error = await bench.fail(script);
    expect(error).toMatchObject({ failureKind, message, partialText: "half an " });
    expect(bench.heard.events.at(-1)?.payload).toMatchObject({ text: "half an ", final: false });
  });

  it("by hanging ends at the turn's limit", async () => {
    expect((await bench.fail(hang, { timeoutMs: 80 })).message).toBe("llm-api timed out after 0.08s");
    await bench.upstream.disconnected(1);
  });

  it("by silence ends at the idle limit", async () => {
    const error = await bench.fail(hangAfter(half), {}, { settings: { idleMs: 80 } });
    expect(error.message).toBe("llm-api timed out after 0.08s without data");
    expect(error.partialText).toBe("half an ");
  });

  it("by never being done ends at the turn's limit", async () => {
    expect((await bench.fail(slowLoris, { timeoutMs: 120 })).message).toBe("llm-api timed out after 0.12s");
  });

  it("by its length ends with what was read", async () => {
    const error = await bench.fail(sseAnswer(messageFrames({ text: "x".repeat(50) })), {}, { limits: { maxTextBytes: 12 } });
    expect(error).toMatchObject({ failureKind: "backend-response-invalid", retryable: false, partialText: "x".repeat(15) });
  });

  it("by an end that never comes after the last event is whole all the same", async () => {
    expect((await bench.run(hangAfter(messageFrames()))).text).toBe('{"insights":[]}');
    await bench.upstream.disconnected(1);
  });
});

describe("the probe", () => {
  const probe = () =>
    bench.open().probe(new AbortController().signal, { baseUrl: bench.upstream.baseUrl, secrets: CHAT_SECRETS }, "test-model");

  it.each<[string, Script, { state: string; reason: string }]>([
    ["a good key", sseAnswer(messageFrames({ text: "OK" })), { state: "healthy", reason: "" }],
    ["a model that only thought", sseAnswer(messageFrames({ text: "", stop: "max_tokens" })), { state: "healthy", reason: "" }],
    [
      "a wrong key",
      jsonAnswer(401, failed("authentication_error", "invalid x-api-key")),
      { state: "unavailable", reason: "llm-api answered 401: invalid x-api-key" },
    ],
    ["a rate limit", jsonAnswer(429, {}), { state: "degraded", reason: "llm-api answered 429" }],
  ])("tells %s by a message", async (_name, script, expected) => {
    bench.upstream.next(script);
    expect(await probe()).toEqual({ ...expected, latencyMs: expect.any(Number) });
    expect(bench.upstream.requests[0]?.path).toBe("/v1/messages");
    expect(bench.sent()).toMatchObject({ model: "test-model", max_tokens: 16 });
  });
});

describe("the list of models", () => {
  const list = () =>
    bench.open().listModels(new AbortController().signal, { baseUrl: bench.upstream.baseUrl, secrets: CHAT_SECRETS });

  it("is read page by page, each name once", async () => {
    bench.upstream.next(
      jsonAnswer(200, { data: [{ id: "a" }, { id: "b" }], has_more: true, first_id: "a", last_id: "b" }),
      jsonAnswer(200, { data: [{ id: "b" }, { id: "c" }], has_more: false, first_id: "b", last_id: "c" }),
    );
    expect(await list()).toEqual(["a", "b", "c"]);
    expect(bench.upstream.requests.map(({ path }) => path)).toEqual([
      "/v1/models?limit=1000",
      "/v1/models?limit=1000&after_id=b",
    ]);
    expect(bench.upstream.requests[1]?.headers["x-api-key"]).toBe(CANARY);
  });

  it("ends, whatever the server says of further pages", async () => {
    bench.upstream.otherwise(jsonAnswer(200, { data: [{ id: "a" }], has_more: true, last_id: "a" }));
    expect(await list()).toEqual(["a"]);
    expect(bench.upstream.requests).toHaveLength(20);
  });

  it("fails with a wrong key", async () => {
    bench.upstream.next(jsonAnswer(401, failed("authentication_error")));
    expect((await failureOf(list())).failureKind).toBe("provider-auth-failed");
  });
});
