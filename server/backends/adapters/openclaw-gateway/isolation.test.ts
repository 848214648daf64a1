/** Where the token goes and where it can be found afterwards: nowhere. */
import { describe, expect, it, vi } from "vitest";
import { Secret } from "@/server/shared/secret";
import { failureOf } from "@/server/testing/contract-chat-turn";
import { fakeGateway } from "@/server/testing/fake-gateway-runs";
import { keepingSink } from "@/server/testing/open-codex";
import { CLAW_TOKEN, openGateway, REFUSED_TOKEN } from "@/server/testing/open-gateway";

const never = () => new AbortController().signal;

describe("a token that cannot be used is secret-unavailable before anything is opened", () => {
  it.each<[string, Record<string, Secret>, string]>([
    ["missing", {}, "claw has no key: set providers.claw.apiKey."],
    ["blank", { apiKey: new Secret(" \t ", "env:K") }, "claw: the key env:K is empty."],
    [
      "of two lines",
      { apiKey: new Secret("one\ntwo", "env:K") },
      "claw: the key env:K holds a line break or another control character, and cannot be sent.",
    ],
  ])("%s", async (_what, secrets, message) => {
    vi.stubEnv("OPENCLAW_GATEWAY_TOKEN", "another-token-of-the-process");
    const claw = await openGateway();
    const error = await failureOf(claw.backend.runTurn(claw.turn("x", { secrets }), keepingSink(), never()));
    vi.unstubAllEnvs();
    expect([error.failureKind, error.message]).toEqual(["secret-unavailable", message]);
    expect(claw.gateway.connections).toBe(0);
  });
});

it("blanks around it are not sent, and it is in no run", async () => {
  const claw = await openGateway({ fake: { refusedToken: ` ${CLAW_TOKEN}\n` } });
  const secrets = { apiKey: new Secret(` ${CLAW_TOKEN}\n`, "env:CLAW_TOKEN") };
  await claw.backend.runTurn(claw.turn("x", { secrets }), keepingSink(), never());
  expect(JSON.stringify(claw.gateway.runs)).not.toContain(CLAW_TOKEN);
});

it("it is in no event, error or progress, whatever the gateway repeats", async () => {
  const claw = await openGateway();
  const sink = keepingSink();
  const { text } = await claw.backend.runTurn(claw.turn(fakeGateway("leaks-key")), sink, never());
  // The caller redacts what it stores; that the gateway leaked it at all shows that the look below finds something.
  expect(text).toContain(CLAW_TOKEN);
  const failed = await failureOf(claw.backend.runTurn(claw.turn(fakeGateway("leaks-key", "fails:unauthorized")), sink, never()));
  const refused = await failureOf(claw.backend.runTurn(claw.turn("x", claw.access(REFUSED_TOKEN)), sink, never()));
  expect(failed.message).toContain("[redacted env:CLAW_TOKEN]");
  const shown = JSON.stringify([
    sink.events,
    ...[failed, refused].map(({ message, stack, partialText, cause }) => [message, stack, partialText, String(cause)]),
  ]);
  expect(shown).not.toMatch(/claw-canary/);
});
