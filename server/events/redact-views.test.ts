import { describe, expect, it } from "vitest";
import { seededRandom } from "@/server/testing/random-markdown";
import { decodedViews, hasEscapes } from "./redact-views";

/** What the innermost view makes of the text. */
function decoded(text: string): string {
  return decodedViews(text).at(-1)?.text ?? text;
}

describe("a text with escapes", () => {
  it.each([
    [String.raw`\u0073\u006B`, "sk"],
    [String.raw`\\u0073 \\\\u006b`, "s k"],
    [String.raw`\u{73}\u{1F600}\x6b`, "s😀k"],
    [String.raw`\ud83d\ude00`, "😀"],
    [String.raw`a\/b\u0041`, "a/bA"],
    [String.raw`\u0041\"\\b`, String.raw`A"\b`],
    ["&#x73;&#107;&#0000115;&#115 x", "sks" + "s x"],
    ["&#65;&amp;&lt;&gt;&quot;&apos;&nbsp;", "A&<>\"'&nbsp;"],
    ["%73%6b %E6%BC%A2 %F0%9F%98%80", "sk 漢 😀"],
    ["%ff%c3%28 %41", "%ff%c3( A"],
    // One inside another: percent in percent, JSON in an entity, JSON in percent codes.
    ["%2573", "s"],
    ["&#92;u0073", "s"],
    ["%5Cu0073", "s"],
    ["&amp;#x73; &#x41;", "s A"],
  ])("%j", (text, expected) => {
    expect(decoded(text)).toBe(expected);
  });

  it("says where each character stood", () => {
    const text = String.raw`ab\u0073c%6bd`;
    const [view] = decodedViews(text);
    expect(view?.text).toBe("absckd");
    const pieces = [..."absckd"].map((_, index) => {
      const source = view?.toSource(index, index + 1);
      return text.slice(source?.start, source?.end);
    });
    expect(pieces).toEqual(["a", "b", String.raw`\u0073`, "c", "%6b", "d"]);
    expect(view?.toSource(1, 5)).toEqual({ start: 1, end: text.length - 1 });
    expect(decodedViews("x%2573y").map((one) => one.toSource(1, 2))).toEqual([
      { start: 1, end: 4 },
      { start: 1, end: 6 },
    ]);
  });

  it.each([
    String.raw`C:\users\x`,
    String.raw`\u12`,
    "50 % of it",
    "100%",
    "R&D",
    "&amp;",
    "&#;",
    "&#x110000;",
    "%zz",
    String.raw`\n\t\"`,
  ])("%j holds none", (text) => {
    expect(decodedViews(text)).toEqual([]);
  });

  it("is taken apart in at most three layers, each shorter than the one before", () => {
    const random = seededRandom(12);
    const parts = ["\\", "\\u0073", "u0073", "%", "25", "73", "&", "#x", "#", "115", ";", "amp;", "x", "é", "{", "}", "/", '"'];
    for (let round = 0; round < 1000; round++) {
      const text = Array.from({ length: random.below(31) }, () => random.pick(parts)).join("");
      const lengths = [text, ...decodedViews(text).map((view) => view.text)].map(({ length }) => length);
      expect(lengths.length).toBeLessThanOrEqual(4);
      for (const [index, length] of lengths.slice(1).entries()) expect(length).toBeLessThan(lengths[index] ?? 0);
      for (const view of decodedViews(text)) {
        // Neighbours in the view are neighbours in the text, and all of it is covered.
        let end = 0;
        for (let at = 0; at < view.text.length; at++) {
          const source = view.toSource(at, at + 1);
          // Both halves of a pair may come from one escape.
          if (source.end !== end) expect(source.start).toBe(end);
          end = source.end;
        }
        expect(end).toBe(text.length);
      }
      if (!hasEscapes(text)) expect(lengths).toHaveLength(1);
    }
  });
});
