/** Chunks over a peer that dies, babbles, stalls and does not let go. */
import { describe, expect, it, vi } from "vitest";
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { BackendError, type TurnResult } from "@/server/backends/backend";
import type { FakeBehaviour } from "@/server/testing/fake-app-server-command";
import { isRunning } from "@/server/testing/is-running";
import { codexTurn, keepingSink, type OpenCodexOptions, openCodex } from "@/server/testing/open-codex";
import { waitFor } from "@/server/testing/wait-for";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const never = () => new AbortController().signal;

type Codex = ReturnType<typeof openCodex>;

async function run({ backend }: Codex, user: string, more: Parameters<typeof codexTurn>[1] = {}) {
  const sink = keepingSink();
  const result = await backend.runTurn(codexTurn(user, more), sink, never()).catch((thrown: unknown) => thrown);
  if (result instanceof Error && !(result instanceof BackendError)) throw result;
  return { ...sink, failure: result instanceof BackendError ? result : null, result: result as TurnResult };
}

/** Kind and message of the one failure. */
async function failureOf(options: OpenCodexOptions, user = "hello") {
  const codex = openCodex(options);
  const { failure, events } = await run(codex, user);
  if (!failure) throw new Error("the turn did not fail");
  return { codex, failure, events };
}

describe("a process that", () => {
  it.each<[FakeBehaviour, OpenCodexOptions, FailureKind, RegExp]>([
    ["exit-before-initialize", {}, "backend-protocol-error", /^codex: the app-server ended with exit code 0$/],
    [
      "exit-1",
      { fake: { reason: "Error: CODEX_HOME points elsewhere" } },
      "backend-spawn-failed",
      /^codex: the app-server ended with exit code 1: Error: CODEX_HOME points elsewhere$/,
    ],
    ["initialize-error", {}, "backend-protocol-error", /^codex refused initialize: the fake refuses to be initialized$/],
    ["response-without-result", {}, "backend-protocol-error", /^codex: the answer to initialize names no program\.$/],
    [
      "never-initialize",
      { limits: { initializeMs: 300 } },
      "backend-timeout",
      /^codex: initialize was not answered within 0\.3s$/,
    ],
    ["thread-refused", {}, "backend-failed", /^codex refused thread\/start: failed to load configuration: the fake has none$/],
    ["thread-without-id", {}, "backend-response-invalid", /^codex: thread\/start names no thread\.$/],
    ["turn-without-id", {}, "backend-response-invalid", /^codex: the answer to turn\/start names no turn\.$/],
    ["turn-unanswered", { limits: { requestMs: 300 } }, "backend-timeout", /^codex: turn\/start was not answered within 0\.3s$/],
    ["end-without-status", {}, "backend-response-invalid", /^codex: turn\/completed lacks a field that it must have\.$/],
    ["empty-reply", {}, "backend-response-invalid", /^codex: the turn completed without a reply\.$/],
  ])("%s", async (behaviour, options, failureKind, message) => {
    const { failure } = await failureOf({ ...options, behaviours: [behaviour] });
    expect(failure.failureKind).toBe(failureKind);
    expect(failure.message).toMatch(message);
  });

  it("is not there cannot be started, and the sentence says what to do", async () => {
    const { failure } = await failureOf({ program: "/nonexistent/codex" });
    expect([failure.failureKind, failure.message]).toEqual([
      "backend-spawn-failed",
      "codex: Codex is not where SWITCHYARD_CODEX_BIN says (/nonexistent/codex). Install it (npm install -g @openai/codex) or name the program in SWITCHYARD_CODEX_BIN.",
    ]);
  });

  it.each([
    ["die-mid-turn-0", "codex: the app-server ended with exit code 0"],
    ["die-mid-turn-3", "codex: the app-server ended with exit code 3"],
    ["die-mid-turn-kill", "codex: the app-server was ended by SIGKILL"],
  ])("does %s fails the turn, keeps what was said, and is replaced", async (death, message) => {
    const codex = openCodex();
    const dead = await run(codex, `[[fake:${death}]]`);
    expect([dead.failure?.failureKind, dead.failure?.message]).toEqual(["backend-failed", message]);
    expect(dead.failure?.partialText).toBe("This will not be fini");
    expect(dead.events.filter(({ type }) => type === "assistant_message")).toMatchObject([
      { payload: { text: "This will not be fini", replyAuthority: false, final: false } },
    ]);
    const next = await run(codex, "hello");
    expect(next.result.text).toBe("Reply to hello");
    expect(codex.pids()).toHaveLength(2);
  });

  it("dies takes all its turns with it, and no other process's", async () => {
    const codex = openCodex();
    const turns = [
      run(codex, "[[fake:silent-turn]]"),
      run(codex, "[[fake:slow-turn]]"),
      run(codex, "other model [[fake:slow-turn]]", { model: "m-2" }),
    ];
    await waitFor("all turns", () => codex.requests("turn/start").length === 3);
    // Which process came first is chance.
    const silent = codex.heard().find(({ params }) => JSON.stringify(params ?? {}).includes("silent-turn"));
    expect(silent?.pid).toBeGreaterThan(1);
    process.kill(silent?.pid ?? process.pid, "SIGKILL");
    const ended = await Promise.all(turns);
    expect(ended.map(({ failure }) => failure?.message)).toEqual([
      "codex: the app-server was ended by SIGKILL",
      "codex: the app-server was ended by SIGKILL",
      undefined,
    ]);
  });

  it("left a turn/start without an answer is not asked again", async () => {
    const codex = openCodex({ behaviours: ["turn-unanswered"], limits: { requestMs: 300 } });
    await run(codex, "one");
    await run(codex, "two");
    expect(codex.pids()).toHaveLength(2);
  });
});

