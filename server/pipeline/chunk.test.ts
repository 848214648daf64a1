import { describe, expect, it } from "vitest";
import { tokenizerOf } from "@/server/inference/tokenizer";
import { chunkText } from "./chunk";

const { countTokens } = tokenizerOf("pieces");

/** The texts of the chunks. */
function cut(text: string, budget: number): string[] {
  return chunkText(text, { budget, countTokens }).map(({ start, end }) => text.slice(start, end));
}

const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");

describe("chunkText", () => {
  it("keeps a text that fits whole", () => {
    expect(chunkText("# A\n\nshort text.\n", { budget: 50, countTokens })).toEqual([{ start: 0, end: 17, tokens: 7 }]);
  });

  it("has nothing to cut in nothing", () => {
    expect(cut("", 50)).toEqual([]);
    expect(cut(" \n\n\t\n", 50)).toEqual([]);
  });

  it("begins a chunk at a heading", () => {
    const first = `# A\n\n${words(30)}.\n\n`;
    const second = `# B\n\n${words(30)}.\n`;
    expect(cut(first + second, 60)).toEqual([first, second]);
  });

  it("prefers a higher heading to a later one", () => {
    const one = `## A\n${words(30)}\n`;
    const two = `## B\n${words(10)}\n### C\n${words(10)}\n`;
    const three = `${words(30)}\n`;
    expect(cut(one + two + three, 60)).toEqual([one, two + three]);
  });

  it("leaves no heading at the end of a chunk", () => {
    const before = `${words(50)}.\n\n`;
    const after = `## Heading\n\n${words(50)}.\n`;
    expect(cut(before + after, 60)).toEqual([before, after]);
  });

  it("packs small sections together", () => {
    const text = Array.from({ length: 6 }, (_, index) => `## Section ${index}\n${words(10)}.\n`).join("");
    expect(cut(text, 1000)).toEqual([text]);
  });

  it("never cuts a fence that fits, even where the chunk before stays small", () => {
    const intro = "Intro.\n\n";
    const fence = `\`\`\`ts\n${Array.from({ length: 8 }, (_, line) => `call(${line});`).join("\n")}\n\`\`\`\n`;
    const chunks = cut(intro + fence + words(40), 55);
    expect(chunks.filter((chunk) => chunk.includes(fence))).toHaveLength(1);
    expect(chunks.join("")).toBe(intro + fence + words(40));
  });

  it("cuts a fence that does not fit between its lines", () => {
    const lines = Array.from({ length: 60 }, (_, line) => `const value${line} = ${line};`);
    for (const chunk of cut(`\`\`\`\n${lines.join("\n")}\n\`\`\`\n`, 60)) expect(chunk.endsWith("\n")).toBe(true);
  });

  it("keeps tables and list items whole", () => {
    const table = `| a | b |\n|---|---|\n${"| one | two |\n".repeat(4)}`;
    const item = `- ${words(12)}\n  ${words(12)}\n  - nested ${words(8)}\n`;
    for (const block of [table, item]) {
      const chunks = cut(`${words(45)}\n\n${block}\n${words(45)}\n\n${block}`, 64);
      expect(chunks.filter((chunk) => chunk.includes(block))).toHaveLength(2);
    }
  });

  it("cuts a long paragraph between sentences, and a line break ends none", () => {
    const sentence = "One two three four\nfive six seven eight. ";
    const chunks = cut(sentence.repeat(30), 60);
    expect(chunks.length).toBeGreaterThan(4);
    for (const chunk of chunks) expect(chunk.trimEnd().endsWith("eight.")).toBe(true);
  });

  it("cuts Chinese between sentences", () => {
    const chunks = cut("按固定字数切会把不要两个字分开，意思就反了。先按标题切！再按句子切？".repeat(20), 100);
    expect(chunks.length).toBeGreaterThan(6);
    for (const chunk of chunks) expect("。！？").toContain(chunk.at(-1));
  });

  it("cuts what has no sentences at line ends, else at blanks", () => {
    for (const chunk of cut(`${words(12)}\n`.repeat(40), 100)) expect(chunk.endsWith("\n")).toBe(true);
    for (const chunk of cut(words(400), 100).slice(0, -1)) expect(chunk.endsWith(" ")).toBe(true);
  });

  it("cuts a run of base64 by length alone", () => {
    const run = "QUJDREVGR0hJSktMTU5P".repeat(100);
    const ranges = chunkText(run, { budget: 100, countTokens });
    expect(ranges.at(-1)?.end).toBe(2000);
    for (const { tokens } of ranges) expect(tokens).toBeLessThanOrEqual(100);
  });

  it("never cuts inside a character as a reader sees it", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    for (const character of ["😀", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "e\u0301"]) {
      for (const lead of ["", "a", "ab"]) {
        const text = lead + character.repeat(300);
        const boundaries = new Set([...segmenter.segment(text)].map(({ index }) => index));
        for (const { start } of chunkText(text, { budget: 50, countTokens }))
          expect(boundaries.has(start), `${character} at ${start}`).toBe(true);
      }
    }
  });

  it("joins a short rest to the chunk before it", () => {
    const section = (title: string, size: number) => `# ${title}\n${words(size)}\n`;
    const text = section("A", 30) + section("B", 28) + section("C", 5);
    const sizes = chunkText(text, { budget: 60, countTokens }).map(({ tokens }) => tokens);
    expect(sizes).toEqual([34, 41]);
  });

  it("gives blank lines to the block before them, at the start to the first", () => {
    expect(cut(`\n\n# A\n${words(40)}\n\n\n\n# B\n${words(40)}\n\n\n`, 50)).toEqual([
      `\n\n# A\n${words(40)}\n\n\n\n`,
      `# B\n${words(40)}\n\n\n`,
    ]);
  });
});
