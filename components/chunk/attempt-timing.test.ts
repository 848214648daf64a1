import { describe, expect, it } from "vitest";
import { type AttemptSummary, attemptSchema } from "@/server/runs/run.schema";
import { phasesOf } from "./attempt-timing";

const second = (at: number) => `2026-11-30T10:00:${String(at).padStart(2, "0")}.000Z`;
const NOW = Date.parse(second(30));

function attempt(part: Partial<AttemptSummary>): AttemptSummary {
  return attemptSchema.parse({
    number: 1,
    status: "running",
    backend: "mock",
    model: "mock-1",
    servedModel: null,
    servedProvider: null,
    repaired: false,
    truncated: false,
    repairOf: null,
    origin: "asked",
    requestId: "req_1",
    claimedAt: second(0),
    startedAt: null,
    firstTokenAt: null,
    endedAt: null,
    failureKind: null,
    errorMessage: null,
    finishReason: null,
    promptTokens: null,
    completionTokens: null,
    tokensEstimated: false,
    cachedTokens: null,
    cacheWriteTokens: null,
    reasoningTokens: null,
    costUsd: null,
    ...part,
  });
}

describe("phasesOf", () => {
  it("splits a finished attempt", () => {
    expect(phasesOf(attempt({ startedAt: second(2), firstTokenAt: second(5), endedAt: second(9) }), NOW)).toEqual({
      phases: [
        { kind: "waiting", milliseconds: 2_000, open: false },
        { kind: "sending", milliseconds: 3_000, open: false },
        { kind: "generating", milliseconds: 4_000, open: false },
      ],
      total: 9_000,
    });
  });

  it("lets the last phase of a running one grow to now", () => {
    expect(phasesOf(attempt({}), NOW).phases).toEqual([{ kind: "waiting", milliseconds: 30_000, open: true }]);
    expect(phasesOf(attempt({ startedAt: second(10) }), NOW).phases[1]).toEqual({
      kind: "sending",
      milliseconds: 20_000,
      open: true,
    });
    expect(phasesOf(attempt({ startedAt: second(10), firstTokenAt: second(29) }), NOW).phases[2]).toEqual({
      kind: "generating",
      milliseconds: 1_000,
      open: true,
    });
  });

  it("does not claim to know when the first token came", () => {
    expect(phasesOf(attempt({ startedAt: second(1), endedAt: second(4) }), NOW).phases[1]).toEqual({
      kind: "request",
      milliseconds: 3_000,
      open: false,
    });
  });

  it("is never negative when clocks disagree", () => {
    const { phases, total } = phasesOf(attempt({ claimedAt: second(9), startedAt: second(5), endedAt: second(7) }), NOW);
    expect(phases.map((phase) => phase.milliseconds)).toEqual([0]);
    expect(total).toBe(0);
    expect(phasesOf(attempt({ claimedAt: second(50) }), NOW).total).toBe(0);
  });
});
