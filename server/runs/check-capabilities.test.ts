import { afterEach, describe, expect, it, vi } from "vitest";
import { type Backend, BackendError, type Turn, type TurnResult, type TurnSink } from "@/server/backends/backend";
import { Cancellation } from "@/server/inference/cancellation";
import { buildSettings } from "@/server/testing/build-settings";
import { checkCapabilities } from "./check-capabilities";

const GOOD: TurnResult = {
  text: '{"insights":[{"content":"The database moves to Oslo."}]}',
  finishReason: "stop",
  usage: { promptTokens: 90, completionTokens: 20 },
};

type RunTurn = Backend["runTurn"];

/** A turn that tells two parts of the good answer, then all of it. */
const streams: RunTurn = async (_turn, sink, signal) => {
  sink.event({ type: "backend_status", payload: { phase: "started" } });
  for (const characters of [10, 30, GOOD.text.length]) {
    sink.progress({ characters });
    signal.throwIfAborted();
  }
  return GOOD;
};

const untilAborted: RunTurn = (_turn, _sink, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** A backend across a wire whose first turn is `whole` and whose second is `calledOff`. */
function backendOf(whole: RunTurn, calledOff: RunTurn = streams): Backend & { turns: Turn[] } {
  const turns: Turn[] = [];
  return {
    turns,
    contractVersion: 2,
    kind: "openai-chat",
    settings: buildSettings("openai-chat", { name: "loop" }),
    capabilities: { streaming: false, structuredOutput: false, usage: false, cancel: false },
    probe: async () => ({ state: "unknown", reason: "", latencyMs: 0 }),
    listModels: async () => null,
    runTurn(turn, sink, signal) {
      turns.push(turn);
      return turns.length === 1 ? whole(turn, sink, signal) : calledOff(turn, sink, signal);
    },
    close: async () => undefined,
  };
}

const ACCESS = { baseUrl: "http://127.0.0.1:1/v1", secrets: {} };

function check(backend: Backend, signal: AbortSignal = new AbortController().signal) {
  return checkCapabilities(backend, { model: "nine", access: ACCESS, signal, now: () => 0 }, { callOffMs: 20, letGoMs: 20 });
}

const answering = (more: Partial<TurnResult>, told: readonly number[] = [10, 30]): RunTurn => {
  return async (_turn, sink) => {
    for (const characters of told) sink.progress({ characters });
    return { ...GOOD, ...more };
  };
};

const WORKS = { outcome: "works", reason: "" };

it("finds that everything works, with two bounded requests in the form of the product's own", async () => {
  const backend = backendOf(streams);
  const { health, findings } = await check(backend);
  expect(findings).toEqual({ streaming: WORKS, usage: WORKS, structuredOutput: WORKS, cancel: WORKS });
  expect(health).toEqual({ state: "healthy", reason: "", latencyMs: expect.any(Number) });
  expect(
    backend.turns.map(({ model, expect: form, generation, timeoutMs, baseUrl }) => [model, form, generation, timeoutMs, baseUrl]),
  ).toEqual([
    ["nine", { format: "json", schema: { insights: "array" } }, { maxTokens: 1_024 }, 60_000, ACCESS.baseUrl],
    ["nine", { format: "json", schema: { insights: "array" } }, { maxTokens: 256 }, 60_000, ACCESS.baseUrl],
  ]);
});

describe("streaming", () => {
  const long = `{"insights":[],"note":"${"x".repeat(300)}"}`;
  it.each([
    ["a part before the end", { text: GOOD.text }, [3], WORKS],
    [
      "nothing before the end",
      { text: GOOD.text },
      [],
      { outcome: "failed", reason: "Nothing of the reply was told before its end." },
    ],
    [
      "a short reply in one piece",
      { text: '{"insights":[]}' },
      [15],
      { outcome: "not_seen", reason: "The reply of 15 characters came in one piece; it may be too short to come in several." },
    ],
    [
      "a long one in one piece",
      { text: long },
      [long.length],
      { outcome: "failed", reason: `The whole reply of ${long.length} characters came in one piece.` },
    ],
  ])("of %s", async (_what, result, told, finding) => {
    expect((await check(backendOf(answering(result, told)))).findings.streaming).toEqual(finding);
  });
});

describe("usage", () => {
  it.each([
    ["reported", { promptTokens: 1, completionTokens: 1 }, WORKS],
    [
      "estimated",
      { promptTokens: 1, completionTokens: 1, estimated: true },
      { outcome: "failed", reason: "The token counts of the reply are an estimate." },
    ],
  ])("that is %s", async (_what, usage, finding) => {
    expect((await check(backendOf(answering({ usage })))).findings.usage).toEqual(finding);
  });

  it("that is not told", async () => {
    const { usage: _usage, ...silent } = GOOD;
    const { findings } = await check(backendOf(async () => silent));
    expect(findings.usage).toEqual({ outcome: "failed", reason: "The reply came without token counts." });
  });
});

describe("structured output", () => {
  it.each<[string, TurnResult["finishReason"], object]>([
    ['{"insights":[]}', "stop", WORKS],
    [
      '```json\n{"insights":[]}\n```',
      "stop",
      { outcome: "failed", reason: "The reply could be read only after work on it: unwrapped a code fence." },
    ],
    [
      '{"statements":[]}',
      "stop",
      {
        outcome: "failed",
        reason: "The reply is not in the form that was asked for: “insights” is missing from the answer, which has “statements”.",
      },
    ],
    [
      "Oslo it is.",
      "stop",
      { outcome: "failed", reason: "The reply is not in the form that was asked for: The answer holds no JSON." },
    ],
    ['{"insights":[{"cont', "length", { outcome: "not_seen", reason: "The reply was cut off at 1024 tokens." }],
  ])("of %j, ended by %s", async (text, finishReason, finding) => {
    expect((await check(backendOf(answering({ text, finishReason })))).findings.structuredOutput).toEqual(finding);
  });
});

describe("cancel", () => {
  const cancelOf = async (calledOff: RunTurn) => (await check(backendOf(streams, calledOff))).findings.cancel;

  it("works when the turn ends with the reason of its signal, at the first sign or after a while without one", async () => {
    expect(await cancelOf(streams)).toEqual(WORKS);
    expect(await cancelOf(untilAborted)).toEqual(WORKS);
  });

  it("takes a tool's call for a sign, and a status across a wire or the final message for none", async () => {
    const reasons: unknown[] = [];
    const told = (event: Parameters<TurnSink["event"]>[0]): RunTurn => {
      return async (_turn, sink, signal) => {
        sink.event(event);
        reasons.push(signal.aborted);
        return GOOD;
      };
    };
    const replied = { outcome: "failed", reason: "It replied all the same after it was called off." };
    const tooSoon = { outcome: "not_seen", reason: "The reply was complete before it could be called off." };
    const message = { text: "", itemId: "m", messageIndex: 0, messageCount: 1, replyAuthority: true };
    expect(await cancelOf(told({ type: "tool_call", payload: { itemId: "t", toolName: "read", status: "started" } }))).toEqual(
      replied,
    );
    expect(await cancelOf(told({ type: "assistant_message", payload: { ...message, final: false } }))).toEqual(replied);
    expect(await cancelOf(told({ type: "assistant_message", payload: { ...message, final: true } }))).toEqual(tooSoon);
    expect(await cancelOf(told({ type: "backend_status", payload: { phase: "started" } }))).toEqual(tooSoon);
    expect(reasons).toEqual([true, true, false, false]);
  });

  it("fails when the turn never ends, or ends as something else", async () => {
    expect(await cancelOf(() => new Promise(() => undefined))).toEqual({
      outcome: "failed",
      reason: "It had not let go 0.02 s after it was called off.",
    });
    const breaks: RunTurn = (_turn, _sink, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("socket hang up"))));
    expect(await cancelOf(breaks)).toEqual({
      outcome: "failed",
      reason: "It was called off and failed instead: loop failed: socket hang up",
    });
  });

  it("is not checked by a turn that fails by itself", async () => {
    const limited: RunTurn = async () => {
      throw new BackendError("provider-rate-limited", "loop answered 429");
    };
    const { health, findings } = await check(backendOf(streams, limited));
    expect(findings).toEqual({
      streaming: WORKS,
      usage: WORKS,
      structuredOutput: WORKS,
      cancel: { outcome: "not_checked", reason: "loop answered 429" },
    });
    expect(health.state).toBe("healthy");
  });
});

