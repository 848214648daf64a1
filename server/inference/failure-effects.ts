import type { FailureKind } from "@/server/artifacts/failure-kind.rules";

export interface ProviderFailure {
  failureKind: FailureKind;
  /** False: waiting does not mend it (an empty account). */
  retryable: boolean | undefined;
  httpStatus: number | undefined;
}

const HTTP_NOT_FOUND = 404;

/**
 * What a failure says of the provider, beyond the request that met it.
 * `counts`: it may pass (refused connection, 408, 429, 500, 502, 503, 529, no answer in time); several in a row start a cooldown.
 * `refuses`: the provider does not serve us or has no such model (401, 402, 403, 404, no key); it is unavailable until it serves
 * again, and the request is passed on to the next listed candidate.
 * `none`: it is the request's own (400, 422, an answer that is not as expected), or ours.
 */
export function effectOf({ failureKind, retryable, httpStatus }: ProviderFailure): "counts" | "refuses" | "none" {
  switch (failureKind) {
    case "provider-auth-failed":
    case "secret-unavailable":
      return "refuses";
    case "provider-rate-limited":
      return retryable === false ? "refuses" : "counts";
    case "provider-unavailable":
    case "backend-timeout":
      return "counts";
    case "backend-failed":
      return httpStatus === HTTP_NOT_FOUND ? "refuses" : "none";
    default:
      return "none";
  }
}
