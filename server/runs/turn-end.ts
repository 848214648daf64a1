/** What a finished turn means for its chunk. Pure: the executor writes it. */
import { FAILURE_KINDS } from "@/server/artifacts/failure-kind.rules";
import { DISTILL_TASK } from "@/server/artifacts/request-artifact.schema";
import { RESULT_VERSION } from "@/server/artifacts/result-artifact.schema";
import type { NewEvent } from "@/server/events/event.schema";
import { effectOf } from "@/server/inference/failure-effects";
import { isoTime } from "@/server/shared/clock";
import type { TurnEnd } from "./end-turn.store";
import type { Executed } from "./judge-answer";
import { decideRetry } from "./retry-policy";
import type { RunOptions } from "./run.rules";
import { type ClaimedChunk, requestIdOf } from "./run-writes.store";

/** What else a chunk that failed could do. */
export interface Outlook {
  /** Another listed model, which has not failed this chunk and is well, would take it now. */
  elsewhere: boolean;
  /** The model was known to be down and was only tried; for an outage that lasts very long this ends, so that runs do. */
  wasDown: boolean;
  /** Milliseconds until the model may be asked again: 0 unless it cools down; null when it refuses us. */
  ownPauseMs: number | null;
  /** The same for the first of the other listed models that is free; null when there is none that does not refuse us. */
  othersPauseMs: number | null;
}

/**
 * `wasAborted`: whether we called the turn off; a runtime that does so by itself has failed, and the chunk can be retried by
 * hand. `random` is in [0, 1). A chunk's attempts are for its own failures: what is passed on to the next model, and what failed
 * because every model was down, is not counted, nor is an answer that a repair round follows (`isRepairDue`).
 */
export function judgeTurn(
  executed: Executed,
  wasAborted: boolean,
  chunk: Pick<ClaimedChunk, "failures">,
  options: Pick<RunOptions, "maxAttempts" | "backoffMs" | "maxBackoffMs">,
  now: number,
  random: number,
  outlook: Outlook,
  isRepairDue = false,
): TurnEnd {
  const failure = executed.failure;
  if (!failure) return { status: "succeeded", insights: executed.insights };
  if (failure.kind === "cancelled" && wasAborted) return { status: "cancelled", message: failure.message };
  const counted = { failureKind: failure.kind, retryable: failure.retryable, retryAfterMs: pauseBefore(failure, outlook) };
  const effect = effectOf({ failureKind: failure.kind, retryable: failure.retryable, httpStatus: failure.httpStatus });
  const ended = (dueAt: number | null, isCounted: boolean): TurnEnd => ({
    status: "failed",
    failureKind: failure.kind,
    message: failure.message,
    dueAt,
    isCounted,
  });
  // The failure stands for both: when the repair round fails too, that is the one that counts.
  if (isRepairDue) return ended(now, false);
  if (outlook.elsewhere && effect !== "none") return ended(now, false);
  if ((effect === "counts" && outlook.wasDown) || (effect === "refuses" && outlook.othersPauseMs !== null)) {
    const wait = decideRetry(
      { ...counted, failureKind: "provider-unavailable", retryable: undefined },
      1,
      { ...options, maxAttempts: 2 },
      random,
    );
    return ended(now + (wait.retry ? wait.delayMs : 0), false);
  }
  const decision = decideRetry(counted, chunk.failures + 1, options, random);
  // Another model need not be waited for.
  return ended(decision.retry ? now + (outlook.elsewhere ? 0 : decision.delayMs) : null, true);
}

/** Milliseconds that nobody may be asked: the first of the listed models that is free ends them. */
function pauseBefore({ retryAfterMs = 0 }: NonNullable<Executed["failure"]>, { ownPauseMs, othersPauseMs }: Outlook): number {
  const own = ownPauseMs === null ? null : Math.max(ownPauseMs, retryAfterMs);
  if (own === null || othersPauseMs === null) return own ?? othersPauseMs ?? 0;
  return Math.min(own, othersPauseMs);
}

/** The events that tell the end of a turn. */
export function chunkEvents(end: TurnEnd, executed: Executed, now: number, isRepairDue = false): NewEvent[] {
  if (end.status === "succeeded") {
    const insights = end.insights === null ? {} : { insights: end.insights };
    return [{ type: "chunk_succeeded", payload: { latencyMs: executed.result.timing_ms ?? 0, ...insights } }];
  }
  if (end.status === "cancelled") return [{ type: "chunk_cancelled", payload: { cancellationReason: "user_requested" } }];
  const { failureKind, message, dueAt } = end;
  const failed: NewEvent = { type: "chunk_failed", payload: { failureKind, message } };
  if (dueAt === null) return [failed];
  return [
    failed,
    {
      type: "chunk_retry_scheduled",
      payload: { failureKind, dueAt, delayMs: dueAt - now, ...(isRepairDue ? { repairRound: true } : {}) },
    },
  ];
}

/** Told where a chunk that had succeeded was asked again in vain: the answer that it had goes on to count. */
export function standingAnswer({ accepted }: { accepted: number | null }, end: TurnEnd): NewEvent[] {
  if (accepted === null || end.status !== "failed" || end.dueAt !== null) return [];
  return [{ type: "answer_chosen", payload: { accepted, instead: null, by: "executor" } }];
}

/**
 * The end of a turn that our own code broke (a request that no longer parses, a fault of ours): a failure like any other, so
 * that it is counted, shown, and not tried for ever. What broke is for the log: its text went through no redactor.
 */
export function brokenTurn(
  backend: string,
  model: string,
  sourceDate: string,
  chunk: ClaimedChunk,
  error: unknown,
  now: number,
): Executed {
  const kind = "backend-failed";
  const message = `The turn broke inside Switchyard (${error instanceof Error ? error.name : typeof error}); the log says where.`;
  return {
    result: {
      version: RESULT_VERSION,
      ok: false,
      backend,
      model,
      source_date: sourceDate,
      chunk_index: chunk.index,
      task: DISTILL_TASK,
      attempt: chunk.attempt,
      request_id: requestIdOf(chunk),
      request_sha256: chunk.requestSha256,
      error: { type: FAILURE_KINDS[kind].errorType, message, failureKind: kind },
      finished_at: isoTime(now),
    },
    failure: { kind, message, retryable: false, retryAfterMs: undefined, httpStatus: undefined },
    usage: undefined,
    finishReason: FAILURE_KINDS[kind].finish,
    servedModel: null,
    servedProvider: null,
    isMendable: false,
    insights: null,
  };
}
