import { describe, expect, it } from "vitest";
import { fixtureNames } from "@/server/testing/read-fixture";
import { replayTurns } from "@/server/testing/replay-turns";
import { type Classified, classifyTurnError, statusOf } from "./failure";
import { turnErrorSchema } from "./protocol.schema";

/** What every recording of a failed turn means. Those that are missing here do not fail. */
const RECORDED: Readonly<Record<string, Classified>> = {
  "http-400": { failureKind: "backend-failed" },
  "http-401": { failureKind: "provider-auth-failed", httpStatus: 401 },
  "http-402": { failureKind: "provider-rate-limited", retryable: false, httpStatus: 402 },
  "http-403": { failureKind: "provider-auth-failed", httpStatus: 403 },
  "http-404": { failureKind: "backend-failed", httpStatus: 404 },
  "http-429": { failureKind: "provider-rate-limited", httpStatus: 429 },
  "http-429-quota": { failureKind: "provider-rate-limited", retryable: false },
  "http-429-retry-after": { failureKind: "provider-rate-limited", httpStatus: 429 },
  "http-500": { failureKind: "provider-unavailable" },
  "http-502": { failureKind: "provider-unavailable", httpStatus: 502 },
  "http-503": { failureKind: "provider-unavailable", httpStatus: 503 },
  "http-503-overloaded": { failureKind: "provider-unavailable" },
  refused: { failureKind: "provider-unavailable" },
  "stream-cut": { failureKind: "provider-unavailable" },
  "message-said-again": { failureKind: "provider-unavailable" },
  "stream-eof": { failureKind: "backend-response-invalid" },
  "stream-malformed": { failureKind: "backend-response-invalid" },
  "stream-json": { failureKind: "backend-response-invalid" },
  "stream-silence": { failureKind: "backend-timeout" },
  "stream-silence-in-message": { failureKind: "backend-timeout" },
  "incomplete-length": { failureKind: "backend-response-invalid" },
  "incomplete-content-filter": { failureKind: "backend-response-invalid" },
  "failed-server-error": { failureKind: "backend-failed" },
  "failed-unknown": { failureKind: "backend-failed" },
  "failed-invalid-prompt": { failureKind: "backend-failed" },
  "failed-overloaded": { failureKind: "provider-unavailable" },
  "failed-quota": { failureKind: "provider-rate-limited", retryable: false },
  "failed-rate-limit": { failureKind: "provider-rate-limited" },
  "failed-context": { failureKind: "backend-failed" },
  "bad-model": { failureKind: "backend-failed", httpStatus: 404 },
  "missing-key": { failureKind: "secret-unavailable" },
  "empty-key": { failureKind: "secret-unavailable" },
};

describe("recorded failures", () => {
  const failed = fixtureNames().flatMap((name) =>
    replayTurns(name).flatMap(({ end, translator }) =>
      end?.status === "failed" ? [{ name, error: end.error, retried: translator.retried }] : [],
    ),
  );

  it("are all in the table", () => {
    expect(failed.map(({ name }) => name)).toEqual(Object.keys(RECORDED).sort());
  });

  it.each(failed)("$name", ({ name, error, retried }) => {
    if (!error) throw new Error("a failed turn without an error");
    expect(classifyTurnError(error, retried)).toEqual(RECORDED[name]);
  });
});

const error = (codexErrorInfo: unknown, message = "", additionalDetails: string | null = null) =>
  turnErrorSchema.parse({ codexErrorInfo, message, additionalDetails });

describe("the variant says most", () => {
  it.each<[unknown, string, Classified]>([
    ["unauthorized", "", { failureKind: "provider-auth-failed" }],
    ["usageLimitExceeded", "unexpected status 500", { failureKind: "provider-rate-limited", retryable: false }],
    ["sandboxError", "stream closed before response.completed", { failureKind: "backend-failed" }],
    ["badRequest", "rate limit", { failureKind: "backend-failed" }],
    [{ serverOverloaded: { httpStatusCode: 529 } }, "", { failureKind: "provider-unavailable", httpStatus: 529 }],
    [{ modelNotFound: {} }, "", { failureKind: "backend-failed", httpStatus: 404 }],
  ])("%j %s", (info, message, classified) => {
    expect(classifyTurnError(error(info, message))).toEqual(classified);
  });
});

