import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { TOKENIZER_IDS } from "@/server/config/config-document.schema";
import { randomMarkdown } from "@/server/testing/random-markdown";
import { tokenizerOf } from "./tokenizer";

describe.each(TOKENIZER_IDS)("tokenizer %s", (id) => {
  const tokenizer = tokenizerOf(id);

  it("knows its id and counts nothing in nothing", () => {
    expect(tokenizer.id).toBe(id);
    expect(tokenizer.countTokens("")).toBe(0);
    expect(tokenizer.tokenize("")).toEqual([]);
  });

  it("counts what it tokenizes, and the same each time", () => {
    for (let seed = 0; seed < 12; seed++) {
      const text = randomMarkdown(seed, 10);
      const tokens = tokenizer.tokenize(text);
      expect(tokenizer.countTokens(text)).toBe(tokens.length);
      expect(tokenizer.tokenize(text)).toEqual(tokens);
      expect(tokens.every(Number.isInteger)).toBe(true);
    }
  });
});

describe("mock-4-chars", () => {
  it("is one token for four characters, rounded up", () => {
    const { countTokens } = tokenizerOf("mock-4-chars");
    expect([countTokens("a"), countTokens("abcd"), countTokens("abcde"), countTokens("规则")]).toEqual([1, 1, 2, 1]);
  });
});

describe("o200k", () => {
  const o200k = tokenizerOf("o200k");

  it("gives the numbers of the vocabulary", () => {
    expect(o200k.tokenize("hello world")).toEqual([24912, 2375]);
    expect(o200k.countTokens("Decided: keep one limiter per key and model.")).toBe(11);
  });

  it("takes special tokens in a document as text", () => {
    expect(o200k.countTokens("<|endoftext|>")).toBe(7);
  });

  it("counts long unbroken text in slices, in time that does not grow with its square", () => {
    const started = process.cpuUsage();
    const count = o200k.countTokens("天地玄黄宇宙洪荒".repeat(10_000));
    const { user } = process.cpuUsage(started);
    expect(count).toBeGreaterThan(70_000);
    expect(count).toBeLessThan(82_000);
    expect(user / 1000).toBeLessThan(2000);
  });

  it("counts a sliced text as the whole, where it can be cut at spaces", () => {
    const text = "The worker renews its lease every third of the time.\n- One item, 42 % used.\n\n".repeat(200);
    expect(o200k.countTokens(text)).toBe(countTokens(text));
  });
});
