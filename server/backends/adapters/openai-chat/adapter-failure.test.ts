import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Backend, BackendError, Turn } from "@/server/backends/backend";
import type { HttpLimits } from "@/server/backends/http/http-backend";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { chatSettings, chatTurn, failureOf, listen } from "@/server/testing/contract-chat-turn";
import { CANARY } from "@/server/testing/contract-harness";
import {
  chatFrames,
  cutAfter,
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
import { createOpenAiChatBackend } from "./adapter";

let upstream: LoopbackUpstream;
const backends: Backend[] = [];

beforeEach(async () => {
  upstream = await startLoopbackUpstream();
});

afterEach(async () => {
  for (const backend of backends.splice(0)) await backend.close();
  await upstream.close();
});

function open(limits: Partial<HttpLimits> = {}, settings: Partial<ProviderSettings> = {}): Backend {
  const backend = createOpenAiChatBackend(chatSettings(upstream.baseUrl, settings), limits);
  backends.push(backend);
  return backend;
}

async function failWith(
  script: Script,
  { idleMs, ...limits }: Partial<HttpLimits & { idleMs: number }> = {},
  more: Partial<Turn> = {},
): Promise<BackendError> {
  upstream.next(script);
  return failureOf(
    open(limits, idleMs === undefined ? {} : { idleMs }).runTurn(
      chatTurn(upstream.baseUrl, more),
      listen().sink,
      new AbortController().signal,
    ),
  );
}

it("keeps what was counted of an answer that cannot be used: it is paid for", async () => {
  const usage = { prompt_tokens: 50, completion_tokens: 4000, completion_tokens_details: { reasoning_tokens: 4000 }, cost: 0.01 };
  const counted = { promptTokens: 50, completionTokens: 4000, reasoningTokens: 4000, costUsd: 0.01 };
  const thoughtOnly = await failWith(
    jsonAnswer(200, { choices: [{ message: { content: "" }, finish_reason: "length" }], usage }),
  );
  expect(thoughtOnly).toMatchObject({ failureKind: "backend-response-invalid", usage: counted });
  const refused = await failWith(jsonAnswer(429, { error: { code: 429, message: "slow down" } }));
  expect(refused.usage).toBeUndefined();
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
    const said = `bad key ${CANARY} ${Buffer.from(`:${CANARY}`).toString("base64")} ${encodeURIComponent(CANARY)}`;
    const error = await failWith(jsonAnswer(401, { error: { message: said } }));
    expect(error.message).toContain("[redacted env:LLM_API_KEY]");
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toMatch(/canary|7f3a9b2c|Y2FuYXJ5|NhbmFye/);
  });
});

describe("an error inside status 200", () => {
  it.each([
    ["a body", jsonAnswer(200, { error: { code: 402, message: "no credits" } }), "provider-rate-limited"],
    ["a MiniMax body", jsonAnswer(200, { base_resp: { status_code: 1004, status_msg: "login fail" } }), "provider-auth-failed"],
    [
      "a MiniMax balance",
      jsonAnswer(200, { base_resp: { status_code: 1008, status_msg: "insufficient balance" } }),
      "provider-rate-limited",
    ],
    [
      "a MiniMax event",
      sseAnswer(['data: {"base_resp":{"status_code":1002,"status_msg":"rate limit"}}\n\n']),
      "provider-rate-limited",
    ],
    ["a MiniMax timeout", sseAnswer(['data: {"base_resp":{"status_code":1001,"status_msg":"timeout"}}\n\n']), "backend-timeout"],
    ["MiniMax parameters", jsonAnswer(200, { base_resp: { status_code: 2013, status_msg: "invalid params" } }), "backend-failed"],
    [
      "an OpenRouter event",
      sseAnswer([
        'data: {"error":{"code":502,"message":"upstream died"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n',
      ]),
      "provider-unavailable",
    ],
    ["a finish reason", sseAnswer(chatFrames({ finishReason: "error" })), "provider-unavailable"],
    [
      "an overload",
      jsonAnswer(200, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
      "provider-unavailable",
    ],
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
    [
      "reasoning only",
      sseAnswer([
        'data: {"choices":[{"index":0,"delta":{"reasoning_content":"hm"},"finish_reason":"stop"}]}\n\n',
        "data: [DONE]\n\n",
      ]),
      "backend-response-invalid",
    ],
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

  it("is refused beyond the limit of its text, without reading on", async () => {
    let sent = 0;
    const [frame = ""] = chatFrames({ text: "word ".repeat(200), pieceLength: 1000 }).slice(1);
    upstream.next(async ({ response, gone }) => {
      response.writeHead(200, EVENT_STREAM);
      let isOpen = true;
      void gone.then(() => {
        isOpen = false;
      });
      while (isOpen && sent < 100_000) {
        sent++;
        if (!response.write(frame)) await Promise.race([gone, once(response, "drain")]);
      }
      response.end();
    });
    const heard = listen();
    const backend = open({ maxTextBytes: 50_000 });
    const error = await failureOf(backend.runTurn(chatTurn(upstream.baseUrl), heard.sink, new AbortController().signal));
    expect(error.failureKind).toBe("backend-response-invalid");
    expect(error.retryable).toBe(false);
    expect(error.message).toBe(
      "llm-api: the answer is longer than 50000 bytes, which are accepted at most; it was not read further.",
    );
    expect(error.partialText).toBe("word ".repeat(10_200));
    expect(heard.characters.at(-1)).toBe(50_000);
    expect(heard.events.at(-1)?.payload).toMatchObject({ text: error.partialText, final: false });
    await upstream.disconnected(1);
    // What the buffers on the way take, and no more.
    expect(sent).toBeLessThan(50_000);
  });

  it("is refused beyond the limit of its text in a single body as well", async () => {
    const body = { choices: [{ message: { content: "x".repeat(2000) }, finish_reason: "stop" }] };
    const error = await failWith(jsonAnswer(200, body), { maxTextBytes: 1999 });
    expect(error.failureKind).toBe("backend-response-invalid");
    expect(error.retryable).toBe(false);
    expect(error.partialText).toBe("x".repeat(2000));
  });

  it("is refused when it goes on with lines that are no events", async () => {
    const error = await failWith(textAnswer(200, "what is this\n".repeat(1001), EVENT_STREAM));
    expect(error.failureKind).toBe("backend-protocol-error");
    expect(error.message).toBe("llm-api: more than 1000 lines of the answer are no events");
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
    const error = await failureOf(open().runTurn(chatTurn(baseUrl), listen().sink, new AbortController().signal));
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
    const error = await failureOf(open().runTurn(chatTurn(upstream.baseUrl), heard.sink, new AbortController().signal));
    expect(error.failureKind).toBe("provider-unavailable");
    expect(error.partialText).toBe("half an ");
    expect(heard.events.at(-1)).toEqual({
      type: "assistant_message",
      payload: {
        text: "half an ",
        itemId: "req_1-message-0",
        messageIndex: 0,
        messageCount: 1,
        replyAuthority: false,
        final: false,
      },
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
