/**
 * How well does the built-in backend distil days whose keepers are known? `npm run bench:samples -- [folder]`: the folder
 * holds Markdown days and an expected.json. Ends with 1 when a bar is missed, 2 when there is nothing to measure.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { projectRoot } from "@/server/shared/project-root";
import { distillDay } from "./distill-day";
import { type DayScore, missedBars, percent, scoreDay, sumScores } from "./score-day";

const expectedSchema = z.record(
  z.string(),
  z.looseObject({ keep: z.array(z.string()), drop: z.array(z.string()).default([]), secret: z.string().min(1).optional() }),
);

const FALLBACK_DATE = "2026-01-01";

async function main(): Promise<number> {
  const asked = process.argv[2];
  const folder = asked === undefined ? path.join(projectRoot(), "..", "shared", "samples") : path.resolve(asked);
  const expectedFile = path.join(folder, "expected.json");
  if (!existsSync(expectedFile)) {
    console.error(
      `There is no ${path.relative(process.cwd(), expectedFile)}. Name a folder with Markdown days and an expected.json: npm run bench:samples -- FOLDER`,
    );
    return 2;
  }
  const expected = expectedSchema.parse(JSON.parse(readFileSync(expectedFile, "utf8")));
  const days = readdirSync(folder).filter((name) => name.endsWith(".md") && name in expected);
  if (days.length === 0) {
    console.error("expected.json names no Markdown file of that folder.");
    return 2;
  }

  const scores: DayScore[] = [];
  const rows: Record<string, string | number>[] = [];
  const leaks: string[] = [];
  for (const name of days.sort()) {
    const expectation = expected[name];
    if (!expectation) continue;
    const sourceDate = /\d{4}-\d{2}-\d{2}/u.exec(name)?.[0] ?? FALLBACK_DATE;
    const { consolidated, traces } = await distillDay({ name, sourceDate, text: readFileSync(path.join(folder, name), "utf8") });
    const shown = consolidated.insights.map(({ content, sources }) => ({ content, quotes: sources.map(({ quote }) => quote) }));
    const score = scoreDay(shown, expectation);
    const { secret } = expectation;
    const leakedIn = secret === undefined ? [] : Object.keys(traces).filter((trace) => traces[trace]?.includes(secret));
    scores.push(score);
    leaks.push(...leakedIn.map((trace) => `${name}: the secret stands in the ${trace}`));
    rows.push({
      day: name,
      keepers: `${score.found.length}/${score.found.length + score.lost.length}`,
      insights: score.insights,
      noise: score.noise.length,
      "noise %": percent(score.insights === 0 ? 0 : score.noise.length / score.insights),
      merged: consolidated.duplicates,
      "near-duplicates left": score.nearDuplicates.length,
      secret: secret === undefined ? "-" : leakedIn.length === 0 ? "nowhere" : leakedIn.join(", "),
    });
  }
  console.table(rows);
  for (const score of scores) {
    for (const keeper of score.lost) console.log(`  lost:  ${keeper}`);
    for (const noise of score.noise) console.log(`  noise: ${noise}`);
    for (const [first, second] of score.nearDuplicates) console.log(`  twice: ${first} = ${second}`);
  }
  const { keeperRate, noiseRate } = sumScores(scores);
  console.log(`keepers ${percent(keeperRate)}, noise ${percent(noiseRate)}`);

  const missed = [...missedBars(scores), ...leaks];
  for (const bar of missed) console.log(`MISSED: ${bar}`);
  return missed.length === 0 ? 0 : 1;
}

process.exitCode = await main();