describe("a line that is none", () => {
  it("is told, and a turn that completes all the same keeps its answer", async () => {
    const codex = openCodex();
    const { result, events } = await run(codex, "[[fake:garbage-line]]");
    expect(result.text).toBe("Reply to [[fake:garbage-line]]");
    const errors = events.filter(({ type }) => type === "error");
    expect(errors.map(({ payload }) => [payload.failureKind, payload.willRetry])).toEqual(
      Array(5).fill(["backend-json-parse-error", false]),
    );
    expect(errors.map(({ payload }) => String(payload.message).replace(/^.*no message /, ""))).toEqual([
      "(not-json): this is no JSON",
      '(not-json): {"half":',
      "(not-a-message): []",
      "(not-a-message): 42",
      "(not-a-message): null",
    ]);
  });

  it("without a reply is what the turn fails for", async () => {
    const { failure } = await failureOf({}, "[[fake:garbage-line+empty-reply]]");
    expect(failure.failureKind).toBe("backend-json-parse-error");
    expect(failure.message).toBe("codex: a line of the program's output is no message (not-json): this is no JSON");
  });

  it("is no reason for a failure that has a better one", async () => {
    const { failure } = await failureOf({}, "[[fake:garbage-line+fails:unauthorized]]");
    expect(failure.failureKind).toBe("provider-auth-failed");
  });

  it("comes too often, and the process is ended", async () => {
    const codex = openCodex();
    const first = codex.backend
      .runTurn(codexTurn("[[fake:silent-turn]]"), keepingSink(), never())
      .catch((thrown: unknown) => thrown);
    await waitFor("the first turn", () => codex.requests("turn/start").length === 1);
    for (let at = 0; at < 5; at++) await run(codex, "[[fake:garbage-line]]");
    expect(await first).toMatchObject({ failureKind: "backend-json-parse-error" });
    expect((await run(codex, "hello")).result.text).toBe("Reply to hello");
    expect(codex.pids()).toHaveLength(2);
  });

  it("of 5 MB is one when it is JSON", async () => {
    const codex = openCodex();
    const { result, events } = await run(codex, "[[fake:huge-line]]");
    expect(result.text).toBe("Reply to [[fake:huge-line]]");
    expect(events.filter(({ type }) => type === "error")).toEqual([]);
  });

  it("has no end is given up, and what comes after it is heard", async () => {
    const codex = openCodex({ limits: { maxLineBytes: 1_000_000 }, fake: { bytes: 8_000_000 } });
    const { result, events } = await run(codex, "[[fake:endless-line]]");
    expect(result.text).toBe("Reply to [[fake:endless-line]]");
    expect(events.filter(({ type }) => type === "error").map(({ payload }) => payload.message)).toEqual([
      `codex: a line of the program's output is no message (too-long): ${"x".repeat(200)}`,
    ]);
  });

  it.each([1, 3, 7])("is whole when it comes %i bytes at a time", async (size) => {
    const codex = openCodex({ behaviours: ["split-bytes"], fake: { size } });
    const { result, events } = await run(codex, "漢字 😀");
    expect(result.text).toBe("Reply to 漢字 😀");
    expect(events.filter(({ type }) => type === "error")).toEqual([]);
  });

  it("is no UTF-8 is told, and not guessed at", async () => {
    const codex = openCodex();
    const { result, events } = await run(codex, "[[fake:invalid-utf8]]");
    expect(result.text).toBe("Reply to [[fake:invalid-utf8]]");
    const [error, ...more] = events.filter(({ type }) => type === "error");
    expect(String(error?.payload.message)).toMatch(
      /^codex: a line of the program's output is no message \(not-utf8\): \{"method":"item\/agentMessage\/delta"/,
    );
    expect(more).toEqual([]);
  });

  it.each(["unknown-response-id", "unknown-notification", "jsonrpc-member", "many-notifications"] as const)(
    "%s is none of these",
    async (behaviour) => {
      const codex = openCodex({ behaviours: [behaviour], fake: { count: 2_000 } });
      const { result, events } = await run(codex, "hello");
      expect(result.text).toBe("Reply to hello");
      // An answer to no request at all (`id: null`) is the one that cannot be read.
      const expected = behaviour === "unknown-response-id" ? ["(not-a-message)"] : [];
      expect(
        events.filter(({ type }) => type === "error").map(({ payload }) => /\(.*\)/.exec(String(payload.message))?.[0]),
      ).toEqual(expected);
    },
  );
});

