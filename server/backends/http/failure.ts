/** From what a server or the network did wrong to the one `BackendError` the caller acts on. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { BackendError } from "@/server/backends/backend";
import type { TransportError } from "@/server/backends/transport/http-sse";
import type { Redactor } from "@/server/events/redact";
import { errorBodySchema, type ProviderError } from "./error-body.schema";
import {
  HTTP_PAYMENT_REQUIRED,
  quotaInWords,
  statusOfMiniMax,
  statusOfProviderError,
  waitOfProviderError,
} from "./provider-codes";

export interface FailureContext {
  providerName: string;
  /** Knows the secrets of the turn: servers like to repeat the key they refuse. */
  redactor: Redactor;
  /** Epoch milliseconds, for Retry-After dates. */
  now: () => number;
}

/** Characters of an error body that are read. */
export const ERROR_BODY_LENGTH = 64 * 1024;
/** Characters of the provider's own words that a message carries. */
const LONGEST_PROVIDER_MESSAGE = 500;

/** Characters of an unfinished answer that an error carries. */
const LONGEST_PARTIAL_TEXT = 1024 * 1024;
/** Characters before a cut that may belong to a secret that was cut: of an unknown one, and for each character of the longest known one, were all of them escaped twice. */
const CUT_REACH = 4096;
const CUT_REACH_OF_FORM = 4;

