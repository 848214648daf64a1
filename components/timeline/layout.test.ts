import { describe, expect, it } from "vitest";
import { type LayoutInput, layoutRows, SHORTEST_BAR_PX } from "./layout";
import { spansOf } from "./spans";
import { busyIntervals, compressIdle, idleShare, idleWorthLeaving, REAL_TIME } from "./time-map";
import { rowDuration, type TimelineAttempt, type TimelineRow } from "./timeline-row";

function attempt(over: Partial<TimelineAttempt>): TimelineAttempt {
  return {
    number: 1,
    status: "succeeded",
    claimedAt: 0,
    startedAt: 100,
    firstTokenAt: 200,
    endedAt: 400,
    failureKind: null,
    ...over,
  };
}

function row(over: Partial<TimelineRow>): TimelineRow {
  return { index: 1, status: "succeeded", document: "notes.md", queuedAt: 0, dueAt: null, attempts: [attempt({})], ...over };
}

function layout(rows: TimelineRow[], over: Partial<LayoutInput> = {}) {
  return layoutRows({
    rows,
    view: { from: 0, to: 1_000 },
    box: { width: 500 },
    map: REAL_TIME,
    now: 1_000,
    showWaiting: true,
    ...over,
  });
}

const FAILED_THEN_DONE = row({
  attempts: [
    attempt({ status: "failed", failureKind: "backend-timeout", firstTokenAt: null, endedAt: 300 }),
    attempt({ number: 2, claimedAt: 500, startedAt: 500, firstTokenAt: 600, endedAt: 900 }),
  ],
});

describe("spansOf", () => {
  it("draws the phases of one attempt in order, the last with the cap", () => {
    const spans = spansOf(row({ queuedAt: -50 }), 1_000).map(({ kind, from, to, cap }) => [kind, from, to, cap]);
    expect(spans).toEqual([
      ["waiting", -50, 0, false],
      ["waiting", 0, 100, false],
      ["sending", 100, 200, false],
      ["generating", 200, 400, true],
    ]);
  });

  it("draws an adopted answer as a moment, with nothing waited for before it", () => {
    const adopted = { claimedAt: 700, startedAt: null, firstTokenAt: null, endedAt: 700, isAdopted: true };
    const kinds = (attempts: TimelineAttempt[]) =>
      spansOf(row({ attempts }), 1_000).map(({ kind, from, to, cap }) => [kind, from, to, cap]);
    expect(kinds([attempt(adopted)])).toEqual([["sending", 700, 700, true]]);
    const failed = attempt({ status: "failed", startedAt: 0, firstTokenAt: null, endedAt: 300 });
    expect(kinds([failed, attempt({ number: 2, ...adopted })])).toEqual([
      ["sending", 0, 300, true],
      ["sending", 700, 700, true],
    ]);
  });

  it("puts backoff between a failure and the next claim", () => {
    const spans = spansOf(FAILED_THEN_DONE, 1_000).map(({ kind, from, to, attempt: number }) => [kind, from, to, number]);
    expect(spans).toEqual([
      ["waiting", 0, 100, 1],
      ["sending", 100, 300, 1],
      ["backoff", 300, 500, null],
      ["sending", 500, 600, 2],
      ["generating", 600, 900, 2],
    ]);
  });

  it("draws rest before the operator's retry as nothing, and the wait after it as waiting", () => {
    const spans = spansOf({ ...FAILED_THEN_DONE, queuedAt: 450 }, 1_000);
    expect(spans.filter((span) => span.attempt === null).map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ["waiting", 450, 500],
    ]);
  });

  it("grows a running attempt up to now, without a cap", () => {
    const running = row({ status: "running", attempts: [attempt({ status: "running", firstTokenAt: null, endedAt: null })] });
    expect(spansOf(running, 700).at(-1)).toMatchObject({ kind: "sending", from: 100, to: 700, open: true, cap: false });
  });

  it("counts down the backoff of a queued chunk, then waits for a slot", () => {
    const failed = attempt({ status: "failed", failureKind: "provider-unavailable" });
    const queued = row({ status: "queued", dueAt: 900, attempts: [failed] });
    expect(spansOf(queued, 600).at(-1)).toMatchObject({ kind: "backoff", from: 400, to: 900, open: true });
    expect(spansOf(queued, 950).slice(-2)).toMatchObject([
      { kind: "backoff", from: 400, to: 900, open: false },
      { kind: "waiting", from: 900, to: 950, open: true },
    ]);
  });

  it("gives an attempt without length a span, so that it is not lost", () => {
    const refused = row({
      attempts: [attempt({ claimedAt: 5, startedAt: null, firstTokenAt: null, endedAt: 5, status: "failed" })],
      queuedAt: 5,
    });
    expect(spansOf(refused, 10)).toMatchObject([{ kind: "sending", from: 5, to: 5, cap: true }]);
  });
});

