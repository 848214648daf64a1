import { describe, expect, it } from "vitest";
import type { Insight } from "@/server/artifacts/insight.schema";
import type { ResultArtifact } from "@/server/artifacts/result-artifact.schema";
import { isAppError } from "@/server/shared/app-error";
import { type ConsolidateInput, consolidate } from "./consolidate";
import { consolidatedSchema } from "./pipeline.schema";

const IDENTITY = {
  version: "xkb.result.v1",
  backend: "extractive",
  model: "extractive-1",
  source_date: "2026-03-02",
  finished_at: "2026-03-02T10:00:00.000Z",
} as const;

function ok(chunk: number, insights: unknown, attempt = 1): ConsolidateInput["results"][number] {
  const result: ResultArtifact = { ...IDENTITY, chunk_index: chunk, ok: true, output: { insights }, raw_text: "", timing_ms: 1 };
  return { chunk, attempt, result };
}

function failed(chunk: number, attempt = 1): ConsolidateInput["results"][number] {
  const result: ResultArtifact = {
    ...IDENTITY,
    chunk_index: chunk,
    ok: false,
    error: { type: "timeout", message: "timed out after 60s" },
  };
  return { chunk, attempt, result };
}

function insight(content: string, over: Partial<Insight> = {}): Insight {
  return { topic: "leases", section: "decision", content, confidence: "high", quote: content, ...over };
}

/** Chunks of ten characters: "aaaaaaaaaa", "bbbbbbbbbb", … unless a text is given. */
function input(over: Partial<ConsolidateInput> & { texts?: string[] } = {}): ConsolidateInput {
  const { texts = ["aaaaaaaaaa"], ...rest } = over;
  let start = 0;
  const chunks = texts.map((text, i) => {
    const chunk = { index: i + 1, document: 0, start, end: start + text.length };
    start += text.length;
    return chunk;
  });
  const cleaned = texts.join("");
  const segments = [{ cleanedStart: 0, document: 0, sourceStart: 0, length: cleaned.length }];
  return { sourceDate: "2026-03-02", cleaned, segments, chunks, results: [], allowPartial: false, ...rest };
}

describe("coverage", () => {
  const three = ["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"];

  it("refuses what is incomplete, and names it", () => {
    const attempt = () => consolidate(input({ texts: three, results: [ok(1, []), failed(3)] }));
    expect(attempt).toThrow(
      "1 of 3 chunks have a result; failed: 3; missing: 2. Retry them, or consolidate partially on purpose.",
    );
    try {
      attempt();
    } catch (error) {
      expect(isAppError(error) && error.code).toBe("conflict");
      expect(isAppError(error) && error.details).toEqual({ total: 3, done: 1, failed: [3], missing: [2] });
    }
  });

  it("reports it when the operator accepts it", () => {
    const consolidated = consolidate(input({ texts: three, results: [ok(1, []), failed(3)], allowPartial: true }));
    expect(consolidated).toMatchObject({
      coverage: { total: 3, done: 1, failed: [3], missing: [2] },
      partial: true,
      insights: [],
    });
  });

  it("is not partial when complete, even if partial was allowed", () => {
    expect(consolidate(input({ results: [ok(1, [])], allowPartial: true })).partial).toBe(false);
  });

  it("takes the latest ok attempt of a chunk, and an ok one before a later failure", () => {
    const results = [
      failed(1, 3),
      ok(1, [insight("The second attempt says it.")], 2),
      ok(1, [insight("The first attempt says it.")], 1),
    ];
    const { insights } = consolidate(input({ results }));
    expect(insights.map(({ content, sources }) => [content, sources[0]?.attempt])).toEqual([["The second attempt says it.", 2]]);
  });

  it("refuses a result of a chunk that the run does not have", () => {
    expect(() => consolidate(input({ results: [ok(1, []), ok(7, [])] }))).toThrow(
      "A result names chunk 7, and the run has no such chunk.",
    );
  });

  it("needs nothing for a run without chunks", () => {
    expect(consolidate(input({ texts: [] }))).toMatchObject({ insights: [], coverage: { total: 0, done: 0 }, partial: false });
  });
});

