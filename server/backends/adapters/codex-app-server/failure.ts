/** What a failure of Codex means: the variant says most, then a status, then what was last retried, then the words. Measured with codex-cli 0.171.0. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { TurnError } from "./protocol.schema";

export interface Classified {
  failureKind: FailureKind;
  /** False for what no repetition mends (no credit left). */
  retryable?: false;
  httpStatus?: number;
}

/** What the errors that Codex retried itself had said, the newest status last. */
export interface RetryMemory {
  status: number | null;
}

const QUOTA: Classified = { failureKind: "provider-rate-limited", retryable: false };

/** Variants that stand for one thing whatever status they carry. */
const BY_VARIANT: Readonly<Record<string, Classified>> = {
  usageLimitExceeded: QUOTA,
  rateLimitExceeded: { failureKind: "provider-rate-limited" },
  serverOverloaded: { failureKind: "provider-unavailable" },
  internalServerError: { failureKind: "provider-unavailable" },
  unauthorized: { failureKind: "provider-auth-failed" },
  modelNotFound: { failureKind: "backend-failed", httpStatus: 404 },
  contextWindowExceeded: { failureKind: "backend-failed" },
  badRequest: { failureKind: "backend-failed" },
  sandboxError: { failureKind: "backend-failed" },
};

/** Variants of a connection that failed: the status decides where there is one. */
const OF_A_CONNECTION = new Set([
  "httpConnectionFailed",
  "responseStreamConnectionFailed",
  "responseStreamDisconnected",
  "responseTooManyFailedAttempts",
]);

const BY_WORDS: readonly [RegExp, Classified][] = [
  [/^missing environment variable/i, { failureKind: "secret-unavailable" }],
  [/idle timeout waiting for sse|timed? ?out/i, { failureKind: "backend-timeout" }],
  [/stream closed before response\.completed/i, { failureKind: "backend-response-invalid" }],
  [/incomplete response returned/i, { failureKind: "backend-response-invalid" }],
  [/transport error|connection (failed|refused|reset)|error sending request/i, { failureKind: "provider-unavailable" }],
  [/service unavailable|temporar(y|ily) unavailable|provider unavailable|overloaded/i, { failureKind: "provider-unavailable" }],
  [/quota exceeded|insufficient (balance|quota)/i, QUOTA],
  [/rate limit/i, { failureKind: "provider-rate-limited" }],
];

export function classifyTurnError(error: TurnError, retried: RetryMemory = { status: null }): Classified {
  const { variant, status: told } = variantOf(error.codexErrorInfo);
  const fixed = BY_VARIANT[variant];
  if (fixed) return told === null ? fixed : { ...fixed, httpStatus: told };
  const status = told ?? statusIn(error.message) ?? (variant === "other" || variant === "" ? null : retried.status);
  if (status !== null) return ofStatus(status);
  for (const text of [error.message, error.additionalDetails ?? ""]) {
    for (const [words, classified] of BY_WORDS) if (words.test(text)) return classified;
  }
  if (OF_A_CONNECTION.has(variant)) return { failureKind: "provider-unavailable" };
  // The last word on a failure that Codex retried may have lost its status.
  if (retried.status !== null) return ofStatus(retried.status);
  return { failureKind: "backend-failed" };
}

/** The status that an error names in its variant, else null. */
export function statusOf(error: TurnError): number | null {
  return variantOf(error.codexErrorInfo).status ?? statusIn(error.message) ?? statusIn(error.additionalDetails ?? "");
}

function variantOf(info: TurnError["codexErrorInfo"]): { variant: string; status: number | null } {
  if (info === null || info === undefined) return { variant: "", status: null };
  if (typeof info === "string") return { variant: info, status: null };
  const [[variant, detail] = ["", null]] = Object.entries(info);
  const status = typeof detail === "object" && detail !== null && "httpStatusCode" in detail ? detail.httpStatusCode : null;
  return { variant, status: typeof status === "number" ? status : null };
}

function statusIn(message: string): number | null {
  const match = /\b(?:unexpected status|last status:?) (\d{3})\b/i.exec(message);
  return match ? Number(match[1]) : null;
}

function ofStatus(status: number): Classified {
  if (status === 401 || status === 403) return { failureKind: "provider-auth-failed", httpStatus: status };
  if (status === 402) return { ...QUOTA, httpStatus: status };
  if (status === 429) return { failureKind: "provider-rate-limited", httpStatus: status };
  if (status === 408) return { failureKind: "backend-timeout", httpStatus: status };
  if (status >= 500) return { failureKind: "provider-unavailable", httpStatus: status };
  return { failureKind: "backend-failed", httpStatus: status };
}