describe("layoutRows", () => {
  it("places segments and caps to scale", () => {
    const [laid] = layout([FAILED_THEN_DONE]);
    expect(laid?.segments.map(({ kind, x, width }) => [kind, x, width])).toEqual([
      ["waiting", 0, 50],
      ["sending", 50, 100],
      ["backoff", 150, 100],
      ["sending", 250, 50],
      ["generating", 300, 150],
    ]);
    expect(laid?.caps).toEqual([
      { attempt: 1, outcome: "failed", failureKind: "backend-timeout", x: 150, room: 100 },
      { attempt: 2, outcome: "succeeded", failureKind: null, x: 450, room: 50 },
    ]);
  });

  it("draws the wait for a worker and the wait for a slot as one bar", () => {
    const [laid] = layout([row({ queuedAt: 0, attempts: [attempt({ claimedAt: 50 })] })]);
    expect(laid?.segments.map(({ kind, x, width, durationMs }) => [kind, x, width, durationMs])).toEqual([
      ["waiting", 0, 50, 100],
      ["sending", 50, 50, 100],
      ["generating", 100, 100, 200],
    ]);
  });

  it("leaves waiting out on request but keeps the rest in place", () => {
    const [laid] = layout([FAILED_THEN_DONE], { showWaiting: false });
    expect(laid?.segments.map((segment) => segment.kind)).toEqual(["sending", "backoff", "sending", "generating"]);
    expect(laid?.segments[0]?.x).toBe(50);
  });

  it("shows the countdown of a pending backoff inside the box", () => {
    const queued = row({
      status: "queued",
      dueAt: 2_000,
      attempts: [attempt({ status: "failed", failureKind: "backend-timeout" })],
    });
    expect(layout([queued], { now: 500 })[0]?.countdown).toEqual({ x: 200, width: 300, dueAt: 2_000 });
  });

  it("drops what is outside the view and draws the shortest thing two pixels wide at the edge", () => {
    expect(layout([row({})], { view: { from: 10_000, to: 20_000 } })[0]).toMatchObject({ segments: [], caps: [] });
    const edge = row({
      queuedAt: 1_000,
      attempts: [attempt({ claimedAt: 1_000, startedAt: 1_000, firstTokenAt: null, endedAt: 1_000 })],
    });
    expect(layout([edge])[0]?.segments).toMatchObject([{ x: 500 - SHORTEST_BAR_PX, width: SHORTEST_BAR_PX }]);
  });

  it("has nothing to place in an empty box or an empty view", () => {
    expect(layout([row({})], { box: { width: 0 } })[0]?.segments).toEqual([]);
    expect(layout([row({})], { view: { from: 5, to: 5 } })[0]?.segments).toEqual([]);
  });
});