describe("entries", () => {
  it("counts what is no insight, by chunk, and keeps the rest", () => {
    const results = [
      ok(2, "no array"),
      ok(1, [insight("A lease outlives the call."), { content: "" }, null, { content: 7 }, { topic: "x" }]),
      ok(3, []),
    ];
    const consolidated = consolidate(input({ texts: ["a", "b", "c"], results }));
    expect(consolidated.invalid).toEqual([
      { chunk: 1, count: 4 },
      { chunk: 2, count: 1 },
    ]);
    expect(consolidated.insights.map(({ content }) => content)).toEqual(["A lease outlives the call."]);
  });

  it("fills in what a model left out, and takes a date only when it is one", () => {
    const results = [
      ok(1, [
        { content: " A lease\noutlives the call. " },
        insight("Renew it early.", { date: "2026-02-30" }),
        insight("Stop it late.", { date: "2026-02-28" }),
      ]),
    ];
    const { insights } = consolidate(input({ results }));
    expect(
      insights.map(({ content, topic, section, confidence, date }) => ({ content, topic, section, confidence, date })),
    ).toEqual([
      { content: "Renew it early.", topic: "leases", section: "decision", confidence: "high", date: "2026-03-02" },
      { content: "Stop it late.", topic: "leases", section: "decision", confidence: "high", date: "2026-02-28" },
      { content: "A lease outlives the call.", topic: "", section: "", confidence: "low", date: "2026-03-02" },
    ]);
  });
});

describe("provenance", () => {
  it("maps a quote through the segments to the document", () => {
    const texts = ["- one line\n", "- two lines of it\n"];
    const segments = [
      { cleanedStart: 0, document: 0, sourceStart: 100, length: 11 },
      { cleanedStart: 11, document: 0, sourceStart: 500, length: 18 },
    ];
    const results = [ok(1, []), ok(2, [insight("Two lines", { quote: "two lines of it" })])];
    const { insights } = consolidate(input({ texts, segments, results }));
    expect(insights[0]?.sources).toEqual([
      {
        chunk: 2,
        attempt: 1,
        document: 0,
        start: 502,
        end: 517,
        cleanedStart: 13,
        cleanedEnd: 28,
        quote: "two lines of it",
        exact: true,
      },
    ]);
  });

  it("spans the lines dropped between two segments", () => {
    const segments = [
      { cleanedStart: 0, document: 0, sourceStart: 0, length: 4 },
      { cleanedStart: 4, document: 0, sourceStart: 50, length: 6 },
    ];
    const { insights } = consolidate(
      input({ texts: ["ab\ncd ef gh"], segments, results: [ok(1, [insight("x", { quote: "cd ef" })])] }),
    );
    expect(insights[0]?.sources[0]).toMatchObject({ start: 3, end: 54, cleanedStart: 3, cleanedEnd: 8 });
  });

  it("finds a quote whose white space differs, and shows it as it stands", () => {
    const texts = ["x  The lease\n  outlives\tit. y"];
    const { insights } = consolidate(input({ texts, results: [ok(1, [insight("a", { quote: "The lease outlives it." })])] }));
    expect(insights[0]?.sources[0]).toMatchObject({
      cleanedStart: 3,
      cleanedEnd: 27,
      quote: "The lease\n  outlives\tit.",
      exact: true,
    });
  });

  it("names the whole chunk when the quote is not there, and says so", () => {
    const results = [ok(1, []), ok(2, [insight("a", { quote: "never said" })])];
    const { insights } = consolidate(input({ texts: ["first.", "second."], results }));
    expect(insights[0]?.sources).toEqual([
      {
        chunk: 2,
        attempt: 1,
        document: 0,
        start: 6,
        end: 13,
        cleanedStart: 6,
        cleanedEnd: 13,
        quote: "never said",
        exact: false,
      },
    ]);
  });

  it("looks for a quote in its own chunk only", () => {
    const results = [ok(1, []), ok(2, [insight("a", { quote: "first" })])];
    expect(consolidate(input({ texts: ["first.", "second."], results })).insights[0]?.sources[0]?.exact).toBe(false);
  });

  it("looks for the statement itself when there is no quote", () => {
    const results = [ok(1, [insight("The lease outlives it.", { quote: null })])];
    const { insights } = consolidate(input({ texts: ["So: The lease outlives it."], results }));
    expect(insights[0]?.sources[0]).toMatchObject({ cleanedStart: 4, cleanedEnd: 26, exact: true });
  });

  it("gives a sentence said twice in a chunk both its places", () => {
    const text = "Renew it early. Renew it early.";
    const results = [ok(1, [insight("Renew it early."), insight("Renew it early.")])];
    const { insights, duplicates } = consolidate(input({ texts: [text], results }));
    expect(insights.map(({ sources }) => sources.map(({ start }) => start))).toEqual([[0, 16]]);
    expect(duplicates).toBe(1);
  });

  it("counts the same place once", () => {
    const results = [
      ok(1, [insight("Renew the lease early on."), insight("Renew lease early on!", { quote: "Renew the lease early on." })]),
    ];
    expect(
      consolidate(input({ texts: ["Renew the lease early on."], results })).insights.map(({ sources }) => sources.length),
    ).toEqual([1]);
  });
});

