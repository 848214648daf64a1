/** What a turn came to, from how the app-server ended it and what we know beside that. Pure. */
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import { BackendError } from "@/server/backends/backend";
import { classifyTurnError } from "./failure";
import type { NativeEnd, TurnTranslator } from "./translate";

/** Failures that are nobody's wish are thrown instead. */
export interface TurnOutcome {
  turnId: string;
  status: "completed" | "interrupted" | "blocked";
  /** Null only when it did not complete. */
  reply: string | null;
  saidText: string;
  usage: TokenUsage | undefined;
  /** Why the policy stopped it. */
  blockedReason: string | null;
}

export interface TurnFacts {
  providerName: string;
  turnId: string;
  translator: Pick<TurnTranslator, "reply" | "saidText" | "usage" | "retried"> | null;
  /** Null when the app-server did not end it. */
  native: NativeEnd | null;
  /** The caller wanted its end. */
  isAborted: boolean;
  /** A person stopped it by an answer. */
  isStoppedByPerson: boolean;
  /** Nothing was heard for too long. */
  silence: BackendError | null;
  /** The policy stopped it. */
  blockedReason: string | null;
  /** A line that was no message came on the way. */
  badLine: string | null;
  redact(text: string): string;
}

export function outcomeOfTurn(facts: TurnFacts): TurnOutcome {
  const { providerName, translator, native, redact } = facts;
  const outcome = (status: TurnOutcome["status"]): TurnOutcome => ({
    turnId: facts.turnId,
    status,
    reply: translator?.reply ?? null,
    saidText: translator?.saidText ?? "",
    usage: translator?.usage,
    blockedReason: facts.blockedReason === null ? null : redact(facts.blockedReason),
  });
  if (native?.status === "completed") {
    if (translator?.reply != null) return outcome("completed");
    if (facts.isAborted) return outcome("interrupted");
    if (facts.badLine !== null) throw new BackendError("backend-json-parse-error", facts.badLine);
    throw new BackendError("backend-response-invalid", `${providerName}: the turn completed without a reply.`);
  }
  if (facts.blockedReason !== null) return outcome("blocked");
  if (facts.silence) throw facts.silence;
  if (facts.isAborted || facts.isStoppedByPerson) return outcome("interrupted");
  if (native?.status === "failed") {
    const failure = native.error ?? { message: "the turn failed without a reason" };
    const { failureKind, ...more } = classifyTurnError(failure, translator?.retried);
    throw new BackendError(failureKind, redact(`${providerName}: ${failure.message || failureKind}`), more);
  }
  throw new BackendError("backend-failed", `${providerName}: the turn was interrupted by Codex itself.`);
}

/** A paid answer is never thrown away: what was said goes along with the failure. */
export function withSaid(error: unknown, said: string): unknown {
  if (!(error instanceof BackendError) || error.partialText !== undefined || said === "") return error;
  const { failureKind, message, retryable, retryAfterMs, httpStatus, cause } = error;
  return new BackendError(failureKind, message, {
    partialText: said,
    ...(retryable === undefined ? {} : { retryable }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(cause === undefined ? {} : { cause }),
  });
}
