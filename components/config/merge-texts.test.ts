import { describe, expect, it } from "vitest";
import { mergeTexts } from "./merge-texts";

const BASE = "models:\n  default: a/1\n  extract: a/2\n  planner: a/3\n";

describe("mergeTexts", () => {
  it("keeps the changes of both sides, also in neighbouring lines", () => {
    const mine = BASE.replace("a/2", "b/2");
    const theirs = BASE.replace("a/1", "c/1").replace("a/3", "c/3");
    expect(mergeTexts(BASE, mine, theirs)).toEqual({
      text: "models:\n  default: c/1\n  extract: b/2\n  planner: c/3\n",
      overlaps: 0,
    });
  });

  it("lets mine stand where both changed the same line, and counts it", () => {
    const merged = mergeTexts(BASE, BASE.replace("a/2", "mine/2"), BASE.replace("a/2", "theirs/2").replace("a/3", "theirs/3"));
    expect(merged).toEqual({
      text: "models:\n  default: a/1\n  extract: mine/2\n  planner: theirs/3\n",
      overlaps: 1,
    });
  });

  it("has nothing to ask when both did the same", () => {
    const both = BASE.replace("a/2", "b/2");
    expect(mergeTexts(BASE, both, both)).toEqual({ text: both, overlaps: 0 });
  });

  it("keeps the lines that both added at one place, theirs first, and counts it", () => {
    const mine = BASE.replace("  planner", "  mine: a/8\n  planner");
    const theirs = BASE.replace("  planner", "  theirs: a/9\n  planner");
    expect(mergeTexts(BASE, mine, theirs)).toEqual({
      text: BASE.replace("  planner", "  theirs: a/9\n  mine: a/8\n  planner"),
      overlaps: 1,
    });
  });

  it("takes one change of mine over several of theirs as one place", () => {
    const mine = "models: {}\n";
    const theirs = BASE.replace("a/1", "c/1").replace("a/3", "c/3");
    expect(mergeTexts(BASE, mine, theirs)).toEqual({ text: mine, overlaps: 1 });
  });

  it("gives the other side when one changed nothing", () => {
    const changed = BASE.replace("a/1", "z/1");
    expect(mergeTexts(BASE, BASE, changed)).toEqual({ text: changed, overlaps: 0 });
    expect(mergeTexts(BASE, changed, BASE)).toEqual({ text: changed, overlaps: 0 });
  });
});
