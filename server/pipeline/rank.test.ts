import { describe, expect, it } from "vitest";
import { compareCodePoints, rank } from "./rank";

describe("rank", () => {
  it("is the sum of its named parts", () => {
    const ranking = rank({
      content: "Decided: `purge` by product, because a full purge doubles the load for 60 minutes.",
      section: "decision",
      confidence: "high",
      independentSources: 2,
    });
    expect(ranking).toEqual({
      score: 13,
      parts: { confidence: 4, section: 3, strongWords: 2, concreteness: 2, length: 1, sources: 1 },
    });
  });

  it("knows Chinese sections and words", () => {
    const ranking = rank({
      content: "决定：所有时间必须存 UTC，因为跨时区会算错",
      section: "规则",
      confidence: "medium",
      independentSources: 1,
    });
    expect(ranking.parts).toEqual({ confidence: 2, section: 3, strongWords: 3, concreteness: 0, length: 1, sources: 0 });
  });

  it("caps what repeats", () => {
    const once = { content: "Plain words", section: "", confidence: "low" as const };
    expect(rank({ ...once, independentSources: 1 }).score).toBe(0);
    expect(rank({ ...once, independentSources: 3 }).score).toBe(2);
    expect(rank({ ...once, independentSources: 900 }).score).toBe(2);
    expect(rank({ ...once, independentSources: 0 }).score).toBe(0);
  });
});

describe("compareCodePoints", () => {
  it("orders by code point, where UTF-16 order differs", () => {
    const words = ["\u{1F600}", "\uFF5E", "b", "a", "ab", "", "\u{1F601}"];
    expect(words.sort(compareCodePoints)).toEqual(["", "a", "ab", "b", "\uFF5E", "\u{1F600}", "\u{1F601}"]);
    expect(compareCodePoints("x", "x")).toBe(0);
  });
});
