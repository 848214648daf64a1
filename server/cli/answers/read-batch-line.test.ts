import { describe, expect, it } from "vitest";
import { readBatchLine } from "./read-batch-line";

const TEXT = '{"insights":[]}';
const ID = "memory_distill_extract/2026-04-19/chunk-0001";
const read = (line: Record<string, unknown>) => readBatchLine(JSON.stringify({ custom_id: ID, ...line }));
const openAi = (body: unknown, status: number | null = 200) => read({ response: { status_code: status, body }, error: null });
const anthropic = (result: Record<string, unknown>) => read({ result });

describe("an answer of OpenAI's batch", () => {
  it("is a chat completion with its model, finish reason and counts", () => {
    const usage = {
      prompt_tokens: 30,
      completion_tokens: 9,
      total_tokens: 39,
      prompt_tokens_details: { cached_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 4 },
    };
    const choices = [{ index: 0, message: { role: "assistant", content: TEXT }, finish_reason: "stop" }];
    expect(openAi({ object: "chat.completion", model: "gpt-x-2026", choices, usage })).toEqual({
      answer: {
        id: ID,
        text: TEXT,
        model: "gpt-x-2026",
        finishReason: "stop",
        usage: { promptTokens: 30, completionTokens: 9, cachedTokens: 10, reasoningTokens: 4 },
      },
    });
  });

  it("may have its text in parts, and nothing else told", () => {
    const content = [
      { type: "text", text: '{"insights"' },
      { type: "text", text: ":[]}" },
    ];
    expect(openAi({ choices: [{ message: { content } }] }, null)).toEqual({ answer: { id: ID, text: TEXT } });
  });

  it("keeps that it was cut", () => {
    expect(openAi({ choices: [{ message: { content: "{" }, finish_reason: "length" }] })).toEqual({
      answer: { id: ID, text: "{", finishReason: "length" },
    });
  });

  it("is a body of Responses as well, whole, cut or failed", () => {
    const output = [
      { type: "reasoning", summary: [] },
      { type: "message", content: [{ type: "output_text", text: TEXT }] },
    ];
    expect(
      openAi({ object: "response", status: "completed", model: "m", output, usage: { input_tokens: 3, output_tokens: 2 } }),
    ).toEqual({
      answer: { id: ID, text: TEXT, model: "m", finishReason: "completed", usage: { promptTokens: 3, completionTokens: 2 } },
    });
    const cut = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, output };
    expect(openAi(cut)).toEqual({ answer: { id: ID, text: TEXT, finishReason: "max_output_tokens" } });
    expect(openAi({ status: "incomplete", output })).toMatchObject({ answer: { finishReason: "max_output_tokens" } });
    expect(openAi({ status: "failed", error: { code: "server_error", message: "broke" }, output: [] })).toEqual({
      answer: {
        id: ID,
        text: "",
        finishReason: "failed",
        error: { message: "broke", failureKind: "provider-unavailable" },
      },
    });
  });

  it("may be a refusal", () => {
    const choices = [{ message: { content: null, refusal: "I cannot." }, finish_reason: "stop" }];
    expect(openAi({ choices })).toMatchObject({
      answer: { error: { message: "batch: the model refused: I cannot.", failureKind: "backend-response-invalid" } },
    });
  });

  it.each([
    [401, "provider-auth-failed"],
    [408, "backend-timeout"],
    [429, "provider-rate-limited"],
    [503, "provider-unavailable"],
    [400, "backend-failed"],
  ])("with status %i is an error of the kind %s", (status, failureKind) => {
    expect(openAi({ error: { message: "no luck" } }, status)).toEqual({
      answer: { id: ID, error: { message: `batch answered ${status}: no luck`, failureKind } },
    });
    expect(openAi("<html>", status)).toEqual({
      answer: { id: ID, error: { message: `batch answered ${status}`, failureKind } },
    });
  });

  it.each([
    [
      { code: "batch_expired", message: "This request could not be executed." },
      "This request could not be executed.",
      "backend-timeout",
    ],
    [{ code: "batch_expired" }, "The batch ended before this request had its turn.", "backend-timeout"],
    [{ code: "batch_cancelled" }, "The batch was cancelled before this request had its turn.", "cancelled"],
    [{ code: "odd" }, "odd", "backend-failed"],
    [{}, "The batch tells an error without a word about it.", "backend-failed"],
  ])("may have an error instead: %j", (error, message, failureKind) => {
    expect(read({ response: null, error })).toEqual({ answer: { id: ID, error: { message, failureKind } } });
  });
});

describe("a result of Anthropic's batch", () => {
  it("is a message with its stop reason, and counts that include the cache", () => {
    const message = {
      type: "message",
      model: "claude-x",
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: TEXT },
      ],
      stop_reason: "end_turn",
      usage: { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 0 },
    };
    expect(anthropic({ type: "succeeded", message })).toEqual({
      answer: {
        id: ID,
        text: TEXT,
        model: "claude-x",
        finishReason: "end_turn",
        usage: { promptTokens: 8, completionTokens: 2, cachedTokens: 3 },
      },
    });
  });

  it.each([
    [
      { type: "errored", error: { type: "error", error: { type: "overloaded_error", message: "busy" } } },
      "busy",
      "provider-unavailable",
    ],
    [{ type: "errored", error: { type: "invalid_request_error", message: "bad" } }, "bad", "backend-failed"],
    [{ type: "errored" }, "The batch tells an error without a word about it.", "backend-failed"],
    [{ type: "canceled" }, "The batch was cancelled before this request had its turn.", "cancelled"],
    [{ type: "expired" }, "The batch ended before this request had its turn.", "backend-timeout"],
  ])("%j is an error", (result, message, failureKind) => {
    expect(anthropic(result)).toEqual({ answer: { id: ID, error: { message, failureKind } } });
  });
});

it.each([
  ["{", "It is not JSON."],
  ["[]", "It is JSON, but no object."],
  ["null", "It is JSON, but no object."],
  ['{"response":{}}', "It has no custom_id, so nobody knows what it answers."],
  ['{"custom_id":7}', "It has no custom_id, so nobody knows what it answers."],
  ['{"custom_id":"a"}', "It has neither a response, nor a result, nor an error."],
  [
    '{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{}}',
    "It is a request and no answer: the file to import is the one that the service gave back.",
  ],
  ['{"custom_id":"a","response":3}', "Its response or its error is not of the form that batch files have."],
  [
    '{"custom_id":"a","response":{"status_code":200,"body":{"choices":[]}}}',
    "Its response has no form that is known: neither choices, nor the output of a Responses body.",
  ],
  ['{"custom_id":"a","result":{"type":"succeeded"}}', "Its message has no content that is known."],
  ['{"custom_id":"a","result":{"type":"lost"}}', "Its result is neither succeeded, errored, canceled nor expired."],
  ['{"custom_id":"a","result":[]}', "Its result is not of the form that batch files have."],
])("%s is no answer, and says why", (line, problem) => {
  expect(readBatchLine(line)).toEqual({ problem });
});
