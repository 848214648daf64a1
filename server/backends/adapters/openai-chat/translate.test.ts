import { describe, expect, it } from "vitest";
import { BackendError } from "@/server/backends/backend";
import { createRedactor } from "@/server/events/redact";
import { Secret } from "@/server/shared/secret";
import { createChatTranslator } from "./translate";

const context = {
  providerName: "llm-api",
  redactor: createRedactor([new Secret("sk-canary-7f3a9b2c4d5e6f70", "env:KEY")]),
  now: () => 0,
};

function translate(...pieces: (string | object)[]) {
  const translator = createChatTranslator(context);
  for (const piece of pieces) translator.push(typeof piece === "string" ? piece : JSON.stringify(piece));
  return translator.result();
}

function failureOf(...pieces: (string | object)[]): BackendError {
  try {
    translate(...pieces);
  } catch (error) {
    if (error instanceof BackendError) return error;
    throw error;
  }
  throw new Error("it succeeded");
}

const delta = (content: unknown, finish: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
});

describe("the pieces of an answer", () => {
  it("of OpenAI: usage after the finish reason, in a piece without choices", () => {
    expect(
      translate(
        delta("a"),
        delta("b"),
        delta(null, "stop"),
        { model: "m", choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
        "[DONE]",
      ),
    ).toEqual({
      text: "ab",
      finishReason: "stop",
      usage: { promptTokens: 1, completionTokens: 2 },
      servedModel: "m",
    });
  });

  it("of MiniMax: the whole text again in the last piece", () => {
    const last = {
      choices: [{ index: 0, message: { content: "ab" }, finish_reason: "stop" }],
      base_resp: { status_code: 0, status_msg: "" },
    };
    expect(translate(delta("a"), delta("b"), last)).toEqual({ text: "ab", finishReason: "stop" });
  });

  it("of a reasoning model: the reasoning is no text", () => {
    expect(translate({ choices: [{ delta: { reasoning_content: "hm", content: "" } }] }, delta("ab", "stop")).text).toBe("ab");
  });

  it("with content in parts, other choices and unknown fields", () => {
    const other = { choices: [{ index: 1, delta: { content: "other" } }], x: { y: [] } };
    expect(translate(delta([{ type: "text", text: "a" }, { type: "image" }]), other, delta("b", "stop")).text).toBe("ab");
  });

  it.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content_filter", "content_filter"],
    ["tool_calls", "unknown"],
  ])("finish %s is %s", (finish, expected) => {
    expect(translate(delta("a", finish)).finishReason).toBe(expected);
  });

  it.each([
    [{ prompt_tokens: 0, completion_tokens: 0 }],
    [{ prompt_tokens: -1, completion_tokens: 5 }],
    [{ prompt_tokens: "1", completion_tokens: 5 }],
    ["none"],
  ])("with unusable usage %j have none", (usage) => {
    expect(translate({ ...delta("a", "stop"), usage })).toEqual({ text: "a", finishReason: "stop" });
  });

  it.each([
    [
      {
        prompt_tokens: 20,
        completion_tokens: 9,
        prompt_tokens_details: { cached_tokens: 12 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
      { promptTokens: 20, completionTokens: 9, cachedTokens: 12, reasoningTokens: 4 },
    ],
    [
      { prompt_tokens: 20, completion_tokens: 9, prompt_cache_hit_tokens: 16, prompt_cache_miss_tokens: 4 },
      { promptTokens: 20, completionTokens: 9, cachedTokens: 16 },
    ],
    [
      { prompt_tokens: 20, completion_tokens: 9, prompt_tokens_details: null, completion_tokens_details: "none" },
      { promptTokens: 20, completionTokens: 9 },
    ],
  ])("with usage %j keep its parts apart", (usage, expected) => {
    expect(translate({ ...delta("a", "stop"), usage })).toEqual({ text: "a", finishReason: "stop", usage: expected });
  });

  it.each([
    // OpenRouter.
    [{ cost: 0.00014 }, { costUsd: 0.00014 }],
    [{ cost: 0 }, { costUsd: 0 }],
    // With one's own key: its fee and what the provider behind it takes.
    [{ cost: 0.5, is_byok: true, cost_details: { upstream_inference_cost: 10 } }, { costUsd: 10.5 }],
    [{ cost: 0.5, is_byok: false, cost_details: { upstream_inference_cost: 0.5 } }, { costUsd: 0.5 }],
    [{ cost: 0.5, cost_details: { upstream_inference_cost: null } }, { costUsd: 0.5 }],
    // Perplexity.
    [{ cost: { input_tokens_cost: 0.1, total_cost: 0.006 } }, { costUsd: 0.006 }],
    [{ cost: null }, {}],
    [{ cost: -1 }, {}],
    [{ cost: "0.1" }, {}],
    [{ cost: { sum: 1 } }, {}],
  ])("with usage %j tell what they cost", (told, expected) => {
    const usage = { prompt_tokens: 10, completion_tokens: 4, ...told };
    expect(translate({ ...delta("a", "stop"), usage }).usage).toEqual({ promptTokens: 10, completionTokens: 4, ...expected });
  });

  it.each([
    ["xAI, which counts thoughts beside the answer", 10 + 4 + 90, { completionTokens: 94, reasoningTokens: 90 }],
    ["others, whose total says that they are within it", 14, { completionTokens: 4 }],
  ])("with thoughts of %s have them counted once", (_who, total, expected) => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 4,
      total_tokens: total,
      completion_tokens_details: { reasoning_tokens: 90 },
    };
    expect(translate({ ...delta("a", "stop"), usage }).usage).toEqual({ promptTokens: 10, ...expected });
  });

  it("after [DONE] count for nothing", () => {
    expect(translate(delta("a"), "[DONE]", delta("b")).text).toBe("a");
  });
});

