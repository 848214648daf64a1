import { describe, expect, it, vi } from "vitest";
import {
  BACKEND_CONTRACT_VERSION,
  type Backend,
  BackendError,
  type Turn,
  type TurnResult,
  type TurnSink,
} from "@/server/backends/backend";
import type { NewEvent } from "@/server/events/event.schema";
import { buildSettings } from "@/server/testing/build-settings";
import { cancellationOf, createCancellationToken } from "./cancellation";
import type { InferenceRequest } from "./inference.schema";
import { createInferenceProvider, formatSeconds } from "./inference-provider";
import { tokenizerOf } from "./tokenizer";

const mockSettings = buildSettings("mock", { timeoutMs: 60_000, scores: { general: 0.5, coding: 0 } });

function backendOf(runTurn: (turn: Turn, sink: TurnSink, signal: AbortSignal) => Promise<TurnResult>): Backend {
  return {
    contractVersion: BACKEND_CONTRACT_VERSION,
    kind: "mock",
    settings: mockSettings,
    capabilities: { streaming: false, structuredOutput: false, usage: false, cancel: false },
    probe: async () => ({ state: "degraded", reason: "slow today", latencyMs: 1 }),
    listModels: async () => null,
    runTurn,
    close: async () => undefined,
  };
}

function request(more: Partial<InferenceRequest> = {}): InferenceRequest {
  return {
    requestId: "req_1",
    sessionId: "run_1",
    stageId: "infer",
    contextPack: { system: "1234", user: "12345", expect: { format: "json", schema: {} } },
    generationConfig: {},
    ...more,
  };
}

function setUp(backend: Backend, now: () => number = () => 0) {
  const events: NewEvent[] = [];
  const provider = createInferenceProvider(backend, tokenizerOf("mock-4-chars"), { now });
  const token = createCancellationToken();
  const infer = (more: Partial<InferenceRequest> = {}) =>
    provider.infer(request(more), {
      model: "m",
      access: { baseUrl: null, secrets: {} },
      sink: { event: (event) => events.push(event), progress: () => undefined },
      signal: token.signal,
    });
  return { events, provider, token, infer };
}

const ignoresItsSignal = () => new Promise<TurnResult>(() => undefined);

