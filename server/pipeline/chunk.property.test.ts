import { describe, expect, it } from "vitest";
import { tokenizerOf } from "@/server/inference/tokenizer";
import { randomMarkdown } from "@/server/testing/random-markdown";
import { chunkText } from "./chunk";
import { type MarkdownLine, readMarkdownLines } from "./markdown-lines";

describe.each(["pieces", "o200k", "mock-4-chars"] as const)("chunks counted by %s", (id) => {
  const { countTokens } = tokenizerOf(id);

  it.each([50, 64, 200, 1000])("lose nothing, overlap nowhere and keep a budget of %i", (budget) => {
    for (let seed = 0; seed < 25; seed++) {
      const text = randomMarkdown(seed, 30);
      const chunks = chunkText(text, { budget, countTokens });
      if (text.trim() === "") continue;
      expect(chunks.map(({ start, end }) => text.slice(start, end)).join(""), `seed ${seed}`).toBe(text);
      let position = 0;
      for (const { start, end, tokens } of chunks) {
        const chunk = text.slice(start, end);
        expect(start, `seed ${seed}`).toBe(position);
        expect(end).toBeGreaterThan(start);
        // Only a long run of white space at the end may go over the budget; cleaned text has none.
        const isBlankTail = chunk.length - chunk.trimEnd().length > 100;
        expect(countTokens(chunk.trimEnd()), `seed ${seed}`).toBeLessThanOrEqual(budget);
        if (!isBlankTail) expect(Math.max(tokens, countTokens(chunk)), `seed ${seed}`).toBeLessThanOrEqual(budget);
        expect(chunk.trim(), `seed ${seed}`).not.toBe("");
        // Half a surrogate pair would not come back from UTF-8.
        expect(Buffer.from(chunk, "utf8").toString("utf8"), `seed ${seed}`).toBe(chunk);
        position = end;
      }
    }
  });

  it("cut no fence that fits", () => {
    const budget = 200;
    let seen = 0;
    for (let seed = 0; seed < 40; seed++) {
      const text = randomMarkdown(seed, 30);
      const starts = new Set(chunkText(text, { budget, countTokens }).map(({ start }) => start));
      const fences: MarkdownLine[][] = [];
      for (const line of readMarkdownLines(text)) {
        if (line.fence < 0) continue;
        fences[line.fence] ??= [];
        fences[line.fence]?.push(line);
      }
      for (const lines of fences) {
        if (countTokens(text.slice(lines[0]?.start, lines.at(-1)?.end)) > budget) continue;
        seen++;
        for (const line of lines.slice(1)) expect(starts.has(line.start), `seed ${seed}`).toBe(false);
      }
    }
    expect(seen).toBeGreaterThan(20);
  });
});
