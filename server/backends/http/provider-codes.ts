/** What providers call their errors, as the HTTP status that each means. Data, and the rules to read it by. */
import type { ProviderError } from "./error-body.schema";

export const HTTP_PAYMENT_REQUIRED = 402;

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

/** Undefined for a code that is not known. */
export function statusOfMiniMax(code: number): number | undefined {
  return MINIMAX_STATUS[code];
}

/** The HTTP status that an error means by its code, its type, its details or its words; undefined when it says none. */
export function statusOfProviderError(error: ProviderError): number | undefined {
  if (typeof error === "string") return quotaInWords(error);
  const code = typeof error.code === "string" && /^\d+$/.test(error.code) ? Number(error.code) : error.code;
  const byDetails = statusOfDetails(error);
  if (byDetails !== undefined) return byDetails;
  if (typeof code === "number") return code >= 400 && code <= 599 ? code : MINIMAX_STATUS[code];
  const byWord = WORD_STATUS[code ?? ""] ?? WORD_STATUS[error.type ?? ""];
  return byWord ?? quotaInWords(error.message ?? "");
}

/** Google answers 400 to a wrong key, and 429 to a day's quota as to a minute's. */
function statusOfDetails(error: Exclude<ProviderError, string>): number | undefined {
  const details = error.details ?? [];
  if (details.some(({ reason }) => reason === "API_KEY_INVALID")) return 401;
  const quotas = details.flatMap(({ violations }) => violations ?? []);
  return quotas.some(({ quotaId }) => /PerDay/.test(quotaId ?? "")) ? HTTP_PAYMENT_REQUIRED : undefined;
}

/** Milliseconds to wait, which Google tells in the body only, for a quota that comes back by itself soon. */
export function waitOfProviderError(error: ProviderError): number | undefined {
  if (typeof error === "string" || statusOfDetails(error) !== undefined) return undefined;
  for (const { retryDelay } of error.details ?? []) {
    const seconds = /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(retryDelay ?? "")?.[1];
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  }
  return undefined;
}

/** Servers without a code for it say it in words. */
export function quotaInWords(message: string): number | undefined {
  return /insufficient (?:balance|quota|credit|funds)|exceeded your current quota|balance is too low|reached your specified (?:\w+ )?API usage limits|余额不足/i.test(
    message,
  )
    ? HTTP_PAYMENT_REQUIRED
    : undefined;
}
