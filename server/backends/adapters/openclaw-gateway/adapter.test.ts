/** The adapter over a fake gateway: what comes of orderly runs, of faults of gateway and connection, and of aborts in every phase. */
import { describe, expect, it } from "vitest";
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { failureOf } from "@/server/testing/contract-chat-turn";
import type { FakeGatewayOptions } from "@/server/testing/fake-gateway";
import { type FakeGatewayBehaviour, fakeGateway } from "@/server/testing/fake-gateway-runs";
import { keepingSink } from "@/server/testing/open-codex";
import { openGateway, REFUSED_TOKEN } from "@/server/testing/open-gateway";

type Opened = Awaited<ReturnType<typeof openGateway>>;

const never = () => new AbortController().signal;
const USAGE = { promptTokens: 120, completionTokens: 33, cachedTokens: 20, reasoningTokens: 5 };
const ANSWER = { text: '{"insights":[]}', finishReason: "stop", usage: USAGE, servedModel: "fake/m1" };

function run({ backend, turn }: Opened, ...behaviours: FakeGatewayBehaviour[]) {
  return backend.runTurn(turn(behaviours.length === 0 ? "Text." : `Text. ${fakeGateway(...behaviours)}`), keepingSink(), never());
}

describe("a run", () => {
  it("is one model run with the request's id and without anything of the gateway's", async () => {
    const claw = await openGateway();
    const sink = keepingSink();
    const turn = claw.turn("THE CHUNK", { requestId: "req_run.1.2", system: "THE SYSTEM", model: "minimax/MiniMax-M3/x" });
    expect(await claw.backend.runTurn(turn, sink, never())).toEqual({ ...ANSWER, servedModel: "minimax/MiniMax-M3/x" });
    const { sessionId, sessionKey, ...params } = claw.gateway.runs[0]?.params ?? {};
    expect(params).toEqual({
      agentId: "main",
      message: "Instructions:\nTHE SYSTEM\n\nInput:\nTHE CHUNK",
      provider: "minimax",
      model: "MiniMax-M3/x",
      modelRun: true,
      promptMode: "none",
      timeout: 54,
      cleanupBundleMcpOnRunEnd: true,
      suppressPromptPersistence: true,
      idempotencyKey: "req_run.1.2",
    });
    expect(sessionId).toMatch(/^model-run-[0-9a-f-]{36}$/);
    expect(sessionKey).toBe(`agent:main:explicit:${sessionId}`);
    expect(sink.events.map(({ type, payload }) => [type, payload.phase ?? payload.text])).toEqual([
      ["backend_status", "started"],
      ["backend_status", "working"],
      ["assistant_message", '{"insights":[]}'],
    ]);
    expect(sink.characters).toEqual([]);
  });

  it.each<[FakeGatewayBehaviour[], object]>([
    [["chatter"], ANSWER],
    [["dribble"], ANSWER],
    [["fragments"], ANSWER],
    [["media-lines"], { ...ANSWER, text: '{"insights":[]}\nMEDIA: /etc/hosts' }],
    [["truncated"], { ...ANSWER, text: '{"insigh', finishReason: "length" }],
    [["no-usage"], { text: ANSWER.text, finishReason: "stop", servedModel: "fake/m1" }],
  ])("that is %j comes to its answer", async (behaviours, result) => {
    expect(await run(await openGateway(), ...behaviours)).toEqual(result);
  });

  it("keeps characters that are cut between pieces", async () => {
    const answer = '{"insights":["漢字 😀"]}';
    const claw = await openGateway({ fake: { answer } });
    expect((await run(claw, "dribble")).text).toBe(answer);
    expect((await run(claw, "fragments")).text).toBe(answer);
  });

  it("asks the gateway's own model for `default`, of the gateway's usual agent", async () => {
    const claw = await openGateway({ fake: { agentId: "ops" } });
    const result = await claw.backend.runTurn(claw.turn("Text.", { model: "default" }), keepingSink(), never());
    expect(result.servedModel).toBe("fake/usual");
    const params = claw.gateway.runs[0]?.params ?? {};
    expect([params.agentId, params.provider, params.model]).toEqual(["ops", undefined, undefined]);
    expect(params.sessionKey).toMatch(/^agent:ops:explicit:/);
  });

  it("of an id that has run already gets the first one's answer, and no model is asked", async () => {
    const claw = await openGateway();
    const turn = claw.turn("Text.");
    const first = await claw.backend.runTurn(turn, keepingSink(), never());
    expect(await claw.backend.runTurn(turn, keepingSink(), never())).toEqual(first);
  });

  it("of an id that is running is refused", async () => {
    const claw = await openGateway();
    const controller = new AbortController();
    const turn = claw.turn(fakeGateway("hang"));
    const first = claw.backend.runTurn(turn, keepingSink(), controller.signal);
    await claw.gateway.until(() => claw.gateway.waiting === 1);
    const error = await failureOf(claw.backend.runTurn(turn, keepingSink(), never()));
    expect([error.failureKind, error.message]).toEqual([
      "backend-failed",
      "claw: the gateway runs a request of this id already; no model was asked.",
    ]);
    controller.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
  });
});

