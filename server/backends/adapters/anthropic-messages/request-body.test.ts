import { describe, expect, it } from "vitest";
import { chatTurn } from "@/server/testing/contract-chat-turn";
import { requestBody } from "./request-body";

const BASE = "https://api.anthropic.com";

it("has a limit always, and what was asked for", () => {
  expect(requestBody(chatTurn(BASE))).toEqual({
    model: "test-model",
    max_tokens: 32_000,
    system: "Answer in JSON.",
    messages: [{ role: "user", content: "The chunk." }],
    stream: true,
  });
  const generation = { temperature: 0.2, topP: 0.9, maxTokens: 256, stopSequences: ["END"], seed: 7 };
  expect(requestBody(chatTurn(BASE, { system: "", generation }))).toEqual({
    model: "test-model",
    max_tokens: 256,
    messages: [{ role: "user", content: "The chunk." }],
    stream: true,
    temperature: 0.2,
    top_p: 0.9,
    stop_sequences: ["END"],
  });
});

describe("sampling", () => {
  it.each([
    ["claude-haiku-5-5", {}],
    ["claude-sonnet-4-6", { temperature: 0 }],
    ["claude-opus-4-1-20250805", { temperature: 0 }],
    ["claude-sonnet-4-20250514", { temperature: 0, top_p: 0.9 }],
    ["MiniMax-M3", { temperature: 0, top_p: 0.9 }],
  ])("%s is sent %j", (model, sampling) => {
    const { temperature, top_p } = requestBody(chatTurn(BASE, { model, generation: { temperature: 0, topP: 0.9 } }));
    expect(JSON.parse(JSON.stringify({ temperature, top_p }))).toEqual(sampling);
  });

  it("alone, top_p is sent to a model that takes one of the two", () => {
    expect(requestBody(chatTurn(BASE, { model: "claude-sonnet-4-5", generation: { topP: 0.9 } }))).toMatchObject({ top_p: 0.9 });
  });
});

describe("the format of the output", () => {
  const expectInsights = { format: "json", schema: { insights: "array" } } as const;

  it("is the schema that is expected, without lists of types", () => {
    const text = { anyOf: [{ type: "string" }, { type: "null" }] };
    expect(requestBody(chatTurn(BASE, { expect: expectInsights })).output_config).toEqual({
      format: {
        type: "json_schema",
        schema: {
          type: "object",
          properties: {
            insights: {
              type: "array",
              items: {
                type: "object",
                properties: {
                  topic: text,
                  section: text,
                  content: { type: "string" },
                  confidence: { anyOf: [{ type: "string", enum: ["high", "medium", "low"] }, { type: "null" }] },
                  date: text,
                  quote: text,
                },
                required: ["topic", "section", "content", "confidence", "date", "quote"],
                additionalProperties: false,
              },
            },
          },
          required: ["insights"],
          additionalProperties: false,
        },
      },
    });
  });

  it.each([
    ["of an expectation that is no schema", { expect: { format: "json", schema: { anything: "object" } } as const }],
    ["of an old model", { expect: expectInsights, model: "claude-3-5-sonnet-20241022" }],
    ["of another old model", { expect: expectInsights, model: "claude-opus-4-1-20250805" }],
    ["at a host that knows none", { expect: expectInsights, baseUrl: "https://api.minimax.io/anthropic" }],
  ])("is not asked for %s", (_name, more) => {
    expect(requestBody(chatTurn(BASE, more))).not.toHaveProperty("output_config");
  });

  it.each(["claude-haiku-4-5-20251001", "claude-haiku-5-5", "test-model"])("is asked for of %s", (model) => {
    expect(requestBody(chatTurn(BASE, { model, expect: expectInsights }))).toHaveProperty("output_config");
  });
});
