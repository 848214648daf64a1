import { expect, it } from "vitest";
import { percentile, providerFigures } from "./provider-figures";
import type { FinishedAttempt } from "./provider-stats.store";

const NOW = Date.parse("2026-11-30T12:00:00.000Z");
const DECLARED = { streaming: true, structuredOutput: true, usage: true, cancel: true };

function attempt(more: Partial<FinishedAttempt> = {}): FinishedAttempt {
  return {
    runId: "run_1",
    chunkIndex: 1,
    model: "m",
    servedModel: null,
    status: "succeeded",
    failureKind: null,
    startedAt: NOW - 500,
    firstTokenAt: NOW - 400,
    endedAt: NOW,
    tokensReported: true,
    ...more,
  };
}

it("are those of answers; what failed fast does not make a provider quick", () => {
  const figures = providerFigures(
    [
      attempt({ status: "failed", failureKind: "provider-unavailable", startedAt: NOW - 1, firstTokenAt: null, chunkIndex: 7 }),
      attempt({ startedAt: NOW - 1_000, firstTokenAt: NOW - 700 }),
      attempt({ startedAt: NOW - 3_000, firstTokenAt: NOW - 2_900 }),
      attempt({ status: "cancelled", startedAt: NOW - 90_000 }),
    ],
    DECLARED,
  );
  expect(figures.latency).toEqual({ p50: 1_000, p95: 3_000, firstTokenP50: 100, sample: 2 });
  expect(figures.outcomes).toEqual({ succeeded: 2, failed: 1 });
  expect(figures.lastSeen).toEqual({
    at: "2026-11-30T12:00:00.000Z",
    runId: "run_1",
    chunk: 7,
    model: "m",
    servedModel: null,
    ok: false,
    failureKind: "provider-unavailable",
  });
});

it("show what was seen beside what is declared, and never claim what was not", () => {
  const silent = attempt({ firstTokenAt: null, tokensReported: false });
  expect(providerFigures([silent, attempt({ endedAt: NOW - 60_000 })], DECLARED).evidence).toEqual({
    streaming: { declared: true, observed: true, observedAt: "2026-11-30T11:59:00.000Z" },
    usage: { declared: true, observed: true, observedAt: "2026-11-30T11:59:00.000Z" },
    structuredOutput: { declared: true, observed: null, observedAt: null },
    cancel: { declared: true, observed: null, observedAt: null },
  });
  expect(providerFigures([silent], DECLARED).evidence.usage).toEqual({
    declared: true,
    observed: false,
    observedAt: "2026-11-30T12:00:00.000Z",
  });
  const nothing = providerFigures([], DECLARED);
  expect([nothing.lastSeen, nothing.latency.p50, nothing.evidence.streaming.observed]).toEqual([null, null, null]);
});

it.each([
  [[], 0.5, null],
  [[5], 0.95, 5],
  [[3, 1, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, at) => at + 1), 0.95, 95],
])("percentiles are by nearest rank (%#)", (values, rank, expected) => {
  expect(percentile(values, rank)).toBe(expected);
});
