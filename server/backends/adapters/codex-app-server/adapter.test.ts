/** Chunks over an orderly peer, and over what the real CLI said in recordings. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { BackendError } from "@/server/backends/backend";
import { codexAccess, codexTurn, keepingSink, openCodex } from "@/server/testing/open-codex";
import { waitFor } from "@/server/testing/wait-for";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const never = () => new AbortController().signal;

describe("a chunk", () => {
  it("is a thread of its own without tools, and one turn in it, in exactly these requests", async () => {
    const { backend, heard, homesFolder } = openCodex();
    const sink = keepingSink();
    const turn = codexTurn("Distill this.", { system: "Be exact.", expect: { format: "json", schema: { ok: "boolean" } } });
    expect(await backend.runTurn(turn, sink, never())).toEqual({
      text: '{"insights":[]}',
      finishReason: "stop",
      usage: { promptTokens: 11, completionTokens: 7 },
      firstTokenMs: expect.any(Number),
    });
    const frames = heard().map(({ pid: _pid, ...frame }) => frame);
    const threadId = frames.find(({ method }) => method === "turn/start")?.params?.threadId;
    const [homeName = ""] = readdirSync(homesFolder);
    expect(frames).toEqual([
      {
        id: 1,
        method: "initialize",
        params: {
          clientInfo: { name: "switchyard", title: "Switchyard", version: "1" },
          capabilities: { experimentalApi: true },
        },
      },
      { method: "initialized" },
      {
        id: 2,
        method: "thread/start",
        params: {
          model: "model-1",
          cwd: path.join(homesFolder, homeName, "empty"),
          approvalPolicy: "never",
          sandbox: "read-only",
          ephemeral: true,
          baseInstructions: "You answer one request. You have no tools. Answer with the requested text only.",
          developerInstructions: "Be exact.",
          config: {
            "features.shell_tool": false,
            "features.unified_exec": false,
            "features.view_image": false,
            "features.sleep_tool": false,
            "features.tool_suggest": false,
            "features.multi_agent": false,
          },
        },
      },
      {
        id: 3,
        method: "turn/start",
        params: {
          threadId,
          input: [{ type: "text", text: "Distill this.", text_elements: [] }],
          outputSchema: {
            type: "object",
            properties: { ok: { type: "boolean" } },
            required: ["ok"],
            additionalProperties: false,
          },
        },
      },
      { id: 4, method: "thread/unsubscribe", params: { threadId } },
    ]);
  });

  it("tells what happens in order, with progress that only rises", async () => {
    const { backend } = openCodex();
    const sink = keepingSink();
    await backend.runTurn(codexTurn("hello"), sink, never());
    expect(sink.events.map(({ type, payload }) => [type, payload.phase ?? payload.text])).toEqual([
      ["backend_status", "started"],
      ["backend_status", "thread-started"],
      ["assistant_message", "Reply to hello"],
      ["backend_status", "codex-app-server-notifications-suppressed"],
    ]);
    expect(sink.events[0]?.payload).toEqual({
      phase: "started",
      backend: "codex",
      backendKind: "codex-app-server-stdio",
      protocol: "codex-app-server-jsonrpc-stdio",
      model: "model-1",
    });
    expect(sink.characters).toEqual([7, 14]);
  });

  it("without system text or schema has neither on the wire", async () => {
    const { backend, requests } = openCodex();
    await backend.runTurn(codexTurn("hello"), keepingSink(), never());
    expect(requests("thread/start")[0]).not.toHaveProperty("developerInstructions");
    expect(requests("turn/start")[0]).not.toHaveProperty("outputSchema");
  });

  it("shares its process with others at the same time, each with its own answer", async () => {
    const { backend, pids } = openCodex();
    const texts = Array.from({ length: 20 }, (_, at) => `number ${at}`);
    const results = await Promise.all(texts.map((text) => backend.runTurn(codexTurn(text), keepingSink(), never())));
    expect(results.map(({ text }) => text)).toEqual(texts.map((text) => `Reply to ${text}`));
    expect(pids()).toHaveLength(1);
  });

  it("that answers too much is refused, with the beginning of the answer", async () => {
    const { backend } = openCodex();
    const long = "x".repeat(4 * 1_048_576 + 1);
    const failure = await backend.runTurn(codexTurn(long), keepingSink(), never()).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ failureKind: "backend-response-invalid", retryable: false });
    expect((failure as BackendError).partialText?.length).toBe(4 * 1_048_576);
  });
});

describe("recordings of the real CLI, played by a process, end a chunk as", () => {
  it.each<[recording: string, failureKind: FailureKind, message: RegExp, partialText?: string]>([
    ["http-401", "provider-auth-failed", /^codex: unexpected status 401 Unauthorized/],
    ["http-402", "provider-rate-limited", /^codex: unexpected status 402 Payment Required: Insufficient Balance/],
    ["http-429", "provider-rate-limited", /^codex: exceeded retry limit, last status: 429/],
    ["http-500", "provider-unavailable", /^codex: We’re currently experiencing high demand/],
    ["http-503", "provider-unavailable", /^codex: unexpected status 503 Service Unavailable/],
    ["refused", "provider-unavailable", /^codex: Connection failed: error sending request$/],
    [
      "stream-cut",
      "provider-unavailable",
      /^codex: stream disconnected before completion: Transport error/,
      "The beginning of a long reply",
    ],
    ["stream-malformed", "backend-response-invalid", /stream closed before response\.completed$/],
    ["stream-silence", "backend-timeout", /idle timeout waiting for SSE$/],
    ["incomplete-length", "backend-response-invalid", /reason: max_output_tokens$/, "The beginning of"],
    ["empty", "backend-response-invalid", /^codex: the turn completed without a reply\.$/],
    [
      "only-deltas",
      "backend-response-invalid",
      /^codex: the turn completed without a reply\.$/,
      "Text that never becomes an item",
    ],
    ["missing-key", "secret-unavailable", /^codex: Missing environment variable/],
    ["message-said-again", "provider-unavailable", /Transport error/, "The same in each attempt."],
    ["kill9", "backend-failed", /^codex: the app-server was ended by SIGKILL$/, "The beginnin"],
    ["config-broken", "backend-spawn-failed", /^codex: the app-server ended with exit code 1: .*unclosed table, expected `]`$/s],
    ["config-chat-wire", "backend-spawn-failed", /exit code 1: Error: .*`wire_api = "chat"` is no longer supported/],
    ["config-unknown-provider", "backend-spawn-failed", /exit code 1: Error: Model provider `nobody` not found$/],
    ["config-forbidden", "backend-spawn-failed", /^codex: the app-server ended with exit code 1: Error/],
    ["config-unknown-key", "backend-spawn-failed", /^codex: the app-server ended with exit code 1: Error/],
    ["home-missing", "backend-spawn-failed", /^codex: the app-server ended with exit code 1: .*does not exist/s],
    [
      "thread-start-refused",
      "backend-failed",
      /^codex refused thread\/start: failed to load configuration: Model provider `nobody` not found$/,
    ],
  ])("%s: %s", async (recording, failureKind, message, partialText) => {
    const { backend } = openCodex({ behaviours: ["replay"], fake: { recording } });
    const failure = await backend.runTurn(codexTurn("x"), keepingSink(), never()).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(BackendError);
    const { failureKind: kind, message: told, partialText: said } = failure as BackendError;
    expect([kind, said]).toEqual([failureKind, partialText]);
    expect(told).toMatch(message);
  });

  it.each([
    ["plain-text", "The answer is 42, and that is all."],
    ["two-messages", "The answer is 42."],
    ["reasoning", "The answer is 42."],
    ["output-schema", '{"insights":[]}'],
    ["recovered-after-cut", "Better now."],
    ["command-no-approval", "It ended with 3."],
    ["dynamic-tool-unsupported", "No ticket."],
    ["request-user-input", "Left, then."],
    ["permissions-refused", "Without the network, then."],
  ])("%s: %s", async (recording, text) => {
    const { backend } = openCodex({ behaviours: ["replay"], fake: { recording } });
    const sink = keepingSink();
    expect((await backend.runTurn(codexTurn("x"), sink, never())).text).toBe(text);
    const final = sink.events.filter(({ type, payload }) => type === "assistant_message" && payload.final);
    expect(final.map(({ payload }) => payload.text)).toEqual([text]);
  });
});

/** The specification's own list: each is a structured event with a stable kind. */
describe("T2: errors map to stable failure kinds", () => {
  it.each<[what: string, mark: string, failureKind: FailureKind]>([
    ["auth failed", "fails:unauthorized", "provider-auth-failed"],
    ["rate limit", "fails:rateLimitExceeded", "provider-rate-limited"],
    ["quota", "fails:usageLimitExceeded", "provider-rate-limited"],
    ["availability", "fails:serverOverloaded", "provider-unavailable"],
    ["transient", "fails:internalServerError", "provider-unavailable"],
    ["protocol", "end-without-status", "backend-response-invalid"],
    ["no JSON", "garbage-line+empty-reply", "backend-json-parse-error"],
    ["death", "die-mid-turn-3", "backend-failed"],
    ["timeout", "silent-turn", "backend-timeout"],
  ])("%s", async (_what, mark, failureKind) => {
    const { backend } = openCodex({ settings: { idleMs: 400 } });
    const failure = await backend
      .runTurn(codexTurn(`[[fake:${mark}]]`), keepingSink(), never())
      .catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ name: "BackendError", failureKind });
  });

  it("missing secret", async () => {
    const { backend } = openCodex();
    const turn = codexTurn("x", { secrets: {} });
    await expect(backend.runTurn(turn, keepingSink(), never())).rejects.toMatchObject({ failureKind: "secret-unavailable" });
  });

  it("cancel", async () => {
    const { backend, requests } = openCodex();
    const controller = new AbortController();
    const work = backend.runTurn(codexTurn("[[fake:silent-turn]]"), keepingSink(), controller.signal);
    await waitFor("the turn", () => requests("turn/start").length === 1);
    const reason = new BackendError("cancelled", "no longer wanted");
    controller.abort(reason);
    await expect(work).rejects.toBe(reason);
  });

  it.each([
    ["503 Service Unavailable", { httpConnectionFailed: { httpStatusCode: 503 } }],
    ["responseStreamDisconnected with 5xx", { responseStreamDisconnected: { httpStatusCode: 502 } }],
  ])("availability is not backend-failed: %s", async (_what, codexErrorInfo) => {
    const { classifyTurnError } = await import("./failure");
    expect(classifyTurnError({ message: "x", codexErrorInfo }).failureKind).toBe("provider-unavailable");
  });
});

