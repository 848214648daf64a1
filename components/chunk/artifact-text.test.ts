import { describe, expect, it } from "vitest";
import { cutText, prettyJson, quoteRange, rawTextOf, SHOWN_CHARACTERS } from "./artifact-text";

describe("artifact text", () => {
  it("indents JSON and says when there is none", () => {
    expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyJson('{"a":')).toBeNull();
  });

  it("cuts a long text without half an emoji", () => {
    expect(cutText("short")).toBe("short");
    expect(cutText(`${"x".repeat(SHOWN_CHARACTERS - 1)}😀`)).toBe("x".repeat(SHOWN_CHARACTERS - 1));
    expect(cutText("y".repeat(SHOWN_CHARACTERS + 5))).toHaveLength(SHOWN_CHARACTERS);
  });

  it("finds what the model said", () => {
    expect(rawTextOf('{"ok":false,"raw_text":"not json"}')).toBe("not json");
    expect(rawTextOf('{"ok":false,"raw_text":""}')).toBeNull();
    expect(rawTextOf('{"ok":false}')).toBeNull();
    expect(rawTextOf("broken")).toBeNull();
    expect(rawTextOf(undefined)).toBeNull();
  });

  it("turns offsets of the cleaned text into a range of the chunk", () => {
    expect(quoteRange("110-125", 100, 50)).toEqual({ start: 10, end: 25 });
    expect(quoteRange("90-110", 100, 50)).toEqual({ start: 0, end: 10 });
    expect(quoteRange("140-190", 100, 50)).toEqual({ start: 40, end: 50 });
    expect(quoteRange("10-20", 100, 50)).toBeNull();
    expect(quoteRange("nonsense", 0, 50)).toBeNull();
    expect(quoteRange(null, 0, 50)).toBeNull();
  });
});
