/** The built-in backend that needs no model and no network: it picks sentences out of the text by what their words say. */
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { extractChunkText } from "@/server/artifacts/chunk-text";
import {
  BACKEND_CONTRACT_VERSION,
  type Backend,
  type BackendCapabilities,
  BackendError,
  type ProbeResult,
  type Turn,
  type TurnResult,
  type TurnSink,
} from "@/server/backends/backend";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { countPieces } from "@/server/shared/token-pieces";
import { type ExtractedInsight, extractByBlock } from "./extract";

/** The one model name it serves. */
const EXTRACTIVE_MODEL = "extractive-1";

/** Said in every trace, so that nobody takes its output for a model's. */
const WHAT_IT_IS = "Picks sentences out of the text by fixed rules; no model is asked.";

export const EXTRACTIVE_CAPABILITIES: BackendCapabilities = {
  streaming: false,
  structuredOutput: true,
  usage: true,
  cancel: true,
};

/** Milliseconds of work after which other requests of the process get their turn. */
const SLICE_MS = 8;

/**
 * A backend over the rules of `extract.ts`. Deterministic: the same turn gives the same text. Sampling settings
 * have no meaning for it and are ignored; a model other than its own is refused.
 */
export function createExtractiveBackend(settings: ProviderSettings): Backend {
  const closing = new AbortController();

  return {
    contractVersion: BACKEND_CONTRACT_VERSION,
    kind: "extractive",
    settings,
    capabilities: EXTRACTIVE_CAPABILITIES,

    async probe(signal): Promise<ProbeResult> {
      const started = performance.now();
      signal.throwIfAborted();
      if (closing.signal.aborted)
        return { state: "unavailable", reason: "The backend was closed.", latencyMs: performance.now() - started };
      return { state: "healthy", reason: "", latencyMs: performance.now() - started };
    },

    listModels: async () => [EXTRACTIVE_MODEL],

    async runTurn(turn: Turn, sink: TurnSink, signal: AbortSignal): Promise<TurnResult> {
      const throwIfEnded = () => {
        signal.throwIfAborted();
        closing.signal.throwIfAborted();
      };
      throwIfEnded();
      if (turn.model !== EXTRACTIVE_MODEL) {
        throw new BackendError(
          "backend-failed",
          `The built-in extractive backend serves the model ${EXTRACTIVE_MODEL} only, and ${JSON.stringify(turn.model)} was asked for.`,
        );
      }
      sink.event({
        type: "backend_status",
        payload: {
          phase: "backend-turn-started",
          backend: settings.name,
          backendKind: "extractive",
          model: EXTRACTIVE_MODEL,
          message: WHAT_IT_IS,
        },
      });

      const insights = await extractInSlices(extractChunkText(turn.user), throwIfEnded);
      const text = JSON.stringify({ insights });
      const usage = { promptTokens: countPieces(turn.system) + countPieces(turn.user), completionTokens: countPieces(text) };
      throwIfEnded();
      sink.event({
        type: "assistant_message",
        payload: {
          text,
          itemId: `${turn.requestId}-message`,
          messageIndex: 0,
          messageCount: 1,
          replyAuthority: true,
          final: true,
        },
      });
      return { text, finishReason: "stop", usage, servedModel: EXTRACTIVE_MODEL };
    },

    async close(): Promise<void> {
      closing.abort(new BackendError("cancelled", "The backend was closed."));
    },
  };
}

/** Calls `throwIfEnded` after every block, and lets the event loop run between slices so that an abort can arrive at all. */
async function extractInSlices(chunkText: string, throwIfEnded: () => void): Promise<ExtractedInsight[]> {
  const insights: ExtractedInsight[] = [];
  await setImmediate();
  throwIfEnded();
  let sliceStarted = performance.now();
  for (const batch of extractByBlock(chunkText)) {
    insights.push(...batch);
    if (performance.now() - sliceStarted < SLICE_MS) continue;
    await setImmediate();
    throwIfEnded();
    sliceStarted = performance.now();
  }
  return insights;
}
