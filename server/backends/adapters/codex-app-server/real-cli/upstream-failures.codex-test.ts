/** What the upstream may do wrong, met by the real CLI: every failure has its name, by both ways, and is asked for once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { Script } from "@/server/testing/loopback-upstream";
import { openRealCodex, type RealCodex } from "@/server/testing/real-codex";
import { agentTurn, chunkTurn } from "@/server/testing/real-codex-turns";
import * as answers from "@/server/testing/responses-answers";

let codex: RealCodex;

beforeAll(async () => {
  codex = await openRealCodex();
});
afterAll(() => codex.close());

interface Failure {
  name: string;
  script: () => Script;
  failureKind: FailureKind;
  httpStatus?: number;
  retryable?: false;
  /** What the model had said. */
  said?: string;
  /** The end of the sentence, after the provider's name. */
  message: string | RegExp;
}

const CUT = "stream disconnected before completion: Transport error: network error: error decoding response body";
const CLOSED = "stream disconnected before completion: stream closed before response.completed";
const refused = (status: string, message: string) =>
  new RegExp(`^unexpected status ${status}: ${message}, url: http://127\\.0\\.0\\.1:\\d+/v1/responses$`);

const FAILURES: Failure[] = [
  {
    name: "401",
    script: () => answers.unauthorized,
    failureKind: "provider-auth-failed",
    httpStatus: 401,
    message: refused("401 Unauthorized", "Incorrect API key provided\\."),
  },
  {
    name: "402",
    script: () => answers.paymentRequired,
    failureKind: "provider-rate-limited",
    httpStatus: 402,
    retryable: false,
    message: refused("402 Payment Required", "Insufficient Balance"),
  },
  {
    name: "403",
    script: () => answers.forbidden,
    failureKind: "provider-auth-failed",
    httpStatus: 403,
    message: refused("403 Forbidden", "Country, region, or territory not supported\\."),
  },
  {
    name: "404",
    script: () => answers.notFound,
    failureKind: "backend-failed",
    httpStatus: 404,
    message: refused("404 Not Found", "There is nothing at this address\\."),
  },
  {
    name: "a model that does not exist",
    script: () => answers.modelNotFound,
    failureKind: "backend-failed",
    httpStatus: 404,
    message: "The model does not exist or you do not have access to it.",
  },
  {
    name: "a request it does not take",
    script: () => answers.badRequest,
    failureKind: "backend-failed",
    message: /Unsupported parameter: tools\[3\]\./,
  },
  {
    name: "429",
    script: () => answers.tooManyRequests(),
    failureKind: "provider-rate-limited",
    httpStatus: 429,
    message: "exceeded retry limit, last status: 429 Too Many Requests",
  },
  {
    name: "429 with Retry-After",
    script: () => answers.tooManyRequests(1),
    failureKind: "provider-rate-limited",
    httpStatus: 429,
    message: "exceeded retry limit, last status: 429 Too Many Requests",
  },
  {
    name: "a used-up quota",
    script: () => answers.quotaExceeded,
    failureKind: "provider-rate-limited",
    retryable: false,
    message: "Quota exceeded. Check your plan and billing details.",
  },
  {
    name: "a used-up quota, told in the stream",
    script: () => answers.failedResponse("insufficient_quota", "You exceeded your current quota."),
    failureKind: "provider-rate-limited",
    retryable: false,
    message: "Quota exceeded. Check your plan and billing details.",
  },
  {
    name: "a rate limit, told in the stream",
    script: () => answers.failedResponse("rate_limit_exceeded", "Rate limit reached for requests."),
    failureKind: "provider-rate-limited",
    message: /rate limit/i,
  },
  {
    name: "500",
    script: () => answers.serverError,
    failureKind: "provider-unavailable",
    message: "We’re currently experiencing high demand, which may cause temporary errors.",
  },
  {
    name: "502 with a page",
    script: () => answers.badGateway,
    failureKind: "provider-unavailable",
    httpStatus: 502,
    message: refused("502 Bad Gateway", "<html><body><h1>502 Bad Gateway</h1></body></html>"),
  },
  {
    name: "503",
    script: () => answers.unavailable,
    failureKind: "provider-unavailable",
    httpStatus: 503,
    message: refused("503 Service Unavailable", "Service Unavailable"),
  },
  {
    name: "503, overloaded",
    script: () => answers.overloaded,
    failureKind: "provider-unavailable",
    message: "Selected model is at capacity. Please try a different model.",
  },
  {
    name: "overloaded, told in the stream",
    script: () => answers.failedResponse("server_is_overloaded", "The server is overloaded."),
    failureKind: "provider-unavailable",
    message: "Selected model is at capacity. Please try a different model.",
  },
  {
    name: "a failure of another kind, told in the stream",
    script: () => answers.failedResponse("server_error", "boom"),
    failureKind: "backend-failed",
    message: "stream disconnected before completion: boom",
  },
  {
    name: "a connection that is cut in the middle of a message",
    script: () => answers.cutStream("The beginning"),
    failureKind: "provider-unavailable",
    said: "The beginning",
    message: CUT,
  },
  {
    name: "a connection that is cut after a message",
    script: () => answers.cutAfterMessage("The whole of it."),
    failureKind: "provider-unavailable",
    said: "The whole of it.",
    message: CUT,
  },
  {
    name: "a stream that ends too early",
    script: () => answers.endWithoutCompleted("The beginning"),
    failureKind: "backend-response-invalid",
    said: "The beginning",
    message: CLOSED,
  },
  {
    name: "events that are no JSON",
    script: () => answers.malformedEvents,
    failureKind: "backend-response-invalid",
    message: CLOSED,
  },
  {
    name: "JSON instead of events",
    script: () => answers.jsonInsteadOfEvents,
    failureKind: "backend-response-invalid",
    message: CLOSED,
  },
  {
    name: "an answer with nothing in it",
    script: answers.nothing,
    failureKind: "backend-response-invalid",
    message: "the turn completed without a reply.",
  },
  {
    name: "an empty message",
    script: answers.emptyMessage,
    failureKind: "backend-response-invalid",
    message: "the turn completed without a reply.",
  },
  {
    name: "pieces of a message that never comes",
    script: () => answers.onlyDeltas("only pieces"),
    failureKind: "backend-response-invalid",
    said: "only pieces",
    message: "the turn completed without a reply.",
  },
  {
    name: "an answer that was cut for its length",
    script: () => answers.incompleteResponse("max_output_tokens"),
    failureKind: "backend-response-invalid",
    said: "The beginning of",
    message: "Incomplete response returned, reason: max_output_tokens",
  },
  {
    name: "an answer that was cut for its content",
    script: () => answers.incompleteResponse("content_filter"),
    failureKind: "backend-response-invalid",
    said: "The beginning of",
    message: "stream disconnected before completion: Incomplete response returned, reason: content_filter",
  },
  {
    name: "a context that is too long",
    script: answers.contextTooLong,
    failureKind: "backend-failed",
    message: "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
  },
];

