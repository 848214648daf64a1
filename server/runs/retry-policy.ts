import { FAILURE_KINDS, type FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { RunOptions } from "./run.rules";

/** A fifth either way, so that chunks that failed together do not come back together. */
const JITTER = 0.2;
/** A provider may ask for a long wait; longer than this is treated as this. */
const MAX_RETRY_AFTER_MS = 3_600_000;

export interface CountedFailure {
  failureKind: FailureKind;
  /** False narrows the table's default (quota, truncated answers); true changes nothing. */
  retryable: boolean | undefined;
  retryAfterMs: number | undefined;
}

export type RetryDecision = { retry: false } | { retry: true; delayMs: number };

/**
 * What follows a failed attempt. `failures` counts the failures since the chunk was queued or last retried by hand, this one
 * included. `random` is in [0, 1). The wait doubles from `backoffMs` to `maxBackoffMs`, with jitter; a Retry-After that is
 * longer wins, without jitter below it.
 */
export function decideRetry(
  failure: CountedFailure,
  failures: number,
  options: Pick<RunOptions, "maxAttempts" | "backoffMs" | "maxBackoffMs">,
  random: number,
): RetryDecision {
  const rule = FAILURE_KINDS[failure.failureKind].retry;
  if (failure.retryable === false || rule === "never" || failures >= options.maxAttempts) return { retry: false };
  if (rule === "once" && failures >= 2) return { retry: false };
  const doubled = Math.min(options.maxBackoffMs, options.backoffMs * 2 ** Math.min(failures - 1, 30));
  const jittered = Math.round(doubled * (1 - JITTER + 2 * JITTER * random));
  const asked = Math.min(failure.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return { retry: true, delayMs: Math.max(Math.min(jittered, options.maxBackoffMs), asked) };
}
