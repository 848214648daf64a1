import { describe, expect, it } from "vitest";
import { createRedactor } from "@/server/events/redact";
import { failureOfStatus, retryAfterMs } from "./failure";

const NOW = Date.parse("2026-04-19T10:00:00Z");
const context = { providerName: "llm-api", redactor: createRedactor([]), now: () => NOW };

function failure(status: number, body: string, headers: Record<string, string> = {}) {
  return failureOfStatus(context, { status, headers, body });
}

describe("Retry-After", () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{ "retry-after": "3" }, 3000],
    [{ "retry-after": " 0.5 " }, 500],
    [{ "retry-after": "Sun, 19 Apr 2026 10:01:30 GMT" }, 90_000],
    [{ "retry-after": "Sun, 19 Apr 2026 09:00:00 GMT" }, 0],
    [{ "retry-after-ms": "1500", "retry-after": "60" }, 1500],
    [{ "x-ms-retry-after-ms": "20" }, 20],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
  ])("%j", (headers, expected) => {
    expect(retryAfterMs(headers, NOW)).toBe(expected);
  });
});

describe("a quota behind another status", () => {
  it.each([
    [429, '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}'],
    [429, '{"error":{"type":"insufficient_quota"}}'],
    [429, '{"error":{"message":"Insufficient balance"}}'],
    [400, '{"error":{"type":"billing_error","message":"no card"}}'],
    [400, '{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}'],
  ])("%i %s is not worth a retry", (status, body) => {
    expect(failure(status, body)).toMatchObject({ failureKind: "provider-rate-limited", retryable: false, httpStatus: status });
  });

  it("is worth one when it is a plain rate limit", () => {
    expect(failure(429, '{"error":{"code":"rate_limit_exceeded","message":"slow down"}}', { "retry-after": "2" })).toMatchObject({
      failureKind: "provider-rate-limited",
      retryable: undefined,
      retryAfterMs: 2000,
      message: "llm-api answered 429: slow down",
    });
  });
});

describe("the provider's words", () => {
  it.each([
    ['{"error":"plain"}', "plain"],
    ['{"message":"top"}', "top"],
    ['{"detail":"a detail"}', "a detail"],
    ['{"detail":[{"msg":"first"},{"msg":"second"}]}', "first; second"],
    ['{"type":"error","error":{"type":"bad_request_error","message":"bad (2013)"}}', "bad (2013)"],
    ["just text\nin two lines\u0007", "just text in two lines"],
    ["<html><body>Bad gateway</body></html>", "an HTML page"],
  ])("are found in %s", (body, words) => {
    expect(failure(400, body).message).toBe(`llm-api answered 400: ${words}`);
  });

  it("may be missing", () => {
    expect(failure(500, "").message).toBe("llm-api answered 500");
    expect(failure(500, "{}").message).toBe("llm-api answered 500");
  });

  it("are cut at 500 characters", () => {
    expect(failure(500, "x y ".repeat(5000)).message.length).toBe("llm-api answered 500: ".length + 500);
  });
});