describe("a request that nobody can answer is refused, told, and the turn goes on", () => {
  it.each([
    ["something/new", { code: -32_601, message: "something/new is not supported" }, "unsupported"],
    ["item/permissions/requestApproval", { permissions: {}, scope: "turn" }, "refused"],
    ["item/tool/requestUserInput", { answers: {} }, "refused"],
  ])("%s", async (method, answer, answered) => {
    const codex = openCodex();
    const { result, events } = await run(codex, `[[fake:asks:${method}]]`);
    expect(result.text).toBe(`Reply to [[fake:asks:${method}]]`);
    expect(events.filter(({ type }) => type === "error")).toMatchObject([
      { payload: { failureKind: "backend-protocol-error", method, answered, willRetry: false } },
    ]);
    const [told] = events.filter(({ type }) => type === "assistant_message");
    expect(told?.payload.text).toBe(`Answer to ${method}: ${JSON.stringify(answer)}`);
  });

  it("an approval, though, stops a chunk: it has no tools that need one", async () => {
    const { failure } = await failureOf({}, "[[fake:asks:item/commandExecution/requestApproval]]");
    expect([failure.failureKind, failure.message]).toEqual([
      "backend-failed",
      "codex: the command /bin/bash -c 'true' needs an approval, which the policy never gives",
    ]);
  });
});

