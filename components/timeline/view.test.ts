import { describe, expect, it } from "vitest";
import { axisGaps, axisTicks, tickLabel, tickStep } from "./axis";
import { densityBuckets, inFlight, inFlightColumns, timeDomain, workExtent } from "./density";
import { REAL_TIME } from "./time-map";
import type { TimelineRow } from "./timeline-row";
import { clampView, dragView, fitView, followView, panView, SHORTEST_VIEW_MS, wholeView, zoomView } from "./view";

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
    expect(followView(DOMAIN, 300)).toEqual({ from: 1_715, to: 2_015 });
    const long = { from: 0, to: 3_600_000 };
    expect(followView(long, 10_000)).toEqual({ from: 3_590_500, to: 3_600_500 });
    expect(followView(DOMAIN, 9_000)).toEqual(wholeView(DOMAIN));
  });
});

describe("fitting and dragging", () => {
  it("fits an extent with air, and stays inside the whole", () => {
    const fitted = fitView({ from: 1_200, to: 1_300 }, DOMAIN);
    expect([fitted.from, fitted.to]).toEqual([1_192, 1_308]);
    expect(fitView(DOMAIN, DOMAIN)).toEqual(wholeView(DOMAIN));
  });

  it("moves what one pointer holds with it", () => {
    expect(dragView({ from: 1_200, to: 1_400 }, [0.5], [0.25], DOMAIN)).toEqual({ from: 1_250, to: 1_450 });
    expect(dragView({ from: 1_200, to: 1_400 }, [0.1], [0.9], DOMAIN).from).toBe(1_040);
  });

  it("keeps both held times under two pointers", () => {
    const before = { from: 1_200, to: 1_600 };
    const after = dragView(before, [0.25, 0.75], [0, 0.8], DOMAIN);
    const timeAt = (view: typeof before, share: number) => view.from + (view.to - view.from) * share;
    expect(timeAt(after, 0)).toBeCloseTo(timeAt(before, 0.25), 9);
    expect(timeAt(after, 0.8)).toBeCloseTo(timeAt(before, 0.75), 9);
  });

  it("stays finite when two pointers meet", () => {
    const view = dragView({ from: 1_200, to: 1_600 }, [0.5, 0.5], [0.2, 0.2], DOMAIN);
    expect(view.to - view.from).toBeCloseTo(400, 9);
    expect(dragView({ from: 1_200, to: 1_600 }, [0.1, 0.9], [0.5, 0.5], DOMAIN)).toEqual(wholeView(DOMAIN));
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

  it("labels neighbouring ticks apart, however near they are", () => {
    const words = (milliseconds: number) => `${milliseconds}ms`;
    expect(tickLabel(9_000, 1_000, true, words)).toBe("9000ms");
    expect(tickLabel(9_850, 10, true, words)).toBe("9000ms +850ms");
    expect(tickLabel(9_860, 10, false, words)).toBe("+860ms");
    expect(tickLabel(10_000, 10, false, words)).toBe("10000ms");
    expect(tickLabel(850, 10, true, words)).toBe("850ms");
    expect(tickLabel(3_665_000, 5_000, true, words)).toBe("3660000ms +5000ms");
    expect(tickLabel(3_665_850, 10, true, words)).toBe("3660000ms 5000ms +850ms");
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

  it("spans the work of some rows without the wait before it, up to now where it goes on", () => {
    const going = ended(40, 50);
    const open = { ...going, attempts: going.attempts.map((each) => ({ ...each, startedAt: 45, endedAt: null })) };
    expect(workExtent([ended(10, 20), open], 99)).toEqual({ from: 10, to: 99 });
    expect(workExtent([{ ...going, attempts: [] }], 99)).toBeNull();
  });

  it("spans a resting run from its making to its last end, and a live one to now", () => {
    const rows = [ended(150, 300)];
    expect(timeDomain(rows, { createdAt: 100, endedAt: 310, resting: true }, 9_000)).toEqual({ from: 100, to: 310 });
    expect(timeDomain(rows, { createdAt: 100, endedAt: null, resting: false }, 9_000)).toEqual({ from: 100, to: 9_000 });
    expect(timeDomain([], { createdAt: 100, endedAt: null, resting: true }, 9_000)).toEqual({ from: 100, to: 101 });
  });
});
