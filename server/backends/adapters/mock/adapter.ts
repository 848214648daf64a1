import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { extractChunkText, holdsFormerAnswer } from "@/server/artifacts/chunk-text";
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import {
  BACKEND_CONTRACT_VERSION,
  type Backend,
  type BackendCapabilities,
  BackendError,
  type Turn,
  type TurnResult,
  type TurnSink,
} from "@/server/backends/backend";
import { createTurnScope } from "@/server/backends/transport/turn-scope";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { linkSignals } from "@/server/shared/linked-signal";
import { type MockScript, readMarks } from "./marks";
import { extraEvent, replyFor } from "./reply";

export interface MockBackend extends Backend {
  /** Turns begun on this instance. */
  readonly inferCallCount: number;
}

export const MOCK_CAPABILITIES: BackendCapabilities = {
  streaming: true,
  structuredOutput: false,
  usage: true,
  cancel: true,
};

/** It answers under any name; this is the one it offers. */
const MOCK_MODEL = "mock-1";

const CHARACTERS_PER_TOKEN = 4;
/** Pieces in which the reply arrives. */
const PIECES = 4;
/** Prompts whose failures are counted; the oldest is forgotten beyond that. */
const COUNTED_PROMPTS = 10_000;

/** A backend without a runtime. Same reply for the same text; failures, delays and sizes are written as marks into the text (marks.ts). */
export function createMockBackend(settings: ProviderSettings): MockBackend {
  const scope = createTurnScope(settings.name);
  const failuresByPrompt = new Map<string, number>();
  let inferCallCount = 0;

  /** What this call must fail with, counting it. */
  function dueFailure(script: MockScript, user: string): FailureKind | undefined {
    if (script.fail) return script.fail;
    if (!script.failTimes) return undefined;
    const key = createHash("sha256").update(user).digest("base64");
    const failures = failuresByPrompt.get(key) ?? 0;
    if (failures >= script.failTimes.times) return undefined;
    failuresByPrompt.delete(key);
    failuresByPrompt.set(key, failures + 1);
    const oldest = failuresByPrompt.size > COUNTED_PROMPTS ? failuresByPrompt.keys().next().value : undefined;
    if (oldest !== undefined) failuresByPrompt.delete(oldest);
    return script.failTimes.failureKind;
  }

  async function run(turn: Turn, sink: TurnSink, signal: AbortSignal): Promise<TurnResult> {
    inferCallCount++;
    const startedAt = performance.now();
    const chunkText = extractChunkText(turn.user);
    const script = readMarks(chunkText);
    if ((turn.generation.maxTokens ?? 0) < (script.neededTokens ?? 0)) script.shape = "length";
    const failureKind = dueFailure(script, turn.user);
    sink.event({
      type: "backend_status",
      payload: { phase: "started", backend: settings.name, backendKind: settings.kind, model: turn.model },
    });
    if (script.delayMs > 0 || script.hang) await waitAsTold(script, signal);
    for (let number = 0; number < script.events; number++) sink.event(extraEvent(number, turn.requestId));
    signal.throwIfAborted();
    if (failureKind) {
      const wait = script.retryAfterMs === undefined ? {} : { retryAfterMs: script.retryAfterMs };
      throw new BackendError(failureKind, `The mock backend was told to fail with ${failureKind}.`, wait);
    }
    const text = replyFor(chunkText, script, holdsFormerAnswer(turn.user));
    const firstTokenMs = performance.now() - startedAt;
    for (let piece = 1; piece <= PIECES; piece++) {
      sink.progress({ characters: Math.ceil((text.length * piece) / PIECES) });
      signal.throwIfAborted();
    }
    sink.event({
      type: "assistant_message",
      payload: {
        text,
        itemId: `${turn.requestId}-message-0`,
        messageIndex: 0,
        messageCount: 1,
        replyAuthority: true,
        final: true,
      },
    });
    return {
      text,
      finishReason: script.shape === "length" ? "length" : "stop",
      usage: { promptTokens: tokensOf(turn.system) + tokensOf(turn.user), completionTokens: tokensOf(text) },
      servedModel: script.servedModel ?? turn.model,
      firstTokenMs,
    };
  }

  async function waitAsTold(script: { delayMs: number; hang: boolean }, turnSignal: AbortSignal): Promise<void> {
    const { signal, unlink } = linkSignals(turnSignal, scope.closing);
    try {
      if (script.delayMs > 0) await sleep(script.delayMs, undefined, { signal });
      if (script.hang) await untilAborted(signal);
    } finally {
      unlink();
    }
  }

  return {
    contractVersion: BACKEND_CONTRACT_VERSION,
    kind: settings.kind,
    settings,
    capabilities: MOCK_CAPABILITIES,
    get inferCallCount() {
      return inferCallCount;
    },
    async probe(signal) {
      signal.throwIfAborted();
      return { state: "healthy", reason: "", latencyMs: 0 };
    },
    listModels: async () => [MOCK_MODEL],
    runTurn: (turn, sink, signal) => scope.run(signal, () => run(turn, sink, signal)),
    close: () => scope.close(),
  };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
