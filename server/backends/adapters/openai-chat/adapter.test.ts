import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Backend, BackendError, type Turn } from "@/server/backends/backend";
import type { Profile } from "@/server/config/profile.schema";
import type { NewEvent } from "@/server/events/event.schema";
import { Secret } from "@/server/shared/secret";
import {
  chatFrames,
  cutAfter,
  cutUpAnswer,
  EVENT_STREAM,
  giantAnswer,
  gzipBomb,
  hang,
  hangAfter,
  jsonAnswer,
  type LoopbackUpstream,
  notHttp,
  type Script,
  slowLoris,
  sseAnswer,
  startLoopbackUpstream,
  textAnswer,
} from "@/server/testing/loopback-upstream";
import { createOpenAiChatBackend, type OpenAiChatLimits } from "./adapter";

const KEY = "sk-canary-7f3a9b2c4d5e6f70";
const SECRETS = { apiKey: new Secret(KEY, "env:LLM_API_KEY") };

function profileAt(baseUrl: string): Profile {
  return {
    name: "llm-api",
    kind: "openai-chat",
    description: "A test upstream.",
    defaultModel: "test-model",
    baseUrl,
    secretRefs: { apiKey: "env:LLM_API_KEY" },
    concurrency: 4,
    timeoutMs: 60_000,
    tokenizer: "o200k",
    tokenizerIsEstimate: true,
  };
}

function turn(more: Partial<Turn> = {}): Turn {
  return {
    requestId: "req_1",
    model: "test-model",
    system: "Answer in JSON.",
    user: "The chunk.",
    expect: { format: "json", schema: {} },
    generation: {},
    timeoutMs: 10_000,
    secrets: SECRETS,
    ...more,
  };
}

let upstream: LoopbackUpstream;
const backends: Backend[] = [];

beforeEach(async () => {
  upstream = await startLoopbackUpstream();
});

afterEach(async () => {
  for (const backend of backends.splice(0)) await backend.close();
  await upstream.close();
});

function open(limits: Partial<OpenAiChatLimits> = {}, baseUrl = upstream.baseUrl): Backend {
  const backend = createOpenAiChatBackend(profileAt(baseUrl), limits);
  backends.push(backend);
  return backend;
}

interface Heard {
  events: NewEvent[];
  characters: number[];
}

function listen(): Heard & { sink: { event(event: NewEvent): void; progress(progress: { characters: number }): void } } {
  const events: NewEvent[] = [];
  const characters: number[] = [];
  return { events, characters, sink: { event: (event) => events.push(event), progress: (progress) => characters.push(progress.characters) } };
}

async function failure(work: Promise<unknown>): Promise<BackendError> {
  const error = await work.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof BackendError)) throw error;
  return error;
}

async function failWith(script: Script, limits: Partial<OpenAiChatLimits> = {}, more: Partial<Turn> = {}): Promise<BackendError> {
  upstream.next(script);
  return failure(open(limits).runTurn(turn(more), listen().sink, new AbortController().signal));
}

