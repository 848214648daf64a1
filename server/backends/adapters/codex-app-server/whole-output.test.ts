import { describe, expect, it } from "vitest";
import { createCommandOutput } from "./command-output";
import { wholeOutput } from "./whole-output";

const HALF = 512 * 1024;

/** As Codex sums an output up: by bytes, whatever characters they cut. */
function summaryOf(whole: string): string {
  const bytes = Buffer.from(whole);
  if (bytes.length <= 2 * HALF) return whole;
  const omitted = bytes.length - 2 * HALF;
  return `${bytes.toString("utf8", 0, HALF)}\n... ${omitted} bytes omitted ...\n${bytes.toString("utf8", bytes.length - HALF)}`;
}

/** Pieces that begin so many bytes late. */
function piecesFrom(whole: string, missing: number) {
  const output = createCommandOutput();
  const rest = Buffer.from(whole).toString("utf8", missing);
  // Whole characters, as Codex cuts them.
  for (const piece of rest.match(/[\s\S]{1,8000}/gu) ?? []) output.push(piece);
  return output;
}

const linesOf = (line: string, count: number) => Array.from({ length: count }, (_, index) => `${index + 1} ${line}\n`).join("");
const LONG = linesOf("bottles of beer", 100_000);
const WIDE = linesOf("瓶啤酒在墙上🍺", 100_000);
const bytesOf = (text: string) => Buffer.byteLength(text);

describe.each([
  ["one byte a character", LONG],
  ["many bytes a character", WIDE],
])("an output of megabytes, %s", (_what, whole) => {
  it("is the pieces where they have all of it", () => {
    const output = wholeOutput(piecesFrom(whole, 0), summaryOf(whole));
    expect([output.bytes, output.text() === whole]).toEqual([bytesOf(whole), true]);
  });

  it("is put together where the pieces lack less of the beginning than the summary has", () => {
    // A line's end: no character is cut.
    const missing = bytesOf(whole.slice(0, whole.indexOf("\n", 100_000) + 1));
    expect(missing).toBeLessThan(HALF);
    const output = wholeOutput(piecesFrom(whole, missing), summaryOf(whole));
    expect([output.bytes, output.text() === whole]).toEqual([bytesOf(whole), true]);
  });

  it.each([
    ["lack more", () => piecesFrom(whole, bytesOf(whole) - 900_000)],
    ["lack nearly everything", () => piecesFrom(whole, bytesOf(whole) - 20_000)],
    ["lack everything", () => undefined],
    ["lack some of the middle", () => piecesFrom(whole.slice(0, 700_000) + whole.slice(900_000), 0)],
    ["lack the beginning and some of the middle", () => piecesFrom(whole.slice(50_000, 700_000) + whole.slice(900_000), 0)],
  ])("says how many bytes are left out where the pieces %s", (_lack, pieces) => {
    const output = wholeOutput(pieces(), summaryOf(whole));
    expect(output.bytes).toBe(bytesOf(whole));
    const text = output.text();
    const [, beginning = "", leftOut = "", ending = ""] = /^([\s\S]*)\n… (\d+) bytes left out …\n([\s\S]*)$/.exec(text) ?? [];
    expect(whole.startsWith(`${beginning}\n`)).toBe(true);
    expect(whole.endsWith(`\n${ending}`)).toBe(true);
    expect(bytesOf(beginning) + Number(leftOut) + bytesOf(ending)).toBe(bytesOf(whole));
    expect(bytesOf(beginning)).toBeGreaterThan(HALF - 100);
    expect(bytesOf(ending)).toBeGreaterThan(HALF - 100);
  });
});

it("is not put together out of accounts that differ", () => {
  const other = LONG.replace("25000 bottles", "25000 bubbles").slice(200_000);
  const output = wholeOutput(piecesFrom(other.replaceAll("beer", "wine"), 0), summaryOf(LONG));
  expect(output.bytes).toBe(bytesOf(LONG));
  expect(output.text()).toMatch(/\n… \d+ bytes left out …\n/);
  expect(output.text()).not.toContain("wine");
});

it("is the longer account where the summary is whole", () => {
  const short = linesOf("bottles of beer", 10);
  expect(wholeOutput(piecesFrom(short, 30), short).text()).toBe(short);
  expect(wholeOutput(undefined, short)).toMatchObject({ bytes: bytesOf(short) });
  const told = piecesFrom(short, 0);
  expect(wholeOutput(told, "")).toBe(told);
});

it("takes a command's own words about omitted bytes for what they are", () => {
  const own = `first\n... 12 bytes omitted ...\nlast\n`;
  expect(wholeOutput(undefined, own)).toMatchObject({ bytes: bytesOf(own) });
  expect(wholeOutput(undefined, own).text()).toBe(own);
});
