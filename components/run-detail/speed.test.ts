import { describe, expect, it } from "vitest";
import type { RunStatus } from "@/server/runs/run-state.rules";
import { millisecondsLeft, observed, type Progress } from "./speed";

const START = Date.parse("2026-11-30T10:00:00.000Z");
const HOUR = 3_600_000;

function runAt(offsetMs: number, succeeded: number, status: RunStatus = "running") {
  return {
    status,
    updatedAt: new Date(START + offsetMs).toISOString(),
    counts: { total: 100, queued: 100 - succeeded - 4, running: 4, succeeded, failed: 0, cancelled: 0 },
  };
}

const seen = (...runs: ReturnType<typeof runAt>[]) => runs.reduce<readonly Progress[]>(observed, []);

describe("the time left", () => {
  it("follows the speed that was seen", () => {
    const progress = seen(runAt(0, 10), runAt(2_000, 12), runAt(6_000, 16));
    // Six results in six seconds; 84 are open.
    expect(millisecondsLeft(progress, runAt(6_000, 16), START + 6_000)).toBe(84_000);
  });

  it("grows while nothing comes", () => {
    const progress = seen(runAt(0, 10), runAt(6_000, 16));
    expect(millisecondsLeft(progress, runAt(6_000, 16), START + 12_000)).toBe(168_000);
  });

  it("does not count the time of a pause, and says nothing right after it", () => {
    const before = seen(runAt(0, 10), runAt(6_000, 16));
    const paused = observed(before, runAt(7_000, 16, "paused"));
    expect(paused).toEqual([]);
    expect(millisecondsLeft(paused, runAt(7_000, 16, "paused"), START + 8_000)).toBeNull();
    const resumed = observed(paused, runAt(HOUR, 16));
    expect(millisecondsLeft(resumed, runAt(HOUR, 16), START + HOUR + 1_000)).toBeNull();
    const again = observed(resumed, runAt(HOUR + 4_000, 20));
    expect(millisecondsLeft(again, runAt(HOUR + 4_000, 20), START + HOUR + 4_000)).toBe(80_000);
  });

  it("is not said from too few results or too little time", () => {
    expect(millisecondsLeft(seen(runAt(0, 0), runAt(9_000, 2)), runAt(9_000, 2), START + 9_000)).toBeNull();
    expect(millisecondsLeft(seen(runAt(0, 0), runAt(2_000, 50)), runAt(2_000, 50), START + 2_000)).toBeNull();
    expect(millisecondsLeft([], runAt(9_000, 50), START + 9_000)).toBeNull();
  });

  it("forgets what is older than five minutes", () => {
    const progress = seen(runAt(0, 1), runAt(200_000, 2), runAt(400_000, 32));
    expect(progress).toEqual([
      { at: START + 200_000, done: 2 },
      { at: START + 400_000, done: 32 },
    ]);
  });

  it("keeps an older state that comes late out", () => {
    const progress = seen(runAt(0, 1), runAt(4_000, 9));
    expect(observed(progress, runAt(2_000, 5))).toBe(progress);
  });
});
