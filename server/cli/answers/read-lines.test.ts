import { expect, it } from "vitest";
import { type Line, readLines } from "./read-lines";

async function linesOf(pieces: readonly (string | Uint8Array)[], longest?: number): Promise<Line[]> {
  async function* source() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  const lines: Line[] = [];
  for await (const line of readLines(source(), longest)) lines.push(line);
  return lines;
}

it("gives the lines with their numbers, blank ones left out", async () => {
  expect(await linesOf(["a\n\n  \nb\r\nc"])).toEqual([
    { number: 1, text: "a" },
    { number: 4, text: "b\r" },
    { number: 5, text: "c" },
  ]);
  expect(await linesOf([])).toEqual([]);
});

it("gives them whole wherever the pieces were cut, also within a character", async () => {
  const bytes = Buffer.from("äöü 别处\n“x”\n");
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  expect(await linesOf(single)).toEqual([
    { number: 1, text: "äöü 别处" },
    { number: 2, text: "“x”" },
  ]);
});

it("takes a byte order mark away", async () => {
  expect(await linesOf(["\uFEFF{}\n"])).toEqual([{ number: 1, text: "{}" }]);
});

it("says what it cannot read and goes on", async () => {
  expect(await linesOf([Uint8Array.of(0xff, 0x0a), "ok\n"])).toEqual([
    { number: 1, problem: "It is not valid UTF-8." },
    { number: 2, text: "ok" },
  ]);
  const mebibyte = 1024 * 1024;
  expect(await linesOf(["x".repeat(mebibyte), "y\nfits\n", "z".repeat(mebibyte + 1)], mebibyte)).toEqual([
    { number: 1, problem: "It is longer than 1 MiB, so it was not read." },
    { number: 2, text: "fits" },
    { number: 3, problem: "It is longer than 1 MiB, so it was not read." },
  ]);
});
