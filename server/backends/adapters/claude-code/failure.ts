/** What a failed result of Claude Code means: a status says most, then why the program stopped, then the words. Measured with 2.1.332. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { BackendError } from "@/server/backends/backend";
import type { ResultLine } from "./protocol.schema";

export interface FailureContext {
  providerName: string;
  /** Takes secrets out. */
  redact(text: string): string;
  /** What the model had said, unredacted. */
  said: string;
}

interface Meaning {
  failureKind: FailureKind;
  /** False for what no repetition mends. */
  retryable?: false;
}

const QUOTA: Meaning = { failureKind: "provider-rate-limited", retryable: false };

/** How long the program's own words may be in a message. */
const LONGEST_WORDS = 500;

const BY_WORDS: readonly [RegExp, Meaning][] = [
  [/not logged in|please run \/login|invalid api key/i, { failureKind: "provider-auth-failed" }],
  [/timed? ?out|idle timeout/i, { failureKind: "backend-timeout" }],
  [
    /E(?:CONN\w+|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|PIPE)|connection (?:error|to the api was lost|dropped|refused)|unable to connect|socket/i,
    { failureKind: "provider-unavailable" },
  ],
];

/** Of a result that says `is_error`, or of a process that failed beside a good one. */
export function failureOfResult(context: FailureContext, result: ResultLine): BackendError {
  const { providerName } = context;
  const status = result.api_error_status ?? null;
  if (status === null && isWithoutObject(result)) return withoutObject(context, result);
  const words = oneLine(context, result.result || (result.errors ?? []).join("; "));
  const { failureKind, retryable } = meaningOf(result, status, words);
  const what = status === null ? `${providerName} failed` : `${providerName} answered ${status}`;
  const reason = words || result.terminal_reason || result.subtype || "";
  return new BackendError(failureKind, reason === "" ? what : `${what}: ${reason}`, {
    ...partialTextOf(context),
    ...(status === null ? {} : { httpStatus: status }),
    ...(retryable === false ? { retryable } : {}),
  });
}

function meaningOf({ terminal_reason: reason, api_error: error }: ResultLine, status: number | null, words: string): Meaning {
  if (QUOTA_WORDS.test(words)) return QUOTA;
  if (reason === "prompt_too_long") return { failureKind: "backend-failed", retryable: false };
  if (status !== null) return ofStatus(status);
  if (error === "stream_idle_timeout") return { failureKind: "backend-timeout" };
  if (error === "connection_failed") return { failureKind: "provider-unavailable" };
  return BY_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? { failureKind: "backend-failed" };
}

function isWithoutObject({ terminal_reason: reason, subtype }: ResultLine): boolean {
  return reason === "structured_output_retry_exhausted" || subtype === "error_max_structured_output_retries";
}

/** Of a model that answered in words, or with another object than was asked for: then the program says what is wrong with it. */
export function withoutObject(context: FailureContext, { errors }: Pick<ResultLine, "errors">): BackendError {
  const wrong = oneLine(
    context,
    /last StructuredOutput error: (?<wrong>.+)$/s.exec((errors ?? []).join("; "))?.groups?.wrong ?? "",
  );
  return new BackendError(
    "backend-response-invalid",
    wrong === ""
      ? `${context.providerName}: the model answered without the object that was asked for.`
      : `${context.providerName}: the model's object is not the one that was asked for: ${wrong}`,
    partialTextOf(context),
  );
}

/** Anthropic says it with status 400. */
const QUOTA_WORDS = /credit balance is too low/i;

function ofStatus(status: number): Meaning {
  if (status === 401 || status === 403) return { failureKind: "provider-auth-failed" };
  if (status === 402) return QUOTA;
  if (status === 408) return { failureKind: "backend-timeout" };
  if (status === 429) return { failureKind: "provider-rate-limited" };
  return { failureKind: status >= 500 ? "provider-unavailable" : "backend-failed" };
}

/** A paid answer is never thrown away. */
export function partialTextOf({ redact, said }: FailureContext): { partialText?: string } {
  return said === "" ? {} : { partialText: redact(said) };
}

/** Words of the program, without secrets and line breaks, not too long. */
export function oneLine({ redact }: Pick<FailureContext, "redact">, said: string): string {
  const line = redact(said)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length <= LONGEST_WORDS ? line : `${line.slice(0, LONGEST_WORDS - 1).replace(/\p{Surrogate}$/u, "")}…`;
}