describe("the provider", () => {
  it("estimates usage by its tokenizer and measures by its clock", async () => {
    const times = [1000, 1250];
    const { infer, events } = setUp(
      backendOf(async () => ({ text: "123456789", finishReason: "length" })),
      () => times.shift() ?? 1250,
    );
    expect(await infer()).toEqual({
      requestId: "req_1",
      text: "123456789",
      finishReason: "length",
      tokensUsed: { promptTokens: 3, completionTokens: 3, estimated: true },
      latencyMs: 250,
    });
    expect(events.at(-1)).toEqual({
      type: "inference_completed",
      payload: {
        requestId: "req_1",
        sessionId: "run_1",
        stageId: "infer",
        providerId: "mock",
        promptTokens: 3,
        completionTokens: 3,
        estimated: true,
        latencyMs: 250,
        finishReason: "length",
      },
    });
  });

  it("never measures less than nothing when the clock jumps back", async () => {
    const times = [1000, 10];
    const { infer } = setUp(
      backendOf(async () => ({ text: "a", finishReason: "stop" })),
      () => times.shift() ?? 10,
    );
    expect((await infer()).latencyMs).toBe(0);
  });

  it("lists the scores that are declared, a zero included", () => {
    expect(setUp(backendOf(ignoresItsSignal)).provider.capabilities()).toEqual([
      { capability: "coding", score: 0 },
      { capability: "general", score: 0.5 },
    ]);
  });

  it("gives the turn the smaller of the two limits", async () => {
    const limits: number[] = [];
    const { infer } = setUp(
      backendOf(async (turn) => {
        limits.push(turn.timeoutMs);
        return { text: "a", finishReason: "stop" };
      }),
    );
    await infer({ timeoutMs: 5_000 });
    await infer({ timeoutMs: 500_000 });
    await infer();
    expect(limits).toEqual([5_000, 60_000, 60_000]);
  });

  it("makes a fault of the adapter a backend-failed", async () => {
    const { infer, events } = setUp(backendOf(() => Promise.reject(new TypeError("x is undefined"))));
    await expect(infer()).rejects.toMatchObject({
      name: "BackendError",
      failureKind: "backend-failed",
      message: "mock failed: x is undefined",
    });
    expect(events.map(({ type }) => type)).toEqual(["inference_started", "error", "inference_failed"]);
  });

  it("hears nothing after the turn has ended", async () => {
    let late: TurnSink | undefined;
    const { infer, events } = setUp(
      backendOf(async (_turn, sink) => {
        late = sink;
        return { text: "a", finishReason: "stop" };
      }),
    );
    await infer();
    late?.event({ type: "backend_status", payload: { phase: "late" } });
    expect(events.at(-1)?.type).toBe("inference_completed");
  });

  it("goes on without a backend that ignores its abort", async () => {
    vi.useFakeTimers();
    try {
      const { infer, token, events } = setUp(backendOf(ignoresItsSignal));
      const running = expect(infer()).rejects.toMatchObject({ name: "Cancellation", reason: "user_requested" });
      token.cancel("user_requested");
      await vi.advanceTimersByTimeAsync(2_000);
      await running;
      expect(events.map(({ type }) => type)).toEqual(["inference_started", "inference_failed"]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("times out a backend that ignores its abort, keeping what it had said when it says so", async () => {
    vi.useFakeTimers();
    try {
      const { infer } = setUp(
        backendOf(
          (_turn, _sink, signal) =>
            new Promise((_resolve, reject) =>
              signal.addEventListener("abort", () => reject(new BackendError("backend-failed", "cut", { partialText: "half" }))),
            ),
        ),
      );
      const running = expect(infer()).rejects.toMatchObject({
        failureKind: "backend-timeout",
        message: "mock timed out after 60s",
        partialText: "half",
      });
      // The limit, and the turns of the loop in which what has arrived is heard: a faked turn takes a millisecond.
      await vi.advanceTimersByTimeAsync(60_003);
      await running;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("does not time out a failure that was there before the limit was looked at", async () => {
    const { infer } = setUp(
      backendOf(
        // The loop is busy past the limit; then both are due, the timer first.
        async () => {
          await new Promise<void>((resolve) => {
            setTimeout(resolve, 0);
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
          });
          await new Promise<void>((resolve) => setImmediate(resolve));
          throw new BackendError("provider-unavailable", "cut");
        },
      ),
    );
    await expect(infer({ timeoutMs: 30 })).rejects.toMatchObject({ failureKind: "provider-unavailable", message: "cut" });
  });

  it("tells a cancellation for a stage's time limit as a timeout, and rethrows it", async () => {
    const { infer, token, events } = setUp(
      backendOf(
        (_turn, _sink, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      ),
    );
    const running = expect(infer()).rejects.toMatchObject({ name: "Cancellation", reason: "stage_timeout" });
    token.cancel("stage_timeout");
    await running;
    expect(events.map(({ type }) => type)).toEqual(["inference_started", "inference_timeout"]);
  });

  it("passes the probe's word on", async () => {
    expect(
      await setUp(backendOf(ignoresItsSignal)).provider.healthCheck(
        new AbortController().signal,
        { baseUrl: null, secrets: {} },
        "m",
      ),
    ).toEqual({
      state: "degraded",
      reason: "slow today",
      latencyMs: 1,
    });
  });
});

describe("cancellations", () => {
  it("keep their first reason", () => {
    const token = createCancellationToken();
    expect(token.isCancelled).toBe(false);
    token.cancel("provider_evicted");
    token.cancel("user_requested");
    expect(token.isCancelled).toBe(true);
    expect(cancellationOf(token.signal)).toMatchObject({ reason: "provider_evicted", message: "Cancelled: provider evicted." });
  });
});

describe("formatSeconds", () => {
  it.each([
    [60_000, "60s"],
    [1_500, "1.5s"],
    [30, "0.03s"],
  ])("%i", (milliseconds, text) => {
    expect(formatSeconds(milliseconds)).toBe(text);
  });
});
