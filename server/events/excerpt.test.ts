import { describe, expect, it } from "vitest";
import { excerptOf } from "./excerpt";

describe("an excerpt", () => {
  it("of a text that fits is the text", () => {
    expect(excerptOf("x".repeat(256), 256)).toEqual({ text: "x".repeat(256), isCut: false, whole: "x".repeat(256) });
  });

  it("keeps both ends, says how much is missing, and holds the limit", () => {
    const whole = `begin${"-".repeat(1000)}end`;
    const { text, isCut } = excerptOf(whole, 300);
    expect(isCut).toBe(true);
    expect(text).toBe(`begin${"-".repeat(121)}\n… 756 bytes left out …\n${"-".repeat(123)}end`);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300);
  });

  it.each([2, 3, 4])("cuts no character of %i bytes", (bytes) => {
    const character = { 2: "é", 3: "漢", 4: "😀" }[bytes] ?? "";
    for (let shift = 0; shift < 4; shift++) {
      const { text } = excerptOf("a".repeat(shift) + character.repeat(400), 300);
      expect(text).not.toContain("\ufffd");
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300);
    }
  });
});
