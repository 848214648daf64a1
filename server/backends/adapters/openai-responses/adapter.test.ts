import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { responseFrames } from "@/server/testing/answer-frames";
import { CHAT_SECRETS } from "@/server/testing/contract-chat-turn";
import { CANARY } from "@/server/testing/contract-harness";
import { type HttpBench, openHttpBench } from "@/server/testing/http-turn";
import {
  cutAfter,
  cutUpAnswer,
  hang,
  hangAfter,
  jsonAnswer,
  type Script,
  sseAnswer,
  textAnswer,
} from "@/server/testing/loopback-upstream";
import { createOpenAiResponsesBackend } from "./adapter";

let bench: HttpBench;

beforeEach(async () => {
  bench = await openHttpBench("openai-responses", createOpenAiResponsesBackend);
});

afterEach(() => bench.close());

describe("a streamed response", () => {
  it("becomes text, usage and the served model, told as it grows", async () => {
    expect(await bench.run(sseAnswer(responseFrames()))).toEqual({
      text: '{"insights":[]}',
      finishReason: "stop",
      usage: { promptTokens: 11, completionTokens: 7 },
      servedModel: "served-1",
      firstTokenMs: expect.any(Number),
    });
    expect(bench.heard.characters).toEqual([5, 10, 15]);
    expect(bench.heard.events.at(-1)?.payload).toMatchObject({ text: '{"insights":[]}', final: true });
  });

  it.each([1, 3, 7])("is right however the bytes are cut (%i at a time)", async (size) => {
    const text = "Müller 😀 漢字 — done";
    expect((await bench.run(cutUpAnswer(responseFrames({ text, pieceLength: 100 }).join(""), size))).text).toBe(text);
  });

  it("is asked for in one request, which the provider is to keep nothing of", async () => {
    await bench.run(sseAnswer(responseFrames()), {
      expect: { format: "json", schema: { ok: "boolean" } },
      generation: { temperature: 0.2, topP: 0.9, maxTokens: 256, stopSequences: ["END"], seed: 7 },
    });
    const [request] = bench.upstream.requests;
    expect([request?.method, request?.path]).toEqual(["POST", "/v1/responses"]);
    expect(request?.headers.authorization).toBe(`Bearer ${CANARY}`);
    expect(bench.sent()).toEqual({
      model: "test-model",
      instructions: "Answer in JSON.",
      input: "The chunk.",
      stream: true,
      store: false,
      text: {
        format: {
          type: "json_schema",
          name: "answer",
          strict: true,
          schema: {
            type: "object",
            properties: { ok: { type: "boolean" } },
            required: ["ok"],
            additionalProperties: false,
          },
        },
      },
      max_output_tokens: 256,
      temperature: 0.2,
      top_p: 0.9,
    });
  });

  it("is asked for without what was not given, and without sampling where the model takes none", async () => {
    await bench.run(sseAnswer(responseFrames()), { model: "gpt-6-luna", system: "", generation: { temperature: 0, topP: 1 } });
    expect(bench.sent()).toEqual({ model: "gpt-6-luna", input: "The chunk.", stream: true, store: false });
  });

  it("that is incomplete says why", async () => {
    expect((await bench.run(sseAnswer(responseFrames({ incomplete: "max_output_tokens" })))).finishReason).toBe("length");
    expect((await bench.run(sseAnswer(responseFrames({ incomplete: "content_filter" })))).finishReason).toBe("content_filter");
  });

  it("is whole although the connection is never closed", async () => {
    expect((await bench.run(hangAfter(responseFrames()))).finishReason).toBe("stop");
    await bench.upstream.disconnected(1);
  });
});

describe("a failure", () => {
  const half = responseFrames({ text: "half an answer", pieceLength: 4 }).slice(0, 7);

  it.each<[string, Script, string, boolean | undefined]>([
    ["a wrong key", jsonAnswer(401, { error: { code: "invalid_api_key", message: "x" } }), "provider-auth-failed", undefined],
    ["an unknown model", jsonAnswer(404, { error: { code: "model_not_found", message: "x" } }), "backend-failed", undefined],
    [
      "an empty account",
      jsonAnswer(429, { error: { type: "insufficient_quota", code: "insufficient_quota", message: "x" } }),
      "provider-rate-limited",
      false,
    ],
    ["a rate limit", jsonAnswer(429, { error: { code: "rate_limit_exceeded" } }), "provider-rate-limited", undefined],
    ["a broken server", jsonAnswer(503, {}), "provider-unavailable", undefined],
    ["a page", textAnswer(200, "<html>", { "content-type": "text/html" }), "backend-protocol-error", undefined],
    ["a redirect", textAnswer(308, "", { location: "/elsewhere" }), "backend-failed", undefined],
    ["an event that is not JSON", sseAnswer(["data: {not json}\n\n"]), "backend-json-parse-error", undefined],
    ["an empty stream", sseAnswer([]), "provider-unavailable", undefined],
  ])("by %s", async (_name, script, failureKind, retryable) => {
    const error = await bench.fail(script);
    expect([error.failureKind, error.retryable]).toEqual([failureKind, retryable]);
    expect(bench.upstream.requests).toHaveLength(1);
  });

  it.each<[string, Script]>([
    ["a cut", cutAfter(half)],
    ["an early end", sseAnswer(half)],
    [
      "an error in the stream",
      sseAnswer([...half, 'event: error\ndata: {"type":"error","code":"server_error","message":"died","param":null}\n\n']),
    ],
    [
      "a failed response",
      sseAnswer([
        ...half,
        `data: ${JSON.stringify({ type: "response.failed", response: { status: "failed", error: { code: "server_error" } } })}\n\n`,
      ]),
    ],
  ])("by %s keeps what the model had said", async (_name, script) => {
    expect(await bench.fail(script)).toMatchObject({ failureKind: "provider-unavailable", partialText: "half an " });
  });

  it("by time names the limit", async () => {
    expect((await bench.fail(hang, { timeoutMs: 80 })).message).toBe("llm-api timed out after 0.08s");
    const silent = await bench.fail(hangAfter(half), {}, { settings: { idleMs: 80 } });
    expect(silent.message).toBe("llm-api timed out after 0.08s without data");
  });
});

it("the probe is a tiny response", async () => {
  const access = { baseUrl: bench.upstream.baseUrl, secrets: CHAT_SECRETS };
  bench.upstream.next(sseAnswer(responseFrames({ text: "", incomplete: "max_output_tokens" })), jsonAnswer(401, {}));
  const probe = () => bench.open().probe(new AbortController().signal, access, "test-model");
  expect(await probe()).toMatchObject({ state: "healthy", reason: "" });
  expect(bench.sent()).toMatchObject({ model: "test-model", max_output_tokens: 16, store: false });
  expect(await probe()).toMatchObject({ state: "unavailable", reason: "llm-api answered 401" });
});

it("the list of models is one page", async () => {
  bench.upstream.next(jsonAnswer(200, { object: "list", data: [{ id: "a" }, { id: "b" }] }));
  const access = { baseUrl: bench.upstream.baseUrl, secrets: CHAT_SECRETS };
  expect(await bench.open().listModels(new AbortController().signal, access)).toEqual(["a", "b"]);
  expect(bench.upstream.requests.map(({ path }) => path)).toEqual(["/v1/models"]);
});