describe("a check", () => {
  it.each([
    ["ok", "healthy", ""],
    ["empty-reply", "healthy", ""],
    ["fails:unauthorized", "unavailable", "codex: the fake fails this turn"],
    ["fails:usageLimitExceeded", "unavailable", "codex: the fake fails this turn"],
    ["fails:rateLimitExceeded", "degraded", "codex: the fake fails this turn"],
    ["exit-before-initialize", "unavailable", "codex: the app-server ended with exit code 0"],
  ] as const)("of a runtime that does %s says %s", async (behaviour, state, reason) => {
    const { backend } = openCodex({ behaviours: [behaviour] });
    expect(await backend.probe(never(), codexAccess("key-1"), "model-1")).toMatchObject({ state, reason });
  });

  it("ends in time", async () => {
    const { backend } = openCodex({ behaviours: ["silent-turn"], limits: { probeMs: 300 } });
    expect(await backend.probe(never(), codexAccess("key-1"), "m")).toMatchObject({
      state: "unavailable",
      reason: "codex: no answer to the check",
    });
  });

  it("without a key is unavailable, and one that is not wanted throws", async () => {
    const { backend, pids } = openCodex();
    expect(await backend.probe(never(), { ...codexAccess("x"), secrets: {} }, "m")).toMatchObject({
      state: "unavailable",
      reason: "codex has no key: set providers.codex.apiKey.",
    });
    await expect(backend.probe(AbortSignal.abort(new Error("not wanted")), codexAccess("x"), "m")).rejects.toThrow("not wanted");
    expect(pids()).toEqual([]);
  });
});
