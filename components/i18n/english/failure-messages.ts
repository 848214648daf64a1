/** What each failure kind is called, and what to do about it. */
export const failureEnglish = {
  "failure.title.secret-unavailable": "The API key is missing",
  "failure.title.provider-auth-failed": "The provider refused the key",
  "failure.title.provider-rate-limited": "The provider limits the rate",
  "failure.title.provider-unavailable": "The provider was not available",
  "failure.title.backend-protocol-error": "The backend answered in an unknown form",
  "failure.title.backend-json-parse-error": "The answer was not JSON",
  "failure.title.backend-response-invalid": "The answer did not have the asked shape",
  "failure.title.backend-spawn-failed": "The backend did not start",
  "failure.title.backend-failed": "The backend failed",
  "failure.title.backend-timeout": "The answer took too long",
  "failure.title.cancelled": "Cancelled",
  "failure.short.secret-unavailable": "key missing",
  "failure.short.provider-auth-failed": "key refused",
  "failure.short.provider-rate-limited": "rate limit",
  "failure.short.provider-unavailable": "provider not available",
  "failure.short.backend-protocol-error": "unknown form of answer",
  "failure.short.backend-json-parse-error": "answer not JSON",
  "failure.short.backend-response-invalid": "answer of another shape",
  "failure.short.backend-spawn-failed": "backend not started",
  "failure.short.backend-failed": "backend failed",
  "failure.short.backend-timeout": "timeout",
  "failure.short.cancelled": "cancelled",
  "failure.advice.secret-unavailable":
    "Set the variable that the backend’s key is read from, restart, then retry. Retrying before that fails the same way.",
  "failure.advice.provider-auth-failed":
    "Check that the key is valid and may use this model, then retry. It is not retried by itself.",
  "failure.advice.provider-rate-limited":
    "While attempts are left it is retried by itself, with growing waits. If it stays, lower the requests at once, or check the quota with the provider.",
  "failure.advice.provider-unavailable":
    "While attempts are left it is retried by itself. If it stays, check the address, the network and the provider’s state, then retry.",
  "failure.advice.backend-protocol-error":
    "It is retried once. If it stays, the address may lead to something else than the backend: check it before you retry.",
  "failure.advice.backend-json-parse-error":
    "It is retried once; models vary, so another retry often helps. If not, read the raw text: the answer may be cut off.",
  "failure.advice.backend-response-invalid":
    "It is retried once; another retry often helps. If not, read the raw text, or take a model that follows a schema better.",
  "failure.advice.backend-spawn-failed":
    "Check that the program is installed and may be run, then retry. It is not retried by itself.",
  "failure.advice.backend-failed":
    "Read the message: the request itself was refused (wrong model name, text too long, a content rule). Change that before you retry. It is not retried by itself.",
  "failure.advice.backend-timeout":
    "While attempts are left it is retried by itself. If it stays, raise the time limit or make chunks smaller in a new run.",
  "failure.advice.cancelled": "Stopped on request; retry when you want it done after all.",
} as const;