describe("a streamed answer", () => {
  it("becomes text, finish reason, usage and the served model, told in order", async () => {
    upstream.next(sseAnswer(chatFrames({ text: '{"insights":[]}', pieceLength: 5 })));
    const heard = listen();
    const result = await open().runTurn(turn(), heard.sink, new AbortController().signal);
    expect(result).toEqual({
      text: '{"insights":[]}',
      finishReason: "stop",
      usage: { promptTokens: 11, completionTokens: 7 },
      servedModel: "served-1",
      firstTokenMs: expect.any(Number),
    });
    expect(heard.characters).toEqual([5, 10, 15]);
    expect(heard.events).toEqual([
      { type: "backend_status", payload: { phase: "started", backend: "llm-api", backendKind: "openai-chat", model: "test-model" } },
      { type: "backend_status", payload: { phase: "responding", backend: "llm-api", backendKind: "openai-chat", model: "test-model" } },
      {
        type: "assistant_message",
        payload: { text: '{"insights":[]}', itemId: "req_1-message-0", messageIndex: 0, messageCount: 1, replyAuthority: true, final: true },
      },
    ]);
  });

  it("sends one request with the key, without compression and without a response format", async () => {
    upstream.next(sseAnswer(chatFrames()));
    await open().runTurn(
      turn({ generation: { temperature: 0.2, topP: 0.9, maxTokens: 256, stopSequences: ["END"], seed: 7 } }),
      listen().sink,
      new AbortController().signal,
    );
    expect(upstream.requests).toHaveLength(1);
    const request = upstream.requests[0];
    expect(request?.method).toBe("POST");
    expect(request?.path).toBe("/v1/chat/completions");
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(request?.headers["accept-encoding"]).toBe("identity");
    expect(JSON.parse(request?.body ?? "")).toEqual({
      model: "test-model",
      messages: [
        { role: "system", content: "Answer in JSON." },
        { role: "user", content: "The chunk." },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      top_p: 0.9,
      max_tokens: 256,
      stop: ["END"],
      seed: 7,
    });
  });

  it.each([1, 2, 3, 5, 7])("is right however the bytes are cut (%i at a time)", async (size) => {
    const text = "Müller 😀 漢字 — done";
    upstream.next(cutUpAnswer(chatFrames({ text, pieceLength: 100 }).join(""), size));
    const result = await open().runTurn(turn(), listen().sink, new AbortController().signal);
    expect(result.text).toBe(text);
  });

  it.each([
    ["with CRLF and comments", `: hello\r\n\r\n${chatFrames().join("").replaceAll("\n", "\r\n")}`],
    ["without a last blank line", chatFrames().join("").trimEnd()],
    ["without [DONE]", chatFrames({ done: false }).join("")],
  ])("is accepted %s", async (_name, body) => {
    upstream.next(textAnswer(200, body, EVENT_STREAM));
    expect((await open().runTurn(turn(), listen().sink, new AbortController().signal)).text).toBe('{"insights":[]}');
  });

  it("is accepted when the server never closes after [DONE], and the connection is given up", async () => {
    upstream.next(hangAfter(chatFrames()));
    const result = await open().runTurn(turn(), listen().sink, new AbortController().signal);
    expect(result.finishReason).toBe("stop");
    await upstream.disconnected(1);
  });

  it("reuses its connections", async () => {
    upstream.otherwise(sseAnswer(chatFrames()));
    const backend = open();
    for (let turns = 0; turns < 10; turns++) await backend.runTurn(turn(), listen().sink, new AbortController().signal);
    expect(upstream.requests).toHaveLength(10);
    // A turn that begins in the very tick in which the last one ended finds its connection not free yet.
    expect(upstream.openConnections).toBeLessThanOrEqual(2);
  });

  it("says that the limit was reached and leaves the rest to the caller", async () => {
    upstream.next(sseAnswer(chatFrames({ text: '{"insights":[{', finishReason: "length", usage: null })));
    const result = await open().runTurn(turn(), listen().sink, new AbortController().signal);
    expect(result.finishReason).toBe("length");
    expect(result.usage).toBeUndefined();
  });

  it("may also come as one JSON body", async () => {
    upstream.next(
      jsonAnswer(200, {
        model: "served-2",
        choices: [{ index: 0, message: { role: "assistant", content: "whole" }, finish_reason: "stop" }],
        usage: { prompt_tokens: 3, completion_tokens: 1 },
      }),
    );
    const result = await open().runTurn(turn(), listen().sink, new AbortController().signal);
    expect(result).toMatchObject({ text: "whole", finishReason: "stop", usage: { promptTokens: 3, completionTokens: 1 }, servedModel: "served-2" });
  });
});

describe("an answer with an error status", () => {
  it.each([
    [400, "backend-failed"],
    [401, "provider-auth-failed"],
    [402, "provider-rate-limited"],
    [403, "provider-auth-failed"],
    [404, "backend-failed"],
    [408, "backend-timeout"],
    [409, "backend-failed"],
    [422, "backend-failed"],
    [429, "provider-rate-limited"],
    [500, "provider-unavailable"],
    [502, "provider-unavailable"],
    [503, "provider-unavailable"],
    [529, "provider-unavailable"],
  ])("%i is %s, told by one request", async (status, failureKind) => {
    const error = await failWith(jsonAnswer(status, { error: { message: "the provider's words" } }));
    expect(error.failureKind).toBe(failureKind);
    expect(error.httpStatus).toBe(status);
    expect(error.message).toBe(`llm-api answered ${status}: the provider's words`);
    expect(error.retryable).toBe(status === 402 ? false : undefined);
    expect(upstream.requests).toHaveLength(1);
  });

  it("takes Retry-After in seconds", async () => {
    expect((await failWith(jsonAnswer(429, {}, { "retry-after": "3" }))).retryAfterMs).toBe(3000);
  });

  it("takes Retry-After as a date", async () => {
    const error = await failWith(jsonAnswer(503, {}, { "retry-after": new Date(Date.now() + 90_000).toUTCString() }));
    expect(error.retryAfterMs).toBeGreaterThan(80_000);
    expect(error.retryAfterMs).toBeLessThanOrEqual(90_000);
  });

  it("does not follow a redirect", async () => {
    const error = await failWith(textAnswer(302, "", { location: `${upstream.baseUrl}/elsewhere` }));
    expect(error.failureKind).toBe("backend-failed");
    expect(error.message).toBe("llm-api answered 302: a redirect, which is not followed; set the base URL to where it leads");
    expect(upstream.requests).toHaveLength(1);
  });

  it("never repeats the key, however the provider quotes it", async () => {
    const said = `bad key ${KEY} ${Buffer.from(`:${KEY}`).toString("base64")} ${encodeURIComponent(KEY)}`;
    const error = await failWith(jsonAnswer(401, { error: { message: said } }));
    expect(error.message).toContain("[redacted env:LLM_API_KEY]");
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toMatch(/canary|7f3a9b2c|Y2FuYXJ5|NhbmFye/);
  });
});

describe("an error inside status 200", () => {
  it.each([
    ["a body", jsonAnswer(200, { error: { code: 402, message: "no credits" } }), "provider-rate-limited"],
    ["a MiniMax body", jsonAnswer(200, { base_resp: { status_code: 1004, status_msg: "login fail" } }), "provider-auth-failed"],
    ["a MiniMax balance", jsonAnswer(200, { base_resp: { status_code: 1008, status_msg: "insufficient balance" } }), "provider-rate-limited"],
    ["a MiniMax event", sseAnswer(['data: {"base_resp":{"status_code":1002,"status_msg":"rate limit"}}\n\n']), "provider-rate-limited"],
    ["a MiniMax timeout", sseAnswer(['data: {"base_resp":{"status_code":1001,"status_msg":"timeout"}}\n\n']), "backend-timeout"],
    ["MiniMax parameters", jsonAnswer(200, { base_resp: { status_code: 2013, status_msg: "invalid params" } }), "backend-failed"],
    ["an OpenRouter event", sseAnswer(['data: {"error":{"code":502,"message":"upstream died"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n']), "provider-unavailable"],
    ["a finish reason", sseAnswer(chatFrames({ finishReason: "error" })), "provider-unavailable"],
    ["an overload", jsonAnswer(200, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }), "provider-unavailable"],
  ])("in %s", async (_name, script, failureKind) => {
    const error = await failWith(script);
    expect(error.failureKind).toBe(failureKind);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe("an answer that is none", () => {
  it.each<[string, Script, string]>([
    ["HTML", textAnswer(200, "<html>login</html>", { "content-type": "text/html" }), "backend-protocol-error"],
    ["HTML without a type", textAnswer(200, "<html>login</html>\n"), "backend-protocol-error"],
    ["garbage events", textAnswer(200, "what is this\nno events\n\n", EVENT_STREAM), "backend-protocol-error"],
    ["an event that is not JSON", sseAnswer(["data: {not json}\n\n"]), "backend-json-parse-error"],
    ["an event of another form", sseAnswer(['data: {"choices":"none"}\n\n']), "backend-protocol-error"],
    ["a body that is not JSON", textAnswer(200, "{oops", { "content-type": "application/json" }), "backend-json-parse-error"],
    ["an empty body", textAnswer(200, "", { "content-type": "application/json" }), "backend-json-parse-error"],
    ["an empty stream", textAnswer(200, "", EVENT_STREAM), "provider-unavailable"],
    ["no text", sseAnswer(chatFrames({ text: "" })), "backend-response-invalid"],
    ["blank text", sseAnswer(chatFrames({ text: " \n" })), "backend-response-invalid"],
    ["reasoning only", sseAnswer(['data: {"choices":[{"index":0,"delta":{"reasoning_content":"hm"},"finish_reason":"stop"}]}\n\n', "data: [DONE]\n\n"]), "backend-response-invalid"],
    ["bytes that are no HTTP", notHttp, "backend-protocol-error"],
    ["a gzip bomb", gzipBomb, "backend-protocol-error"],
  ])("%s", async (_name, script, failureKind) => {
    const error = await failWith(script);
    expect(error.failureKind).toBe(failureKind);
    expect(upstream.requests).toHaveLength(1);
  });

  it("is refused beyond the size limit, without reading on", async () => {
    const sent = { bytes: 0 };
    const error = await failWith(giantAnswer(1024 * 1024 * 1024, { "content-type": "application/json" }, sent));
    expect(error.failureKind).toBe("backend-protocol-error");
    expect(error.message).toBe("llm-api: the answer is larger than 33554432 bytes");
    await upstream.disconnected(1);
    expect(sent.bytes).toBeLessThan(64 * 1024 * 1024);
  });

  it("is refused when one event does not end", async () => {
    const error = await failWith(giantAnswer(1024 * 1024 * 1024, EVENT_STREAM, { bytes: 0 }));
    expect(error.failureKind).toBe("backend-protocol-error");
    expect(error.message).toBe("llm-api: one event is longer than 8388608 characters");
  });
});

describe("a connection that fails", () => {
  it("refused is provider-unavailable", async () => {
    const { baseUrl } = upstream;
    await upstream.close();
    const error = await failure(open({}, baseUrl).runTurn(turn(), listen().sink, new AbortController().signal));
    expect(error.failureKind).toBe("provider-unavailable");
    expect(error.message).toBe("llm-api cannot be reached: the connection failed (ECONNREFUSED)");
  });

  it("reset before any byte is provider-unavailable", async () => {
    const error = await failWith(({ socket }) => {
      socket.destroy();
    });
    expect(error.failureKind).toBe("provider-unavailable");
    expect(upstream.requests).toHaveLength(1);
  });

  it.each<[string, Script]>([
    ["cut", cutAfter(chatFrames({ text: "half an answer", pieceLength: 4 }).slice(0, 3))],
    ["ended early", sseAnswer(chatFrames({ text: "half an answer", pieceLength: 4 }).slice(0, 3))],
    ["ended within an event", sseAnswer([...chatFrames({ text: "half an answer", pieceLength: 4 }).slice(0, 3), 'data: {"choi'])],
  ])("%s keeps what the model had said", async (_name, script) => {
    upstream.next(script);
    const heard = listen();
    const error = await failure(open().runTurn(turn(), heard.sink, new AbortController().signal));
    expect(error.failureKind).toBe("provider-unavailable");
    expect(error.partialText).toBe("half an ");
    expect(heard.events.at(-1)).toEqual({
      type: "assistant_message",
      payload: { text: "half an ", itemId: "req_1-message-0", messageIndex: 0, messageCount: 1, replyAuthority: false, final: false },
    });
  });

  it("hanging before the headers ends at the turn's limit", async () => {
    const error = await failWith(hang, {}, { timeoutMs: 80 });
    expect(error.failureKind).toBe("backend-timeout");
    expect(error.message).toBe("llm-api timed out after 0.08s");
    await upstream.disconnected(1);
  });

  it("hanging in the middle ends at the idle limit", async () => {
    const error = await failWith(hangAfter(chatFrames({ text: "half", pieceLength: 2 }).slice(0, 2)), { idleMs: 80 });
    expect(error.failureKind).toBe("backend-timeout");
    expect(error.message).toBe("llm-api timed out after 0.08s without data");
    expect(error.partialText).toBe("ha");
    await upstream.disconnected(1);
  });

  it("that never falls silent ends at the turn's limit", async () => {
    const error = await failWith(slowLoris, { idleMs: 5_000 }, { timeoutMs: 120 });
    expect(error.message).toBe("llm-api timed out after 0.12s");
    await upstream.disconnected(1);
  });
});

describe("an abort", () => {
  it.each<[string, Script]>([
    ["before the headers", hang],
    ["in the middle", hangAfter(chatFrames().slice(0, 2))],
  ])("%s rejects with the signal's reason and hangs up", async (_name, script) => {
    upstream.next(script);
    const controller = new AbortController();
    const reason = new Error("enough");
    const running = open().runTurn(turn(), listen().sink, controller.signal);
    await upstream.received(1);
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    await upstream.disconnected(1);
  });

  it("before the turn sends nothing", async () => {
    const reason = new Error("not at all");
    await expect(open().runTurn(turn(), listen().sink, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(upstream.requests).toHaveLength(0);
  });

  it("by close() ends the turn and hangs up", async () => {
    upstream.next(hang);
    const backend = open();
    const running = failure(backend.runTurn(turn(), listen().sink, new AbortController().signal));
    await upstream.received(1);
    await Promise.all([backend.close(), backend.close()]);
    expect((await running).failureKind).toBe("cancelled");
    await upstream.disconnected(1);
    expect(upstream.openConnections).toBe(0);
  });
});

describe("the probe", () => {
  it.each<[string, Script, { state: string; reason: string }]>([
    ["a good key", jsonAnswer(200, { data: [] }), { state: "healthy", reason: "" }],
    ["a wrong key", jsonAnswer(401, { error: { message: "wrong key" } }), { state: "unavailable", reason: "llm-api answered 401: wrong key" }],
    ["no list of models", jsonAnswer(404, {}), { state: "unknown", reason: "llm-api is there but lists no models, so the key was not tried." }],
    ["a rate limit", jsonAnswer(429, {}), { state: "degraded", reason: "llm-api answered 429" }],
    ["a broken server", jsonAnswer(503, {}), { state: "unavailable", reason: "llm-api answered 503" }],
  ])("tells %s", async (_name, script, expected) => {
    upstream.next(script);
    expect(await open().probe(new AbortController().signal, SECRETS)).toEqual({ ...expected, latencyMs: expect.any(Number) });
    expect(upstream.requests[0]).toMatchObject({ method: "GET", path: "/v1/models" });
  });

  it("tells a server that hangs", async () => {
    upstream.next(hang);
    const result = await open({ probeMs: 80 }).probe(new AbortController().signal, SECRETS);
    expect(result).toMatchObject({ state: "unavailable", reason: "llm-api timed out after 0.08s" });
  });

  it("tells a missing key without a request", async () => {
    const result = await open().probe(new AbortController().signal, {});
    expect(result).toMatchObject({ state: "unavailable", reason: "The key of llm-api (env:LLM_API_KEY) is not available." });
    expect(upstream.requests).toHaveLength(0);
  });
});
