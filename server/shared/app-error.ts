import { ERROR_CODES, type ErrorCode } from "./error-codes.rules";

/**
 * A failure with a code of the table and one sentence for the person who meets it. Recognised by `code`,
 * never by `instanceof`: pages, route handlers and instrumentation are separate module instances.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details?: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, options: { details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    if (options.details) this.details = options.details;
  }
}

export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code in ERROR_CODES;
}
