import { describe, expect, it } from "vitest";
import type { InsightsView } from "@/server/runs/run.schema";
import { AT_PARSER, placeInChunk } from "./quote";

const unbroken = { index: 3, text: "0123456789", start: 50, sourceStart: 100, sourceEnd: 110 };
/** Two lines of the document were dropped inside it. */
const broken = { ...unbroken, sourceEnd: 140 };

const insights: InsightsView = {
  items: [
    {
      rank: 1,
      content: "c",
      topic: "t",
      section: "s",
      confidence: "high",
      date: "2026-04-19",
      score: 1,
      scoreParts: {},
      sources: [
        { chunk: 2, attempt: 1, document: 0, start: 132, end: 135, cleanedStart: 0, cleanedEnd: 3, quote: "no", exact: true },
        { chunk: 3, attempt: 1, document: 0, start: 132, end: 135, cleanedStart: 54, cleanedEnd: 57, quote: "456", exact: true },
      ],
    },
  ],
  coverage: null,
  duplicates: 0,
  partial: false,
};

describe("AT_PARSER", () => {
  it("reads a range and refuses everything else", () => {
    expect(AT_PARSER.parse("120-180")).toEqual({ start: 120, end: 180 });
    for (const bad of ["", "120", "180-120", "5-5", "-1-4", "a-b", "1-2-3", "1.5-3"])
      expect(AT_PARSER.parse(bad), bad).toBeNull();
  });
});

describe("placeInChunk", () => {
  it("shifts the range in a chunk without gaps, and cuts it at the edges", () => {
    expect(placeInChunk(unbroken, { start: 104, end: 107 }, undefined)).toEqual({ start: 4, end: 7 });
    expect(placeInChunk(unbroken, { start: 95, end: 102 }, undefined)).toEqual({ start: 0, end: 2 });
    expect(placeInChunk(unbroken, { start: 108, end: 300 }, undefined)).toEqual({ start: 8, end: 10 });
  });

  it("does not find what is outside", () => {
    expect(placeInChunk(unbroken, { start: 10, end: 20 }, undefined)).toBeNull();
    expect(placeInChunk(unbroken, { start: 110, end: 120 }, undefined)).toBeNull();
  });

  it("asks the insights where lines were dropped", () => {
    expect(placeInChunk(broken, { start: 132, end: 135 }, insights)).toEqual({ start: 4, end: 7 });
    expect(placeInChunk(broken, { start: 131, end: 135 }, insights)).toBeNull();
    expect(placeInChunk(broken, { start: 132, end: 135 }, undefined)).toBeNull();
  });
});
