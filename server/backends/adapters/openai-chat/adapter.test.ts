import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Backend } from "@/server/backends/backend";
import type { HttpLimits } from "@/server/backends/http/http-backend";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { CHAT_SECRETS, chatSettings, chatTurn, failureOf, listen } from "@/server/testing/contract-chat-turn";
import { CANARY } from "@/server/testing/contract-harness";
import {
  chatFrames,
  cutUpAnswer,
  EVENT_STREAM,
  hang,
  hangAfter,
  jsonAnswer,
  type LoopbackUpstream,
  type Script,
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

describe("a streamed answer", () => {
  it("becomes text, finish reason, usage and the served model, told in order", async () => {
    upstream.next(sseAnswer(chatFrames({ text: '{"insights":[]}', pieceLength: 5 })));
    const heard = listen();
    const result = await open().runTurn(chatTurn(upstream.baseUrl), heard.sink, new AbortController().signal);
    expect(result).toEqual({
      text: '{"insights":[]}',
      finishReason: "stop",
      usage: { promptTokens: 11, completionTokens: 7 },
      servedModel: "served-1",
      firstTokenMs: expect.any(Number),
    });
    expect(heard.characters).toEqual([5, 10, 15]);
    expect(heard.events).toEqual([
      {
        type: "backend_status",
        payload: {
          phase: "started",
          backend: "llm-api",
          backendKind: "openai-chat",
          protocol: "openai-chat-completions-sse",
          model: "test-model",
        },
      },
      {
        type: "backend_status",
        payload: {
          phase: "responding",
          backend: "llm-api",
          backendKind: "openai-chat",
          protocol: "openai-chat-completions-sse",
          model: "test-model",
        },
      },
      {
        type: "assistant_message",
        payload: {
          text: '{"insights":[]}',
          itemId: "req_1-message-0",
          messageIndex: 0,
          messageCount: 1,
          replyAuthority: true,
          final: true,
        },
      },
    ]);
  });

  it("sends one request with the key, without compression and without a response format", async () => {
    upstream.next(sseAnswer(chatFrames()));
    await open().runTurn(
      chatTurn(upstream.baseUrl, {
        generation: { temperature: 0.2, topP: 0.9, maxTokens: 256, stopSequences: ["END"], seed: 7 },
      }),
      listen().sink,
      new AbortController().signal,
    );
    expect(upstream.requests).toHaveLength(1);
    const request = upstream.requests[0];
    expect(request?.method).toBe("POST");
    expect(request?.path).toBe("/v1/chat/completions");
    expect(request?.headers.authorization).toBe(`Bearer ${CANARY}`);
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
    const result = await open().runTurn(chatTurn(upstream.baseUrl), listen().sink, new AbortController().signal);
    expect(result.text).toBe(text);
  });

  it.each([
    ["with CRLF and comments", `: hello\r\n\r\n${chatFrames().join("").replaceAll("\n", "\r\n")}`],
    ["without a last blank line", chatFrames().join("").trimEnd()],
    ["without [DONE]", chatFrames({ done: false }).join("")],
  ])("is accepted %s", async (_name, body) => {
    upstream.next(textAnswer(200, body, EVENT_STREAM));
    expect((await open().runTurn(chatTurn(upstream.baseUrl), listen().sink, new AbortController().signal)).text).toBe(
      '{"insights":[]}',
    );
  });

  it("is accepted when the server never closes after [DONE], and the connection is given up", async () => {
    upstream.next(hangAfter(chatFrames()));
    const result = await open().runTurn(chatTurn(upstream.baseUrl), listen().sink, new AbortController().signal);
    expect(result.finishReason).toBe("stop");
    await upstream.disconnected(1);
  });

  it("reuses its connections", async () => {
    upstream.otherwise(sseAnswer(chatFrames()));
    const backend = open();
    for (let turns = 0; turns < 10; turns++)
      await backend.runTurn(chatTurn(upstream.baseUrl), listen().sink, new AbortController().signal);
    expect(upstream.requests).toHaveLength(10);
    // A turn that begins in the very tick in which the last one ended finds its connection not free yet.
    expect(upstream.openConnections).toBeLessThanOrEqual(2);
  });

  it("says that the limit was reached and leaves the rest to the caller", async () => {
    upstream.next(sseAnswer(chatFrames({ text: '{"insights":[{', finishReason: "length", usage: null })));
    const result = await open().runTurn(chatTurn(upstream.baseUrl), listen().sink, new AbortController().signal);
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
    const result = await open().runTurn(chatTurn(upstream.baseUrl), listen().sink, new AbortController().signal);
    expect(result).toMatchObject({
      text: "whole",
      finishReason: "stop",
      usage: { promptTokens: 3, completionTokens: 1 },
      servedModel: "served-2",
    });
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
    const running = open().runTurn(chatTurn(upstream.baseUrl), listen().sink, controller.signal);
    await upstream.received(1);
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    await upstream.disconnected(1);
  });

  it("before the turn sends nothing", async () => {
    const reason = new Error("not at all");
    await expect(open().runTurn(chatTurn(upstream.baseUrl), listen().sink, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(upstream.requests).toHaveLength(0);
  });

  it("by close() ends the turn and hangs up", async () => {
    upstream.next(hang);
    const backend = open();
    const running = failureOf(backend.runTurn(chatTurn(upstream.baseUrl), listen().sink, new AbortController().signal));
    await upstream.received(1);
    await Promise.all([backend.close(), backend.close()]);
    expect((await running).failureKind).toBe("cancelled");
    await upstream.disconnected(1);
    expect(upstream.openConnections).toBe(0);
  });
});

describe("the probe", () => {
  const access = () => ({ baseUrl: upstream.baseUrl, secrets: CHAT_SECRETS });
  const probe = (backend = open()) => backend.probe(new AbortController().signal, access(), "test-model");

  it.each<[string, Script, { state: string; reason: string }]>([
    ["a good key", sseAnswer(chatFrames({ text: "OK" })), { state: "healthy", reason: "" }],
    [
      "a model that spent its few tokens on thinking",
      sseAnswer(chatFrames({ text: "", finishReason: "length" })),
      { state: "healthy", reason: "" },
    ],
    [
      "a wrong key",
      jsonAnswer(401, { error: { message: "wrong key" } }),
      { state: "unavailable", reason: "llm-api answered 401: wrong key" },
    ],
    [
      "an unknown model",
      jsonAnswer(404, { error: { message: "no such model" } }),
      { state: "unavailable", reason: "llm-api answered 404: no such model" },
    ],
    ["an empty account", jsonAnswer(402, {}), { state: "unavailable", reason: "llm-api answered 402" }],
    ["a rate limit", jsonAnswer(429, {}), { state: "degraded", reason: "llm-api answered 429" }],
    ["a broken server", jsonAnswer(503, {}), { state: "unavailable", reason: "llm-api answered 503" }],
  ])("tells %s", async (_name, script, expected) => {
    upstream.next(script);
    expect(await probe()).toEqual({ ...expected, latencyMs: expect.any(Number) });
    expect(upstream.requests[0]).toMatchObject({ method: "POST", path: "/v1/chat/completions" });
    expect(JSON.parse(upstream.requests[0]?.body ?? "")).toMatchObject({ model: "test-model", max_tokens: 16 });
  });

  it("tells a server that hangs", async () => {
    upstream.next(hang);
    expect(await probe(open({ probeMs: 80 }))).toMatchObject({
      state: "unavailable",
      reason: "llm-api timed out after 0.08s",
    });
  });

  it("tells a missing key without a request", async () => {
    const result = await open().probe(new AbortController().signal, { ...access(), secrets: {} }, "test-model");
    expect(result).toMatchObject({ state: "unavailable", reason: "The key of llm-api (env:LLM_API_KEY) is not available." });
    expect(upstream.requests).toHaveLength(0);
  });
});

describe("the list of models", () => {
  const list = () => open().listModels(new AbortController().signal, { baseUrl: upstream.baseUrl, secrets: CHAT_SECRETS });

  it("is the server's own, each name once, asked with the key", async () => {
    upstream.next(jsonAnswer(200, { data: [{ id: "a" }, { id: "b/c" }, { id: "a" }] }));
    expect(await list()).toEqual(["a", "b/c"]);
    expect(upstream.requests[0]).toMatchObject({ method: "GET", path: "/v1/models" });
    expect(upstream.requests[0]?.headers.authorization).toBe(`Bearer ${CANARY}`);
  });

  it("is null when the server has none", async () => {
    upstream.next(jsonAnswer(404, {}));
    expect(await list()).toBeNull();
  });

  it.each<[string, Script, { failureKind: string; message: string }]>([
    ["a wrong key", jsonAnswer(401, {}), { failureKind: "provider-auth-failed", message: "llm-api answered 401" }],
    [
      "something else",
      jsonAnswer(200, { models: [] }),
      { failureKind: "backend-protocol-error", message: "llm-api answered with something that is no list of models." },
    ],
  ])("fails with %s", async (_name, script, expected) => {
    upstream.next(script);
    expect(await failureOf(list())).toMatchObject(expected);
  });
});
