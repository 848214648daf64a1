/** The adapter over a fake program: what comes of orderly answers, of faults of the process, and of aborts. */
import { describe, expect, it, vi } from "vitest";
import type { Turn } from "@/server/backends/backend";
import { failureOf } from "@/server/testing/contract-chat-turn";
import { type FakeClaudeBehaviour, fakeClaude } from "@/server/testing/fake-claude-command";
import { isRunning } from "@/server/testing/is-running";
import { CLAUDE_KEY, claudeTurn, openClaude, processFolders } from "@/server/testing/open-claude";
import { keepingSink } from "@/server/testing/open-codex";
import { waitFor } from "@/server/testing/wait-for";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const never = () => new AbortController().signal;
const WORDS: Partial<Turn> = { expect: { format: "json", schema: {} } };

function run(claude: ReturnType<typeof openClaude>, ...behaviours: FakeClaudeBehaviour[]) {
  return claude.backend.runTurn(claudeTurn(`Text. ${fakeClaude(...behaviours)}`), keepingSink(), never());
}

describe("an answer", () => {
  it("is the object that was asked for, with what it used and who gave it, told piece by piece", async () => {
    const sink = keepingSink();
    const { backend } = openClaude();
    const { firstTokenMs, ...result } = await backend.runTurn(claudeTurn("Text."), sink, never());
    expect(result).toEqual({
      text: '{"insights":[]}',
      finishReason: "stop",
      usage: { promptTokens: 15, completionTokens: 7, cachedTokens: 4 },
      servedModel: "model-1-served",
    });
    expect(firstTokenMs).toBeGreaterThan(0);
    expect(sink.characters).toEqual([5, 10, 15]);
    const facts = {
      backend: "claude-code",
      backendKind: "claude-code-cli",
      protocol: "claude-code-stream-json",
      model: "model-1",
    };
    expect(sink.events).toEqual([
      { type: "backend_status", payload: { phase: "started", ...facts } },
      { type: "backend_status", payload: { phase: "responding", ...facts } },
      {
        type: "assistant_message",
        payload: {
          text: '{"insights":[]}',
          itemId: "req-1-message-0",
          messageIndex: 0,
          messageCount: 1,
          replyAuthority: true,
          final: true,
        },
      },
    ]);
  });

  it("is text where no object can be asked for", async () => {
    const { backend, seen } = openClaude();
    const turn = claudeTurn(`Text. ${fakeClaude("prose", "split-bytes")}`, WORDS);
    expect(await backend.runTurn(turn, keepingSink(), never())).toMatchObject({
      text: "No object, 漢字 and 😀.",
      finishReason: "stop",
    });
    expect(seen()?.arguments).not.toContain("--json-schema");
  });

  it("goes without counts when none are told", async () => {
    const { usage } = await run(openClaude(), "without-usage");
    expect(usage).toBeUndefined();
  });

  it.each<[FakeClaudeBehaviour, string]>([
    ["unknown-lines", "lines that nobody knows"],
    ["garbage", "lines that are no messages"],
    ["huge-line", "a line of 5 MB"],
    ["floods-stderr", "a flood of warnings"],
    ["lingers", "a process that does not end after it"],
  ])("comes through %s (%s)", async (behaviour) => {
    expect((await run(openClaude(), behaviour)).text).toBe('{"insights":[]}');
  });

  it.each<[FakeClaudeBehaviour, string, string]>([
    ["max-tokens", '{"insights":[]}', "length"],
    ["refusal", '{"insights":[]}', "content_filter"],
  ])("that was cut (%s) is kept, and said to be", async (behaviour, text, finishReason) => {
    const result = await run(openClaude(), behaviour);
    expect(result).toMatchObject({ text, finishReason, usage: { promptTokens: 15, completionTokens: 7 } });
  });
});

