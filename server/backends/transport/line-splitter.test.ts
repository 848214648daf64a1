import { describe, expect, it } from "vitest";
import { createLineSplitter } from "./line-splitter";

/** What a splitter makes of these pieces: lines as texts, bad ones as problem and head. */
function split(pieces: readonly Buffer[], maxLineBytes = 1_000): unknown[] {
  const told: unknown[] = [];
  const splitter = createLineSplitter({
    maxLineBytes,
    onLine: (line) => told.push(line),
    onBadLine: (problem, head) => told.push([problem, head]),
  });
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return told;
}

/** Characters of one to four bytes, both line ends, an empty line, and a last line without an end. */
const TEXT = '{"a":1}\n\n{"b":"é漢😀"}\r\nonly a \r inside\nlast';
const LINES = ['{"a":1}', '{"b":"é漢😀"}', "only a \r inside", "last"];

describe("lines are whole", () => {
  const bytes = Buffer.from(TEXT);

  it("for one cut at any byte", () => {
    for (let at = 0; at <= bytes.length; at++)
      expect(split([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(LINES);
  });

  it.each([1, 2, 3, 5])("for pieces of %i bytes", (size) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, at * size + size));
    expect(split(pieces)).toEqual(LINES);
  });

  it("as soon as their end is there, not before", () => {
    const told: string[] = [];
    const splitter = createLineSplitter({ maxLineBytes: 100, onLine: (line) => told.push(line), onBadLine: () => undefined });
    splitter.push(Buffer.from("one"));
    expect(told).toEqual([]);
    splitter.push(Buffer.from("\ntwo"));
    expect(told).toEqual(["one"]);
    splitter.end();
    expect(told).toEqual(["one", "two"]);
    splitter.end();
    expect(told).toEqual(["one", "two"]);
  });

  it("also when the piece is changed by its owner afterwards", () => {
    // Node hands out fresh memory for each read; a line that ends in its piece is decoded at once all the same.
    const piece = Buffer.from("abc\nde");
    const told: string[] = [];
    const splitter = createLineSplitter({ maxLineBytes: 100, onLine: (line) => told.push(line), onBadLine: () => undefined });
    splitter.push(piece);
    piece.fill(0x78);
    expect(told).toEqual(["abc"]);
  });
});

it("a carriage return before the end is no part of the line, others are", () => {
  expect(split([Buffer.from("a\r"), Buffer.from("\nb\r\r\n\r\n")])).toEqual(["a", "b\r"]);
});

describe("a line that is too long", () => {
  it("is told once with its head, and the next one is heard", () => {
    const long = "x".repeat(600);
    expect(split([Buffer.from(`one\n${long}`), Buffer.from(`${long}${long}`), Buffer.from("end\ntwo\n")], 1_000)).toEqual([
      "one",
      ["too-long", "x".repeat(200)],
      "two",
    ]);
  });

  it("may be exactly as long as the limit", () => {
    expect(split([Buffer.from(`${"x".repeat(10)}\n`)], 10)).toEqual(["x".repeat(10)]);
    expect(split([Buffer.from(`${"x".repeat(11)}\n`)], 10)).toEqual([["too-long", "x".repeat(11)]]);
  });

  it("without an end is told before the stream ends, and its rest is not kept", () => {
    const told: unknown[] = [];
    const splitter = createLineSplitter({
      maxLineBytes: 1_000_000,
      onLine: (line) => told.push(line.length),
      onBadLine: (problem) => told.push(problem),
    });
    const piece = Buffer.alloc(400_000, "y");
    splitter.push(piece);
    splitter.push(piece);
    expect(told).toEqual([]);
    splitter.push(piece);
    expect(told).toEqual(["too-long"]);
    for (let more = 0; more < 100; more++) splitter.push(piece);
    splitter.end();
    expect(told).toEqual(["too-long"]);
  });
});

describe("a line that is not UTF-8", () => {
  it("is told with what can be read of it, and the next one is heard", () => {
    const bad = Buffer.concat([Buffer.from("a"), Buffer.from([0xff, 0xfe]), Buffer.from("b\nfine\n")]);
    expect(split([bad])).toEqual([["not-utf8", "a\ufffd\ufffdb"], "fine"]);
  });

  it("may be cut off in the middle of a character", () => {
    expect(split([Buffer.from("漢").subarray(0, 2)])).toEqual([["not-utf8", "\ufffd"]]);
  });
});
