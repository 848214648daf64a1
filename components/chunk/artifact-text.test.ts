import { describe, expect, it } from "vitest";
import { cutText, rawTextOf, SHOWN_BYTES, shownBody } from "./artifact-text";

describe("shownBody", () => {
  it("makes JSON readable, or leaves it as it came", () => {
    expect(shownBody('{"a":[1]}', "pretty")).toEqual({ text: '{\n  "a": [\n    1\n  ]\n}', isCut: false, isJson: true });
    expect(shownBody('{"a":[1]}', "raw")).toEqual({ text: '{"a":[1]}', isCut: false, isJson: true });
  });

  it("shows the prompt of a request as the model reads it", () => {
    const request = JSON.stringify({ version: "xkb.infer.v1", input: { system: "Read.\nWrite.", user: "Notes" } });
    expect(shownBody(request, "prompt").text).toBe("Read.\nWrite.\n\n────────\n\nNotes");
    expect(shownBody('{"input":{}}', "prompt")).toEqual({ text: '{"input":{}}', isCut: false, isJson: false });
  });

  it("says when a body is no JSON", () => {
    expect(shownBody("{oops", "pretty")).toEqual({ text: "{oops", isCut: false, isJson: false });
  });

  it("shows the beginning of a large one", () => {
    const shown = shownBody("x".repeat(SHOWN_BYTES + 1), "raw");
    expect(shown.text.length).toBe(SHOWN_BYTES);
    expect(shown.isCut).toBe(true);
  });
});

describe("cutText", () => {
  it("counts bytes and splits no character", () => {
    expect(cutText("aé😀b", 3)).toBe("aé");
    expect(cutText("aé😀b", 6)).toBe("aé");
    expect(cutText("aé😀b", 7)).toBe("aé😀");
    expect(cutText("aé😀b", 100)).toBe("aé😀b");
  });
});

describe("rawTextOf", () => {
  it("reads the answer's own text out of a result", () => {
    expect(rawTextOf('{"ok":false,"raw_text":"not json"}')).toBe("not json");
    expect(rawTextOf('{"ok":false,"raw_text":""}')).toBeNull();
    expect(rawTextOf('{"ok":false}')).toBeNull();
    expect(rawTextOf("oops")).toBeNull();
  });
});
