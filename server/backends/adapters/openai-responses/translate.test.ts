import { describe, expect, it } from "vitest";
import { BackendError } from "@/server/backends/backend";
import { createRedactor } from "@/server/events/redact";
import { createResponseTranslator } from "./translate";

const context = { providerName: "llm-api", redactor: createRedactor([]), now: () => 0 };

function translate(...events: object[]) {
  const translator = createResponseTranslator(context);
  for (const event of events) translator.push(JSON.stringify(event));
  return translator.result();
}

function failureOf(...events: object[]): BackendError {
  try {
    translate(...events);
  } catch (error) {
    if (error instanceof BackendError) return error;
    throw error;
  }
  throw new Error("it succeeded");
}

const delta = (text: string) => ({ type: "response.output_text.delta", delta: text });
const message = (...texts: string[]) => ({ type: "message", content: texts.map((text) => ({ type: "output_text", text })) });
const done = (item: object) => ({ type: "response.output_item.done", item });
const completed = (more: object = {}) => ({ type: "response.completed", response: { status: "completed", model: "m", ...more } });
const incomplete = (reason: string, more: object = {}) => ({
  type: "response.incomplete",
  response: { status: "incomplete", incomplete_details: { reason }, ...more },
});

describe("the text of a response", () => {
  it("is what its completed items hold, and no delta", () => {
    expect(translate(delta("dra"), delta("ft"), completed({ output: [message("whole"), message(" text")] }))).toEqual({
      text: "whole text",
      finishReason: "stop",
      servedModel: "m",
    });
  });

  it("is what was completed item by item where the last event has none", () => {
    expect(translate(delta("dr"), done(message("whole")), completed({ output: [] })).text).toBe("whole");
  });

  it("is not the reasoning, nor a call of a tool", () => {
    const reasoning = { type: "reasoning", content: [{ type: "reasoning_text", text: "hm" }] };
    const call = { type: "function_call", content: "odd" };
    expect(
      translate({ type: "response.reasoning_text.delta", delta: "hm" }, completed({ output: [reasoning, call, message("a")] }))
        .text,
    ).toBe("a");
  });

  it("may come as a single body", () => {
    const usage = { input_tokens: 3, output_tokens: 2 };
    expect(translate({ object: "response", status: "completed", model: "m", output: [message("a")], usage })).toEqual({
      text: "a",
      finishReason: "stop",
      usage: { promptTokens: 3, completionTokens: 2 },
      servedModel: "m",
    });
  });

  it("is bounded, in deltas and as a whole", () => {
    const said = "llm-api: the answer is longer than 3 bytes, which are accepted at most; it was not read further.";
    expect(() => createResponseTranslator(context, 3).push(JSON.stringify(delta("abcd")))).toThrow(said);
    const whole = JSON.stringify(completed({ output: [message("abcd")] }));
    expect(() => createResponseTranslator(context, 3).push(whole)).toThrow(said);
  });
});

it("usage keeps apart what the cache held and what was thought", () => {
  const usage = {
    input_tokens: 40,
    input_tokens_details: { cached_tokens: 32, cache_write_tokens: 4 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 12 },
  };
  expect(translate(completed({ output: [message("a")], usage })).usage).toEqual({
    promptTokens: 40,
    completionTokens: 20,
    cachedTokens: 32,
    cacheWriteTokens: 4,
    reasoningTokens: 12,
  });
});

it("usage of a response that failed is kept", () => {
  const translator = createResponseTranslator(context);
  const response = {
    status: "failed",
    error: { code: "server_error", message: "x" },
    usage: { input_tokens: 9, output_tokens: 3 },
  };
  expect(() => translator.push(JSON.stringify({ type: "response.failed", response }))).toThrow(BackendError);
  expect(translator.usage).toEqual({ promptTokens: 9, completionTokens: 3 });
});

describe("the end of a response", () => {
  it.each([
    ["max_output_tokens", "length"],
    ["content_filter", "content_filter"],
    ["of tomorrow", "unknown"],
  ])("incomplete by %s is %s", (reason, finishReason) => {
    expect(translate(incomplete(reason, { output: [message("a")] })).finishReason).toBe(finishReason);
  });

  it("before it, nothing is an answer", () => {
    expect(failureOf(delta("half"))).toMatchObject({
      failureKind: "provider-unavailable",
      message: "llm-api ended its answer before the model had finished.",
      partialText: "half",
    });
  });

  it("after it, nothing counts", () => {
    expect(translate(completed({ output: [message("a")] }), delta("b"), { type: "error", code: "server_error" }).text).toBe("a");
  });

  it("without text says why, and keeps what was on its way", () => {
    const refused = { type: "message", content: [{ type: "refusal", refusal: "I cannot" }] };
    expect(failureOf(completed({ output: [refused] })).message).toBe("llm-api: the model refused: I cannot");
    expect(failureOf({ type: "response.refusal.delta", delta: "I won't" }, completed({ output: [] })).message).toBe(
      "llm-api: the model refused: I won't",
    );
    expect(failureOf(incomplete("content_filter")).message).toBe(
      "llm-api: a content filter of the provider left nothing of the answer.",
    );
    expect(failureOf(incomplete("max_output_tokens")).message).toBe(
      "llm-api: the token limit was reached before the model said anything.",
    );
    expect(failureOf(delta("a draft"), completed({ output: [] }))).toMatchObject({
      failureKind: "backend-response-invalid",
      message: "llm-api answered without any text.",
      partialText: "a draft",
    });
  });
});

describe("a failure", () => {
  it.each<[string, object, string, boolean | undefined]>([
    ["a server error", { code: "server_error", message: "x" }, "provider-unavailable", undefined],
    ["a rate limit", { code: "rate_limit_exceeded", message: "x" }, "provider-rate-limited", undefined],
    ["an empty account", { code: "insufficient_quota", message: "x" }, "provider-rate-limited", false],
    ["a prompt", { code: "invalid_prompt", message: "x" }, "backend-failed", undefined],
  ])("by %s, in each of the three forms", (_name, error, failureKind, retryable) => {
    for (const event of [
      { type: "response.failed", response: { status: "failed", error } },
      { type: "error", ...error, param: null },
      { type: "error", error },
    ]) {
      const failure = failureOf(delta("half"), event);
      expect(failure).toMatchObject({ failureKind, message: "llm-api reported an error: x", partialText: "half" });
      expect(failure.retryable).toBe(retryable);
    }
  });

  it.each<[string, object, string]>([
    ["that says nothing of itself", { type: "response.failed", response: {} }, "provider-unavailable"],
    ["of a response that was called off", completed({ status: "cancelled" }), "provider-unavailable"],
    ["in a single body", { status: "failed", output: [], error: { code: "server_error" } }, "provider-unavailable"],
    ["of MiniMax", { base_resp: { status_code: 1004, status_msg: "key" } }, "provider-auth-failed"],
    ["without a type", { error: { type: "invalid_request_error", message: "x" } }, "backend-failed"],
    ["of form", { type: "response.output_text.delta", delta: 7 }, "backend-protocol-error"],
    ["of nothing", { novel: 1 }, "backend-protocol-error"],
  ])("%s", (_name, event, failureKind) => {
    expect(failureOf(event).failureKind).toBe(failureKind);
  });
});
