/** From what a server or the network did wrong to the one `BackendError` the caller acts on. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { BackendError } from "@/server/backends/backend";
import type { TransportError } from "@/server/backends/transport/http-sse";
import type { Redactor } from "@/server/events/redact";
import { errorBodySchema, type ProviderError } from "./error-body.schema";

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

const HTTP_PAYMENT_REQUIRED = 402;

/** MiniMax's own codes as the HTTP status they mean. Not by size: 1008 is no server error. */
const MINIMAX_STATUS: Readonly<Record<number, number>> = {
  1000: 500, // unknown error
  1001: 408, // timeout
  1002: 429, // requests per minute
  1004: 401, // not authenticated
  1008: HTTP_PAYMENT_REQUIRED, // balance
  1013: 500, // internal error
  1024: 500, // internal error
  1033: 503, // downstream error
  1039: 429, // tokens per minute
  1041: 429, // connections
  2013: 400, // invalid parameters
  2045: 429, // growth of the rate
  2049: 401, // invalid key
  2056: HTTP_PAYMENT_REQUIRED, // usage limit of the plan
};

/** Words that servers use as `error.code` or `error.type`, as the HTTP status they mean. */
const WORD_STATUS: Readonly<Record<string, number>> = {
  insufficient_quota: HTTP_PAYMENT_REQUIRED,
  billing_hard_limit_reached: HTTP_PAYMENT_REQUIRED,
  exceeded_current_quota_error: HTTP_PAYMENT_REQUIRED,
  insufficient_balance: HTTP_PAYMENT_REQUIRED,
  billing_error: HTTP_PAYMENT_REQUIRED,
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  rate_limit_reached_error: 429,
  invalid_api_key: 401,
  authentication_error: 401,
  invalid_authentication_error: 401,
  permission_error: 403,
  overloaded_error: 529,
  engine_overloaded_error: 503,
  unavailable_error: 503,
  service_unavailable: 503,
  server_error: 500,
  api_error: 500,
  internal_error: 500,
  internal_server_error: 500,
  timeout: 408,
  timeout_error: 504,
  invalid_request_error: 400,
  invalid_prompt: 400,
  bad_request_error: 400,
  not_found_error: 404,
  model_not_found: 404,
  context_length_exceeded: 400,
  request_too_large: 413,
};

/** An answer whose status is not 200. `body` is its beginning. */
export function failureOfStatus(
  context: FailureContext,
  answer: { status: number; headers: Readonly<Record<string, string>>; body: string },
): BackendError {
  const said = readErrorBody(answer.body);
  // A status of its own inside a 4xx says more than the status (429 for an empty balance), but a 5xx stays one.
  const quota = answer.status < 500 && said.status === HTTP_PAYMENT_REQUIRED;
  const meaning = quota ? HTTP_PAYMENT_REQUIRED : answer.status;
  const redirect =
    answer.status >= 300 && answer.status < 400 ? "a redirect, which is not followed; set the base URL to where it leads" : "";
  const wait = retryAfterMs(answer.headers, context.now());
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
  return failure(context, MINIMAX_STATUS[code] ?? 400, `reported error ${code}`, message, { partialText });
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
    // Waiting does not fill an empty account.
    ...(status === HTTP_PAYMENT_REQUIRED ? { retryable: false } : {}),
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

function readErrorBody(body: string): { message: string; status: number | undefined } {
  const parsed = errorBodySchema.safeParse(parseOrNull(body));
  if (!parsed.success) return { message: body.trimStart().startsWith("<") ? "an HTML page" : body, status: quotaInWords(body) };
  const { error, base_resp: base, message, detail } = parsed.data;
  const details = typeof detail === "string" ? detail : (detail ?? []).map(({ msg }) => msg ?? "").join("; ");
  const fromError = typeof error === "string" ? error : (error?.message ?? "");
  const said = fromError || base?.status_msg || message || details;
  const status = error ? statusOfProviderError(error) : base ? MINIMAX_STATUS[base.status_code] : undefined;
  return { message: said, status: quotaInWords(said) ?? status };
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function statusOfProviderError(error: ProviderError): number | undefined {
  if (typeof error === "string") return quotaInWords(error);
  const code = typeof error.code === "string" && /^\d+$/.test(error.code) ? Number(error.code) : error.code;
  if (typeof code === "number") return code >= 400 && code <= 599 ? code : MINIMAX_STATUS[code];
  const byWord = WORD_STATUS[code ?? ""] ?? WORD_STATUS[error.type ?? ""];
  return byWord ?? quotaInWords(error.message ?? "");
}

/** Servers without a code for it say it in words. */
function quotaInWords(message: string): number | undefined {
  return /insufficient (?:balance|quota|credit|funds)|exceeded your current quota|balance is too low|reached your specified (?:\w+ )?API usage limits|余额不足/i.test(
    message,
  )
    ? HTTP_PAYMENT_REQUIRED
    : undefined;
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
