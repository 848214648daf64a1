import { describe, expect, it } from "vitest";
import { AT_PARSER, placeInChunk } from "./quote";

const chunk = { text: "0123456789", start: 100 };

describe("AT_PARSER", () => {
  it("reads a range and refuses everything else", () => {
    expect(AT_PARSER.parse("120-180")).toEqual({ start: 120, end: 180 });
    for (const bad of ["", "120", "180-120", "5-5", "-1-4", "a-b", "1-2-3", "1.5-3"])
      expect(AT_PARSER.parse(bad), bad).toBeNull();
  });
});

describe("placeInChunk", () => {
  it("shifts the range, and cuts it at the edges of the chunk", () => {
    expect(placeInChunk(chunk, { start: 104, end: 107 })).toEqual({ start: 4, end: 7 });
    expect(placeInChunk(chunk, { start: 95, end: 102 })).toEqual({ start: 0, end: 2 });
    expect(placeInChunk(chunk, { start: 108, end: 300 })).toEqual({ start: 8, end: 10 });
  });

  it("does not find what is outside", () => {
    expect(placeInChunk(chunk, { start: 10, end: 20 })).toBeNull();
    expect(placeInChunk(chunk, { start: 90, end: 100 })).toBeNull();
    expect(placeInChunk(chunk, { start: 110, end: 120 })).toBeNull();
  });
});
