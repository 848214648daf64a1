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
    [],
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
  const spoke = attempt({ endedAt: NOW - 60_000, runId: "run_0", chunkIndex: 4, model: "n" });
  const seen = { outcome: "works", at: "2026-11-30T11:59:00.000Z", runId: "run_0", chunk: 4, model: "n" };
  expect(providerFigures([silent, spoke], DECLARED, []).evidence).toEqual({
    streaming: { declared: true, checked: null, lastSeen: seen },
    usage: { declared: true, checked: null, lastSeen: seen },
    structuredOutput: { declared: true, checked: null, lastSeen: null },
    cancel: { declared: true, checked: null, lastSeen: null },
  });
  expect(providerFigures([silent], DECLARED, []).evidence.usage).toEqual({
    declared: true,
    checked: null,
    lastSeen: { outcome: "failed", at: "2026-11-30T12:00:00.000Z", runId: "run_1", chunk: 1, model: "m" },
  });
  const nothing = providerFigures([], DECLARED, []);
  expect([nothing.lastSeen, nothing.latency.p50, nothing.evidence.streaming.lastSeen]).toEqual([null, null, null]);
});

it("show the newest check of its models beside it, and each model's own", () => {
  const works = { outcome: "works", reason: "" } as const;
  const findings = { streaming: works, usage: works, structuredOutput: works, cancel: works };
  const failed = { outcome: "failed", reason: "The reply came without token counts." } as const;
  const newest = { provider: "p", model: "nine", findings: { ...findings, usage: failed }, checkedAt: NOW };
  const { evidence, capabilityChecks } = providerFigures([], DECLARED, [
    newest,
    { provider: "p", model: "eight", findings, checkedAt: NOW - 1 },
  ]);
  expect(evidence.usage.checked).toEqual({ ...failed, at: "2026-11-30T12:00:00.000Z", model: "nine" });
  expect(evidence.cancel.checked).toEqual({ ...works, at: "2026-11-30T12:00:00.000Z", model: "nine" });
  expect(capabilityChecks).toEqual([
    { model: "nine", at: "2026-11-30T12:00:00.000Z", findings: newest.findings },
    { model: "eight", at: "2026-11-30T11:59:59.999Z", findings },
  ]);
});

it.each([
  [[], 0.5, null],
  [[5], 0.95, 5],
  [[3, 1, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, at) => at + 1), 0.95, 95],
])("percentiles are by nearest rank (%#)", (values, rank, expected) => {
  expect(percentile(values, rank)).toBe(expected);
});
