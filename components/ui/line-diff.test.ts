import { describe, expect, it } from "vitest";
import { diffLines, linesOf } from "./line-diff";

const hunk = (oldStart: number, oldEnd: number, newStart: number, newEnd: number) => ({ oldStart, oldEnd, newStart, newEnd });

/** The new lines, made from the old ones and the hunks alone. */
function applied(before: string[], after: string[]): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(before, after)) {
    lines.push(...before.slice(at, oldStart), ...after.slice(newStart, newEnd));
    at = oldEnd;
  }
  return [...lines, ...before.slice(at)];
}

describe("diffLines", () => {
  it("finds nothing in equal texts", () => {
    expect(diffLines(["a", "b"], ["a", "b"])).toEqual([]);
  });

  it("names what was changed, added and removed", () => {
    expect(diffLines(linesOf("a\nb\nc"), linesOf("a\nB\nc"))).toEqual([hunk(1, 2, 1, 2)]);
    expect(diffLines(linesOf("a\nc"), linesOf("a\nb\nc"))).toEqual([hunk(1, 1, 1, 2)]);
    expect(diffLines(linesOf("a\nb\nc"), linesOf("a\nc"))).toEqual([hunk(1, 2, 1, 1)]);
    expect(diffLines(linesOf("a\nb\nc\nd\ne"), linesOf("A\nb\nc\nd\nE"))).toEqual([hunk(0, 1, 0, 1), hunk(4, 5, 4, 5)]);
  });

  it("reads line ends of Windows as line ends", () => {
    expect(diffLines(linesOf("a\r\nb"), linesOf("a\nb"))).toEqual([]);
  });

  it("leads from any text to any other", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const text = () => Array.from({ length: random(30) }, () => "abcd"[random(4)] ?? "");
    for (let round = 0; round < 300; round++) {
      const [before, after] = [text(), text()];
      expect(applied(before, after)).toEqual(after);
    }
  });

  it("does not search for ever in two large texts without a common line", () => {
    const before = Array.from({ length: 4_000 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 4_000 }, (_, index) => `new ${index}`);
    expect(diffLines(before, after)).toEqual([hunk(0, 4_000, 0, 4_000)]);
  });
});