describe("a failure", () => {
  it.each<[FakeClaudeBehaviour[], string, string, Record<string, unknown>]>([
    [["status:401:Invalid API key"], "provider-auth-failed", "claude-code answered 401: Invalid API key", { httpStatus: 401 }],
    [["status:402"], "provider-rate-limited", "claude-code answered 402: the words", { httpStatus: 402, retryable: false }],
    [["status:404"], "backend-failed", "claude-code answered 404: the words", { httpStatus: 404 }],
    [["status:408"], "backend-timeout", "claude-code answered 408: the words", { httpStatus: 408 }],
    [["status:429"], "provider-rate-limited", "claude-code answered 429: the words", { httpStatus: 429 }],
    [["status:503"], "provider-unavailable", "claude-code answered 503: the words", { httpStatus: 503 }],
    [
      ["prose"],
      "backend-response-invalid",
      "claude-code: the model answered without the object that was asked for.",
      { partialText: "No object, 漢字 and 😀." },
    ],
    [["empty"], "backend-response-invalid", "claude-code answered without any text.", {}],
    [
      ["repeats"],
      "backend-response-invalid",
      "claude-code: Claude Code asked its model a second time for one request, and was stopped.",
      { partialText: '{"insights":[]}' },
    ],
    [
      ["zero-turns"],
      "backend-failed",
      "claude-code: Claude Code answered by itself and asked no model: /help isn't available in this environment.",
      {},
    ],
    [
      ["exit-at-once"],
      "backend-failed",
      "claude-code: Claude Code ended with exit code 1 without a result: error: unknown option '--no-such-flag'",
      {},
    ],
    [
      ["die"],
      "backend-failed",
      "claude-code: Claude Code ended with exit code 3 without a result: last line with [redacted env:CLAUDE_KEY]",
      { partialText: '{"insigh' },
    ],
    [
      ["kills-itself"],
      "backend-failed",
      "claude-code: Claude Code was ended by SIGKILL without a result",
      { partialText: '{"insigh' },
    ],
    [
      ["ends-without-result"],
      "backend-failed",
      "claude-code: Claude Code ended with exit code 0 without a result",
      { partialText: '{"insights":[]}' },
    ],
    [["bad-exit"], "backend-failed", 'claude-code failed: {"insights":[]}', { partialText: '{"insights":[]}' }],
    [
      ["only-garbage"],
      "backend-json-parse-error",
      "claude-code: Claude Code ended without a result, and a line of its output is no message: Segmentation fault",
      {},
    ],
    [
      ["much-garbage", "silent"],
      "backend-json-parse-error",
      "claude-code: Claude Code ended without a result, and a line of its output is no message: line 0 is no message",
      {},
    ],
  ])("%j", async (behaviours, failureKind, message, more) => {
    const error = await failureOf(run(openClaude(), ...behaviours));
    const { retryable, httpStatus, partialText } = error;
    expect([error.failureKind, error.message, { retryable, httpStatus, partialText }]).toEqual([failureKind, message, more]);
  });

  it("of a line without end is told with its beginning", async () => {
    const claude = openClaude({ limits: { maxLineBytes: 100_000 } });
    const error = await failureOf(run(claude, "endless-line"));
    expect(error.failureKind).toBe("backend-json-parse-error");
    expect(error.message).toMatch(/is no message: \(too-long\) z{200}$/);
  });

  it("of an answer beyond the limit ends the process, and keeps what came", async () => {
    const claude = openClaude({ fake: { bytes: 1_000_000 }, limits: { maxTextBytes: 50_000 } });
    const work = claude.backend.runTurn(claudeTurn(`Text. ${fakeClaude("prose", "long")}`, WORDS), keepingSink(), never());
    const error = await failureOf(work);
    expect([error.failureKind, error.retryable, error.message]).toEqual([
      "backend-response-invalid",
      false,
      "claude-code: the answer is longer than 50000 bytes, which are accepted at most; it was not read further.",
    ]);
    expect(error.partialText).toBe("x".repeat(60_000));
  });

  it("keeps what was said as a message that answers nothing", async () => {
    const sink = keepingSink();
    const { backend } = openClaude();
    await failureOf(backend.runTurn(claudeTurn(`Text. ${fakeClaude("die")}`), sink, never()));
    expect(sink.events.at(-1)).toMatchObject({ type: "assistant_message", payload: { text: '{"insigh', final: false } });
  });
});

