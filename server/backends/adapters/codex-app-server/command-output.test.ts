import { describe, expect, it } from "vitest";
import { createCommandOutput } from "./command-output";

function outputOf(pieces: readonly string[], head: number, tail: number) {
  const output = createCommandOutput(head, tail);
  for (const piece of pieces) output.push(piece);
  return { bytes: output.bytes, text: output.text() };
}

describe("output that fits", () => {
  it("is all there, byte for byte", () => {
    expect(outputOf([], 10, 10)).toEqual({ bytes: 0, text: "" });
    expect(outputOf(["ab", "", "漢😀", "c"], 10, 10)).toEqual({ bytes: 10, text: "ab漢😀c" });
  });

  it("may fill both halves to the last character", () => {
    const text = "0123456789abcdefghij";
    expect(outputOf([text], 10, 10)).toEqual({ bytes: 20, text });
    expect(outputOf([...text], 10, 10)).toEqual({ bytes: 20, text });
  });
});

describe("output that does not fit", () => {
  const lines = Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`);
  const whole = lines.join("");

  it("keeps whole lines of both ends, and says how many bytes are missing", () => {
    const { bytes, text } = outputOf(lines, 200, 100);
    expect(bytes).toBe(whole.length);
    const [head = "", mark = "", tail = ""] = text.split(/\n(?=…)|(?<=…)\n/);
    expect(whole.startsWith(`${head}\n`)).toBe(true);
    expect(whole.endsWith(`\n${tail}`)).toBe(true);
    expect(head.split("\n").at(-1)).toMatch(/^line \d+$/);
    expect(tail.split("\n")[0]).toMatch(/^line \d+$/);
    expect([head.length <= 200, tail.length <= 100]).toEqual([true, true]);
    expect(mark).toBe(`… ${whole.length - head.length - tail.length} bytes left out …`);
  });

  it("is the same however it was cut into pieces", () => {
    const expected = outputOf([whole], 200, 100).text;
    for (const size of [1, 7, 99, 100, 101, 5_000]) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.slice(at * size, at * size + size));
      expect(outputOf(pieces, 200, 100), `pieces of ${size}`).toEqual({ bytes: whole.length, text: expected });
    }
  });

  it("without line ends loses its inner edges: half a secret could not be recognised", () => {
    const look = 64 * 1_024;
    const { bytes, text } = outputOf(["h".repeat(100_000), "m".repeat(50_000), "t".repeat(100_000)], 100_000, 100_000);
    expect(bytes).toBe(250_000);
    const [head = "", , tail = ""] = text.split(/\n(?=…)|(?<=…)\n/);
    expect(head).toBe("h".repeat(100_000 - look));
    expect(tail).toBe("t".repeat(100_000 - look));
  });

  it("counts bytes, not characters, of what is missing", () => {
    const { bytes, text } = outputOf(
      Array.from({ length: 100 }, () => "漢漢漢\n"),
      40,
      40,
    );
    expect(bytes).toBe(1_000);
    const [head = "", mark = "", tail = ""] = text.split(/\n(?=…)|(?<=…)\n/);
    expect(mark).toBe(`… ${1_000 - Buffer.byteLength(head) - Buffer.byteLength(tail)} bytes left out …`);
  });

  it("does not gather: what is kept stays within its limits", () => {
    const output = createCommandOutput(1_000, 1_000);
    for (let at = 0; at < 10_000; at++) output.push(`${"x".repeat(99)}\n`);
    expect(output.bytes).toBe(1_000_000);
    expect(output.text().length).toBeLessThan(2_100);
    expect(output.text()).toBe(output.text());
  });
});