describe("merging", () => {
  it("shows the plain wording of a restated decision and keeps both sources", () => {
    const said = "Decided: renew the lease every third of its length.";
    const again = `As said before, on leases: decided: renew the lease every third of its length.`;
    const texts = [`${said}\n`, `${again}\n`];
    const { insights, duplicates } = consolidate(input({ texts, results: [ok(1, [insight(said)]), ok(2, [insight(again)])] }));
    expect(insights.map(({ content, sources }) => ({ content, chunks: sources.map(({ chunk }) => chunk) }))).toEqual([
      { content: said, chunks: [1, 2] },
    ]);
    expect(duplicates).toBe(1);
    expect(insights[0]?.scoreParts.sources).toBe(1);
  });

  it("shows the fuller wording, although the shorter one is surer", () => {
    const short = "The nightly export reads every customer row one by one.";
    const full = "The nightly export reads every customer row one by one, which makes ten thousand queries for a large shop.";
    const results = [ok(1, [insight(short)]), ok(2, [insight(full, { confidence: "low" })])];
    const { insights } = consolidate(input({ texts: [short, full], results }));
    expect(insights.map(({ content, sources }) => [content, sources.length])).toEqual([[full, 2]]);
  });

  it("takes the surer of equal wordings", () => {
    const results = [
      ok(1, [insight("Renew the lease.", { confidence: "low", topic: "a" })]),
      ok(2, [insight("renew the lease", { topic: "b" })]),
    ];
    const { insights } = consolidate(input({ texts: ["a", "b"], results }));
    expect(insights).toMatchObject([{ content: "renew the lease", topic: "b", confidence: "high" }]);
  });

  it("does not join two statements over a third that fits both", () => {
    const results = [
      ok(1, [
        insight("One limiter is kept for every key and model in this process."),
        insight("One limiter is kept for every key and model in this process at 50 a minute."),
        insight("One limiter is kept for every key and model in this process at 500 a minute."),
      ]),
    ];
    const { insights } = consolidate(input({ results }));
    expect(insights.map(({ content }) => content).sort()).toEqual([
      "One limiter is kept for every key and model in this process at 50 a minute.",
      "One limiter is kept for every key and model in this process at 500 a minute.",
    ]);
  });

  it("has no cap a day", () => {
    const many = Array.from({ length: 60 }, (_, i) => insight(`Server number ${i} stays in Oslo.`));
    expect(consolidate(input({ results: [ok(1, many)] })).insights.length).toBe(60);
  });
});

describe("the list", () => {
  it("is ordered by score and numbered, and fits its schema", () => {
    const results = [
      ok(1, [
        insight("Plain words here", { section: null, confidence: "low" }),
        insight("Decided: purge by product, because a full purge doubles the load."),
      ]),
    ];
    const consolidated = consolidate(input({ results }));
    expect(consolidated.insights.map(({ rank, content }) => [rank, content])).toEqual([
      [1, "Decided: purge by product, because a full purge doubles the load."],
      [2, "Plain words here"],
    ]);
    expect(consolidatedSchema.parse(consolidated)).toEqual(consolidated);
  });
});
