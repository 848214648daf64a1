import { expect, it } from "vitest";
import { hasFixedSampling } from "./fixed-sampling";

it.each([
  "o1",
  "o3-mini",
  "gpt-5",
  "gpt-5.6-luna",
  "gpt-6-luna",
  "openai/gpt-6.1-sol",
  "claude-opus-4-7",
  "claude-opus-4-8-20260601",
  "claude-sonnet-5",
  "claude-haiku-5-5",
  "anthropic/claude-opus-5-5",
  "claude-fable-5-1",
  "claude-mythos-preview",
])("%s takes no temperature", (model) => {
  expect(hasFixedSampling(model)).toBe(true);
});

it.each([
  "gpt-4o-mini",
  "gpt-4.1",
  "gpt-5-chat-latest",
  "gpt-oss-120b",
  "claude-3-5-sonnet-20241022",
  "claude-opus-4-20250514",
  "claude-opus-4-1-20250805",
  "claude-sonnet-4-6",
  "claude-haiku-4-5-20251001",
  "MiniMax-M3",
  "o-model",
  "test-model",
])("%s takes one", (model) => {
  expect(hasFixedSampling(model)).toBe(false);
});