describe("then a status", () => {
  it.each<[number, Classified]>([
    [400, { failureKind: "backend-failed", httpStatus: 400 }],
    [401, { failureKind: "provider-auth-failed", httpStatus: 401 }],
    [402, { failureKind: "provider-rate-limited", retryable: false, httpStatus: 402 }],
    [408, { failureKind: "backend-timeout", httpStatus: 408 }],
    [429, { failureKind: "provider-rate-limited", httpStatus: 429 }],
    [500, { failureKind: "provider-unavailable", httpStatus: 500 }],
    [529, { failureKind: "provider-unavailable", httpStatus: 529 }],
  ])("%i", (httpStatusCode, classified) => {
    for (const variant of ["httpConnectionFailed", "responseStreamDisconnected", "responseTooManyFailedAttempts", "somethingNew"])
      expect(classifyTurnError(error({ [variant]: { httpStatusCode } }, "words")), variant).toEqual(classified);
    expect(classifyTurnError(error("other", `unexpected status ${httpStatusCode} Words`))).toEqual(classified);
    expect(classifyTurnError(error(null, `exceeded retry limit, last status: ${httpStatusCode} Words`))).toEqual(classified);
  });
});

describe("then what was retried last", () => {
  it("for a connection whose last word has lost its status", () => {
    const lost = error({ responseStreamDisconnected: { httpStatusCode: null } }, "it broke");
    expect(classifyTurnError(lost, { status: 401 })).toEqual({ failureKind: "provider-auth-failed", httpStatus: 401 });
    expect(classifyTurnError(lost, { status: null })).toEqual({ failureKind: "provider-unavailable" });
  });

  it("for words that say nothing, and not for words that do", () => {
    expect(classifyTurnError(error("other", "it broke"), { status: 503 })).toEqual({
      failureKind: "provider-unavailable",
      httpStatus: 503,
    });
    expect(classifyTurnError(error("other", "idle timeout waiting for SSE"), { status: 503 })).toEqual({
      failureKind: "backend-timeout",
    });
  });
});

describe("then the words", () => {
  it.each<[string, string | null, Classified]>([
    ["Missing environment variable: `X`.", null, { failureKind: "secret-unavailable" }],
    ["it broke", "operation timed out", { failureKind: "backend-timeout" }],
    ["503 Service Unavailable", null, { failureKind: "provider-unavailable" }],
    ["The model is temporarily unavailable", null, { failureKind: "provider-unavailable" }],
    ["Insufficient Balance", null, { failureKind: "provider-rate-limited", retryable: false }],
    ["Rate limit reached", null, { failureKind: "provider-rate-limited" }],
    ["", null, { failureKind: "backend-failed" }],
    ["The user spoke of a missing environment variable", null, { failureKind: "backend-failed" }],
  ])("%s %s", (message, details, classified) => {
    expect(classifyTurnError(error("other", message, details))).toEqual(classified);
  });
});

it("a status is found in the variant, in the message and in the details", () => {
  expect(statusOf(error({ httpConnectionFailed: { httpStatusCode: 502 } }, "unexpected status 401"))).toBe(502);
  expect(statusOf(error("other", "unexpected status 401 Unauthorized"))).toBe(401);
  expect(statusOf(error("other", "Reconnecting... 1/5", "unexpected status 503 Service Unavailable"))).toBe(503);
  expect(statusOf(error("other", "4293 things"))).toBeNull();
});

it("an error of another form is read as one without words", () => {
  expect(turnErrorSchema.parse({ message: 7, codexErrorInfo: [1], additionalDetails: {} })).toMatchObject({
    message: "",
    additionalDetails: null,
  });
  expect(classifyTurnError(turnErrorSchema.parse({}))).toEqual({ failureKind: "backend-failed" });
  expect(classifyTurnError(error({}, "x"))).toEqual({ failureKind: "backend-failed" });
});
