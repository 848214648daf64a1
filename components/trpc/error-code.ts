import { ERROR_CODES, type ErrorCode } from "@/server/shared/error-codes.rules";

/** Our code inside an error of the API; null when the request failed on its way or the code is none of ours. */
export function errorCodeOf(error: unknown): ErrorCode | null {
  if (typeof error !== "object" || error === null || !("data" in error)) return null;
  const { data } = error;
  if (typeof data !== "object" || data === null || !("appCode" in data) || typeof data.appCode !== "string") return null;
  // Checked against the table in the same breath; the compiler does not narrow a string by `in`.
  return data.appCode in ERROR_CODES ? (data.appCode as ErrorCode) : null;
}

/** True when asking again cannot help: the caller has to change something first. */
export function isCallersFault(error: unknown): boolean {
  const code = errorCodeOf(error);
  return code !== null && ERROR_CODES[code].fault === "caller";
}
