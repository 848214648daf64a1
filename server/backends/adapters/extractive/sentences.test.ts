import { describe, expect, it } from "vitest";
import { plainText, type Statement, statementsByBlock } from "./sentences";

function split(text: string): Statement[] {
  return [...statementsByBlock(text)].flat();
}

function contents(text: string): string[] {
  return split(text).map((statement) => statement.content);
}

describe("a statement over wrapped lines", () => {
  it.each([
    ["<config.h>", "first on the unit tests."],
    ["<stdio.h>", "after the others."],
    ["<user@example.com>", "and nobody else."],
    ["<foo>", "as a placeholder for the name."],
    ["#include <x>", "above everything else."],
    ["<br>", "in the middle of a sentence."],
    ["(see", "the notes of the release)."],
  ])("goes on at %s", (word, rest) => {
    const item = `* Fix build failures caused by not including\n    ${word} ${rest}`;
    expect(contents(item)).toEqual([`Fix build failures caused by not including ${word} ${rest}`]);
    const prose = `We fixed the build failures that were caused by using\n${word} ${rest}`;
    expect(contents(prose)).toEqual([`We fixed the build failures that were caused by using ${word} ${rest}`]);
  });

  it("goes on behind a comma, an open bracket and a word that needs another", () => {
    const width = "This first line of the paragraph sets how wide the writer makes the lines.";
    for (const end of ["because of the", "as Ann said (in", "for three hosts,"]) {
      expect(contents(`${width}\nThe test failed ${end}\nLibreSSL check`)).toEqual([
        width,
        `The test failed ${end} LibreSSL check`,
      ]);
    }
  });

  it("goes on into a line that leads to a list", () => {
    expect(contents("- The merge is empty, because\n  we revert all of its changes:\n  - Drop the patch")).toEqual([
      "The merge is empty, because we revert all of its changes:",
      "Drop the patch",
    ]);
  });

  it("is taken whole from an indented paragraph of prose, and not at all from indented code", () => {
    const prose = "Entry\n\n    The lock is taken first, so that the cache is\n    never read while it is written.\n";
    expect(contents(prose)).toEqual(["Entry", "The lock is taken first, so that the cache is never read while it is written."]);
    expect(contents("Entry\n\n    const a = open(path);\n    close(a);\n")).toEqual(["Entry"]);
  });
});

describe("a chat", () => {
  it("has a statement for each nick, without the nick", () => {
    expect(contents("<ann> The queue is full.\n<bob> We add a worker.")).toEqual(["The queue is full.", "We add a worker."]);
    expect(contents("[14:02] <Bob B> The queue is full.")).toEqual(["The queue is full."]);
    expect(contents("<name> stands for the name.")).toEqual(["<name> stands for the name."]);
  });
});