describe("a failure", () => {
  it.each<[FakeGatewayBehaviour[], FailureKind, string, object]>([
    [
      ["fails:unauthorized"],
      "provider-auth-failed",
      "claw failed: Authentication failed (provider returned HTTP 401). Your provider token may have expired — try the request again in a moment. If the failure persists, re-authenticate this provider.",
      {},
    ],
    [
      ["fails:key-rests"],
      "provider-rate-limited",
      'claw failed: Inline API key for provider "fake" is temporarily disabled after a provider auth/billing failure. Retry after about 1 minute, or switch to a different auth profile/API key.',
      { retryAfterMs: 60_000 },
    ],
    [
      ["fails:rate-limited"],
      "provider-rate-limited",
      "claw failed: fake/m request failed (rate limited, HTTP 429). Try again in a moment.",
      {},
    ],
    [
      ["fails:no-credit"],
      "provider-rate-limited",
      "claw failed: fake/m request failed (billing, HTTP 402).",
      { retryable: false },
    ],
    [["fails:overloaded"], "provider-unavailable", "claw failed: fake/m request failed (HTTP 503).", {}],
    [["fails:timed-out"], "backend-timeout", "claw failed: LLM request timed out.", {}],
    [
      ["fails:unknown-model"],
      "backend-failed",
      "claw failed: Unknown model: zzz/nope. Run `openclaw models list --refresh --provider zzz` to inspect this provider's model choices, then retry with a model supported by your account.",
      {},
    ],
    [["in-ok:context"], "backend-failed", "claw failed: Context overflow: 400 at most 8192 tokens.", { retryable: false }],
    [
      ["in-ok:no-answer"],
      "backend-response-invalid",
      "claw failed: Agent couldn't generate a response. Please try again.",
      { partialText: "NO_REPLY" },
    ],
    [
      ["in-ok:timeout"],
      "backend-timeout",
      "claw failed: Request timed out before a response was generated. Please try again, or increase `agents.defaults.timeoutSeconds` in your config.",
      {},
    ],
    [
      ["asked-again"],
      "provider-unavailable",
      "claw: the model's first answer failed, and the gateway asked again without the request; what came then answers nothing.",
      { partialText: '{"insights":[]}', usage: USAGE },
    ],
    [["status-notice"], "backend-failed", "claw: the gateway answered by itself and asked no model.", {}],
    [["empty"], "backend-response-invalid", "claw answered without any text.", { usage: USAGE }],
    [
      ["truncated-empty"],
      "backend-response-invalid",
      "claw: the token limit was reached before the model said anything.",
      { usage: USAGE },
    ],
    [["malformed"], "backend-protocol-error", "claw sent a piece of an unknown form (at ok).", {}],
    [["garbage"], "backend-json-parse-error", "claw sent a piece that is not JSON.", {}],
    [["binary"], "backend-protocol-error", "claw: a message is binary where text is expected", {}],
    [["bad-utf8"], "backend-protocol-error", "claw: a message is not valid UTF-8", {}],
    [["huge"], "backend-protocol-error", "claw: one message is longer than 33554432 bytes, which are accepted at most", {}],
    [["cut-before-accept"], "provider-unavailable", "claw broke off its answer: the connection was closed", {}],
    [["cut"], "provider-unavailable", "claw broke off its answer: the connection was closed", {}],
    [["cut-mid-frame"], "provider-unavailable", "claw broke off its answer: the connection was closed", {}],
    [["goodbye"], "provider-unavailable", "claw broke off its answer: the connection was closed (1012)", {}],
  ])("%j", async (behaviours, failureKind, message, more) => {
    const claw = await openGateway();
    const error = await failureOf(run(claw, ...behaviours));
    const { retryable, retryAfterMs, partialText, usage } = error;
    expect([error.failureKind, error.message, { retryable, retryAfterMs, partialText, usage }]).toEqual([
      failureKind,
      message,
      more,
    ]);
    // The next one is served, over the same connection or a new one.
    expect(await run(claw)).toEqual(ANSWER);
    expect(claw.gateway.runs).toHaveLength(2);
  });

  it("of one turn over a connection leaves the others alone", async () => {
    const claw = await openGateway();
    const results = await Promise.all([
      run(claw),
      failureOf(run(claw, "malformed")),
      run(claw, "chatter"),
      failureOf(run(claw, "fails:overloaded")),
    ]);
    expect([results[0], results[2], claw.gateway.connections]).toEqual([ANSWER, ANSWER, 1]);
  });

  it("of an answer beyond the limit keeps its beginning", async () => {
    const claw = await openGateway({ fake: { answer: "x".repeat(4 * 1024 * 1024 + 1) } });
    const error = await failureOf(run(claw));
    expect([error.failureKind, error.retryable, error.message]).toEqual([
      "backend-response-invalid",
      false,
      "claw: the answer is longer than 4194304 bytes, which are accepted at most; it was not read further.",
    ]);
    expect(error.partialText).toMatch(/^x{900000,1048576}$/);
  });
});

