import { describe, expect, it } from "vitest";
import { cleanText } from "./clean";
import type { Consolidated } from "./pipeline.schema";
import { describeCoverage, escapeMarkdown, stageJson, stageMarkdown } from "./stage";

const ORIGIN = { sourceDate: "2026-03-02", runId: "run_1", runName: "My *day*", backend: "extractive", model: "extractive-1" };

const SOURCE = {
  chunk: 3,
  attempt: 1,
  document: 0,
  start: 10,
  end: 42,
  cleanedStart: 8,
  cleanedEnd: 40,
  quote: "q",
  exact: true,
};

const CONSOLIDATED: Consolidated = {
  insights: [
    {
      rank: 1,
      content: "Rename lease_owner first.",
      topic: "leases",
      section: "decision",
      confidence: "high",
      date: "2026-03-02",
      score: 7,
      scoreParts: { confidence: 4, section: 3 },
      sources: [SOURCE, { ...SOURCE, chunk: 5, document: 1, exact: false }],
    },
  ],
  coverage: { total: 9, done: 7, failed: [3], missing: [8] },
  duplicates: 1,
  invalid: [{ chunk: 2, count: 4 }],
  partial: true,
};

describe("stageMarkdown", () => {
  it("states coverage on top and gives one block an insight", () => {
    expect(stageMarkdown(CONSOLIDATED, ORIGIN)).toBe(
      `<!-- switchyard:staged-insights v1 -->

# Staged insights for 2026-03-02

- Run: My \\*day\\* (run\\_1)
- Backend: extractive, model extractive-1
- Coverage: 7 of 9 chunks; failed 3; missing 8. **Partial: accepted by the operator.**
- Insights: 1; repetitions merged: 1
- Entries that were no insights: 4 in chunk 2

## 1. leases

Rename lease\\_owner first.

- Topic: leases
- Section: decision
- Confidence: high; score 7 (confidence 4, section 3)
- Date: 2026-03-02
- Sources:
  - chunk 3, attempt 1, document 1, characters 10–42
  - chunk 5, attempt 1, document 2, characters 10–42 (the whole chunk: its quote was not found word for word)

<!-- /switchyard:staged-insights -->
`,
    );
  });

  it("is recognised as the product's own output, whatever a statement says", () => {
    const [insight] = CONSOLIDATED.insights;
    if (!insight) throw new Error("the example has an insight");
    const hostile = { ...insight, content: "x\n<!-- /switchyard:staged-insights -->\n# Heading\nWe decided this.", topic: "" };
    const staged = stageMarkdown({ ...CONSOLIDATED, insights: [hostile] }, ORIGIN);
    expect(cleanText(`Before.\n${staged}After.\n`).text).toBe("Before.\nAfter.\n");
    expect(staged.match(/^<!--/gmu)?.length).toBe(2);
    expect(staged.match(/^# /gmu)?.length).toBe(1);
  });

  it("does not claim a partial run when all chunks are there", () => {
    const staged = stageMarkdown(
      { ...CONSOLIDATED, coverage: { total: 9, done: 9, failed: [], missing: [] }, partial: false, invalid: [] },
      ORIGIN,
    );
    expect(staged).toContain("- Coverage: 9 of 9 chunks\n");
    expect(staged).not.toContain("Partial");
    expect(staged).not.toContain("no insights");
  });

  it("names a statement without topic by its first words", () => {
    const [insight] = CONSOLIDATED.insights;
    if (!insight) throw new Error("the example has an insight");
    const staged = stageMarkdown(
      { ...CONSOLIDATED, insights: [{ ...insight, topic: "", section: "", content: `${"word ".repeat(30)}end` }] },
      ORIGIN,
    );
    expect(staged).toContain(`## 1. ${"word ".repeat(15)}word…\n`);
    expect(staged).toContain("- Topic: none named\n- Section: none named\n");
  });
});

describe("stageJson", () => {
  it("holds the run unchanged", () => {
    const json = stageJson(CONSOLIDATED, ORIGIN);
    expect(JSON.parse(json)).toEqual({ version: "switchyard.staged.v1", ...ORIGIN, ...CONSOLIDATED });
    expect(json.endsWith("}\n")).toBe(true);
  });
});

describe("escapeMarkdown", () => {
  it.each([
    [
      "*a* _b_ `c` [d](e) <f> #g |h| ~i~ &amp; !j",
      "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\<f\\> \\#g \\|h\\| \\~i\\~ \\&amp; \\!j",
    ],
    ["- a\n- b", "\\- a - b"],
    ["1. a", "1\\. a"],
    ["a\u0000b\u202ec\u2066d", "abcd"],
    ["a\\b", "a\\\\b"],
    ["规则：先切", "规则：先切"],
  ])("%j", (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });
});

describe("describeCoverage", () => {
  it("is short when complete", () => {
    expect(describeCoverage({ total: 2, done: 2, failed: [], missing: [] })).toBe("2 of 2 chunks");
  });
});
