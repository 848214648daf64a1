import { describe, expect, it } from "vitest";
import { FAILURE_KINDS, type FailureKind } from "@/server/artifacts/failure-kind.rules";
import { decideRetry } from "./retry-policy";

const options = { maxAttempts: 3, backoffMs: 1_000, maxBackoffMs: 60_000 };
const failure = (failureKind: FailureKind, rest: { retryable?: boolean; retryAfterMs?: number } = {}) => ({
  failureKind,
  retryable: rest.retryable,
  retryAfterMs: rest.retryAfterMs,
});

describe("decideRetry", () => {
  it("follows the table of failure kinds", () => {
    const retriedAfter = (failures: number) =>
      Object.fromEntries(
        Object.keys(FAILURE_KINDS).map((kind) => [kind, decideRetry(failure(kind as FailureKind), failures, options, 0.5).retry]),
      );
    expect(retriedAfter(1)).toEqual({
      "secret-unavailable": false,
      "provider-auth-failed": false,
      "provider-rate-limited": true,
      "provider-unavailable": true,
      "backend-protocol-error": true,
      "backend-json-parse-error": true,
      "backend-response-invalid": true,
      "backend-spawn-failed": false,
      "backend-failed": false,
      "backend-timeout": true,
      cancelled: false,
    });
    expect(
      Object.entries(retriedAfter(2))
        .filter(([, retry]) => retry)
        .map(([kind]) => kind),
    ).toEqual(["provider-rate-limited", "provider-unavailable", "backend-timeout"]);
    expect(Object.values(retriedAfter(3)).some(Boolean)).toBe(false);
  });

  it("doubles the wait up to the maximum, with a fifth of jitter either way", () => {
    const many = { ...options, maxAttempts: 20 };
    expect([1, 2, 3, 6, 7, 19].map((n) => decideRetry(failure("provider-unavailable"), n, many, 0.5))).toEqual(
      [1_000, 2_000, 4_000, 32_000, 60_000, 60_000].map((delayMs) => ({ retry: true, delayMs })),
    );
    expect(decideRetry(failure("provider-unavailable"), 1, many, 0)).toEqual({ retry: true, delayMs: 800 });
    expect(decideRetry(failure("provider-unavailable"), 1, many, 0.999_999)).toEqual({ retry: true, delayMs: 1_200 });
  });

  it("waits at least as long as the provider asked, and at most an hour", () => {
    expect(decideRetry(failure("provider-rate-limited", { retryAfterMs: 3_000 }), 1, options, 0)).toEqual({
      retry: true,
      delayMs: 3_000,
    });
    expect(decideRetry(failure("provider-rate-limited", { retryAfterMs: 10 }), 1, options, 0.5)).toEqual({
      retry: true,
      delayMs: 1_000,
    });
    expect(decideRetry(failure("provider-rate-limited", { retryAfterMs: 1e12 }), 1, options, 0.5)).toEqual({
      retry: true,
      delayMs: 3_600_000,
    });
  });

  it("lets an error narrow the default but never widen it", () => {
    expect(decideRetry(failure("provider-rate-limited", { retryable: false }), 1, options, 0.5)).toEqual({ retry: false });
    expect(decideRetry(failure("backend-failed", { retryable: true }), 1, options, 0.5)).toEqual({ retry: false });
  });
});
