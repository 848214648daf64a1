import { describe, expect, it } from "vitest";
import { seededRandom } from "@/server/testing/random-markdown";
import { ordinaryPiece } from "./ordinary-piece";
import { chatPieceSchema } from "./protocol.schema";

const random = seededRandom(14);
const ODD = [7, true, {}, [], "x", [{ type: "text", text: "a" }], [1], { message: "m" }, null];

/** One of the usual values, now and then one of a wrong form. */
function some<T>(...usual: readonly T[]): unknown {
  return random.below(12) === 0 ? random.pick(ODD) : random.pick(usual);
}

/** An object without some of its fields. */
function part(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(() => random.below(4) > 0));
}

function message(): Record<string, unknown> {
  return part({ role: "assistant", content: some<string | null>("a", "", null), refusal: some<string | null>("no", null) });
}

function choice(): Record<string, unknown> {
  return part({
    index: some<number | null>(0, 1, 0.5, null),
    delta: some(message(), message(), null),
    message: some<unknown>(null, null, null, message()),
    finish_reason: some<string | null>("stop", null),
    logprobs: null,
  });
}

function piece(): unknown {
  if (random.below(30) === 0) return random.pick(ODD);
  return part({
    id: "x",
    model: some<string | null>("m", null),
    choices: some<unknown>([choice()], [choice(), choice()], [], null),
    usage: some(null),
    error: some(null),
    base_resp: some(null),
  });
}

describe("an ordinary piece", () => {
  it("is what the schema makes of it; the rest is left to the schema", () => {
    let read = 0;
    for (let round = 0; round < 5000; round++) {
      // As it comes: JSON has no undefined.
      const json: unknown = JSON.parse(JSON.stringify(piece()));
      const ordinary = ordinaryPiece(json);
      if (ordinary === null) continue;
      read++;
      expect(chatPieceSchema.safeParse(json)).toStrictEqual({ success: true, data: ordinary });
    }
    expect(read).toBeGreaterThan(500);
  });

  it.each([
    '{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"logprobs":null,"finish_reason":null}],"usage":null}',
    '{"choices":[{"delta":{"content":""},"finish_reason":"stop"}],"error":null,"base_resp":null}',
    '{"choices":[{"index":0,"delta":{"content":null,"reasoning_content":"hm"}}]}',
    '{"choices":[]}',
  ])("is read without the schema: %s", (data) => {
    const json: unknown = JSON.parse(data);
    expect(ordinaryPiece(json)).toStrictEqual(chatPieceSchema.parse(json));
  });

  it.each([
    "null",
    "[]",
    "7",
    "{}",
    '{"choices":[{"index":1e999,"delta":{"content":"a"}}]}',
    '{"choices":[{"delta":{"content":[{"type":"text","text":"a"}]}}]}',
    '{"choices":[{"message":{"content":"a"}}]}',
    '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}',
    '{"choices":[],"error":"overloaded"}',
    '{"choices":[],"base_resp":{"status_code":1002}}',
    '{"choices":[7]}',
  ])("is not %s", (data) => {
    expect(ordinaryPiece(JSON.parse(data))).toBeNull();
  });
});
