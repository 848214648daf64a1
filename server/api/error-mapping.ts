import type { z } from "zod";
import { AppError, isAppError } from "@/server/shared/app-error";
import { ERROR_CODES } from "@/server/shared/error-codes.rules";
import { issueSentence, plainWords } from "@/server/shared/issue-sentence";

/** The wire form of an error, `{error:{code,message,details?}}`, with the status of the table. Unknown errors tell nothing. */
export function errorResponse(error: unknown): Response {
  const known = isAppError(error) ? error : new AppError("internal", "Something broke on the server; its log says what.");
  const body = { error: { code: known.code, message: known.message, ...(known.details ? { details: known.details } : {}) } };
  return Response.json(body, { status: ERROR_CODES[known.code].status, headers: refusalHeaders(known) });
}

/** What HTTP says beside the body of a refusal: how to sign in, or when to come again. */
export function refusalHeaders(error: AppError): Record<string, string> {
  const seconds = error.details?.retryAfterSeconds;
  return {
    "cache-control": "no-store",
    ...(error.code === "unauthorized" ? { "www-authenticate": "Bearer" } : {}),
    ...(error.code === "too_many_requests" && typeof seconds === "number" ? { "retry-after": String(seconds) } : {}),
  };
}

/** True for errors that are the server's own and belong into the log. */
export function isServerFault(error: unknown): boolean {
  return !isAppError(error) || ERROR_CODES[error.code].fault === "server";
}

/**
 * What a caller sent, checked; throws `invalid_input` with one sentence. Only here does a failed check blame the caller: anywhere
 * deeper it means that stored data is not what the server wrote, which is the server's fault.
 */
export function parseInput<T extends z.ZodType>(schema: T, given: unknown): z.infer<T> {
  const parsed = schema.safeParse(given, { error: plainWords });
  if (!parsed.success) throw new AppError("invalid_input", issueSentence(parsed.error));
  return parsed.data;
}
