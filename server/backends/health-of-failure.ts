import type { BackendError, ProbeResult } from "./backend";

/** What a failed tiny request says of the runtime. A rate limit passes; an answer that is unusable was an answer all the same. */
export function healthOfFailure({ failureKind, retryable, message }: BackendError): Pick<ProbeResult, "state" | "reason"> {
  // It took the key and ran the model, which spent its few tokens on thinking or was cut.
  if (failureKind === "backend-response-invalid") return { state: "healthy", reason: "" };
  const passes = failureKind === "provider-rate-limited" && retryable !== false;
  return { state: passes ? "degraded" : "unavailable", reason: message };
}
