import { describe, expect, it } from "vitest";
import { insightSchema } from "@/server/artifacts/insight.schema";
import { seededRandom } from "@/server/testing/random-markdown";
import { isInsight } from "./is-insight";

const LENGTHS = [0, 1, 39, 40, 41, 79, 80, 81, 199, 200, 201, 3999, 4000, 4001, 7999, 8000, 8001];
const VALUES: readonly unknown[] = [
  ...LENGTHS.map((length) => "x".repeat(length)),
  ...[20, 21, 40, 41, 100, 101, 2000, 2001, 4000, 4001, 8001].map((length) => "😀".repeat(length)),
  " ",
  "\n\t",
  `   ${"x".repeat(4000)} `,
  "\u00a0",
  "\ufeff",
  "\ud83d",
  null,
  7,
  [],
  {},
  false,
];
const FIELDS = ["topic", "section", "content", "confidence", "date", "quote", "more"];

describe("isInsight", () => {
  it("answers as the schema does", () => {
    const random = seededRandom(15);
    let accepted = 0;
    for (let round = 0; round < 4000; round++) {
      const fields = FIELDS.filter(() => random.below(3) === 0).map((name) => [name, random.pick(VALUES)]);
      const entry: unknown = { content: "a", ...Object.fromEntries(fields) };
      const expected = insightSchema.safeParse(entry).success;
      if (expected) accepted++;
      expect(isInsight(entry)).toBe(expected);
    }
    expect(accepted).toBeGreaterThan(500);
    expect(accepted).toBeLessThan(3500);
    for (const value of VALUES) expect(isInsight(value)).toBe(insightSchema.safeParse(value).success);
  });

  it.each(["content", "topic", "section", "date", "quote"])("knows the limit of %s", (name) => {
    const accepted = LENGTHS.filter((length) => isInsight({ content: "a", [name]: "x".repeat(length) }));
    const expected = LENGTHS.filter((length) => insightSchema.safeParse({ content: "a", [name]: "x".repeat(length) }).success);
    expect(accepted).toEqual(expected);
    expect(accepted.length).toBeLessThan(LENGTHS.length);
  });
});
