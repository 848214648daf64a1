import { describe, expect, it } from "vitest";
import type { ChunkDetail } from "@/server/runs/run.schema";
import { buildAttempt as attempt } from "@/server/testing/build-chunk";
import { besideOf, besideRows, comparedText } from "./answers-beside";

type Attempt = ChunkDetail["attempts"][number];

const numbers = (
  attempts: Attempt[],
  accepted: number | null,
  wanted = { old: null, fresh: null } as { old: number | null; fresh: number | null },
) => {
  const pair = besideOf(attempts, accepted, wanted);
  return pair && [pair.old.number, pair.fresh.number];
};

describe("the two answers that are looked at", () => {
  const four = [attempt(1, "{}"), attempt(2, "{}"), attempt(3, null), attempt(4, "{}")];

  it("are the one that counts and the newest other one, in their order", () => {
    expect(numbers(four, 4)).toEqual([2, 4]);
    expect(numbers(four, 1)).toEqual([1, 4]);
    expect(numbers(four, null)).toEqual([2, 4]);
  });

  it("are those that somebody has chosen, where they are there", () => {
    expect(numbers(four, 4, { old: 1, fresh: 2 })).toEqual([1, 2]);
    expect(numbers(four, 4, { old: 3, fresh: 9 })).toEqual([2, 4]);
  });

  it("are none while there are not two", () => {
    expect(numbers([attempt(1, "{}"), attempt(2, null)], 1)).toBeNull();
    expect(numbers([], null)).toBeNull();
  });
});

describe("what is compared", () => {
  it("is the output, else what the model wrote, else nothing", () => {
    expect(comparedText(attempt(1, '{"output":{"a":1},"raw_text":"x"}')).text).toBe('{\n  "a": 1\n}');
    expect(comparedText(attempt(1, '{"raw_text":"{\\"a\\":1}"}')).text).toBe('{\n  "a": 1\n}');
    expect(comparedText(attempt(1, '{"raw_text":"no JSON"}')).text).toBe("no JSON");
    expect(comparedText(attempt(1, '{"ok":false}'))).toEqual({ text: "", isCut: false });
  });

  it("has the lines of JSON also where it is cut, and where it is broken", () => {
    const cut = attempt(1, JSON.stringify({ raw_text: '{"insights":[{"content":"a, b: {c}","n":1},{"content":"the o' }));
    expect(comparedText(cut).text).toBe(
      '{\n  "insights": [\n    {\n      "content": "a, b: {c}",\n      "n": 1\n    },\n    {\n      "content": "the o',
    );
    expect(comparedText(attempt(1, JSON.stringify({ raw_text: '{"a": "x\\"y", b}' }))).text).toBe('{\n  "a": "x\\"y",\n  b\n}');
    expect(comparedText(attempt(1, JSON.stringify({ raw_text: "Sure, {a} is" }))).text).toBe("Sure, {a} is");
  });

  it("is bounded", () => {
    const { text, isCut } = comparedText(attempt(1, JSON.stringify({ raw_text: "x".repeat(70_000) })));
    expect([text.length, isCut]).toEqual([65_536, true]);
  });

  it("stands line by line, what differs next to each other", () => {
    expect(besideRows("a\nb\nc\nd", "a\nB\nd\ne").map(({ old, fresh, isSame }) => [old, fresh, isSame])).toEqual([
      ["a", "a", true],
      ["b", "B", false],
      ["c", null, false],
      ["d", "d", true],
      [null, "e", false],
    ]);
    const keys = besideRows("a\nb\nc\nd", "a\nB\nd\ne").map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
