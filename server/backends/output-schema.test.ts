import { expect, it } from "vitest";
import { insightSchema } from "@/server/artifacts/insight.schema";
import { outputSchemaOf } from "./output-schema";

it("what a chunk expects is said strictly, down to the fields of an insight", () => {
  expect(outputSchemaOf({ insights: "array" })).toEqual({
    type: "object",
    properties: {
      insights: {
        type: "array",
        items: {
          type: "object",
          properties: {
            topic: { type: ["string", "null"] },
            section: { type: ["string", "null"] },
            content: { type: "string" },
            confidence: { type: ["string", "null"], enum: ["high", "medium", "low", null] },
            date: { type: ["string", "null"] },
            quote: { type: ["string", "null"] },
          },
          required: ["topic", "section", "content", "confidence", "date", "quote"],
          additionalProperties: false,
        },
      },
    },
    required: ["insights"],
    additionalProperties: false,
  });
});

it("an answer that obeys it is an insight to us", () => {
  const obedient = { topic: null, section: "decisions", content: "We moved.", confidence: null, date: null, quote: null };
  expect(insightSchema.safeParse(obedient).success).toBe(true);
});

it("plain fields are said as well", () => {
  expect(outputSchemaOf({ ok: "boolean", count: "integer", share: "number", why: "string" })).toEqual({
    type: "object",
    properties: { ok: { type: "boolean" }, count: { type: "integer" }, share: { type: "number" }, why: { type: "string" } },
    required: ["ok", "count", "share", "why"],
    additionalProperties: false,
  });
});

it.each([{}, { things: "array" }, { thing: "object" }, { insights: "object" }, { ok: "boolean", other: { deep: 1 } }])(
  "%j cannot be said strictly, so nothing is said",
  (expected) => {
    expect(outputSchemaOf(expected)).toBeNull();
  },
);