/** A seeded generator (mulberry32): the same rows every time. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function randomRow(random: () => number, index: number): TimelineRow {
  let time = Math.floor(random() * 5_000);
  const queuedAt = Math.floor(random() * 5_000);
  const attempts = Array.from({ length: Math.floor(random() * 5) }, (_, place): TimelineAttempt => {
    const step = () => {
      time += random() < 0.3 ? 0 : Math.floor(random() * 2_000);
      return time;
    };
    const open = random() < 0.2;
    const failed = random() < 0.5;
    return {
      number: place + 1,
      status: open ? "running" : failed ? "failed" : "succeeded",
      claimedAt: step(),
      startedAt: random() < 0.9 ? step() : null,
      firstTokenAt: random() < 0.7 ? step() : null,
      endedAt: open ? null : step(),
      failureKind: failed ? "backend-timeout" : null,
    };
  });
  const queued = random() < 0.3;
  return {
    index,
    status: queued ? "queued" : "succeeded",
    document: "a",
    queuedAt,
    dueAt: queued && random() < 0.5 ? time + 900 : null,
    attempts,
  };
}

describe("layout, for any rows", () => {
  it("keeps everything inside the box and finite, at any zoom, compressed or not", () => {
    const random = randomOf(42);
    for (let round = 0; round < 400; round++) {
      const rows = Array.from({ length: 5 }, (_, index) => randomRow(random, index + 1));
      const now = Math.floor(random() * 20_000);
      const from = (random() - 0.3) * 20_000;
      const view = { from, to: from + random() ** 4 * 30_000 };
      const box = { width: Math.floor(random() * 1_500) };
      const map = random() < 0.5 ? REAL_TIME : compressIdle(busyIntervals(rows, now), { from: 0, to: 30_000 });
      for (const laid of layoutRows({ rows, view, box, map, now, showWaiting: random() < 0.5 })) {
        for (const { x, width } of laid.segments) {
          expect(Number.isFinite(x) && Number.isFinite(width)).toBe(true);
          expect(x).toBeGreaterThanOrEqual(0);
          expect(width).toBeGreaterThan(0);
          expect(x + width).toBeLessThanOrEqual(box.width + 1e-6);
        }
        for (const { x, room } of laid.caps) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + room).toBeLessThanOrEqual(box.width + 1e-6);
        }
      }
    }
  });
});

describe("time map", () => {
  const busy = [
    { from: 0, to: 1_000 },
    { from: 101_000, to: 102_000 },
  ];

  it("shortens idle time and turns positions back", () => {
    const map = compressIdle(busy, { from: 0, to: 102_000 });
    expect(map.gaps).toEqual([{ from: 1_000, to: 101_000 }]);
    expect(map.toDrawn(500)).toBe(500);
    expect(map.toDrawn(101_000)).toBe(1_060);
    expect(map.toDrawn(102_000)).toBe(2_060);
    for (const time of [0, 700, 1_000, 51_000, 101_000, 101_500, 110_000])
      expect(map.toReal(map.toDrawn(time))).toBeCloseTo(time, 6);
  });

  it("offers to leave idle time out only where that is worth it: ten seconds, and a fifth of the run", () => {
    const busyFor = (length: number) => [{ from: 0, to: length }];
    expect(idleWorthLeaving(busyFor(8_000), { from: 0, to: 20_000 })).toEqual({ share: 0.6, lengthMs: 12_000 });
    expect(idleWorthLeaving(busyFor(250), { from: 0, to: 750 })).toBeNull();
    expect(idleWorthLeaving(busyFor(90_000), { from: 0, to: 102_000 })).toBeNull();
  });

  it("says how much of the time was idle", () => {
    expect(idleShare(busy, { from: 0, to: 102_000 })).toBeCloseTo(100 / 102, 10);
    expect(idleShare([], { from: 5, to: 5 })).toBe(0);
  });

  it("merges overlapping attempts", () => {
    const rows = [row({}), row({ index: 2, attempts: [attempt({ claimedAt: 300, endedAt: 600 })] })];
    expect(busyIntervals(rows, 0)).toEqual([{ from: 0, to: 600 }]);
  });
});

describe("rowDuration", () => {
  it("counts from the first queueing to the last end, or to now", () => {
    expect(rowDuration(FAILED_THEN_DONE, 5_000)).toBe(900);
    expect(rowDuration({ ...FAILED_THEN_DONE, queuedAt: 450 }, 5_000)).toBe(900);
    expect(rowDuration(row({ status: "running", queuedAt: 100, attempts: [] }), 700)).toBe(600);
    expect(rowDuration(row({ status: "cancelled", queuedAt: 100, attempts: [] }), 700)).toBe(0);
  });
});