/** An answer whose status is not 200. `body` is its beginning. */
export function failureOfStatus(
  context: FailureContext,
  answer: { status: number; headers: Readonly<Record<string, string>>; body: string },
): BackendError {
  const said = readErrorBody(answer.body);
  // A 4xx may say more in its body than by its status: 429 or 400 for an empty account, 400 for a wrong key. A 5xx stays one.
  const saysMore = said.status === HTTP_PAYMENT_REQUIRED || (answer.status === 400 && said.status === 401);
  const meaning = answer.status < 500 && saysMore ? (said.status ?? answer.status) : answer.status;
  const redirect =
    answer.status >= 300 && answer.status < 400 ? "a redirect, which is not followed; set the base URL to where it leads" : "";
  const wait = retryAfterMs(answer.headers, context.now()) ?? said.waitMs;
  return failure(context, meaning, `answered ${answer.status}`, redirect || said.message, {
    httpStatus: answer.status,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

/** An error inside an answer with status 200, as if the status had said it. */
export function failureOfProviderError(context: FailureContext, error: ProviderError, partialText: string): BackendError {
  const message = typeof error === "string" ? error : (error.message ?? "");
  return failure(context, statusOfProviderError(error) ?? 400, "reported an error", message, { partialText });
}

export function failureOfMiniMaxStatus(
  context: FailureContext,
  code: number,
  message: string,
  partialText: string,
): BackendError {
  return failure(context, statusOfMiniMax(code) ?? 400, `reported error ${code}`, message, { partialText });
}

/** What the network did. `timeoutMs` and `idleMs` are the limits that were set, for the message. */
export function failureOfTransport(
  context: FailureContext,
  error: TransportError,
  limits: { timeoutMs: number; idleMs: number },
  partialText: string,
): BackendError {
  const name = context.providerName;
  const options = { ...partialTextOf(context, partialText), cause: error };
  switch (error.problem) {
    case "total-timeout":
      return new BackendError("backend-timeout", `${name} timed out after ${limits.timeoutMs / 1000}s`, options);
    case "idle-timeout":
      return new BackendError("backend-timeout", `${name} timed out after ${limits.idleMs / 1000}s without data`, options);
    case "unreachable":
      return new BackendError("provider-unavailable", `${name} cannot be reached: ${error.message}`, options);
    case "cut":
      return new BackendError("provider-unavailable", `${name} broke off its answer: ${error.message}`, options);
    case "protocol":
    case "too-large":
      return new BackendError("backend-protocol-error", `${name}: ${error.message}`, options);
    case "tls":
    case "request-invalid":
      return new BackendError("backend-failed", `${name}: ${error.message}`, options);
  }
}

function failure(
  context: FailureContext,
  status: number,
  what: string,
  said: string,
  options: { httpStatus?: number; retryAfterMs?: number; partialText?: string },
): BackendError {
  const words = boundedMessage(context, said);
  const { partialText, ...rest } = options;
  return new BackendError(failureKindOfStatus(status), `${context.providerName} ${what}${words === "" ? "" : `: ${words}`}`, {
    ...rest,
    ...partialTextOf(context, partialText ?? ""),
    // Waiting does not fill an empty account; OpenRouter says how long where it does, because requests under way hold the rest.
    ...(status === HTTP_PAYMENT_REQUIRED && !(options.httpStatus === HTTP_PAYMENT_REQUIRED && options.retryAfterMs !== undefined)
      ? { retryable: false }
      : {}),
  });
}

/**
 * What the model had said, without secrets, as an error carries it. Of a text beyond `LONGEST_PARTIAL_TEXT` the beginning: its
 * last part is left out, because the cut may have gone through a secret.
 */
export function partialTextOf(context: FailureContext, text: string): { partialText?: string } {
  if (text === "") return {};
  if (text.length <= LONGEST_PARTIAL_TEXT) return { partialText: context.redactor.text(text) };
  const beginning = context.redactor.text(text.slice(0, LONGEST_PARTIAL_TEXT));
  return { partialText: beginning.slice(0, -(CUT_REACH + CUT_REACH_OF_FORM * context.redactor.longestForm)) };
}

function failureKindOfStatus(status: number): FailureKind {
  if (status === 401 || status === 403) return "provider-auth-failed";
  if (status === HTTP_PAYMENT_REQUIRED || status === 429) return "provider-rate-limited";
  if (status === 408) return "backend-timeout";
  return status >= 500 ? "provider-unavailable" : "backend-failed";
}

/** One line of the provider's own words, without secrets and control characters. */
export function boundedMessage(context: FailureContext, said: string): string {
  // Cut once before, so that a huge body costs nothing, and once after, because marks have a length of their own.
  const line = context.redactor
    .text(said.slice(0, LONGEST_PROVIDER_MESSAGE * 8))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length <= LONGEST_PROVIDER_MESSAGE
    ? line
    : `${line.slice(0, LONGEST_PROVIDER_MESSAGE - 1).replace(/\p{Surrogate}$/u, "")}…`;
}

function readErrorBody(body: string): { message: string; status: number | undefined; waitMs: number | undefined } {
  const json = parseOrNull(body);
  // Google's servers put it into a list.
  const parsed = errorBodySchema.safeParse(Array.isArray(json) ? json[0] : json);
  if (!parsed.success) {
    const message = body.trimStart().startsWith("<") ? "an HTML page" : body;
    return { message, status: quotaInWords(body), waitMs: undefined };
  }
  const { error, base_resp: base, message, detail } = parsed.data;
  const details = typeof detail === "string" ? detail : (detail ?? []).map(({ msg }) => msg ?? "").join("; ");
  const fromError = typeof error === "string" ? error : (error?.message ?? "");
  const said = fromError || base?.status_msg || message || details;
  const waitMs = error ? waitOfProviderError(error) : undefined;
  const status = error ? statusOfProviderError(error) : base ? statusOfMiniMax(base.status_code) : undefined;
  // Google speaks of a quota where it means a minute, and says how long to wait.
  return { message: said, status: waitMs === undefined ? (quotaInWords(said) ?? status) : status, waitMs };
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Milliseconds of `retry-after-ms`, else of `Retry-After` in seconds or as an HTTP date; undefined without a readable one. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = headers["retry-after-ms"] ?? headers["x-ms-retry-after-ms"];
  if (milliseconds !== undefined && /^\d{1,12}(?:\.\d+)?$/.test(milliseconds.trim())) return Math.ceil(Number(milliseconds));
  const after = headers["retry-after"]?.trim();
  if (after === undefined || after === "") return undefined;
  if (/^\d{1,9}(?:\.\d+)?$/.test(after)) return Math.ceil(Number(after) * 1000);
  // `Date.parse` takes "-5" for a year; an HTTP date begins with the name of a day.
  const date = /^[A-Za-z]{3}/.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