describe("time", () => {
  it("in which nothing is heard ends the process, also one that does not mind TERM", async () => {
    const claude = openClaude({ settings: { idleMs: 300 }, limits: { silenceMarginMs: 0 } });
    const error = await failureOf(run(claude, "silent", "ignores-term"));
    expect([error.failureKind, error.message]).toEqual(["backend-timeout", "claude-code timed out after 0.3s without data"]);
  });

  it("of the whole turn ends it, with what was said by then", async () => {
    const turn = claudeTurn(`Text. ${fakeClaude("silent-after-text")}`, { timeoutMs: 3_000 });
    const error = await failureOf(openClaude().backend.runTurn(turn, keepingSink(), never()));
    expect([error.failureKind, error.partialText]).toEqual(["backend-timeout", '{"insigh']);
    expect(error.message).toBe("claude-code timed out after 3s");
  });
});

describe("an abort", () => {
  const reason = new Error("no longer wanted");

  it("before the turn starts nothing", async () => {
    const claude = openClaude();
    await expect(claude.backend.runTurn(claudeTurn("Text."), keepingSink(), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(claude.started()).toEqual([]);
  });

  it.each<FakeClaudeBehaviour[]>([
    ["silent"],
    ["silent-after-start"],
    ["silent-after-text"],
    ["silent-after-text", "ignores-term"],
  ])("of a process that is %s %s ends it and its group", async (...behaviours) => {
    const claude = openClaude();
    const controller = new AbortController();
    const work = claude.backend.runTurn(
      claudeTurn(`Text. ${fakeClaude(...behaviours, "grandchild")}`),
      keepingSink(),
      controller.signal,
    );
    const ended = expect(work).rejects.toBe(reason);
    // The question for the version, the process, and what that started.
    await waitFor("the processes run", () => claude.started().length === 3);
    expect(claude.backend.running()).toHaveLength(1);
    controller.abort(reason);
    await ended;
    expect(claude.started().filter(isRunning)).toEqual([]);
    expect(processFolders(claude.homesFolder)).toEqual([]);
  });

  it("is what closing does to turns under way; later ones are refused", async () => {
    const claude = openClaude();
    const work = failureOf(run(claude, "silent"));
    await waitFor("the process runs", () => claude.backend.running().length === 1);
    await claude.backend.close();
    expect((await work).failureKind).toBe("cancelled");
    expect((await failureOf(run(claude, "ok"))).failureKind).toBe("cancelled");
  });
});

describe("the program", () => {
  const HINT = "or name the program in SWITCHYARD_CLAUDE_BIN.";

  it("that is not there fails the turn and the check, with what to do", async () => {
    const claude = openClaude({ program: "/nonexistent/claude" });
    const error = await failureOf(run(claude, "ok"));
    expect(error.failureKind).toBe("backend-spawn-failed");
    expect(error.message).toMatch(
      /^claude-code: Claude Code is not where SWITCHYARD_CLAUDE_BIN says \(\/nonexistent\/claude\)\./,
    );
    const health = await claude.backend.probe(never(), claudeTurn(""), "model-1");
    expect([health.state, health.reason]).toEqual(["unavailable", error.message]);
  });

  it.each([
    ["2.1.1 (Claude Code)", "is older than"],
    ["9.0.0 (Claude Code)", "is newer than"],
    ["codex-cli 0.171.0", "is not Claude Code"],
  ])("that says %s is refused before any request", async (version, what) => {
    const claude = openClaude({ fake: { version } });
    const error = await failureOf(run(claude, "ok"));
    expect(error.failureKind).toBe("backend-spawn-failed");
    expect(error.message).toContain(what);
    expect(error.message.endsWith(HINT)).toBe(true);
    expect(claude.seen()).toBeNull();
  });

  it("is asked for its version once for many turns", async () => {
    const claude = openClaude();
    await Promise.all([run(claude, "ok"), run(claude, "ok"), run(claude, "ok")]);
    expect(claude.started()).toHaveLength(4);
  });

  it("has no list of models, and a health", async () => {
    const { backend, seen } = openClaude();
    expect(await backend.listModels(never(), claudeTurn(""))).toBeNull();
    expect(await backend.probe(never(), claudeTurn(""), "model-1")).toMatchObject({ state: "healthy", reason: "" });
    expect(seen()?.environment.CLAUDE_CODE_MAX_OUTPUT_TOKENS).toBe("16");
    expect(JSON.stringify(await backend.probe(never(), claudeTurn(""), "model-1"))).not.toContain(CLAUDE_KEY);
  });
});
