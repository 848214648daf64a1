/** Upstreams that are not there, or say nothing: the real CLI would wait, for ever in places, and our own watch ends that. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRealCodex, type RealCodex } from "@/server/testing/real-codex";
import { agentTurn, chunkTurn } from "@/server/testing/real-codex-turns";
import { noHeaders, refusedBaseUrl, reply, silence } from "@/server/testing/responses-answers";

/** Of the upstream's stream, which Codex watches; and how much longer we watch Codex. */
const IDLE_MS = 1_000;
const MARGIN_MS = 500;

let codex: RealCodex;

beforeAll(async () => {
  codex = await openRealCodex({ settings: { idleMs: IDLE_MS }, limits: { silenceMarginMs: MARGIN_MS } });
  // What follows is about silence, not about the start of the process.
  await chunkTurn(codex, [reply("awake")]);
});
afterAll(() => codex.close());

it("a port where nobody listens is told at once, by both ways", async () => {
  const via = codex.another({ baseUrl: await refusedBaseUrl() });
  const chunk = await chunkTurn(codex, [], { via });
  expect(chunk.error).toMatchObject({ failureKind: "provider-unavailable" });
  expect(chunk.error?.message).toMatch(
    /^deepseek: unexpected status 502 Bad Gateway: the provider cannot be reached \(ECONNREFUSED\)/,
  );
  expect(chunk.told).toEqual(["status started", "status thread-started", "status suppressed"]);
  const agent = await agentTurn(codex, [], { via });
  expect(agent.outcome).toMatchObject({ status: "failed", failureKind: "provider-unavailable" });
  expect(agent.told.at(-1)).toBe("end failed provider-unavailable");
});

it("no headers: the watch ends the chunk, hangs up, and the process goes on", async () => {
  const [process] = codex.backend.running();
  const { error, told, requests } = await chunkTurn(codex, [noHeaders, reply("a second try")]);
  expect(error).toMatchObject({
    failureKind: "backend-timeout",
    message: "deepseek timed out after 1.5s without a word from Codex",
  });
  expect(told).toEqual(["status started", "status thread-started", "status suppressed"]);
  expect(requests).toHaveLength(1);
  await codex.upstream.disconnected(1);
  const { result } = await chunkTurn(codex, [reply("afterwards")]);
  expect(result?.text).toBe("afterwards");
  expect(codex.backend.running().map(({ pid }) => pid)).toEqual([process?.pid]);
});

it("no headers: the policy's time ends an agent's turn", async () => {
  const { outcome, told, requests } = await agentTurn(codex, [noHeaders, reply("a second try")], {
    policy: { timeoutMs: 1_000 },
  });
  expect(outcome).toMatchObject({
    status: "failed",
    failureKind: "backend-timeout",
    message: "deepseek timed out after 1s (the policy's limit for a turn)",
  });
  expect(told).toEqual(["status thread-started", "status suppressed", "error backend-timeout", "end failed backend-timeout"]);
  expect(requests).toHaveLength(1);
});

it.each([
  ["after the headers", null, []],
  ["in the middle of a message", "The beginning", ["message without authority: The beginning"]],
])("silence %s ends a chunk as a timeout, and keeps what was said", async (_when, text, said) => {
  const { error, told, requests } = await chunkTurn(codex, [silence(text), reply("a second try")]);
  expect(error).toMatchObject({
    failureKind: "backend-timeout",
    message: "deepseek: stream disconnected before completion: idle timeout waiting for SSE",
    partialText: text ?? undefined,
  });
  expect(told).toEqual(["status started", "status thread-started", ...said, "status suppressed"]);
  expect(requests).toHaveLength(1);
});

it("silence in the middle of a message ends an agent's turn in the same way", async () => {
  const { outcome, told, requests } = await agentTurn(codex, [silence("The beginning"), reply("a second try")]);
  expect(outcome).toMatchObject({ status: "failed", failureKind: "backend-timeout" });
  expect(outcome.message).toBe("deepseek: stream disconnected before completion: idle timeout waiting for SSE");
  expect(told).toEqual([
    "status thread-started",
    "message without authority: The beginning",
    "status suppressed",
    "error backend-timeout",
    "end failed backend-timeout",
  ]);
  expect(requests).toHaveLength(1);
});
