/** How turns end: what is written, in one unit. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import type { WriteOp, Writer } from "@/server/db/writer";
import { appendEventOps, type PreparedEvent } from "@/server/events/event-writes.store";
import {
  artifactOp,
  type ClaimedChunk,
  moveRunOp,
  type NewArtifact,
  type RunState,
  stateOf,
  type TurnTimes,
} from "./run-writes.store";

export type TurnEnd =
  | { status: "succeeded"; insights: number | null }
  /** `isCounted`: it is one of the failures that a chunk may have. */
  | { status: "failed"; failureKind: FailureKind; message: string; dueAt: number | null; isCounted: boolean }
  | { status: "cancelled"; message: string };

/** The chunk with the number of the attempt that ends. */
type EndedChunk = Pick<ClaimedChunk, "id" | "attempt" | "accepted">;

export interface TurnOutcome {
  end: TurnEnd;
  times: TurnTimes;
  endedAt: number;
  result: NewArtifact;
  usage: TokenUsage | undefined;
  finishReason: string | null;
  servedModel: string | null;
  servedProvider: string | null;
  repaired: boolean;
  truncated: boolean;
  /** The request of the repair round that follows at once; null when none does. */
  repairRequest: NewArtifact | null;
}

/** The fenced end of the chunk: it touches no row when number, owner or status are others by now. */
export function endChunkOp(chunk: EndedChunk, owner: string, outcome: TurnOutcome): WriteOp {
  const { end, endedAt, repairRequest } = outcome;
  const isAccepted = end.status === "succeeded";
  const status = chunkStatusOf(chunk, end);
  // Its own failure is the attempt's; the chunk is as well off as it was.
  const stands = status === "succeeded" && !isAccepted;
  return {
    sql: "endChunk",
    args: [
      status,
      end.status === "failed" ? (end.dueAt ?? 0) : 0,
      end.status === "failed" && end.isCounted ? 1 : 0,
      endedAt,
      isAccepted ? chunk.attempt : null,
      isAccepted ? end.insights : null,
      stands ? null : failureKindOf(end),
      isAccepted || stands ? null : end.message,
      stands ? null : outcome.repaired ? 1 : 0,
      stands ? null : outcome.truncated ? 1 : 0,
      repairRequest ? 1 : 0,
      repairRequest ? chunk.attempt : null,
      repairRequest?.id ?? null,
      chunk.id,
      chunk.attempt,
      owner,
    ],
    none: "rollback",
  };
}

export function endAttemptOp(chunk: EndedChunk, outcome: TurnOutcome): WriteOp {
  const { end, times, usage } = outcome;
  return {
    sql: "endAttempt",
    args: [
      end.status,
      times.startedAt,
      times.firstTokenAt,
      outcome.endedAt,
      failureKindOf(end),
      end.status === "succeeded" ? null : end.message,
      outcome.finishReason,
      outcome.servedModel,
      ...usageArgs(usage),
      outcome.result.id,
      outcome.servedProvider,
      outcome.repaired ? 1 : 0,
      outcome.truncated ? 1 : 0,
      chunk.id,
      chunk.attempt,
    ],
  };
}

/** promptTokens, completionTokens, tokensEstimated, cachedTokens, cacheWriteTokens, reasoningTokens, costUsd */
function usageArgs(usage: TokenUsage | undefined): (number | null)[] {
  return [
    usage?.promptTokens ?? null,
    usage?.completionTokens ?? null,
    usage?.estimated ? 1 : 0,
    usage?.cachedTokens ?? null,
    usage?.cacheWriteTokens ?? null,
    usage?.reasoningTokens ?? null,
    usage?.costUsd ?? null,
  ];
}

/** A failure that has a next attempt leaves its chunk in the queue; one that has none leaves it with the answer that it had. */
export function chunkStatusOf({ accepted }: Pick<EndedChunk, "accepted">, end: TurnEnd): "queued" | TurnEnd["status"] {
  if (end.status !== "failed") return end.status;
  if (end.dueAt !== null) return "queued";
  return accepted === null ? "failed" : "succeeded";
}

function failureKindOf(end: TurnEnd): FailureKind | null {
  if (end.status === "succeeded") return null;
  return end.status === "failed" ? end.failureKind : "cancelled";
}

/**
 * Ends a turn: chunk, attempt, result artifact, events and counters in one unit, fenced by attempt number and owner.
 * Null when the lease was lost: then the answer is kept beside the abandoned attempt and nothing else changes.
 */
export async function endTurn(
  writer: Writer,
  chunk: ClaimedChunk,
  owner: string,
  outcome: TurnOutcome,
  events: readonly PreparedEvent[],
): Promise<RunState | null> {
  const { end, endedAt, usage, repairRequest } = outcome;
  const chunkStatus = chunkStatusOf(chunk, end);
  const appended = appendEventOps(chunk.runId, events);
  const written = await writer.commit([
    endChunkOp(chunk, owner, outcome),
    artifactOp(chunk.runId, endedAt, repairRequest ? [outcome.result, repairRequest] : [outcome.result]),
    endAttemptOp(chunk, outcome),
    ...appended,
    moveRunOp(chunk.runId, events.length, endedAt, { running: -1, [chunkStatus]: 1, retries: chunk.attempt > 1 ? 1 : 0, usage }),
    ...(chunkStatus === "queued" ? cancelWithRunOps(chunk, endedAt, appended.length + 3) : []),
  ]);
  if (written.applied) return stateOf(written.rows);
  // Called off because the lease was lost: there is no answer to keep.
  if (end.status === "cancelled") return null;
  await writer.commit([
    {
      sql: "keepLateResult",
      args: [
        outcome.result.id,
        "The lease had ended when the answer came; it is kept here and was not accepted.",
        ...usageArgs(usage),
        chunk.id,
        chunk.attempt,
        owner,
      ],
      none: "rollback",
    },
    artifactOp(chunk.runId, endedAt, [{ ...outcome.result, kind: "late-result" }]),
    moveRunOp(chunk.runId, 0, endedAt, { usage }),
  ]);
  return null;
}

/** A chunk that would be tried again is cancelled instead when its run was, while the turn was under way. */
function cancelWithRunOps(chunk: ClaimedChunk, now: number, opsBefore: number): WriteOp[] {
  return [
    { sql: "cancelChunkOfCancelledRun", args: [chunk.id], none: "stop" },
    { sql: "moveRunQueuedToCancelled", args: [{ rowsOf: opsBefore + 1 }, 0, now, chunk.runId] },
  ];
}
