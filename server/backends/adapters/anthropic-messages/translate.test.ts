import { describe, expect, it } from "vitest";
import { BackendError } from "@/server/backends/backend";
import { createRedactor } from "@/server/events/redact";
import { createMessageTranslator } from "./translate";

const context = { providerName: "llm-api", redactor: createRedactor([]), now: () => 0 };

function translate(...events: object[]) {
  const translator = createMessageTranslator(context);
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

const START = { type: "message_start", message: { model: "m", content: [], usage: { input_tokens: 11, output_tokens: 1 } } };
const text = (piece: string) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } });
const stop = (reason: string, more: object = {}) => ({ type: "message_delta", delta: { stop_reason: reason }, ...more });
const END = { type: "message_stop" };

describe("the events of a message", () => {
  it("become its text, its usage and the served model", () => {
    expect(
      translate(START, text("a"), { type: "ping" }, text("b"), stop("end_turn", { usage: { output_tokens: 7 } }), END),
    ).toEqual({
      text: "ab",
      finishReason: "stop",
      usage: { promptTokens: 11, completionTokens: 7 },
      servedModel: "m",
    });
  });

  it("hold thinking and the input of tools, which are no text", () => {
    expect(
      translate(
        { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
        { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2ln" } },
        { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: "{}" } },
        { type: "content_block_start", index: 2, content_block: { type: "text", text: "a" } },
        text("b"),
        { type: "content_block_stop", index: 2 },
        { type: "of_tomorrow", delta: 7 },
        stop("end_turn"),
      ).text,
    ).toBe("ab");
  });

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "content_filter"],
    ["tool_use", "unknown"],
    ["pause_turn", "unknown"],
  ])("stop at %s is %s", (reason, finishReason) => {
    expect(translate(text("a"), stop(reason)).finishReason).toBe(finishReason);
  });

  it("may be one message in a single body", () => {
    expect(
      translate({
        type: "message",
        model: "m",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
        stop_reason: "end_turn",
        usage: { input_tokens: 3, output_tokens: 2 },
      }),
    ).toEqual({ text: "ab", finishReason: "stop", usage: { promptTokens: 3, completionTokens: 2 }, servedModel: "m" });
  });
});

describe("usage", () => {
  it("keeps apart what the cache held, what it was given, and what was thought", () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 50, output_tokens: 1 };
    const end = { output_tokens: 20, output_tokens_details: { thinking_tokens: 12 } };
    expect(translate({ type: "message_start", message: { usage } }, text("a"), stop("end_turn", { usage: end })).usage).toEqual({
      promptTokens: 160,
      completionTokens: 20,
      cachedTokens: 100,
      cacheWriteTokens: 50,
      reasoningTokens: 12,
    });
  });

  it.each([
    ["no last counts", {}],
    ["counts of another form", { usage: { output_tokens: "many" } }],
    ["none", { usage: null }],
  ])("is not told with %s", (_name, more) => {
    expect(translate(START, text("a"), stop("end_turn", more)).usage).toBeUndefined();
  });
});

describe("failures", () => {
  it.each([
    ["authentication_error", "provider-auth-failed", undefined],
    ["permission_error", "provider-auth-failed", undefined],
    ["billing_error", "provider-rate-limited", false],
    ["rate_limit_error", "provider-rate-limited", undefined],
    ["not_found_error", "backend-failed", undefined],
    ["invalid_request_error", "backend-failed", undefined],
    ["request_too_large", "backend-failed", undefined],
    ["api_error", "provider-unavailable", undefined],
    ["timeout_error", "provider-unavailable", undefined],
    ["overloaded_error", "provider-unavailable", undefined],
  ])("%s in the stream is %s and keeps what was said", (type, failureKind, retryable) => {
    const error = failureOf(START, text("half"), { type: "error", error: { type, message: "its words" } });
    expect(error).toMatchObject({ failureKind, message: "llm-api reported an error: its words", partialText: "half" });
    expect(error.retryable).toBe(retryable);
  });

  it.each<[string, object, string]>([
    ["an error without its type", { error: { type: "overloaded_error", message: "x" } }, "provider-unavailable"],
    ["MiniMax's own status", { base_resp: { status_code: 1008, status_msg: "balance" } }, "provider-rate-limited"],
    ["an event without a type", { index: 0 }, "backend-protocol-error"],
    ["a delta of another form", { type: "content_block_delta", delta: 7 }, "backend-protocol-error"],
  ])("%s", (_name, event, failureKind) => {
    expect(failureOf(event).failureKind).toBe(failureKind);
  });

  it("say why nothing was said", () => {
    const explained = { type: "message_delta", delta: { stop_reason: "refusal", stop_details: { explanation: "I cannot" } } };
    expect(failureOf(explained).message).toBe("llm-api: the model refused: I cannot");
    expect(failureOf(stop("refusal")).message).toBe("llm-api: a content filter of the provider left nothing of the answer.");
    expect(failureOf(stop("max_tokens")).message).toBe("llm-api: the token limit was reached before the model said anything.");
    expect(failureOf(END).message).toBe("llm-api answered without any text.");
  });

  it("tell a stream that ended before the model did", () => {
    expect(failureOf(START, text("half"))).toMatchObject({ failureKind: "provider-unavailable", partialText: "half" });
  });

  it("bound the text", () => {
    const translator = createMessageTranslator(context, 3);
    expect(() => translator.push(JSON.stringify(text("abcd")))).toThrow("longer than 3 bytes");
  });
});
