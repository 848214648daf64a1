import { expect, it } from "vitest";
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { brokenTurn, judgeTurn, type Outlook } from "./turn-end";

const NOW = 1_000_000;
const OPTIONS = { maxAttempts: 3, backoffMs: 1_000, maxBackoffMs: 60_000 };
const ALONE: Outlook = { elsewhere: false, wasDown: false, ownPauseMs: 0, othersPauseMs: null };

/** When the chunk is due again after a failure (milliseconds from now; null = never), and whether that was one of its attempts. */
function after(
  failure: { kind?: FailureKind; httpStatus?: number; retryable?: boolean; retryAfterMs?: number },
  outlook: Partial<Outlook> = {},
  failures = 0,
) {
  const chunk = { runId: "run", index: 1, attempt: 1 } as Parameters<typeof brokenTurn>[3];
  const broken = brokenTurn("p", "m", "2026-01-01", chunk, new Error("x"), NOW);
  const executed = {
    ...broken,
    failure: {
      kind: failure.kind ?? "provider-unavailable",
      message: "p answered 503",
      retryable: failure.retryable,
      retryAfterMs: failure.retryAfterMs,
      httpStatus: failure.httpStatus,
    },
  };
  const end = judgeTurn(executed, false, { failures }, OPTIONS, NOW, 0.5, { ...ALONE, ...outlook });
  if (end.status !== "failed") throw new Error(end.status);
  return [end.dueAt === null ? null : end.dueAt - NOW, end.isCounted];
}

const LIMITED = { kind: "provider-rate-limited", httpStatus: 429, retryAfterMs: 600_000 } as const;
const REFUSED = { kind: "provider-auth-failed", httpStatus: 401, retryable: false } as const;

it("counts a chunk's own failures, and waits longer after each", () => {
  expect([after({}), after({}, {}, 1), after({}, {}, 2)]).toEqual([
    [1_000, true],
    [2_000, true],
    [null, true],
  ]);
});

it("waits as long as the provider asked, to the whole, when there is no other", () => {
  expect(after(LIMITED, { ownPauseMs: 600_000 })).toEqual([600_000, true]);
  expect(after(LIMITED, { ownPauseMs: 600_000, wasDown: true })).toEqual([600_000, false]);
  // A kind within this process has no cooldown.
  expect(after(LIMITED)).toEqual([600_000, true]);
});

it("waits for the first that is free, and not for the one that was asked last", () => {
  expect(after(LIMITED, { ownPauseMs: 600_000, othersPauseMs: 9_000 })).toEqual([9_000, true]);
  expect(after({}, { ownPauseMs: 3_000, othersPauseMs: 600_000 })).toEqual([3_000, true]);
  // One that has failed this chunk may be well: then only the usual wait is left.
  expect(after(LIMITED, { ownPauseMs: 600_000, othersPauseMs: 0 })).toEqual([1_000, true]);
});

it("waits no shorter than until a model that is down is tried next", () => {
  expect(after({}, { ownPauseMs: 60_000, wasDown: true })).toEqual([60_000, false]);
  expect(after({}, { ownPauseMs: 0, wasDown: true })).toEqual([1_000, false]);
});

it("is passed on at once to another that is well, uncounted", () => {
  expect(after({}, { elsewhere: true, othersPauseMs: 0 })).toEqual([0, false]);
  expect(after(REFUSED, { elsewhere: true, ownPauseMs: null, othersPauseMs: 0 })).toEqual([0, false]);
});

it("waits for the others after a refusal, and ends where there is none", () => {
  expect(after(REFUSED, { ownPauseMs: null, othersPauseMs: 42_000 })).toEqual([42_000, false]);
  expect(after(REFUSED, { ownPauseMs: null })).toEqual([null, true]);
});

it("does not try again what the request itself is to blame for", () => {
  expect(after({ kind: "backend-failed", httpStatus: 400, retryable: false }, { othersPauseMs: 0 })).toEqual([null, true]);
});
