import { describe, expect, it } from "vitest";
import type { ChunkStatus } from "@/server/runs/run-state.rules";
import { mayHaveChanged } from "./page-refresh";
import type { TimelineRow } from "./timeline-row";

function page(...statuses: ChunkStatus[]): TimelineRow[] {
  return statuses.map((status, place) => ({
    index: place + 1,
    status,
    document: "notes.md",
    queuedAt: 0,
    dueAt: null,
    attempts: status === "queued" ? [] : [attemptOf(status === "running" ? null : 9)],
  }));
}

function attemptOf(endedAt: number | null): TimelineRow["attempts"][number] {
  return { number: 1, status: "succeeded", claimedAt: 1, startedAt: 2, firstTokenAt: 3, endedAt, failureKind: null };
}

const UNTOUCHED = page("queued", "queued");
const SETTLED = page("succeeded", "failed");

describe("mayHaveChanged", () => {
  it("reads pages in which something goes on", () => {
    expect(mayHaveChanged(page("succeeded", "running"), SETTLED, false)).toBe(true);
    expect(mayHaveChanged(page("succeeded", "queued"), SETTLED, false)).toBe(true);
  });

  it("leaves a settled page alone until failed chunks were queued again", () => {
    expect(mayHaveChanged(SETTLED, undefined, false)).toBe(false);
    expect(mayHaveChanged(SETTLED, undefined, true)).toBe(true);
    expect(mayHaveChanged(page("succeeded", "cancelled"), undefined, true)).toBe(false);
  });

  it("reads an untouched page only when claims can have reached it", () => {
    expect(mayHaveChanged(UNTOUCHED, undefined, false)).toBe(true);
    expect(mayHaveChanged(UNTOUCHED, page("running", "running"), false)).toBe(true);
    expect(mayHaveChanged(UNTOUCHED, page("running", "queued"), false)).toBe(false);
    expect(mayHaveChanged(UNTOUCHED, UNTOUCHED, false)).toBe(false);
  });

  it("lets a chunk in backoff not hide that the claims went past it", () => {
    const inBackoff: TimelineRow[] = [
      {
        ...page("failed")[0],
        status: "queued",
        index: 1,
        document: "notes.md",
        queuedAt: 0,
        dueAt: 50,
        attempts: [attemptOf(9)],
      },
    ];
    expect(mayHaveChanged(inBackoff, undefined, false)).toBe(true);
    expect(mayHaveChanged(UNTOUCHED, inBackoff, false)).toBe(true);
  });

  it("has nothing to read again in an empty page", () => {
    expect(mayHaveChanged([], undefined, true)).toBe(false);
  });
});