describe("a gateway", () => {
  it.each<[string, FakeGatewayOptions, FailureKind, string]>([
    [
      "of another protocol",
      { protocol: 5 },
      "backend-failed",
      "claw: the OpenClaw gateway speaks protocol 5 and this version only 4; use a gateway that is known here.",
    ],
    [
      "that is too old",
      { version: "2026.8.30" },
      "backend-failed",
      "claw: the OpenClaw gateway is 2026.8.30, older than 2026.9.6, the oldest that is known here. Use openclaw@2026.9.6.",
    ],
    [
      "that is too new",
      { version: "2027.1.0" },
      "backend-failed",
      "claw: the OpenClaw gateway is 2027.1.0, newer than what is known here, which ends before 2027.0.0. Use openclaw@2026.9.6.",
    ],
    [
      "of no version",
      { version: "dev" },
      "backend-failed",
      "claw: what answered says no version of OpenClaw; it is no gateway that is known here.",
    ],
    [
      "that grants too little",
      { scopes: ["operator.read"] },
      "provider-auth-failed",
      "claw: the gateway did not grant the right operator.write, which a run needs; reach it on loopback, for example through an SSH tunnel.",
    ],
    [
      "that wants a paired device",
      { handshake: "no-pairing" },
      "provider-auth-failed",
      "claw: the gateway wants a paired device, and this server is none; reach it on loopback, for example through an SSH tunnel.",
    ],
    [
      "that greets in an unknown form",
      { handshake: "wrong-hello" },
      "backend-protocol-error",
      "claw sent a piece of an unknown form (at protocol).",
    ],
    [
      "that is none",
      { handshake: "not-found" },
      "backend-protocol-error",
      "claw: there is no WebSocket at this address: it answered 404 to the handshake",
    ],
    ["that hangs up", { handshake: "hang-up" }, "provider-unavailable", "claw cannot be reached: the connection was closed"],
    [
      "that never greets",
      { handshake: "no-challenge" },
      "provider-unavailable",
      "claw cannot be reached: no connection within 300 ms",
    ],
    [
      "that never answers",
      { handshake: "silent" },
      "provider-unavailable",
      "claw cannot be reached: no connection within 300 ms",
    ],
  ])("%s is refused before anything is sent to it, and is unhealthy", async (_what, fake, failureKind, message) => {
    const claw = await openGateway({ fake, settings: { connectMs: 300 } });
    const error = await failureOf(run(claw));
    expect([error.failureKind, error.message]).toEqual([failureKind, message]);
    expect(await claw.backend.probe(never(), claw.access(), "fake/m1")).toMatchObject({ state: "unavailable", reason: message });
    expect(claw.gateway.runs).toEqual([]);
  });

  it("that refuses the token says so before any run, and is unhealthy", async () => {
    const claw = await openGateway();
    const refused = claw.access(REFUSED_TOKEN);
    const message = "claw: the gateway refuses the token: unauthorized: gateway token mismatch (provide gateway auth token)";
    const error = await failureOf(claw.backend.runTurn(claw.turn("Text.", refused), keepingSink(), never()));
    expect([error.failureKind, error.message]).toEqual(["provider-auth-failed", message]);
    expect(await claw.backend.probe(never(), refused, "fake/m1")).toMatchObject({ state: "unavailable", reason: message });
    expect(claw.gateway.runs).toEqual([]);
    expect(await run(claw)).toEqual(ANSWER);
  });

  it("that is not there cannot be reached", async () => {
    const claw = await openGateway();
    await claw.gateway.close();
    const error = await failureOf(run(claw));
    expect([error.failureKind, error.message]).toEqual([
      "provider-unavailable",
      "claw cannot be reached: the connection failed (ECONNREFUSED)",
    ]);
  });

  it("is met over one connection by many turns, and over a new one after it was started again", async () => {
    const claw = await openGateway();
    await Promise.all([run(claw), run(claw), run(claw)]);
    await run(claw);
    expect(claw.gateway.connections).toBe(1);
    claw.gateway.restart();
    await claw.gateway.until(() => claw.gateway.openConnections === 0);
    expect(await run(claw)).toEqual(ANSWER);
    expect(claw.gateway.connections).toBe(2);
  });

  it("is met over another connection with another token", async () => {
    const claw = await openGateway();
    await run(claw);
    await claw.backend.runTurn(claw.turn("Text.", claw.access("another-token")), keepingSink(), never());
    expect(claw.gateway.runs.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it("is left when it has had no work for a while", async () => {
    const claw = await openGateway({ limits: { restMs: 1 } });
    await run(claw);
    await claw.gateway.until(() => claw.gateway.openConnections === 0);
    expect(await run(claw)).toEqual(ANSWER);
  });

  it("of which nothing is heard for too long while it works is given up", async () => {
    const claw = await openGateway({ fake: { tickMs: 20 }, settings: { idleMs: 100 } });
    const error = await failureOf(run(claw, "hang"));
    expect([error.failureKind, error.message]).toEqual(["backend-timeout", "claw timed out after 0.1s without data"]);
  });

  it("tells its models, and is healthy when it answers", async () => {
    const claw = await openGateway();
    expect(await claw.backend.listModels(never(), claw.access())).toEqual(["fake/m1", "fake/m2"]);
    expect(await claw.backend.probe(never(), claw.access(), "fake/m1")).toMatchObject({ state: "healthy", reason: "" });
    expect(await claw.backend.probe(never(), claw.access(), "fake/m1")).toMatchObject({ state: "healthy", reason: "" });
    const ids = claw.gateway.runs.map(({ params }) => params.idempotencyKey);
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
  });
});

describe("an abort", () => {
  const reason = new Error("no longer wanted");

  it("before the turn opens nothing", async () => {
    const claw = await openGateway();
    await expect(claw.backend.runTurn(claw.turn("Text."), keepingSink(), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(claw.gateway.connections).toBe(0);
  });

  it("while the connection is made sends no run", async () => {
    const claw = await openGateway({ fake: { handshake: "no-challenge" } });
    const controller = new AbortController();
    const ended = expect(claw.backend.runTurn(claw.turn("Text."), keepingSink(), controller.signal)).rejects.toBe(reason);
    await claw.gateway.until(() => claw.gateway.connections === 1);
    controller.abort(reason);
    await ended;
    expect(claw.gateway.runs).toEqual([]);
  });

  it.each<FakeGatewayBehaviour[]>([
    ["hang-before-accept"],
    ["hang"],
    ["hang", "answers-after-abort"],
    ["hang-before-accept", "abort-unknown-once"],
  ])("of a run that is %s %s calls it off by its id, and what comes of it does not count", async (...behaviours) => {
    const claw = await openGateway();
    const controller = new AbortController();
    const sink = keepingSink();
    const turn = claw.turn(fakeGateway(...behaviours));
    const ended = expect(claw.backend.runTurn(turn, sink, controller.signal)).rejects.toBe(reason);
    await claw.gateway.until(() => claw.gateway.waiting === 1);
    controller.abort(reason);
    await ended;
    expect(claw.gateway.aborted).toEqual([turn.requestId]);
    expect(sink.events.filter(({ type }) => type === "assistant_message")).toEqual([]);
    expect(await run(claw)).toEqual(ANSWER);
    expect(claw.gateway.connections).toBe(1);
  });

  it("does not wait for a gateway that does not call off", async () => {
    const claw = await openGateway({ limits: { letGoMs: 50 } });
    const controller = new AbortController();
    const ended = expect(claw.backend.runTurn(claw.turn(fakeGateway("hang")), keepingSink(), controller.signal)).rejects.toBe(
      reason,
    );
    await claw.gateway.until(() => claw.gateway.waiting === 1);
    claw.gateway.holdAborts();
    controller.abort(reason);
    await ended;
    expect(claw.gateway.aborted).toEqual([]);
  });

  it("by the time limit calls the run off, too", async () => {
    const claw = await openGateway();
    const turn = claw.turn(fakeGateway("hang"), { timeoutMs: 200 });
    const error = await failureOf(claw.backend.runTurn(turn, keepingSink(), never()));
    expect([error.failureKind, error.message, claw.gateway.aborted]).toEqual([
      "backend-timeout",
      "claw timed out after 0.2s",
      [turn.requestId],
    ]);
  });

  it("is what closing does to turns under way; later ones are refused", async () => {
    const claw = await openGateway();
    const work = failureOf(run(claw, "hang"));
    await claw.gateway.until(() => claw.gateway.waiting === 1);
    await claw.backend.close();
    expect([(await work).failureKind, claw.gateway.aborted.length]).toEqual(["cancelled", 1]);
    expect((await failureOf(run(claw))).failureKind).toBe("cancelled");
  });
});

it("a run whose connection was lost is called off over the next one: the gateway goes on with it", async () => {
  const claw = await openGateway();
  const turn = claw.turn(fakeGateway("hang"));
  const lost = failureOf(claw.backend.runTurn(turn, keepingSink(), never()));
  await claw.gateway.until(() => claw.gateway.waiting === 1);
  claw.gateway.cutConnections();
  expect((await lost).failureKind).toBe("provider-unavailable");
  expect(claw.gateway.aborted).toEqual([]);
  await run(claw);
  await claw.gateway.until(() => claw.gateway.aborted.length === 1);
  expect(claw.gateway.aborted).toEqual([turn.requestId]);
});
