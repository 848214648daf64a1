/**
 * The stable vocabulary of failures. `errorType` is the XKB result artifact's `error.type`; `finish` is the
 * Correx finish reason; `event` the lifecycle event that closes the request; `retry` what the executor does
 * by default. A thrown failure may narrow `retry` (quota: rate-limited, yet not worth a retry) but never widen it.
 */
export const FAILURE_KINDS = {
  "secret-unavailable": { errorType: "secret_unavailable", finish: "error", event: "inference_failed", retry: "never" },
  "provider-auth-failed": { errorType: "auth_failed", finish: "error", event: "inference_failed", retry: "never" },
  "provider-rate-limited": { errorType: "rate_limited", finish: "error", event: "inference_failed", retry: "always" },
  "provider-unavailable": { errorType: "unavailable", finish: "error", event: "inference_failed", retry: "always" },
  "backend-protocol-error": { errorType: "protocol_error", finish: "error", event: "inference_failed", retry: "once" },
  "backend-json-parse-error": { errorType: "json_parse_error", finish: "error", event: "inference_failed", retry: "once" },
  "backend-response-invalid": { errorType: "invalid_output", finish: "error", event: "inference_failed", retry: "once" },
  "backend-spawn-failed": { errorType: "spawn_failed", finish: "error", event: "inference_failed", retry: "never" },
  "backend-failed": { errorType: "backend_failed", finish: "error", event: "inference_failed", retry: "never" },
  "backend-timeout": { errorType: "timeout", finish: "timeout", event: "inference_timeout", retry: "always" },
  cancelled: { errorType: "cancelled", finish: "cancelled", event: "inference_failed", retry: "never" },
} as const satisfies Record<
  string,
  {
    errorType: string;
    finish: "error" | "timeout" | "cancelled";
    event: "inference_failed" | "inference_timeout";
    retry: "never" | "once" | "always";
  }
>;

export type FailureKind = keyof typeof FAILURE_KINDS;
