/** One suite for every backend kind, as the inference provider around it: the obligations of backend.ts and of the interface here. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { BACKEND_CONTRACT_VERSION, BackendError } from "@/server/backends/backend";
import { BACKEND_KINDS } from "@/server/config/backend-kind.rules";
import { EVENT_PAYLOADS, type NewEvent } from "@/server/events/event.schema";
import { CANARY, CONTRACT_HARNESSES, type ContractHarness } from "@/server/testing/contract-harness";
import { Cancellation, createCancellationToken } from "./cancellation";
import { type InferenceRequest, inferenceRequestSchema, inferenceResponseSchema, totalTokens } from "./inference.schema";
import { createInferenceProvider, type InferenceProvider } from "./inference-provider";
import { tokenizerOf } from "./tokenizer";

function requestFor(user: string, more: Partial<InferenceRequest> = {}): InferenceRequest {
  return {
    requestId: "req_contract_1",
    sessionId: "run_contract",
    stageId: "infer",
    contextPack: { system: "Answer in JSON.", user, expect: { format: "json", schema: { insights: "array" } } },
    generationConfig: { temperature: 0, maxTokens: 512 },
    ...more,
  };
}

interface Heard {
  events: NewEvent[];
  characters: number[];
}

const IDENTITY = { requestId: "req_contract_1", sessionId: "run_contract", stageId: "infer" };
const LIFECYCLE = ["inference_started", "inference_completed", "inference_failed", "inference_timeout"];

describe.each(BACKEND_KINDS)("the provider over %s", (kind) => {
  let harness: ContractHarness;
  let provider: InferenceProvider;
  let heard: Heard;

  beforeEach(async () => {
    harness = await CONTRACT_HARNESSES[kind]();
    provider = createInferenceProvider(harness.backend, tokenizerOf(harness.backend.settings.tokenizer));
    heard = { events: [], characters: [] };
  });

  afterEach(async () => {
    await harness.backend.close();
    // Nothing may be left open: a connection that stays makes this time out.
    await harness.drained();
    await harness.close();
  });

  function infer(
    user: string,
    options: { signal?: AbortSignal; request?: Partial<InferenceRequest>; onEvent?: (event: NewEvent) => void } = {},
  ) {
    return provider.infer(requestFor(user, options.request), {
      model: harness.model,
      access: harness.access,
      signal: options.signal ?? new AbortController().signal,
      sink: {
        event: (event) => {
          heard.events.push(event);
          options.onEvent?.(event);
        },
        progress: (progress) => heard.characters.push(progress.characters),
      },
    });
  }

  async function failure(work: Promise<unknown>): Promise<BackendError> {
    const error = await work.then(
      () => new Error("it succeeded"),
      (reason: unknown) => reason,
    );
    if (!(error instanceof BackendError)) throw error;
    return error;
  }

  const types = () => heard.events.map(({ type }) => type);
  const lifecycle = () => heard.events.filter(({ type }) => LIFECYCLE.includes(type));

  describe("a success", () => {
    it("carries the request's id, text, usage and latency", async () => {
      const response = await infer(harness.answer());
      expect(response.requestId).toBe("req_contract_1");
      expect(response.text.trim()).not.toBe("");
      expect(response.tokensUsed.promptTokens).toBeGreaterThan(0);
      expect(response.tokensUsed.completionTokens).toBeGreaterThan(0);
      expect(totalTokens(response.tokensUsed)).toBe(response.tokensUsed.promptTokens + response.tokensUsed.completionTokens);
      expect(response.latencyMs).toBeGreaterThanOrEqual(0);
      expect(response.finishReason).toBe("stop");
    });

    it("is serialisable, request and response", async () => {
      const request = requestFor(harness.answer());
      expect(inferenceRequestSchema.parse(JSON.parse(JSON.stringify(request)))).toEqual(request);
      const response = await infer(request.contextPack.user);
      expect(inferenceResponseSchema.parse(JSON.parse(JSON.stringify(response)))).toEqual(response);
    });

    it("is told in order: started, the backend's own, one final message, completed", async () => {
      const response = await infer(harness.answer());
      expect(types()[0]).toBe("inference_started");
      expect(types().at(-1)).toBe("inference_completed");
      expect(lifecycle()).toHaveLength(2);
      const messages = heard.events.filter(({ type, payload }) => type === "assistant_message" && payload.final === true);
      expect(messages).toHaveLength(1);
      expect(messages[0]?.payload).toMatchObject({ text: response.text, replyAuthority: true, messageIndex: 0, messageCount: 1 });
      expect(types()).toContain("backend_status");
      const providerId = harness.backend.settings.name;
      expect(heard.events[0]?.payload).toMatchObject({ ...IDENTITY, providerId });
      expect(heard.events.at(-1)?.payload).toMatchObject({
        ...IDENTITY,
        providerId,
        ...response.tokensUsed,
        latencyMs: response.latencyMs,
      });
    });

    it("has events of their declared form only", async () => {
      await infer(harness.answer());
      for (const event of heard.events) expect(EVENT_PAYLOADS[event.type].safeParse(event.payload).error).toBeUndefined();
    });

    it("is one real request", async () => {
      await infer(harness.answer());
      const requests = harness.requests();
      expect(requests?.length ?? 1).toBe(1);
    });

    it("can be had many at a time", async () => {
      const responses = await Promise.all(
        [1, 2, 3, 4].map((number) => infer(harness.answer(), { request: { requestId: `req_${number}` } })),
      );
      expect(responses.map(({ requestId }) => requestId)).toEqual(["req_1", "req_2", "req_3", "req_4"]);
    });

    it("goes through what the adapter does not know", async () => {
      if (!harness.unknownNativeEvent) return expect(harness.requests()).toBeNull();
      const response = await infer(harness.unknownNativeEvent());
      expect(response.finishReason).toBe("stop");
      expect(types().at(-1)).toBe("inference_completed");
    });
  });

  describe("capabilities", () => {
    it("are declared with scores from 0 to 1, at least one", () => {
      const scores = provider.capabilities();
      expect(scores.length).toBeGreaterThan(0);
      for (const { score } of scores) expect(score >= 0 && score <= 1).toBe(true);
      expect(harness.backend.contractVersion).toBe(BACKEND_CONTRACT_VERSION);
      expect(harness.backend.kind).toBe(kind);
    });

    it("streaming: progress only rises and comes if and only if declared", async () => {
      const response = await infer(harness.answer());
      if (!harness.backend.capabilities.streaming) return expect(heard.characters).toEqual([]);
      expect(heard.characters.length).toBeGreaterThan(1);
      expect(heard.characters).toEqual([...heard.characters].sort((left, right) => left - right));
      expect(heard.characters.at(-1)).toBe(response.text.length);
    });

    it("usage: counts are the runtime's own if and only if declared", async () => {
      const response = await infer(harness.answer());
      expect(response.tokensUsed.estimated).toBe(harness.backend.capabilities.usage ? undefined : true);
    });

    it("usage: a runtime that tells nothing is estimated, and marked so", async () => {
      if (!harness.withoutUsage) return expect(harness.requests()).toBeNull();
      const user = harness.withoutUsage();
      const response = await infer(user);
      expect(response.tokensUsed).toEqual({
        promptTokens: provider.tokenizer.countTokens("Answer in JSON.") + provider.tokenizer.countTokens(user),
        completionTokens: provider.tokenizer.countTokens(response.text),
        estimated: true,
      });
    });

    it("structured output: JSON is sure when declared, and not asked for on the wire when not", async () => {
      const response = await infer(harness.answer());
      if (harness.backend.capabilities.structuredOutput) expect(JSON.parse(response.text)).toHaveProperty("insights");
      for (const request of harness.requests() ?? []) {
        expect(Object.hasOwn(JSON.parse(request.body) as object, harness.formatField ?? "")).toBe(
          harness.backend.capabilities.structuredOutput,
        );
      }
    });

    it("cancel: every kind we have ends the upstream work", () => {
      // The abort tests below prove it; a kind that declares false needs another proof here.
      expect(harness.backend.capabilities.cancel).toBe(true);
    });
  });

  describe("an abort", () => {
    it("before the request sends nothing, tells nothing, and rejects with the cancellation", async () => {
      const token = createCancellationToken();
      token.cancel("session_cancelled");
      token.cancel("user_requested");
      await expect(infer(harness.answer(), { signal: token.signal })).rejects.toMatchObject({
        name: "Cancellation",
        reason: "session_cancelled",
      });
      expect(heard.events).toEqual([]);
      expect(harness.requests() ?? []).toEqual([]);
    });

    it("during the request ends it at once, upstream too, and is told once with its label", async () => {
      const token = createCancellationToken();
      const running = infer(harness.slow(), { signal: token.signal });
      await harness.begun();
      token.cancel("provider_evicted");
      await expect(running).rejects.toMatchObject({ name: "Cancellation", reason: "provider_evicted" });
      await harness.letGo();
      expect(lifecycle().map(({ type }) => type)).toEqual(["inference_started", "inference_failed"]);
      expect(heard.events.at(-1)?.payload).toMatchObject({
        ...IDENTITY,
        failureKind: "cancelled",
        cancellationReason: "provider_evicted",
      });
      expect(types()).not.toContain("error");
    });

    it("with a foreign reason counts as the user's", async () => {
      const controller = new AbortController();
      const running = infer(harness.slow(), { signal: controller.signal });
      await harness.begun();
      controller.abort();
      await expect(running).rejects.toMatchObject({ name: "Cancellation", reason: "user_requested" });
    });

    it("as the reply is told withholds the result", async () => {
      const token = createCancellationToken();
      const running = infer(harness.answer(), {
        signal: token.signal,
        onEvent: (event) => {
          if (event.type === "assistant_message") token.cancel("user_requested");
        },
      });
      await expect(running).rejects.toBeInstanceOf(Cancellation);
      expect(types()).not.toContain("inference_completed");
    });

    it("after the request changes nothing", async () => {
      const token = createCancellationToken();
      await infer(harness.answer(), { signal: token.signal });
      const told = heard.events.length;
      token.cancel("user_requested");
      expect(heard.events).toHaveLength(told);
      expect((await infer(harness.answer())).requestId).toBe("req_contract_1");
    });
  });

  describe("a failure", () => {
    it("by the time limit is backend-timeout, names the limit, and ends the upstream", async () => {
      const error = await failure(infer(harness.slow(), { request: { timeoutMs: 30 } }));
      expect(error.failureKind).toBe("backend-timeout");
      expect(error.message).toMatch(/^[a-z-]+ timed out after 0\.03s$/);
      await harness.letGo();
      expect(lifecycle().map(({ type }) => type)).toEqual(["inference_started", "inference_timeout"]);
      expect(heard.events.at(-1)?.payload).toMatchObject({ ...IDENTITY, timeoutMs: 30 });
      expect(heard.events.at(-2)?.payload).toMatchObject({ failureKind: "backend-timeout", message: error.message });
    });

    it("of each kind it can be brought to has that kind, and is told as error and then as failed", async () => {
      const outcomes: [FailureKind, FailureKind, string[]][] = [];
      for (const { failureKind, arrange } of harness.failures) {
        heard.events.length = 0;
        const error = await failure(infer(arrange()));
        outcomes.push([failureKind, error.failureKind, types().slice(-2)]);
        expect(lifecycle()).toHaveLength(2);
      }
      expect(outcomes).toEqual(
        harness.failures.map(({ failureKind }) => [
          failureKind,
          failureKind,
          ["error", failureKind === "backend-timeout" ? "inference_timeout" : "inference_failed"],
        ]),
      );
      const requests = harness.requests();
      expect(requests?.length ?? harness.failures.length).toBe(harness.failures.length);
    });

    it("shows no secret, whatever the runtime repeats", async () => {
      if (!harness.leakingError || !harness.leakingText) return expect(harness.requests()).toBeNull();
      const error = await failure(infer(harness.leakingError()));
      await infer(harness.leakingText());
      const shown = JSON.stringify([error.message, error.stack, error.cause, error.partialText, heard.events]);
      expect(shown).not.toMatch(/canary|7f3a9b2c/);
      expect(Buffer.from(shown.replace(/[^A-Za-z0-9+/]/g, " "), "latin1").toString()).not.toContain(
        Buffer.from(CANARY).toString("base64").slice(0, 12),
      );
    });

    it("is followed by a success when the runtime is well again", async () => {
      for (const { arrange } of harness.failures) await failure(infer(arrange()));
      expect((await infer(harness.answer())).finishReason).toBe("stop");
    });
  });

  describe("health, tokens and the end", () => {
    it("gives a health", async () => {
      const health = await provider.healthCheck(new AbortController().signal, harness.access, harness.model);
      expect(["healthy", "degraded", "unavailable", "unknown"]).toContain(health.state);
      expect(health.reason === "").toBe(health.state === "healthy");
      expect(health.latencyMs).toBeGreaterThanOrEqual(0);
    });

    it("is not healthy with a key that its runtime refuses", async () => {
      if (!harness.refuseKey) return expect(harness.access.secrets).toEqual({});
      const health = await provider.healthCheck(new AbortController().signal, harness.refuseKey(), harness.model);
      expect(health.state).toBe("unavailable");
      expect(JSON.stringify(health)).not.toContain("canary");
    });

    it("gives no health when called off", async () => {
      const reason = new Cancellation("user_requested");
      await expect(provider.healthCheck(AbortSignal.abort(reason), harness.access, harness.model)).rejects.toBe(reason);
    });

    it.each(["", "a", "Two words.", "漢字 and 😀", "x".repeat(5000)])("counts tokens as it makes them (%#)", (text) => {
      expect(provider.tokenizer.countTokens(text)).toBe(provider.tokenizer.tokenize(text).length);
      expect(provider.tokenizer.tokenize(text)).toEqual(provider.tokenizer.tokenize(text));
    });

    it("closes twice, ends what is under way, and refuses what comes later", async () => {
      const running = failure(infer(harness.slow()));
      await harness.begun();
      await harness.backend.close();
      await harness.backend.close();
      expect((await running).failureKind).toBe("cancelled");
      expect((await failure(infer(harness.answer()))).failureKind).toBe("cancelled");
      expect(harness.requests()?.length ?? 1).toBe(1);
    });
  });
});
