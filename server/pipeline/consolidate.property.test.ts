import { describe, expect, it } from "vitest";
import { type ConsolidateInput, consolidate } from "./consolidate";
import { areNearDuplicates, fingerprint } from "./near-duplicate";

/** Seeded, so that a failure can be run again. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % limit;
  };
}

const WORDS =
  "lease worker queue chunk model retry limit backup index cache token shop order price night disk must never because decided 缓存 重启 网关 不得 先 再 规则".split(
    " ",
  );

function shuffle<Item>(items: readonly Item[], next: (limit: number) => number): Item[] {
  const shuffled = [...items];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = next(i + 1);
    const [a, b] = [shuffled[i], shuffled[j]];
    // Both are inside the array.
    if (a !== undefined && b !== undefined) {
      shuffled[i] = b;
      shuffled[j] = a;
    }
  }
  return shuffled;
}

/** Chunks whose statements repeat each other, exactly and nearly, in and across chunks. */
function makeRun(seed: number, sizes: { chunks: number; insights: number; words: number; reuse: number }): ConsolidateInput {
  const next = random(seed);
  const statements: string[] = [];
  const makeStatement = () => {
    const known = statements.length > 0 && next(sizes.reuse) === 0 ? statements[next(statements.length)] : undefined;
    const text =
      known === undefined
        ? Array.from({ length: 5 + next(8) }, () => {
            const word = WORDS[next(WORDS.length)] ?? "";
            return next(8) === 0 ? String(next(40)) : next(3) === 0 ? `${word}${next(sizes.words)}` : word;
          }).join(" ")
        : ([known, `As said before, on it: ${known}`, `${known} indeed`, known.toUpperCase()][next(4)] ?? known);
    statements.push(text);
    return text;
  };
  const confidences = ["high", "medium", "low", null] as const;
  const sections = ["decision", "cause", "fact", ""] as const;
  let start = 0;
  const texts: string[] = [];
  const chunks: ConsolidateInput["chunks"] = [];
  const results: ConsolidateInput["results"] = [];
  for (let index = 1; index <= sizes.chunks; index++) {
    const own = Array.from({ length: sizes.insights }, makeStatement);
    const text = own.map((statement) => `- ${statement}\n`).join("");
    chunks.push({ index, document: 0, start, end: start + text.length });
    start += text.length;
    texts.push(text);
    const insights = own.map((content) => ({
      content,
      topic: ["a", "b", null][next(3)],
      section: sections[next(4)],
      confidence: confidences[next(4)],
      quote: [content, content, "not there", null][next(4)],
    }));
    results.push({
      chunk: index,
      attempt: 1 + next(2),
      result: {
        version: "xkb.result.v1",
        backend: "b",
        model: "m",
        source_date: "2026-01-01",
        chunk_index: index,
        finished_at: "2026-01-01T00:00:00.000Z",
        ok: true,
        output: { insights },
        raw_text: "",
        timing_ms: 1,
      },
    });
  }
  const cleaned = texts.join("");
  const segments = [{ cleanedStart: 0, document: 0, sourceStart: 7, length: cleaned.length }];
  return { sourceDate: "2026-01-01", cleaned, segments, chunks, results, allowPartial: false };
}

function reorder(run: ConsolidateInput, seed: number): ConsolidateInput {
  const next = random(seed);
  const results = shuffle(run.results, next).map((entry) => {
    if (!entry.result.ok || !Array.isArray(entry.result.output.insights)) return entry;
    return { ...entry, result: { ...entry.result, output: { insights: shuffle(entry.result.output.insights, next) } } };
  });
  return { ...run, results, chunks: shuffle(run.chunks, next) };
}

describe("consolidate", () => {
  it.each([1, 2, 3, 4, 5])("gives the identical output for any order of results, chunks and entries (seed %i)", (seed) => {
    const run = makeRun(seed, { chunks: 6, insights: 25, words: 4, reuse: 3 });
    const wanted = JSON.stringify(consolidate(run));
    for (let order = 1; order <= 8; order++) expect(JSON.stringify(consolidate(reorder(run, seed * 100 + order)))).toBe(wanted);
  });

  it("leaves no two near-duplicates and loses no statement", () => {
    const run = makeRun(9, { chunks: 6, insights: 25, words: 4, reuse: 3 });
    const { insights, duplicates } = consolidate(run);
    const prints = insights.map(({ content }) => fingerprint(content));
    prints.forEach((print, i) => {
      expect(prints.slice(i + 1).filter((other) => areNearDuplicates(print, other))).toEqual([]);
    });
    expect(insights.length + duplicates).toBe(6 * 25);
    expect(duplicates).toBeGreaterThan(30);
    expect(insights.flatMap(({ sources }) => sources).every(({ start, cleanedStart }) => start === cleanedStart + 7)).toBe(true);
  });

  it("merges 10,000 insights in about half a second", () => {
    const run = makeRun(11, { chunks: 200, insights: 50, words: 300, reuse: 4 });
    const before = process.cpuUsage();
    const { insights, duplicates } = consolidate(run);
    const { user, system } = process.cpuUsage(before);
    expect(insights.length + duplicates).toBe(10_000);
    // CPU and not wall time, and three times what it takes, since tests share a machine; comparing all with all takes minutes.
    expect((user + system) / 1_000_000).toBeLessThan(2);
  });
});