describe("a long answer", () => {
  it("is looked through for secrets only when it fails, however many pieces it has", () => {
    let looked = 0;
    const counting = {
      ...context,
      redactor: {
        ...context.redactor,
        text: (value: string) => {
          looked++;
          return context.redactor.text(value);
        },
      },
    };
    const translator = createChatTranslator(counting);
    for (let piece = 0; piece < 500; piece++) translator.push(JSON.stringify(delta("a")));
    expect(looked).toBe(0);
    expect(() => translator.push("{not json")).toThrow("llm-api sent a piece that is not JSON.");
    expect(looked).toBe(1);
  });

  it.each([
    ["a", 4],
    ["é", 2],
    ["漢", 1],
    ["😀", 1],
  ])("may have so many bytes of %s as are accepted, and no more", (character, count) => {
    const read = (pieces: readonly string[]) => {
      const translator = createChatTranslator(context, 4);
      for (const piece of pieces) translator.push(JSON.stringify(delta(piece)));
      return translator.text;
    };
    const fitting = character.repeat(count);
    expect(read([fitting])).toBe(fitting);
    // Unit by unit: the halves of a pair count for no more than the pair.
    expect(read(fitting.split(""))).toBe(fitting);
    expect(() => read([...fitting.split(""), "bc"])).toThrow(
      "llm-api: the answer is longer than 4 bytes, which are accepted at most; it was not read further.",
    );
  });

  it("keeps its beginning when it is refused, without half a secret at the end", () => {
    const key = "sk-canary-7f3a9b2c4d5e6f70";
    const translator = createChatTranslator(context, 3 * 1024 * 1024);
    // The part that is kept ends within a key, whatever its length is.
    const whole = `word ${key} `.repeat(120_000);
    let error: unknown;
    try {
      translator.push(JSON.stringify(delta(whole)));
    } catch (thrown) {
      error = thrown;
    }
    if (!(error instanceof BackendError)) throw error;
    expect(error).toMatchObject({ failureKind: "backend-response-invalid", retryable: false });
    expect(error.partialText?.startsWith("word [redacted env:KEY] word ")).toBe(true);
    expect(error.partialText).not.toContain("sk-c");
    expect(error.partialText?.length).toBeLessThan(1024 * 1024);
  });
});

describe("failures", () => {
  it("keep what was said, without secrets", () => {
    const error = failureOf(delta("the key sk-canary-7f3a9b2c4d5e6f70 "), {
      error: { code: "server_error", message: "died with sk-canary-7f3a9b2c4d5e6f70" },
    });
    expect(error).toMatchObject({
      failureKind: "provider-unavailable",
      message: "llm-api reported an error: died with [redacted env:KEY]",
      partialText: "the key [redacted env:KEY] ",
    });
  });

  it("are bounded", () => {
    const error = failureOf({ error: { code: 500, message: `${"😀".repeat(10_000)}` } });
    expect(error.message.length).toBeLessThanOrEqual(540);
    expect(error.message).not.toMatch(/\p{Surrogate}/u);
  });

  it.each<[string, object | string, string]>([
    ["an error string", { error: "overloaded" }, "backend-failed"],
    ["a quota by word", { error: { code: "insufficient_quota", message: "" } }, "provider-rate-limited"],
    ["a status as a string", { error: { code: "503" } }, "provider-unavailable"],
    ["a type alone", { error: { type: "authentication_error" } }, "provider-auth-failed"],
    ["an unknown code", { error: { code: "strange" } }, "backend-failed"],
    ["a number that is no object", "42", "backend-protocol-error"],
  ])("%s", (_name, piece, failureKind) => {
    expect(failureOf(piece).failureKind).toBe(failureKind);
  });

  it("say why nothing was said", () => {
    expect(failureOf({ choices: [{ delta: { refusal: "I cannot" }, finish_reason: "stop" }] }).message).toBe(
      "llm-api: the model refused: I cannot",
    );
    expect(failureOf(delta("", "content_filter")).message).toBe(
      "llm-api: a content filter of the provider left nothing of the answer.",
    );
    expect(failureOf(delta("", "length")).message).toBe("llm-api: the token limit was reached before the model said anything.");
    expect(failureOf("[DONE]").message).toBe("llm-api answered without any text.");
  });

  it("name where a piece has an unknown form", () => {
    expect(failureOf({ choices: [{ delta: 7 }] }).message).toBe("llm-api sent a piece of an unknown form (at choices.0.delta).");
  });
});