const NAMED = FAILURES.map((failure) => [failure.name, failure] as const);

/** A message that was said stands in the trace, and is nobody's reply. */
const saidBy = (failure: Failure, authority: string) =>
  failure.said === undefined ? [] : [`message ${authority}: ${failure.said}`];

const authorityOf = ({ name }: Failure) =>
  name === "a connection that is cut after a message" ? "not final" : "without authority";

describe("a chunk", () => {
  it.each(NAMED)("%s", async (_name, failure) => {
    const { result, error, told, requests } = await chunkTurn(codex, [failure.script(), answers.reply("a second try")]);
    expect(result).toBeNull();
    expect({
      failureKind: error?.failureKind,
      httpStatus: error?.httpStatus,
      retryable: error?.retryable,
      retryAfterMs: error?.retryAfterMs,
      said: error?.partialText,
    }).toEqual({
      failureKind: failure.failureKind,
      httpStatus: failure.httpStatus,
      retryable: failure.retryable,
      // The CLI keeps the header to itself.
      retryAfterMs: undefined,
      said: failure.said,
    });
    expectSentence(error?.message, failure);
    expect(told).toEqual([
      "status started",
      "status thread-started",
      ...saidBy(failure, authorityOf(failure)),
      "status suppressed",
    ]);
    expect(requests).toHaveLength(1);
  });
});

describe("a turn of an agent", () => {
  it.each(NAMED)("%s", async (_name, failure) => {
    const { outcome, told, events, requests } = await agentTurn(codex, [failure.script(), answers.reply("a second try")]);
    expect(outcome).toMatchObject({ status: "failed", failureKind: failure.failureKind, reply: null });
    expectSentence(outcome.message, failure);
    expect(told).toEqual([
      "status thread-started",
      ...saidBy(failure, authorityOf(failure)),
      "status suppressed",
      `error ${failure.failureKind}`,
      `end failed ${failure.failureKind}`,
    ]);
    expect(events.at(-1)?.payload).toMatchObject({ message: outcome.message });
    expect(requests).toHaveLength(1);
  });
});

it("says of an upstream that refuses a check that it is not available, and of one that is busy that it is degraded", async () => {
  const probe = (script: Script) => {
    codex.upstream.next(script);
    return codex.backend.probe(new AbortController().signal, codex.access, codex.model);
  };
  const latencyMs = expect.any(Number);
  const reason = expect.stringMatching(/^deepseek: /);
  expect(await probe(answers.unauthorized)).toEqual({ state: "unavailable", reason, latencyMs });
  expect(await probe(answers.paymentRequired)).toEqual({ state: "unavailable", reason, latencyMs });
  expect(await probe(answers.tooManyRequests())).toEqual({ state: "degraded", reason, latencyMs });
  expect(await probe(answers.serverError)).toEqual({ state: "unavailable", reason, latencyMs });
  // It took the key and ran the model.
  expect(await probe(answers.nothing())).toEqual({ state: "healthy", reason: "", latencyMs });
});

function expectSentence(sentence: string | null | undefined, { message }: Failure): void {
  expect(sentence).toMatch(/^deepseek: /);
  const rest = sentence?.slice("deepseek: ".length);
  if (typeof message === "string") expect(rest).toBe(message);
  else expect(rest).toMatch(message);
}
