import { describe, expect, it } from "vitest";
import { chunkSummarySchema } from "@/server/runs/run.schema";
import type { ChunkStatus } from "@/server/runs/run-state.rules";
import { allState, allToggled, EMPTY_SELECTION, extended, toggled } from "./selection";

const second = (at: number) => `2026-11-30T10:00:0${at}.000Z`;

const rows = (["failed", "succeeded", "failed", "queued", "failed"] as const satisfies ChunkStatus[]).map((status, at) =>
  chunkSummarySchema.parse({
    index: at + 1,
    status,
    document: "day.md",
    tokens: 50,
    start: 0,
    end: 10,
    sourceStart: 0,
    sourceEnd: 10,
    queuedAt: second(0),
    dueAt: null,
    endedAt: null,
    acceptedAttempt: null,
    repaired: false,
    truncated: false,
    insights: null,
    failureKind: null,
    errorMessage: null,
    attempts: [],
  }),
);

describe("a selection of chunks", () => {
  it("takes a chunk in and out", () => {
    const one = toggled(EMPTY_SELECTION, 3);
    expect([...one]).toEqual([3]);
    expect([...toggled(one, 3)]).toEqual([]);
    expect(EMPTY_SELECTION.size).toBe(0);
  });

  it("extends over failed chunks only, in either direction", () => {
    expect([...extended(new Set([1]), rows, 1, 4)]).toEqual([1, 3]);
    expect([...extended(new Set([5]), rows, 5, 2)]).toEqual([5, 3]);
  });

  it("takes all failed chunks, then none; others stay as they are", () => {
    const all = allToggled(new Set([3, 99]), rows);
    expect([...all].sort((a, b) => a - b)).toEqual([1, 3, 5, 99]);
    expect([...allToggled(all, rows)]).toEqual([99]);
  });

  it("tells all, some and none", () => {
    expect(allState(new Set([99]), rows)).toBe("none");
    expect(allState(new Set([3]), rows)).toBe("some");
    expect(allState(new Set([1, 3, 5]), rows)).toBe("all");
    expect(allState(EMPTY_SELECTION, [])).toBe("none");
  });
});
