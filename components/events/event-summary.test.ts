import { describe, expect, it } from "vitest";
import type { StoredEvent } from "@/server/events/event.schema";
import { eventSummary } from "./event-summary";

const event = (payload: Record<string, unknown>): StoredEvent => ({
  seq: 1,
  type: "backend_status",
  ts: "2026-04-19T00:00:00.000Z",
  chunk: null,
  attempt: null,
  payload,
  bytes: 2,
  truncated: false,
  artifactId: null,
});

describe("eventSummary", () => {
  it("takes the telling fields first, on one line", () => {
    expect(eventSummary(event({ phase: "started", message: "two\nlines", extra: 1 }))).toBe("two lines · started");
  });

  it("otherwise lists the plain fields", () => {
    expect(eventSummary(event({ chunks: 3, withGaps: false, nested: { a: 1 } }))).toBe("chunks 3 · withGaps false");
  });

  it("says how long, after what", () => {
    expect(eventSummary(event({ failureKind: "backend-timeout", dueAt: 1_796_020_848_418, delayMs: 400 }))).toBe(
      "backend-timeout · delayMs 400",
    );
  });

  it("leaves out what only names the request", () => {
    expect(eventSummary(event({ requestId: "req_1", sessionId: "run_1", providerId: "mock", promptTokens: 7 }))).toBe(
      "providerId mock · promptTokens 7",
    );
  });

  it("bounds what a model said", () => {
    expect(eventSummary(event({ text: "x".repeat(5_000) }))).toHaveLength(240);
  });
});
