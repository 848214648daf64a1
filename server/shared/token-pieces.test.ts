import { describe, expect, it } from "vitest";
import { randomMarkdown, seededRandom } from "@/server/testing/random-markdown";
import { countPieces, tokenizePieces } from "./token-pieces";

describe("token pieces", () => {
  it.each([
    ["", 0],
    ["word", 1],
    ["two words", 2],
    ["a lease must outlive its call", 6],
    ["internationalisation", 3],
    ["camelCase", 2],
    ["2026-04-19", 6],
    ["规则：先按标题切", 8],
    ["----------", 3],
    ["a\n\n\nb", 3],
    ["    indented", 2],
    ["😀😀", 2],
    ["Привет", 2],
  ])("counts %j as %i", (text, count) => {
    expect(countPieces(text)).toBe(count);
  });

  it("counts what it tokenizes, on any text", () => {
    for (let seed = 0; seed < 40; seed++) {
      const text = randomMarkdown(seed, 12);
      expect(tokenizePieces(text)).toHaveLength(countPieces(text));
    }
  });

  it("gives the same piece the same number, and other pieces other numbers", () => {
    const [first, second, third] = tokenizePieces(" lease call lease");
    expect(first).toBe(third);
    expect(first).not.toBe(second);
    expect(first).toBe(tokenizePieces(" lease")[0]);
  });

  it("never counts less when a text is cut in two", () => {
    const random = seededRandom(11);
    for (let seed = 100; seed < 140; seed++) {
      const text = randomMarkdown(seed, 4);
      const at = random.below(text.length + 1);
      expect(countPieces(text.slice(0, at)) + countPieces(text.slice(at))).toBeGreaterThanOrEqual(countPieces(text));
    }
  });

  it("is near four characters a piece for English and one for Chinese", () => {
    const english =
      "The worker renews its lease every third of the time, so that a slow call does not lose the chunk it works on. ".repeat(20);
    const chinese = "启动时先解析场景对应的模型，解析不到就拒绝启动并报警。".repeat(20);
    expect(english.length / countPieces(english)).toBeGreaterThan(3.5);
    expect(english.length / countPieces(english)).toBeLessThan(5);
    expect(chinese.length / countPieces(chinese)).toBe(1);
  });
});
