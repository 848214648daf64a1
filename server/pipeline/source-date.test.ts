import { describe, expect, it } from "vitest";
import { sourceDateOf } from "./source-date";

const NOON = new Date(2026, 10, 30, 12, 0, 0).getTime();

describe("sourceDateOf", () => {
  it.each([
    ["2026-04-19.md", "2026-04-19"],
    ["2026-04-19-notes.md", "2026-04-19"],
    ["notes_20260419.txt", "2026-04-19"],
    ["notes 2026.04.19.md", "2026-04-19"],
    ["memory/2026_04_19.md", "2026-04-19"],
    ["2024-02-29.md", "2024-02-29"],
    ["工作日志-2026-04-19.md", "2026-04-19"],
    ["2026-02-30 or 2026-03-01.md", "2026-03-01"],
  ])("reads %s", (name, date) => {
    expect(sourceDateOf(name, null, NOON)).toBe(date);
  });

  it.each([
    "notes.md",
    "2026-02-30.md",
    "2025-02-29.md",
    "build-120260419.md",
    "20261341.txt",
    "99990101.md",
    "2026-0419.md",
    "",
  ])("takes today for %s", (name) => {
    expect(sourceDateOf(name, undefined, NOON)).toBe("2026-11-30");
  });

  it("takes the day of the server's clock, at both ends of it", () => {
    expect(sourceDateOf("x", "", new Date(2026, 0, 1, 0, 0, 0).getTime())).toBe("2026-01-01");
    expect(sourceDateOf("x", "", new Date(2026, 11, 31, 23, 59, 59).getTime())).toBe("2026-12-31");
  });

  it("lets an explicit date win, and refuses one that is no day", () => {
    expect(sourceDateOf("2026-04-19.md", "2025-01-02", NOON)).toBe("2025-01-02");
    expect(() => sourceDateOf("2026-04-19.md", "2026-02-30", NOON)).toThrow(
      "The source date “2026-02-30” is not a day of the calendar.",
    );
    expect(() => sourceDateOf("2026-04-19.md", "yesterday", NOON)).toThrow(
      "The source date “yesterday” must be a date like 2026-04-19.",
    );
  });
});
