/** Failures of the service as the real Claude Code passes them on: the kind of each, and how many requests it made of one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Turn } from "@/server/backends/backend";
import { hang } from "@/server/testing/loopback-upstream";
import { calling, cutOffAfter, failingAfter, messagesError, saying, silentAfter } from "@/server/testing/messages-answers";
import { openRealClaude, type RealClaude } from "@/server/testing/real-claude";
import { refusedBaseUrl } from "@/server/testing/responses-answers";

const WORDS: Partial<Turn> = { expect: { format: "json", schema: {} } };

let claude: RealClaude;

beforeAll(async () => {
  claude = await openRealClaude();
});
afterAll(() => claude.close());

describe("a status", () => {
  it.each<[number, string, string, string, number, boolean?]>([
    [401, "authentication_error", "invalid x-api-key", "provider-auth-failed", 1],
    [402, "billing_error", "Payment required.", "provider-rate-limited", 1, false],
    [403, "permission_error", "Not allowed.", "provider-auth-failed", 1],
    // It asks once more without a stream; a model that is not there costs nothing.
    [404, "not_found_error", "model: none", "backend-failed", 2],
    [
      400,
      "invalid_request_error",
      "Your credit balance is too low to access the Anthropic API.",
      "provider-rate-limited",
      1,
      false,
    ],
    [400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", "backend-failed", 1, false],
    [400, "invalid_request_error", "max_tokens: too large", "backend-failed", 1],
    [429, "rate_limit_error", "Slow down.", "provider-rate-limited", 1],
    [500, "api_error", "Internal.", "provider-unavailable", 1],
    [529, "overloaded_error", "Overloaded.", "provider-unavailable", 1],
  ])("%i %s (%s) is %s after %i", async (status, type, said, failureKind, count, retryable) => {
    const headers: Record<string, string> = status === 429 ? { "retry-after": "1" } : {};
    const refused = () => messagesError(status, type, said, headers);
    const { error, requests } = await claude.run([refused(), refused(), refused(), refused()]);
    expect([error?.failureKind, error?.httpStatus, error?.retryable, error?.retryAfterMs]).toEqual([
      failureKind,
      status,
      retryable,
      undefined,
    ]);
    expect(error?.message.startsWith(`claude-code answered ${status}: `)).toBe(true);
    expect(requests).toHaveLength(count);
  });

  it("that repeats the key does not show it", async () => {
    const leaking = () => messagesError(400, "invalid_request_error", `the key ${claude.key} is odd`);
    const { error, events } = await claude.run([leaking()]);
    expect(error?.message).toContain("[redacted env:CLAUDE_KEY]");
    expect(JSON.stringify([error?.message, error?.stack, events])).not.toContain(claude.key);
  });
});

describe("the way to the service", () => {
  it("that leads nowhere", async () => {
    const { error } = await claude.run([], { turn: { baseUrl: await refusedBaseUrl() } });
    expect(error?.failureKind).toBe("provider-unavailable");
    expect(error?.message).toContain("ECONNREFUSED");
  });

  it("on which nothing comes back ends at the turn's limit, with one request", async () => {
    const { error, requests } = await claude.run([hang, hang], { turn: { timeoutMs: 10_000 } });
    expect(error?.failureKind).toBe("backend-timeout");
    expect(requests).toHaveLength(1);
  });

  it("that falls silent is given up by us, with what was said", async () => {
    const impatient = claude.another({ settings: { idleMs: 8_000 }, limits: { silenceMarginMs: 0 } });
    const { error, requests } = await claude.run([silentAfter("The beginning of"), saying("x")], {
      turn: WORDS,
      backend: impatient,
    });
    expect(error).toMatchObject({
      failureKind: "backend-timeout",
      message: "claude-code timed out after 8s without data",
      partialText: "The beginning of",
    });
    expect(requests).toHaveLength(1);
  });

  it("that falls silent is given up by the program itself when it is first", async () => {
    const patient = claude.another({ settings: { idleMs: 3_000 }, limits: { silenceMarginMs: 60_000 } });
    const { error, requests } = await claude.run([silentAfter("The beginning of"), saying("x")], {
      turn: WORDS,
      backend: patient,
    });
    expect(error).toMatchObject({
      failureKind: "backend-timeout",
      message: "claude-code failed: API Error: Stream idle timeout - no chunks received",
      partialText: "The beginning of",
    });
    expect(requests).toHaveLength(1);
  });

  it("that breaks is not tried again", async () => {
    const { error, requests } = await claude.run([cutOffAfter("The beginning of"), saying("x")], { turn: WORDS });
    expect(error?.failureKind).toBe("provider-unavailable");
    expect(requests).toHaveLength(1);
  });

  it("on which an error comes in the middle of the answer keeps what was said, and is not tried again", async () => {
    const failing = failingAfter("The beginning of", "overloaded_error", "Overloaded");
    const { error, requests } = await claude.run([failing, saying("x")], { turn: WORDS });
    expect(error).toMatchObject({ failureKind: "provider-unavailable", httpStatus: 529, partialText: "The beginning of" });
    expect(requests).toHaveLength(1);
  });
});

describe("a check", () => {
  const check = () => claude.backend.probe(new AbortController().signal, claude.access(), "claude-sonnet-5-5");

  it("is one small request that a wrong key fails", async () => {
    claude.upstream.next(saying("OK"), messagesError(401, "authentication_error", "invalid x-api-key"));
    const asked = claude.upstream.requests.length;
    expect(await check()).toMatchObject({ state: "healthy", reason: "" });
    expect(await check()).toMatchObject({
      state: "unavailable",
      reason: "claude-code answered 401: Invalid API key · Fix external API key",
    });
    const requests = claude.upstream.requests.slice(asked);
    expect(requests.map(({ body }) => body.max_tokens)).toEqual([16, 16]);
  });

  it("is passed by a model that needs more than it may say", async () => {
    claude.upstream.next(saying("O", { stopReason: "max_tokens" }), calling("nothing", {}));
    expect(await check()).toMatchObject({ state: "healthy" });
  });
});
