import { describe, expect, it } from "vitest";
import { axisGaps, axisTicks, tickStep } from "./axis";
import { densityBuckets, inFlight, inFlightColumns, timeDomain } from "./density";
import { REAL_TIME } from "./time-map";
import type { TimelineRow } from "./timeline-row";
import { clampView, followView, panView, SHORTEST_VIEW_MS, wholeView, zoomView } from "./view";

const DOMAIN = { from: 1_000, to: 2_000 };

function ended(from: number, to: number, status: "succeeded" | "failed" = "succeeded"): TimelineRow {
  const attempt = {
    number: 1,
    status,
    claimedAt: from,
    startedAt: from,
    firstTokenAt: null,
    endedAt: to,
    failureKind: null,
  } as const;
  return { index: 1, status, document: "a", queuedAt: from, dueAt: null, attempts: [attempt] };
}

describe("view", () => {
  it("keeps the time under the pointer while zooming", () => {
    const view = zoomView({ from: 1_200, to: 1_600 }, 2, 0.25, DOMAIN);
    expect(view).toEqual({ from: 1_250, to: 1_450 });
  });

  it("never leaves the whole and never gets shorter than the shortest", () => {
    expect(clampView({ from: -500, to: 9_000 }, DOMAIN)).toEqual(wholeView(DOMAIN));
    const closest = zoomView({ from: 1_200, to: 1_210 }, 100, 0.5, DOMAIN);
    expect(closest.to - closest.from).toBeCloseTo(SHORTEST_VIEW_MS, 9);
    expect(panView({ from: 1_100, to: 1_300 }, -5, DOMAIN)).toEqual({ from: 1_000, to: 1_200 });
  });

  it("follows the end", () => {
    expect(followView(DOMAIN, 300)).toEqual({ from: 1_730, to: 2_030 });
  });
});

describe("axis", () => {
  it("chooses a step that people read at once", () => {
    expect(tickStep(10_000, 1_000, 90)).toBe(1_000);
    expect(tickStep(3_600_000, 500, 90)).toBe(900_000);
  });

  it("puts ticks at round offsets from the origin", () => {
    const ticks = axisTicks({ from: 1_500, to: 3_500 }, 200, 1_000, REAL_TIME);
    expect(ticks).toEqual([
      { x: 50, offsetMs: 1_000 },
      { x: 150, offsetMs: 2_000 },
    ]);
  });

  it("marks shortened gaps that are in view", () => {
    const map = { toDrawn: (time: number) => time / 2, toReal: (drawn: number) => drawn * 2, gaps: [{ from: 100, to: 300 }] };
    expect(axisGaps({ from: 0, to: 100 }, 100, map)).toEqual([{ x: 50, width: 50, skippedMs: 200 }]);
  });
});

describe("density", () => {
  it("counts requests in flight; a slot handed on at the same instant is one slot", () => {
    expect(inFlight([ended(0, 10), ended(5, 20), ended(20, 30)], 0)).toEqual({
      times: [0, 5, 10, 20, 30],
      counts: [1, 2, 1, 1, 0],
      peak: 2,
    });
  });

  it("gives the highest count a column", () => {
    const steps = inFlight([ended(0, 10), ended(5, 20)], 0);
    expect(inFlightColumns(steps, { from: 0, to: 40 }, 4, REAL_TIME)).toEqual([2, 1, 0, 0]);
  });

  it("sorts ended attempts into buckets", () => {
    const buckets = densityBuckets([ended(0, 10), ended(0, 90, "failed"), ended(0, 100)], { from: 0, to: 100 }, 2, REAL_TIME);
    expect(buckets).toEqual([
      { from: 0, to: 50, succeeded: 1, failed: 0, other: 0 },
      { from: 50, to: 100, succeeded: 1, failed: 1, other: 0 },
    ]);
  });

  it("spans a resting run from its making to its last end, and a live one to now", () => {
    const rows = [ended(150, 300)];
    expect(timeDomain(rows, { createdAt: 100, endedAt: 310, resting: true }, 9_000)).toEqual({ from: 100, to: 310 });
    expect(timeDomain(rows, { createdAt: 100, endedAt: null, resting: false }, 9_000)).toEqual({ from: 100, to: 9_000 });
    expect(timeDomain([], { createdAt: 100, endedAt: null, resting: true }, 9_000)).toEqual({ from: 100, to: 101 });
  });
});
