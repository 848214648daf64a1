/** The bars of the bench on invented days, so that they hold without the folder that the bench reads. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { distillDay } from "./distill-day";
import { missedBars, scoreDay } from "./score-day";

const FOLDER = path.join(import.meta.dirname, "../../server/backends/adapters/extractive/fixtures");

const daySchema = z.strictObject({
  name: z.string(),
  kind: z.string(),
  /** Not looked at while the weights were chosen. */
  heldOut: z.boolean(),
  text: z.string(),
  keep: z.array(z.string()).min(1),
  drop: z.array(z.string()),
});

const DAYS = readdirSync(FOLDER).map((file) => daySchema.parse(JSON.parse(readFileSync(path.join(FOLDER, file), "utf8"))));

async function score(day: (typeof DAYS)[number]) {
  const { consolidated } = await distillDay({ name: `${day.name}.md`, sourceDate: "2026-01-01", text: day.text });
  return scoreDay(
    consolidated.insights.map(({ content, sources }) => ({ content, quotes: sources.map(({ quote }) => quote) })),
    day,
  );
}

describe("invented days", () => {
  it.each([
    ["that the weights were chosen on", false],
    ["that were held out", true],
  ])("days %s keep the bars", async (_, heldOut) => {
    const scores = await Promise.all(DAYS.filter((day) => day.heldOut === heldOut).map(score));
    expect(scores.length).toBe(7);
    expect(missedBars(scores)).toEqual([]);
  });

  it("nothing a person would drop comes out of the days that the weights were chosen on", async () => {
    for (const day of DAYS.filter(({ heldOut }) => !heldOut)) {
      const { consolidated } = await distillDay({ name: `${day.name}.md`, sourceDate: "2026-01-01", text: day.text });
      for (const dropped of day.drop)
        expect(consolidated.insights.filter(({ content }) => content.includes(dropped))).toEqual([]);
    }
  });
});

describe("scoreDay", () => {
  const insight = (content: string) => ({ content, quotes: [content] });

  it("finds keepers whatever their case, spaces and code marks", () => {
    const score = scoreDay([insight("Rename `owner`  to x first.")], { keep: ["rename owner to X"], drop: [] });
    expect(score).toEqual({ found: ["rename owner to X"], lost: [], noise: [], insights: 1, nearDuplicates: [] });
  });

  it("calls noise whatever matches no keeper, and finds what is said twice", () => {
    const twice = [
      "The cache holds prices for sixty seconds at most.",
      "The cache holds the prices for sixty seconds, at most.",
    ] as const;
    const score = scoreDay([insight(twice[0]), insight(twice[1])], { keep: ["stock levels are never cached"], drop: [] });
    expect(score.lost).toEqual(["stock levels are never cached"]);
    expect(score.noise).toEqual([...twice]);
    expect(score.nearDuplicates).toEqual([[...twice]]);
    expect(missedBars([score])).toEqual([
      "keepers found 0.0 %, at least 80.0 % wanted",
      "noise 100.0 %, at most 10.0 % wanted",
      "1 near-duplicates left, none wanted",
    ]);
  });
});
