import { describe, expect, it } from "vitest";
import { dateInFileName, type NameDate, readNameDate } from "./file-date";

describe("readNameDate", () => {
  it.each<[string, NameDate]>([
    ["2026-04-19.md", { kind: "date", date: "2026-04-19" }],
    ["notes_20260419_late.txt", { kind: "date", date: "2026-04-19" }],
    ["2026-02-31.md", { kind: "impossible", text: "2026-02-31" }],
    ["2026.13.01 standup.md", { kind: "impossible", text: "2026.13.01" }],
    // A real day later in the name counts.
    ["2026-02-31 moved to 2026-03-03.md", { kind: "date", date: "2026-03-03" }],
    ["log20260231.txt", { kind: "impossible", text: "20260231" }],
    ["invoice 20269941.md", { kind: "none" }],
    ["0001-02-03.md", { kind: "none" }],
    ["meeting.md", { kind: "none" }],
  ])("%s", (name, found) => {
    expect(readNameDate(name)).toEqual(found);
    expect(dateInFileName(name)).toBe(found.kind === "date" ? found.date : null);
  });
});
