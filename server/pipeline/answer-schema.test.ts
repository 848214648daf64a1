import { describe, expect, it } from "vitest";
import { answerCheckOf, isJsonSchema } from "./answer-schema";
import { normalizeOutput } from "./normalize-output";

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";
const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";

function misfits(schema: Record<string, unknown>, output: Record<string, unknown>): string[] {
  const made = answerCheckOf(schema);
  if ("problem" in made) throw new Error(made.problem);
  return made.check.misfits(output, JSON.stringify(output).length);
}

function problemOf(schema: Record<string, unknown>): string {
  const made = answerCheckOf(schema);
  return "problem" in made ? made.problem : "";
}

describe("a schema", () => {
  it("is told from keys and kinds by its own form", () => {
    expect(isJsonSchema({ insights: "array" })).toBe(false);
    expect(isJsonSchema({ type: "string", properties: "object", required: "boolean" })).toBe(false);
    expect(isJsonSchema({ free: { type: "string" } })).toBe(false);
    expect(isJsonSchema({})).toBe(false);
    expect(isJsonSchema({ $schema: DRAFT_7 })).toBe(true);
    expect(isJsonSchema({ type: "object", properties: {} })).toBe(true);
    expect(isJsonSchema({ required: ["a"] })).toBe(true);
  });

  it("of draft-07 and of 2020-12 each mean their own", () => {
    const tuple = { type: "object", properties: { pair: { items: [{ type: "string" }, { type: "number" }] } } };
    expect(misfits({ $schema: DRAFT_7, ...tuple }, { pair: [1, "a"] })).toEqual([
      "“/pair/0” of the answer must be string.",
      "“/pair/1” of the answer must be number.",
    ]);
    const prefix = { type: "object", properties: { pair: { prefixItems: [{ type: "string" }, { type: "number" }] } } };
    expect(misfits({ $schema: DRAFT_2020, ...prefix }, { pair: [1, 2] })).toEqual(["“/pair/0” of the answer must be string."]);
    expect(misfits({ $schema: DRAFT_7, ...prefix }, { pair: [1, 2] })).toEqual([]);
    expect(misfits(prefix, { pair: [1, 2] })).toHaveLength(1);
  });

  it("knows what zod's own conversion does not: if and then, not, dependentRequired, formats", () => {
    const schema = {
      type: "object",
      properties: { day: { type: "string", format: "date" } },
      dependentRequired: { day: ["place"] },
      if: { required: ["place"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { not: { required: ["nowhere"] } },
    };
    expect(misfits(schema, { day: "2026-13-01" })).toEqual([
      '“/day” of the answer must match format "date".',
      "The answer must have property place when property day is present.",
    ]);
    expect(misfits(schema, { place: "a", nowhere: 1 })).toEqual([
      "The answer must NOT be valid.",
      'The answer must match "then" schema.',
    ]);
    expect(misfits(schema, { day: "2026-12-01", place: "a" })).toEqual([]);
  });

  it("names what may not be there and what may, never more than twenty faults, and no value of the answer", () => {
    const entry = { type: "object", properties: { kind: { enum: ["a", "b"] } }, additionalProperties: false };
    const schema = { type: "object", properties: { list: { type: "array", items: entry } } };
    expect(misfits(schema, { list: [{ kind: "SECRET", other: 1 }] })).toEqual([
      "“/list/0” of the answer must NOT have additional properties (“other”).",
      "“/list/0/kind” of the answer must be equal to one of the allowed values: a, b.",
    ]);
    expect(misfits(schema, { list: Array.from({ length: 50 }, () => 1) })).toHaveLength(20);
  });

  it("stops at the first fault of a long answer", () => {
    const made = answerCheckOf({ required: ["a", "b"] });
    expect("check" in made && made.check.misfits({}, 256 * 1024 + 1)).toEqual(["The answer must have required property 'a'."]);
  });

  it("is compiled once", () => {
    const schema = { type: "object", properties: { once: { type: "string" } } };
    expect(answerCheckOf(structuredClone(schema))).toBe(answerCheckOf(schema));
  });

  it("with an $id may come twice", () => {
    const schema = { $id: "https://a.test/s", required: ["a"] };
    expect(misfits(schema, {})).toHaveLength(1);
    expect(misfits({ ...schema, required: ["b"] }, { b: 1 })).toEqual([]);
  });

  it("that is none is named in one sentence, and no answer is read with it", () => {
    expect(problemOf({ properties: { a: { type: "text" } } })).toMatch(
      /^The schema of the request is no JSON Schema of 2020-12: schema is invalid: .+\.$/,
    );
    expect(problemOf({ properties: { a: { $ref: "https://a.test/other" } } })).toBe(
      "The schema of the request is no JSON Schema of 2020-12: can't resolve reference https://a.test/other from id #.",
    );
    expect(problemOf({ properties: { a: { pattern: "(" } } })).toMatch(/no JSON Schema of 2020-12: .*regular expression/i);
    expect(problemOf({ $schema: "http://json-schema.org/draft-04/schema#" })).toBe(
      "The schema of the request names the draft “http://json-schema.org/draft-04/schema#”; known are draft-07 and 2020-12.",
    );
    expect(problemOf({ $async: true, properties: {} })).toBe(
      "The schema of the request is asynchronous ($async), which is not supported.",
    );
    expect(normalizeOutput("{}", { schema: { required: ["a", "a"] } })).toMatchObject({ ok: false, problem: "bad_schema" });
  });

  it("has bounds", () => {
    expect(problemOf({ properties: { a: { description: "x".repeat(70_000) } } })).toMatch(
      /^The schema of the request has 70\d{3} characters; at most 65536 are taken\.$/,
    );
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 70; level++) deep = { not: deep };
    expect(problemOf({ properties: { a: deep } })).toBe("The schema of the request nests deeper than 64 levels.");
  });

  it("decides over an answer in any shape, and is written into its ledger", () => {
    const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
    expect(normalizeOutput("```\n{title: 'x'}\n```", { schema })).toMatchObject({ ok: true, output: { title: "x" } });
    const refused = normalizeOutput('{"title": 1}', { schema });
    expect(refused).toMatchObject({ ok: false, problem: "wrong_shape", reason: "“/title” of the answer must be string." });
    expect(refused.ledger.steps.at(-1)).toEqual({
      step: "schema",
      outcome: "failed",
      detail: { dialect: "2020-12", errors: 1 },
    });
  });
});
