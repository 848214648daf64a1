/** Scores the insights of one day against what a person would keep. Shared by the bench and the test of the invented days. */
import { areNearDuplicates, fingerprint } from "@/server/pipeline/near-duplicate";

export interface Expectation {
  /** Whole sentences or distinctive parts of them. */
  keep: readonly string[];
  /** Parts of lines that must not come out; for the report, since whatever matches no keeper is noise anyway. */
  drop: readonly string[];
}

export interface Shown {
  content: string;
  quotes: readonly string[];
}

export interface DayScore {
  found: string[];
  lost: string[];
  /** Insights that match no keeper. */
  noise: string[];
  insights: number;
  /** Pairs of insights that say the same. */
  nearDuplicates: [string, string][];
}

/** Of the characters' trigrams, shared over all: an independent look for repetitions, so that the merge is not its own judge. */
const SAME_TRIGRAMS = 0.75;

/** What must hold over all days together. */
const BARS = { keepers: 0.8, noise: 0.1 } as const;

export function scoreDay(insights: readonly Shown[], expected: Expectation): DayScore {
  const matches = (insight: Shown, keeper: string) =>
    [insight.content, ...insight.quotes].some(
      (text) => fold(text).includes(fold(keeper)) || areNearDuplicates(fingerprint(text), fingerprint(keeper)),
    );
  const found = expected.keep.filter((keeper) => insights.some((insight) => matches(insight, keeper)));
  return {
    found,
    lost: expected.keep.filter((keeper) => !found.includes(keeper)),
    noise: insights
      .filter((insight) => !expected.keep.some((keeper) => matches(insight, keeper)))
      .map((insight) => insight.content),
    insights: insights.length,
    nearDuplicates: repetitions(insights.map((insight) => insight.content)),
  };
}

/** Sums over days. Rates are shares of 0-1; without keepers or insights nothing is missed and nothing is noise. */
export function sumScores(scores: readonly DayScore[]): { keeperRate: number; noiseRate: number; nearDuplicates: number } {
  const sum = (count: (score: DayScore) => number) => scores.reduce((total, score) => total + count(score), 0);
  const keepers = sum((score) => score.found.length + score.lost.length);
  const insights = sum((score) => score.insights);
  return {
    keeperRate: keepers === 0 ? 1 : sum((score) => score.found.length) / keepers,
    noiseRate: insights === 0 ? 0 : sum((score) => score.noise.length) / insights,
    nearDuplicates: sum((score) => score.nearDuplicates.length),
  };
}

/** The bars that the days miss, in words; empty when all hold. */
export function missedBars(scores: readonly DayScore[]): string[] {
  const { keeperRate, noiseRate, nearDuplicates } = sumScores(scores);
  const missed: string[] = [];
  if (keeperRate < BARS.keepers) missed.push(`keepers found ${percent(keeperRate)}, at least ${percent(BARS.keepers)} wanted`);
  if (noiseRate > BARS.noise) missed.push(`noise ${percent(noiseRate)}, at most ${percent(BARS.noise)} wanted`);
  if (nearDuplicates > 0) missed.push(`${nearDuplicates} near-duplicates left, none wanted`);
  return missed;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s`*]+/gu, "");
}

function repetitions(contents: readonly string[]): [string, string][] {
  const prepared = contents.map((content) => ({ content, print: fingerprint(content), trigrams: trigramsOf(content) }));
  const pairs: [string, string][] = [];
  prepared.forEach((a, i) => {
    for (const b of prepared.slice(i + 1)) {
      const isSaidTwice =
        a.print.polarity === b.print.polarity &&
        a.print.numbers.join() === b.print.numbers.join() &&
        jaccard(a.trigrams, b.trigrams) >= SAME_TRIGRAMS;
      if (isSaidTwice || areNearDuplicates(a.print, b.print)) pairs.push([a.content, b.content]);
    }
  });
  return pairs;
}

function trigramsOf(text: string): Set<string> {
  const characters = [...fold(text)];
  return new Set(characters.map((_, i) => characters.slice(i, i + 3).join("")));
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((entry) => b.has(entry)).length;
  return shared / (a.size + b.size - shared);
}
