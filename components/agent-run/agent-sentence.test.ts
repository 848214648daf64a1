import { describe, expect, it } from "vitest";
import { buildCommand } from "@/server/testing/build-agent-run";
import { workedMs } from "./agent-sentence";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
const turn = (from: number | null, to: number | null) =>
  buildCommand({ startedAt: from === null ? null : at(from), endedAt: to === null ? null : at(to) });
const NOW = Date.parse(at(1_000));

describe("the time that turns took", () => {
  it.each([
    ["nothing before the first has begun", [turn(null, null)], NOW, null],
    ["without the hours between them", [turn(0, 5), turn(500, 507)], NOW, 12_000],
    ["up to now for the one under way", [turn(0, 5), turn(990, null)], NOW, 15_000],
    ["not known while now is not", [turn(0, 5), turn(990, null)], null, null],
    ["known without now once all have ended", [turn(0, 5)], null, 5_000],
    ["never less than nothing, whatever the clocks say", [turn(0, 5), turn(1_200, null)], NOW, 5_000],
    ["without interrupts", [turn(0, 5), buildCommand({ type: "interrupt", startedAt: at(1), endedAt: at(9) })], NOW, 5_000],
  ])("is %s", (_name, commands, now, expected) => {
    expect(workedMs({ commands }, now)).toBe(expected);
  });
});
