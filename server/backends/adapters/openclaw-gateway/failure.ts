/** From the gateway's words to the one `BackendError` the caller acts on: it passes no status code on, so the words decide. Measured with 2026.9.6. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { BackendError } from "@/server/backends/backend";
import { boundedMessage, type FailureContext, partialTextOf } from "@/server/backends/http/failure";
import { quotaInWords } from "@/server/backends/http/provider-codes";
import type { GatewayError } from "./protocol.schema";
import { PROTOCOL } from "./request";

interface Meaning {
  failureKind: FailureKind;
  /** False for what no repetition mends. */
  retryable?: false;
  retryAfterMs?: number;
}

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

const AUTH: Meaning = { failureKind: "provider-auth-failed" };
const QUOTA: Meaning = { failureKind: "provider-rate-limited", retryable: false };

/** The first that fits counts: the key that rests names its cause, which must not be taken for a refusal of now. */
const BY_WORDS: readonly [RegExp, Meaning | ((words: string) => Meaning)][] = [
  [/temporarily disabled|cool(?:ing)? ?down/i, (words) => ({ failureKind: "provider-rate-limited", ...waitIn(words) })],
  [/context (?:overflow|length|window)|prompt (?:is )?too (?:large|long)/i, { failureKind: "backend-failed", retryable: false }],
  [/unknown model|model .*not (?:found|allowed)|not authorized for this caller/i, { failureKind: "backend-failed" }],
  [/HTTP 402|billing|credits?\b|insufficient (?:balance|quota|funds)/i, QUOTA],
  [/HTTP 40[13]|authenticat|unauthorized|invalid api key|forbidden/i, AUTH],
  [/HTTP 429|rate.?limit|too many requests/i, (words) => ({ failureKind: "provider-rate-limited", ...waitIn(words) })],
  [/timed? ?out/i, { failureKind: "backend-timeout" }],
  [
    /HTTP 5\d\d|overloaded|unavailable|E(?:CONN\w+|NOTFOUND|AI_AGAIN|HOSTUNREACH)|connection|network/i,
    { failureKind: "provider-unavailable" },
  ],
  [/couldn't generate a response|incomplete/i, { failureKind: "backend-response-invalid" }],
];

/** "about 1 minute", "30 seconds", "retry-after: 12". */
function waitIn(words: string): { retryAfterMs?: number } {
  const found = /(?:after|in)(?: about)?:? (\d{1,6}) ?(minutes?|seconds?|s\b|m\b)?/i.exec(words);
  if (!found) return {};
  return { retryAfterMs: Number(found[1]) * (found[2]?.toLowerCase().startsWith("m") ? MINUTE_MS : SECOND_MS) };
}

/** A run that failed, in the gateway's words; `partialText` is what the model had said. */
export function failureOfRun(context: FailureContext, said: string, partialText: string): BackendError {
  const words = boundedMessage(context, said.replace(/^⚠️\s*/u, ""));
  const found = quotaInWords(words) === undefined ? BY_WORDS.find(([pattern]) => pattern.test(words))?.[1] : QUOTA;
  const meaning = (typeof found === "function" ? found(words) : found) ?? { failureKind: "backend-failed" as const };
  const { failureKind, ...options } = meaning;
  return new BackendError(
    failureKind,
    words === ""
      ? `${context.providerName}: the run failed and the gateway says no reason.`
      : `${context.providerName} failed: ${words}`,
    { ...options, ...partialTextOf(context, partialText) },
  );
}

/** `connect` or `agent` were refused by the gateway itself: no model was asked. */
export function failureOfRefusal(context: FailureContext, error: GatewayError | null | undefined): BackendError {
  const { providerName } = context;
  const code = error?.details?.code ?? "";
  if (code === "PROTOCOL_MISMATCH") {
    const spoken = error?.details?.expectedProtocol;
    return new BackendError(
      "backend-failed",
      typeof spoken === "number" && spoken !== PROTOCOL
        ? `${providerName}: the OpenClaw gateway speaks protocol ${spoken} and this version only 4; use a gateway that is known here.`
        : `${providerName}: the OpenClaw gateway does not speak protocol 4, the only one known here; use a gateway that is known here.`,
    );
  }
  if (code === "MISSING_SCOPE") return withoutScope(providerName, error?.details?.missingScope ?? "operator.write");
  const words = boundedMessage(context, error?.message ?? "");
  if (code.startsWith("AUTH_") || /^unauthorized/i.test(words)) {
    return new BackendError("provider-auth-failed", `${providerName}: the gateway refuses the token: ${words}`);
  }
  if (code.startsWith("PAIRING_") || code.startsWith("DEVICE_") || /pairing|device identity/i.test(words)) {
    return new BackendError(
      "provider-auth-failed",
      `${providerName}: the gateway wants a paired device, and this server is none; reach it on loopback, for example through an SSH tunnel.`,
    );
  }
  return failureOfRun(context, words, "");
}

/** A gateway gives a client without a device its rights on loopback only. */
export function withoutScope(providerName: string, scope: string): BackendError {
  return new BackendError(
    "provider-auth-failed",
    `${providerName}: the gateway did not grant the right ${scope}, which a run needs; reach it on loopback, for example through an SSH tunnel.`,
  );
}

/** A frame that cannot be read. `path` is the place in it, from a schema's first issue. */
export function unknownForm({ providerName }: FailureContext, path: readonly PropertyKey[] | undefined): BackendError {
  const where = path?.join(".") || "the whole";
  return new BackendError("backend-protocol-error", `${providerName} sent a piece of an unknown form (at ${where}).`);
}
