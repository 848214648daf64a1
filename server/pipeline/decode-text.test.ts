import { describe, expect, it } from "vitest";
import { isAppError } from "@/server/shared/app-error";
import { decodeText, MAX_INPUT_BYTES, normaliseText } from "./decode-text";

function refusal(work: () => unknown): { code: string; message: string; details: unknown } {
  try {
    work();
  } catch (error) {
    if (isAppError(error)) return { code: error.code, message: error.message, details: error.details };
    throw error;
  }
  throw new Error("nothing was refused");
}

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("decodeText", () => {
  it("reads UTF-8 with and without a byte order mark", () => {
    expect(decodeText(Buffer.from("规则 😀"), "a.md")).toBe("规则 😀");
    expect(decodeText(Buffer.from("\uFEFFrule"), "a.md")).toBe("rule");
    expect(decodeText(bytes(), "a.md")).toBe("");
  });

  it("makes every line end a line feed", () => {
    expect(decodeText(Buffer.from("a\r\nb\rc\n\r\n"), "a.md")).toBe("a\nb\nc\n\n");
  });

  it.each([
    ["a stray byte", bytes(0x61, 0x62, 0xff, 0x63), "byte 0xff at offset 2", 2],
    ["Latin-1", bytes(0x63, 0x61, 0x66, 0xe9, 0x20), "byte 0xe9 at offset 3", 3],
    ["an overlong form", bytes(0xc0, 0xaf), "byte 0xc0 at offset 0", 0],
    ["an overlong form of three bytes", bytes(0x61, 0xe0, 0x80, 0xaf), "byte 0xe0 at offset 1", 1],
    ["a surrogate", bytes(0xed, 0xa0, 0x80), "byte 0xed at offset 0", 0],
    ["a code point past the last", bytes(0xf4, 0x90, 0x80, 0x80), "byte 0xf4 at offset 0", 0],
    ["a character cut off", bytes(0x61, 0xe8, 0xa7), "the file ends inside a character at offset 3", 3],
  ])("refuses %s with its place", (_what, input, where, offset) => {
    expect(refusal(() => decodeText(input, "notes.md"))).toEqual({
      code: "invalid_encoding",
      message: `“notes.md” is not valid UTF-8: ${where}. Save it as UTF-8 and try again.`,
      details: { offset },
    });
  });

  it("finds the bad byte after characters of every length", () => {
    const good = Buffer.from("a é 规 😀 \u{10FFFF} ");
    expect(refusal(() => decodeText(Buffer.concat([good, bytes(0x80)]), "x")).details).toEqual({ offset: good.length });
  });

  it.each([
    [bytes(0xff, 0xfe, 0x61, 0x00), "UTF-16 text"],
    [bytes(0xfe, 0xff, 0x00, 0x61), "UTF-16 text"],
    [Buffer.from("%PDF-1.7\n"), "a PDF file"],
    [bytes(0x50, 0x4b, 0x03, 0x04, 0x14), "a ZIP archive or an Office document"],
    [bytes(0x89, 0x50, 0x4e, 0x47, 0x0d), "a PNG image"],
    [bytes(0xff, 0xd8, 0xff, 0xe0), "a JPEG image"],
    [bytes(0x1f, 0x8b, 0x08), "a gzip file"],
  ])("names what the file is instead of text (%#)", (input, what) => {
    const { code, message } = refusal(() => decodeText(input, "upload.md"));
    expect(code).toBe("invalid_encoding");
    expect(message).toContain(`“upload.md” is ${what}`);
  });

  it("refuses a NUL with its byte offset", () => {
    const { code, message, details } = refusal(() => decodeText(Buffer.from("é\0b"), "a.bin"));
    expect({ code, details }).toEqual({ code: "invalid_input", details: { offset: 2 } });
    expect(message).toContain("a NUL character at byte offset 2");
  });

  it("takes 20 MB and no byte more", () => {
    expect(decodeText(Buffer.alloc(MAX_INPUT_BYTES, 0x61), "big.md")).toHaveLength(MAX_INPUT_BYTES);
    expect(refusal(() => decodeText(Buffer.alloc(MAX_INPUT_BYTES + 1, 0x61), "big.md"))).toEqual({
      code: "too_large",
      message: "“big.md” is 20.0 MB (20971521 bytes); a document may have 20.0 MB. Split it and try again.",
      details: { bytes: 20971521, limit: 20971520 },
    });
  });
});

describe("normaliseText", () => {
  it("strips the mark and the carriage returns of a string", () => {
    expect(normaliseText("\uFEFFa\r\nb", "paste")).toBe("a\nb");
  });

  it("replaces half a surrogate pair and keeps whole ones", () => {
    expect(normaliseText("a\uD83D b \uDE00 😀 \uDE00\uD83D", "paste")).toBe("a\uFFFD b \uFFFD 😀 \uFFFD\uFFFD");
  });

  it("refuses a NUL with its character offset", () => {
    expect(refusal(() => normaliseText("规则\0", "paste"))).toMatchObject({ code: "invalid_input", details: { offset: 2 } });
  });

  it("counts the limit in bytes, not in characters", () => {
    expect(refusal(() => normaliseText("规".repeat(MAX_INPUT_BYTES / 3 + 1), "paste"))).toMatchObject({
      code: "too_large",
      details: { bytes: 20971521 },
    });
  });
});