describe("silence", () => {
  it("for too long ends the turn, which is interrupted, and the process serves the next one", async () => {
    const codex = openCodex({ settings: { idleMs: 400 } });
    const { failure } = await run(codex, "[[fake:silent-turn]]");
    expect([failure?.failureKind, failure?.message]).toEqual([
      "backend-timeout",
      "codex timed out after 0.4s without a word from Codex",
    ]);
    expect(codex.requests("turn/interrupt")).toHaveLength(1);
    expect((await run(codex, "hello")).result.text).toBe("Reply to hello");
    expect(codex.pids()).toHaveLength(1);
  });

  it("is none while pieces come", async () => {
    const codex = openCodex({ settings: { idleMs: 1_000 }, fake: { count: 15, every: 100 } });
    expect((await run(codex, "[[fake:slow-turn]]")).result.text).toBe("Reply to [[fake:slow-turn]]");
  });

  it("while a command runs is none either", async () => {
    const codex = openCodex({ settings: { idleMs: 300 } });
    const controller = new AbortController();
    const turn = codex.backend
      .runTurn(codexTurn("[[fake:running-command]]"), keepingSink(), controller.signal)
      .catch((thrown: unknown) => thrown);
    await waitFor("the turn", () => codex.requests("turn/start").length === 1);
    // Another turn's silence is measured meanwhile, by the same clock.
    expect((await run(codex, "[[fake:silent-turn]]")).failure?.failureKind).toBe("backend-timeout");
    expect((await run(codex, "[[fake:silent-turn]]")).failure?.failureKind).toBe("backend-timeout");
    expect(await Promise.race([turn, "still running"])).toBe("still running");
    const reason = new Error("no longer wanted");
    controller.abort(reason);
    expect(await turn).toBe(reason);
    expect(codex.requests("thread/backgroundTerminals/clean").length).toBeGreaterThan(0);
  });
});

describe("an interrupt", () => {
  it.each(["ignores-interrupt", "interrupt-without-end", "turn-unanswered"] as const)(
    "that comes to nothing (%s) ends the wait in time, condemns the process, and lets others in it finish",
    async (behaviour) => {
      const codex = openCodex({ fake: { count: 15, every: 100 } });
      const other = run(codex, "[[fake:slow-turn]]");
      await waitFor("the other turn", () => codex.requests("turn/start").length === 1);
      const controller = new AbortController();
      const stuck = codex.backend
        .runTurn(codexTurn(`[[fake:${behaviour}]]`), keepingSink(), controller.signal)
        .catch((thrown: unknown) => thrown);
      await waitFor("the stuck turn", () => codex.requests("turn/start").length === 2);
      const reason = new Error("no longer wanted");
      controller.abort(reason);
      expect(await stuck).toBe(reason);
      const [pid = 0] = codex.pids();
      expect(isRunning(pid)).toBe(true);
      expect((await run(codex, "hello")).result.text).toBe("Reply to hello");
      expect(codex.pids()).toHaveLength(2);
      expect((await other).result.text).toBe("Reply to [[fake:slow-turn]]");
      await waitFor("the process's end", () => !isRunning(pid));
    },
  );

  it("during the start of the process leaves the start to others", async () => {
    const codex = openCodex();
    const controller = new AbortController();
    const reason = new Error("changed my mind");
    const given = codex.backend.runTurn(codexTurn("one"), keepingSink(), controller.signal).catch((thrown: unknown) => thrown);
    const other = run(codex, "two");
    controller.abort(reason);
    expect(await given).toBe(reason);
    expect((await other).result.text).toBe("Reply to two");
    expect(codex.pids()).toHaveLength(1);
  });
});

describe("closing", () => {
  it("ends a process that minds neither the end of its input nor TERM, and turns in it", async () => {
    const codex = openCodex({ behaviours: ["ignores-term"] });
    const turn = run(codex, "[[fake:silent-turn]]");
    await waitFor("the turn", () => codex.requests("turn/start").length === 1);
    const [pid = 0] = codex.pids();
    await codex.backend.close();
    const { failure } = await turn;
    expect([failure?.failureKind, failure?.message]).toEqual(["cancelled", "codex was closed while the turn was under way."]);
    expect(isRunning(pid)).toBe(false);
  });

  it("does not wait for one that is idle: it ends by itself", async () => {
    const codex = openCodex({ limits: { idleMs: 100 } });
    await run(codex, "hello");
    const [pid = 0] = codex.pids();
    await waitFor("the process's end", () => !isRunning(pid));
    await waitFor("nobody", () => codex.backend.running().length === 0);
    expect((await run(codex, "again")).result.text).toBe("Reply to again");
  });
});

it("a flood on stderr holds up nothing", async () => {
  const codex = openCodex();
  expect((await run(codex, "[[fake:floods-stderr]]")).result.text).toBe("Reply to [[fake:floods-stderr]]");
  await waitFor("all of it", () => codex.backend.running()[0]?.stderrBytes === 50_000_000);
});