describe("statements of Markdown", () => {
  it("takes list items whole and joins their continuation lines", () => {
    const text = "- First thing.\n  It goes on here.\n* Second\n1. Third\n2) Fourth";
    expect(contents(text)).toEqual(["First thing. It goes on here.", "Second", "Third", "Fourth"]);
  });

  it("splits prose into sentences and wrapped lines stay one sentence", () => {
    const text = "The pool ran dry under load, and the requests\nwaited. Nobody saw it.";
    expect(contents(text)).toEqual(["The pool ran dry under load, and the requests waited.", "Nobody saw it."]);
  });

  it("ends a sentence where a writer ended the line without a mark", () => {
    expect(contents("Slept badly\nThe buffer matters more than the temperature")).toEqual([
      "Slept badly",
      "The buffer matters more than the temperature",
    ]);
  });

  it("splits Chinese prose at its full stops", () => {
    expect(contents("先备份数据库。再升级版本！网关不用重启。")).toEqual(["先备份数据库。", "再升级版本！", "网关不用重启。"]);
  });

  it("does not end a sentence after an abbreviation, in a bracket or in code", () => {
    expect(contents("Use a queue, e.g. Redis, for this. Call `a. B` (it is new. Really) first.")).toEqual([
      "Use a queue, e.g. Redis, for this.",
      "Call `a. B` (it is new. Really) first.",
    ]);
  });

  it("keeps a sentence that leans on the one before with it", () => {
    expect(contents("The job ran under the wrong user. Therefore it found no home. Lunch was late.")).toEqual([
      "The job ran under the wrong user. Therefore it found no home.",
      "Lunch was late.",
    ]);
  });

  it("leaves out tables, code, check boxes, comments, front matter and rules", () => {
    const text = [
      "---",
      "title: x",
      "---",
      "# Day",
      "| a | b |",
      "|---|---|",
      "| 1 | 2 |",
      "x | y",
      "--|--",
      "1 | 2",
      "",
      "```sh",
      "never run this",
      "```",
      "",
      "- [ ] open task",
      "  with a second line",
      "- [x] done task",
      "<!-- a",
      "comment -->",
      "***",
      "Kept.",
    ].join("\n");
    expect(contents(text)).toEqual(["Kept."]);
  });

  it("starts a statement at every labelled line of a paragraph and merges the label with its sentence", () => {
    const text =
      "### Broken export\n**Problem:** letters were broken.\n**Root cause:** the mark was missing.\nRule: write the mark.";
    expect(split(text).map(({ label, content, body }) => ({ label, content, body }))).toEqual([
      { label: "problem", content: "Problem: letters were broken.", body: "letters were broken." },
      { label: "cause", content: "Root cause: the mark was missing.", body: "the mark was missing." },
      { label: "rule", content: "Rule: write the mark.", body: "write the mark." },
    ]);
  });

  it("knows the headings above, outermost first, and lead-ins of lists", () => {
    const text = "# Day\n## Work\n- one\n## Rest\nDecisions:\n- two\n\n# Next day\n- three";
    expect(split(text).map(({ content, headings, label }) => ({ content, headings, label }))).toEqual([
      { content: "one", headings: ["Day", "Work"], label: null },
      { content: "two", headings: ["Day", "Rest", "Decisions"], label: "decision" },
      { content: "three", headings: ["Next day"], label: null },
    ]);
  });

  it("takes setext headings and bold lines as headings", () => {
    const text = "Title\n=====\n\n**Causes**\n\n- one";
    expect(split(text)[0]?.headings).toEqual(["Title", "Causes"]);
  });

  it("leaves out who speaks and when", () => {
    expect(contents("User: never do that\n[09:40] dana: commit first\n14:02 the relay dropped it")).toEqual([
      "never do that",
      "commit first",
      "the relay dropped it",
    ]);
  });
});

describe("positions", () => {
  it("names the verbatim range, marks and line breaks inside included", () => {
    const text = "# T\n\n> Wrapped and quoted text that goes\n> on here. Short one.\n\n- **Rule:** keep\n  the mark";
    expect(split(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "Wrapped and quoted text that goes\n> on here.",
      "Short one.",
      "**Rule:** keep\n  the mark",
    ]);
  });

  it("holds for characters outside the basic plane", () => {
    const text = "🎉 done\n\nThe 😀 face breaks it. 𠀀字不能切开。";
    for (const { start, end, content } of split(text)) expect(plainText(text.slice(start, end))).toBe(content);
    expect(contents(text)).toEqual(["🎉 done", "The 😀 face breaks it.", "𠀀字不能切开。"]);
  });

  it("takes no more than linear time for a long unbroken paragraph", () => {
    const text = "We decided this. ".repeat(20_000);
    const statements = split(text);
    expect(statements.length).toBe(20_000);
    expect(statements.at(-1)?.end).toBe(text.trimEnd().length);
  });
});

describe("plainText", () => {
  it.each([
    ["**bold** and *slanted* and `code`", "bold and slanted and `code`"],
    ["a [link](https://example.test/a_(b)) here", "a link here"],
    ["snake_case_name stays", "snake_case_name stays"],
    ["先 按标题 切", "先按标题切"],
    ["3 * 4 * 5", "3 * 4 * 5"],
  ])("%s", (markdown, plain) => {
    expect(plainText(markdown)).toBe(plain);
  });
});
