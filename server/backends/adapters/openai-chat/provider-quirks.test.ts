/** What single providers do, as they do it: each profile against an upstream that repeats it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { normalizeOutput } from "@/server/pipeline/normalize-output";
import { buildDistillRequest } from "@/server/pipeline/prompt";
import { type HttpBench, openHttpBench } from "@/server/testing/http-turn";
import { chatFrames, EVENT_STREAM, jsonAnswer, type Script, sseAnswer, textAnswer } from "@/server/testing/loopback-upstream";
import { createOpenAiChatBackend } from "./adapter";

let bench: HttpBench;
const ANSWER = '{"insights":[]}';

function at(profile: string): void {
  beforeEach(async () => {
    bench = await openHttpBench(profile, createOpenAiChatBackend);
  });
  afterEach(() => bench.close());
}

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const piece = (delta: object, finish: string | null = null) => event({ choices: [{ index: 0, delta, finish_reason: finish }] });

type Failure = [name: string, script: Script, failureKind: string, retryable: boolean | undefined];

async function tell(script: Script) {
  const { failureKind, retryable } = await bench.fail(script);
  expect(bench.upstream.requests).toHaveLength(1);
  return [failureKind, retryable];
}

describe("MiniMax", () => {
  at("minimax-api");

  it.each<Failure>([
    [
      "1000",
      jsonAnswer(200, { base_resp: { status_code: 1000, status_msg: "unknown error" } }),
      "provider-unavailable",
      undefined,
    ],
    ["1001", jsonAnswer(200, { base_resp: { status_code: 1001, status_msg: "timeout" } }), "backend-timeout", undefined],
    ["1002", jsonAnswer(200, { base_resp: { status_code: 1002, status_msg: "rate limit" } }), "provider-rate-limited", undefined],
    ["1004", jsonAnswer(200, { base_resp: { status_code: 1004, status_msg: "login fail" } }), "provider-auth-failed", undefined],
    ["1008", jsonAnswer(200, { base_resp: { status_code: 1008, status_msg: "balance" } }), "provider-rate-limited", false],
    ["2013", jsonAnswer(200, { base_resp: { status_code: 2013, status_msg: "invalid params" } }), "backend-failed", undefined],
    [
      "2013 with its status",
      jsonAnswer(400, { type: "error", error: { type: "bad_request_error", message: "invalid params (2013)" } }),
      "backend-failed",
      undefined,
    ],
    [
      "1002 in the stream",
      sseAnswer([piece({ content: "ha" }), event({ base_resp: { status_code: 1002, status_msg: "rate limit" } })]),
      "provider-rate-limited",
      undefined,
    ],
  ])("error %s", async (_name, script, failureKind, retryable) => {
    expect(await tell(script)).toEqual([failureKind, retryable]);
  });

  it("thinks in its content, which the reading of the answer takes away", async () => {
    const text = `<think>The user wants {"insights": [1]}.</think>\n\n${ANSWER}`;
    const frames = [
      ...chatFrames({ text, pieceLength: 3, done: false }),
      event({
        choices: [{ index: 0, message: { content: text }, finish_reason: "stop" }],
        base_resp: { status_code: 0, status_msg: "" },
      }),
    ];
    const result = await bench.run(sseAnswer(frames));
    expect(result.text).toBe(text);
    expect(normalizeOutput(result.text, { schema: { insights: "array" } })).toMatchObject({ ok: true, output: { insights: [] } });
  });
});

describe("DeepSeek", () => {
  at("deepseek-api");

  it("thinks in a field of its own, and says what its cache held", async () => {
    const usage = {
      prompt_tokens: 40,
      completion_tokens: 9,
      prompt_cache_hit_tokens: 32,
      prompt_cache_miss_tokens: 8,
      completion_tokens_details: { reasoning_tokens: 4 },
    };
    const result = await bench.run(
      sseAnswer([
        ": keep-alive\n\n",
        piece({ role: "assistant", content: null, reasoning_content: "hm" }),
        piece({ content: ANSWER, reasoning_content: null }),
        event({ choices: [{ index: 0, delta: { content: "" }, finish_reason: "stop" }], usage }),
        "data: [DONE]\n\n",
      ]),
    );
    expect([result.text, result.usage]).toEqual([
      ANSWER,
      { promptTokens: 40, completionTokens: 9, cachedTokens: 32, reasoningTokens: 4 },
    ]);
  });

  it.each<Failure>([
    ["an empty answer", sseAnswer(chatFrames({ text: "" })), "backend-response-invalid", undefined],
    [
      "thinking alone",
      sseAnswer([piece({ reasoning_content: "hm" }, "stop"), "data: [DONE]\n\n"]),
      "backend-response-invalid",
      undefined,
    ],
    ["an empty account", jsonAnswer(402, { error: { message: "Insufficient Balance" } }), "provider-rate-limited", false],
    ["parameters", jsonAnswer(422, { error: { message: "Invalid parameters" } }), "backend-failed", undefined],
    ["a busy server", jsonAnswer(503, { error: { message: "Server overloaded" } }), "provider-unavailable", undefined],
  ])("fails by %s", async (_name, script, failureKind, retryable) => {
    expect(await tell(script)).toEqual([failureKind, retryable]);
  });
});

describe("OpenRouter", () => {
  at("openrouter");

  it("says that it is at work in comments", async () => {
    const frames = [": OPENROUTER PROCESSING\n\n", ": OPENROUTER PROCESSING\n\n", ...chatFrames()];
    expect((await bench.run(sseAnswer(frames))).text).toBe(ANSWER);
  });

  it.each<Failure>([
    [
      "an error in a 200",
      jsonAnswer(200, { error: { code: 429, message: "Rate limit exceeded", metadata: {} } }),
      "provider-rate-limited",
      undefined,
    ],
    [
      "an error in the stream",
      sseAnswer([
        piece({ content: "ha" }),
        event({
          error: { code: 502, message: "Provider returned error", metadata: { provider_name: "x" } },
          choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
        }),
      ]),
      "provider-unavailable",
      undefined,
    ],
    ["402", jsonAnswer(402, { error: { code: 402, message: "Insufficient credits" } }), "provider-rate-limited", false],
    [
      "402 that is to wait for requests under way",
      jsonAnswer(402, { error: { code: 402, message: "In-flight budget" } }, { "retry-after": "2" }),
      "provider-rate-limited",
      undefined,
    ],
    ["a moderation", jsonAnswer(403, { error: { code: 403, message: "flagged" } }), "provider-auth-failed", undefined],
  ])("fails by %s", async (_name, script, failureKind, retryable) => {
    expect(await tell(script)).toEqual([failureKind, retryable]);
  });
});

describe("OpenAI", () => {
  at("openai");

  it.each<Failure>([
    [
      "insufficient_quota",
      jsonAnswer(429, {
        error: {
          message: "You exceeded your current quota",
          type: "insufficient_quota",
          param: null,
          code: "insufficient_quota",
        },
      }),
      "provider-rate-limited",
      false,
    ],
    [
      "rate_limit_exceeded",
      jsonAnswer(429, { error: { message: "Rate limit reached", type: "tokens", param: null, code: "rate_limit_exceeded" } }),
      "provider-rate-limited",
      undefined,
    ],
    [
      "a filter that left nothing",
      sseAnswer(chatFrames({ text: "", finishReason: "content_filter" })),
      "backend-response-invalid",
      undefined,
    ],
    ["a refusal", sseAnswer([piece({ refusal: "I cannot" }, "stop")]), "backend-response-invalid", undefined],
  ])("fails by %s", async (_name, script, failureKind, retryable) => {
    expect(await tell(script)).toEqual([failureKind, retryable]);
  });

  it("says that a filter cut its answer", async () => {
    expect((await bench.run(sseAnswer(chatFrames({ finishReason: "content_filter" })))).finishReason).toBe("content_filter");
  });
});

describe("Gemini", () => {
  at("gemini");

  const quota = (...ids: string[]) => ({
    error: {
      code: 429,
      message: "You exceeded your current quota, please check your plan and billing details.",
      status: "RESOURCE_EXHAUSTED",
      details: [
        { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: ids.map((quotaId) => ({ quotaId })) },
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "45.837906927s" },
      ],
    },
  });

  it("tells a quota of a minute, and how long to wait, in the body alone", async () => {
    const error = await bench.fail(jsonAnswer(429, [quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier")]));
    expect(error).toMatchObject({ failureKind: "provider-rate-limited", retryAfterMs: 45_838, httpStatus: 429 });
    expect(error.retryable).toBeUndefined();
  });

  it.each<Failure>([
    [
      "a quota of the day",
      jsonAnswer(429, [quota("GenerateRequestsPerMinutePerModel", "GenerateRequestsPerDayPerProjectPerModel-FreeTier")]),
      "provider-rate-limited",
      false,
    ],
    [
      "a wrong key, as 400",
      jsonAnswer(400, [
        {
          error: {
            code: 400,
            message: "API key not valid. Please pass a valid API key.",
            status: "INVALID_ARGUMENT",
            details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
          },
        },
      ]),
      "provider-auth-failed",
      undefined,
    ],
    [
      "an unknown model",
      jsonAnswer(404, [{ error: { code: 404, message: "models/x is not found", status: "NOT_FOUND" } }]),
      "backend-failed",
      undefined,
    ],
    [
      "an overload",
      jsonAnswer(503, [{ error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }]),
      "provider-unavailable",
      undefined,
    ],
  ])("fails by %s", async (_name, script, failureKind, retryable) => {
    expect(await tell(script)).toEqual([failureKind, retryable]);
  });

  it("is quoted from within its list", async () => {
    const error = await bench.fail(jsonAnswer(404, [{ error: { code: 404, message: "models/x is not found" } }]));
    expect(error.message).toBe("llm-api answered 404: models/x is not found");
  });
});

describe("Ollama", () => {
  at("ollama");
  const access = () => ({ baseUrl: bench.upstream.baseUrl, secrets: {} });
  const open = () => bench.open({}, { secretRefs: {} });

  it("is asked without a key", async () => {
    await bench.run(sseAnswer(chatFrames()), { secrets: {} }, { settings: { secretRefs: {} } });
    expect(bench.upstream.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("tells a model that was not pulled, to a check as well", async () => {
    const message = 'model "x" not found, try pulling it first';
    bench.upstream.otherwise(jsonAnswer(404, { error: { message, type: "api_error", param: null, code: null } }));
    expect(await open().probe(new AbortController().signal, access(), "x")).toMatchObject({
      state: "unavailable",
      reason: `llm-api answered 404: ${message}`,
    });
    const error = await bench.fail(jsonAnswer(404, { error: { message, type: "api_error" } }));
    expect(error.failureKind).toBe("backend-failed");
  });
});

describe("llama.cpp", () => {
  at("llama-cpp");

  it.each<Failure>([
    [
      "loading its model, which a retry waits for",
      jsonAnswer(503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } }),
      "provider-unavailable",
      undefined,
    ],
    [
      "a prompt that is too long, in a 200",
      jsonAnswer(200, { error: { code: 400, message: "exceeds the available context size", type: "exceed_context_size_error" } }),
      "backend-failed",
      undefined,
    ],
    [
      "a key that it was given and we were not",
      jsonAnswer(401, { error: { code: 401, message: "Invalid API Key", type: "authentication_error" } }),
      "provider-auth-failed",
      undefined,
    ],
  ])("fails by %s", async (_name, script, failureKind, retryable) => {
    expect(await tell(script)).toEqual([failureKind, retryable]);
  });
});

describe("LM Studio", () => {
  at("lm-studio");

  it.each<Failure>([
    [
      "no loaded model",
      jsonAnswer(404, { error: { message: "No models loaded. Please load a model.", code: "model_not_found" } }),
      "backend-failed",
      undefined,
    ],
    [
      "a prompt that is too long",
      jsonAnswer(400, { error: "The number of tokens to keep is greater." }),
      "backend-failed",
      undefined,
    ],
    [
      "an error event without code and type",
      sseAnswer([`event: error\n${event({ error: { message: "Compute error." }, message: "Compute error." })}`]),
      "backend-failed",
      undefined,
    ],
    ["a stream without any text", sseAnswer(chatFrames({ text: "" })), "backend-response-invalid", undefined],
  ])("fails by %s", async (_name, script, failureKind, retryable) => {
    expect(await tell(script)).toEqual([failureKind, retryable]);
  });
});

describe("vLLM", () => {
  at("vllm");

  const notFound = { object: "error", message: "The model `x` does not exist.", type: "NotFoundError", param: null, code: 404 };

  it("is quoted, wherever it puts its sentence", async () => {
    expect((await bench.fail(jsonAnswer(404, notFound))).message).toBe("llm-api answered 404: The model `x` does not exist.");
    expect((await bench.fail(jsonAnswer(404, { error: notFound }))).message).toBe(
      "llm-api answered 404: The model `x` does not exist.",
    );
  });

  it.each<Failure>([
    [
      "an error in the stream",
      sseAnswer([piece({ content: "ha" }), event({ error: { message: "died", code: 500 } })]),
      "provider-unavailable",
      undefined,
    ],
    [
      "an error in the stream, as older versions have it",
      sseAnswer([
        event({ object: "error", message: "died", type: "InternalServerError", param: null, code: 500 }),
        "data: [DONE]\n\n",
      ]),
      "provider-unavailable",
      undefined,
    ],
    [
      "a missing key",
      textAnswer(401, '{"error":"Unauthorized"}', { "content-type": "application/json" }),
      "provider-auth-failed",
      undefined,
    ],
    ["an end without a word", textAnswer(200, "data: [DONE]\n\n", EVENT_STREAM), "backend-response-invalid", undefined],
  ])("fails by %s", async (_name, script, failureKind, retryable) => {
    expect(await tell(script)).toEqual([failureKind, retryable]);
  });
});

it("every prompt of a chunk has the word JSON in it, which DeepSeek demands where JSON is asked for", () => {
  const facts = { sourceDate: "2026-04-19", chunkIndex: 1, chunkTotal: 1, text: "Notes.", runtimeDir: "/r", createdAt: "" };
  const { system, user } = buildDistillRequest(facts).input;
  expect(`${system} ${user}`.toLowerCase()).toContain("json");
});
