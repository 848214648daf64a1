import { describe, expect, it } from "vitest";
import { isShowable, nearestName, pathText, shownName, suggestedVariable } from "./shown-name";

describe("a name in a sentence", () => {
  it.each([
    "openrouter",
    "qwen/qwen3-235b-a22b-instruct-2507:free",
    "claude-sonnet-4-5-20250929",
    "@cf/meta/llama-3.1-8b",
    "我们的",
    "<<",
    "a b",
  ])("is shown, and may stand in a line to copy: %s", (text) => {
    expect(shownName(text)).toBe(text);
    expect(isShowable(text)).toBe(true);
  });

  it.each(["my scene!", 'quo"te', "a,b", "50%", "(old) #2", "-x?", ""])("is shown, whatever characters it has: %j", (text) => {
    expect(shownName(text)).toBe(text);
    expect(isShowable(text)).toBe(false);
  });

  it("is cut at a sane length, between characters", () => {
    expect(shownName("x ".repeat(40))).toBe(`${"x ".repeat(31)}x…`);
    expect(shownName("😀 ".repeat(40))).toBe(`${"😀 ".repeat(31)}😀…`);
  });

  it.each([
    "sk-short-but-a-key",
    "ghp_0123456789",
    "https://user:hunter2@x.test/?k=v",
    "7f3a9b2c4d5e6f70",
    "key-7f3a9b2c4d5e6f70",
    "550e8400-e29b-41d4-a716-446655440000",
    "abcdefghijklmnopqrstuvwxyzabcdefgh",
    `old!${"a1".repeat(20)}`,
    `${"word ".repeat(30)}sk-hunter2hunter2hunter2`,
    "(sk-hunter2hunter2)",
    "password=hunter2!",
    "two\nlines",
    "turned \u202e round",
  ])("is not shown: %j", (text) => {
    expect(isShowable(text)).toBe(false);
    expect(shownName(text)).toBe("…");
  });

  it("stands in a path", () => {
    expect(pathText(["models", "extract", "candidates", 1])).toBe("models.extract.candidates[1]");
    expect(pathText(["providers", "sk-short-but-a-key", "apiKey"])).toBe("providers.….apiKey");
    expect(pathText([])).toBe("");
  });
});

it.each([
  ["baseURL", "baseUrl"],
  ["base_url", "baseUrl"],
  ["apikey", "apiKey"],
  ["API-KEY", "apiKey"],
  ["baseUrll", "baseUrl"],
  ["abseUrl", "baseUrl"],
  ["basUr", "baseUrl"],
  ["bas", null],
  ["profil", "profile"],
  ["headers", null],
  ["x", null],
  ["", null],
  ["k".repeat(5_000), null],
])("%s probably means %s", (written, meant) => {
  expect(nearestName(written, ["baseUrl", "apiKey", "profile"])).toBe(meant);
});

it.each([
  ["anthropic", "ANTHROPIC_API_KEY"],
  ["minimax-api", "MINIMAX_API_KEY"],
  ["llm-api", "LLM_API_KEY"],
  ["my.key", "MY_API_KEY"],
  ["9router", "_9ROUTER_API_KEY"],
  ["-", "LLM_API_KEY"],
  ["api", "LLM_API_KEY"],
  ["我们", "LLM_API_KEY"],
  ["sk-short-but-a-key", "LLM_API_KEY"],
])("the key of %s would be in %s", (provider, variable) => {
  expect(suggestedVariable(provider)).toBe(variable);
});
