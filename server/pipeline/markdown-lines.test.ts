import { describe, expect, it } from "vitest";
import { randomMarkdown } from "@/server/testing/random-markdown";
import { readMarkdownLines } from "./markdown-lines";

const kinds = (text: string) => readMarkdownLines(text).map((line) => line.kind);

describe("readMarkdownLines", () => {
  it("names the kind of each line", () => {
    expect(kinds("# A\n\ntext\n- item\n  - nested\n1. one\n| a | b |\n")).toEqual([
      "heading",
      "blank",
      "text",
      "item",
      "item",
      "item",
      "table",
    ]);
  });

  it("keeps everything inside a closed fence, whatever it looks like", () => {
    expect(kinds("```\n# no heading\n\n- no item\n```\nafter")).toEqual(["fence", "fence", "fence", "fence", "fence", "text"]);
    expect(kinds("````md\n```\ninner\n```\n````\n")).toEqual(["fence", "fence", "fence", "fence", "fence"]);
    expect(kinds("~~~\n```\n~~~\n")).toEqual(["fence", "fence", "fence"]);
    expect(kinds("- item\n  ```\n  code\n  ```\n")).toEqual(["item", "fence", "fence", "fence"]);
  });

  it("takes an unclosed fence as text, so that the headings after it count", () => {
    expect(kinds("```js\ncode\n# heading\n")).toEqual(["text", "text", "heading"]);
    expect(kinds("```\na\n~~~\n# heading\n")).toEqual(["text", "text", "text", "heading"]);
    expect(kinds("````\na\n```\n# heading\n")).toEqual(["text", "text", "text", "heading"]);
  });

  it("numbers fences that touch apart", () => {
    expect(readMarkdownLines("```\na\n```\n```\nb\n```\n").map((line) => line.fence)).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it("knows tables with and without outer pipes, and no other lines with a pipe", () => {
    expect(kinds("a | b\n--|--\n1 | 2\nx\n")).toEqual(["table", "table", "table", "text"]);
    expect(kinds("run a | b now\nand c\n")).toEqual(["text", "text"]);
  });

  it("joins to the text", () => {
    for (let seed = 0; seed < 30; seed++) {
      const text = randomMarkdown(seed, 20);
      expect(
        readMarkdownLines(text)
          .map(({ start, end }) => text.slice(start, end))
          .join(""),
      ).toBe(text);
    }
  });

  it("reads many opening fences in linear time", () => {
    const started = process.cpuUsage();
    expect(readMarkdownLines("```js\n".repeat(200_000))).toHaveLength(200_000);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
  });
});