describe("a first turn that fails", () => {
  it.each<[Error, string, string, string]>([
    [new BackendError("provider-auth-failed", "loop answered 401"), "unavailable", "loop answered 401", "loop answered 401"],
    [new BackendError("provider-rate-limited", "loop answered 429"), "degraded", "loop answered 429", "loop answered 429"],
    [
      new BackendError("provider-rate-limited", "loop: the account is empty", { retryable: false }),
      "unavailable",
      "loop: the account is empty",
      "loop: the account is empty",
    ],
    [new BackendError("backend-response-invalid", "loop answered nothing"), "healthy", "", "loop answered nothing"],
    [new TypeError("x is not a function"), "unavailable", "loop failed: x is not a function", "loop failed: x is not a function"],
  ])("with %s leaves the rest unchecked, and asks no more", async (error, state, reason, said) => {
    const backend = backendOf(() => Promise.reject(error));
    const { health, findings } = await check(backend);
    const unchecked = { outcome: "not_checked", reason: said };
    expect(findings).toEqual({ streaming: unchecked, usage: unchecked, structuredOutput: unchecked, cancel: unchecked });
    expect([health.state, health.reason, backend.turns.length]).toEqual([state, reason, 1]);
  });

  it.each<[string, RunTurn]>([
    ["an adapter that obeys", untilAborted],
    ["one that does not", () => new Promise(() => undefined)],
  ])("by taking too long is said so, with %s", async (_what, whole) => {
    const order = { model: "nine", access: ACCESS, signal: new AbortController().signal, now: () => 0 };
    const { health, findings } = await checkCapabilities(backendOf(whole), order, { answerMs: 30, letGoMs: 20 });
    expect([health.state, health.reason]).toEqual(["unavailable", "loop did not answer within 0.03 s."]);
    expect(findings.cancel).toEqual({ outcome: "not_checked", reason: "loop did not answer within 0.03 s." });
  });
});

describe("called off itself", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ["first", untilAborted, streams, 1],
    ["second", streams, untilAborted, 2],
  ])("in the %s turn, it rejects with that reason", async (_which, whole, calledOff, turns) => {
    const controller = new AbortController();
    const reason = new Cancellation("session_cancelled");
    const backend = backendOf(whole, calledOff);
    const order = { model: "nine", access: ACCESS, signal: controller.signal, now: () => 0 };
    const runTurn = vi.spyOn(backend, "runTurn");
    const running = checkCapabilities(backend, order);
    const outcome = expect(running).rejects.toBe(reason);
    await vi.waitFor(() => expect(runTurn).toHaveBeenCalledTimes(turns));
    controller.abort(reason);
    await outcome;
  });
});
