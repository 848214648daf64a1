import { describe, expect, it } from "vitest";
import { wrapChunkText } from "@/server/artifacts/chunk-text";
import { BackendError, type Turn } from "@/server/backends/backend";
import type { NewEvent } from "@/server/events/event.schema";
import { countPieces } from "@/server/shared/token-pieces";
import { buildSettings } from "@/server/testing/build-settings";
import { createExtractiveBackend } from "./adapter";

const SETTINGS = buildSettings("extractive");

const NO_ACCESS = { baseUrl: null, secrets: {} };

const RULE = "- Every token must be rotated within an hour after it was seen in a log.";

function turn(over: Partial<Turn> = {}): Turn {
  return {
    requestId: "req_1",
    model: "extractive-1",
    system: "Write JSON.",
    user: `Notes of 2026-01-01.\n\n${wrapChunkText(RULE)}\n\nNever answer with anything else, because it must be JSON.`,
    expect: { format: "json", schema: { insights: "array" } },
    generation: {},
    timeoutMs: 1000,
    baseUrl: null,
    secrets: {},
    ...over,
  };
}

function sink() {
  const events: NewEvent[] = [];
  return { events, event: (event: NewEvent) => void events.push(event), progress: () => {} };
}

/** Long enough for many slices. */
const LONG = wrapChunkText("We decided to move server 7 because it was slow.\n\n".repeat(40_000));

describe("the extractive backend", () => {
  it("answers with the insights of the chunk alone, and counts what was used", async () => {
    const heard = sink();
    const asked = turn();
    const result = await createExtractiveBackend(SETTINGS).runTurn(asked, heard, new AbortController().signal);
    expect(JSON.parse(result.text)).toEqual({
      insights: [{ topic: null, section: "rule", content: RULE.slice(2), confidence: "medium", quote: RULE.slice(2) }],
    });
    expect(result).toEqual({
      text: result.text,
      finishReason: "stop",
      usage: { promptTokens: countPieces(asked.system) + countPieces(asked.user), completionTokens: countPieces(result.text) },
      servedModel: "extractive-1",
    });
  });

  it("says that no model is asked, then gives one final message", async () => {
    const heard = sink();
    const { text } = await createExtractiveBackend(SETTINGS).runTurn(turn(), heard, new AbortController().signal);
    expect(heard.events).toEqual([
      {
        type: "backend_status",
        payload: {
          phase: "backend-turn-started",
          backend: "extractive",
          backendKind: "extractive",
          model: "extractive-1",
          message: "Picks sentences out of the text by fixed rules; no model is asked.",
        },
      },
      {
        type: "assistant_message",
        payload: { text, itemId: "req_1-message", messageIndex: 0, messageCount: 1, replyAuthority: true, final: true },
      },
    ]);
  });

  it("gives an empty array for a chunk without statements", async () => {
    const { text } = await createExtractiveBackend(SETTINGS).runTurn(
      turn({ user: wrapChunkText("hi") }),
      sink(),
      new AbortController().signal,
    );
    expect(text).toBe('{"insights":[]}');
  });

  it("refuses another model", async () => {
    const asked = createExtractiveBackend(SETTINGS).runTurn(turn({ model: "gpt-x" }), sink(), new AbortController().signal);
    await expect(asked).rejects.toMatchObject({ failureKind: "backend-failed", message: expect.stringContaining('"gpt-x"') });
  });

  it("rejects with the signal's reason and says nothing when aborted before", async () => {
    const heard = sink();
    const reason = new Error("stop");
    await expect(createExtractiveBackend(SETTINGS).runTurn(turn(), heard, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(heard.events).toEqual([]);
  });

  it("stops in the middle of a large chunk, without a reply", async () => {
    const heard = sink();
    const controller = new AbortController();
    const running = createExtractiveBackend(SETTINGS).runTurn(turn({ user: LONG }), heard, controller.signal);
    // The turn has begun when its status is out; the abort comes from the event loop, between two slices.
    expect(heard.events.map((event) => event.type)).toEqual(["backend_status"]);
    const reason = new Error("stop");
    setImmediate(() => setImmediate(() => controller.abort(reason)));
    await expect(running).rejects.toBe(reason);
    expect(heard.events.map((event) => event.type)).toEqual(["backend_status"]);
  });

  it("ends turns in flight when closed, refuses new ones, and may be closed twice", async () => {
    const backend = createExtractiveBackend(SETTINGS);
    const running = backend.runTurn(turn({ user: LONG }), sink(), new AbortController().signal);
    await backend.close();
    await backend.close();
    await expect(running).rejects.toBeInstanceOf(BackendError);
    await expect(backend.runTurn(turn(), sink(), new AbortController().signal)).rejects.toMatchObject({
      failureKind: "cancelled",
    });
    expect(await backend.probe(new AbortController().signal, NO_ACCESS, "extractive-1")).toMatchObject({
      state: "unavailable",
      reason: "The backend was closed.",
    });
  });

  it("is healthy, and a probe throws only when aborted", async () => {
    const backend = createExtractiveBackend(SETTINGS);
    expect(await backend.probe(new AbortController().signal, NO_ACCESS, "extractive-1")).toMatchObject({
      state: "healthy",
      reason: "",
    });
    await expect(backend.probe(AbortSignal.abort(new Error("stop")), NO_ACCESS, "extractive-1")).rejects.toThrow("stop");
  });
});
