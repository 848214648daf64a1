import { expect, it } from "vitest";
import { z } from "zod";
import { issueSentence, plainWords } from "./issue-sentence";

const schema = z.strictObject({
  attempts: z.int().min(1).max(10).optional(),
  name: z.string().min(1).max(3).optional(),
  date: z.string().regex(/^x$/, "must be a date").optional(),
  kind: z.literal("distill").optional(),
  level: z.enum(["low", "high"]).optional(),
  list: z
    .array(z.object({ on: z.boolean() }))
    .max(2)
    .optional(),
  above: z.number().gt(0).optional(),
});

function sentence(value: unknown): string {
  const parsed = schema.safeParse(value, { error: plainWords });
  return parsed.success ? "" : issueSentence(parsed.error);
}

it.each<[unknown, string]>([
  [{ attempts: 0 }, "attempts: must be at least 1"],
  [{ attempts: 11 }, "attempts: must be at most 10"],
  [{ attempts: "3" }, "attempts: must be a number"],
  [{ attempts: 1.5 }, "attempts: must be a whole number"],
  [{ name: "" }, "name: must not be empty"],
  [{ name: "abcd" }, "name: must have at most 3 characters"],
  [{ date: "y" }, "date: must be a date"],
  [{ kind: "thread" }, "kind: must be distill"],
  [{ level: "mid" }, "level: must be one of low, high"],
  [{ list: [{}] }, "list[0].on: is missing"],
  [{ list: [{ on: true }, { on: true }, { on: true }] }, "list: must have at most 2 entries"],
  [{ above: 0 }, "above: must be more than 0"],
  [{ colour: 1, shape: 2 }, 'there is no "colour", "shape" here'],
  ["text", "must be an object"],
])("%j: %s", (value, expected) => {
  expect(sentence(value)).toBe(expected);
});
