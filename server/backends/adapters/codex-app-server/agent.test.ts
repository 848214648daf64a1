/** The contract of agent runs over an orderly peer: order, policy, questions, threads. */
import { readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { ApprovalDecision } from "@/server/backends/agent-backend";
import { AGENT_APPROVALS, AGENT_SANDBOXES } from "@/server/config/execution-policy.rules";
import { EVENT_PAYLOADS } from "@/server/events/event.schema";
import { isRunning } from "@/server/testing/is-running";
import { CODEX_KEY, codexAccess } from "@/server/testing/open-codex";
import { openCodexAgent } from "@/server/testing/open-codex-agent";
import { waitFor } from "@/server/testing/wait-for";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const APPROVAL = "item/commandExecution/requestApproval";
const COMMAND_PROMPT = `[[fake:asks:${APPROVAL}]]`;

describe("a turn", () => {
  it("is told in order, with one terminal status, last; its outcome is the same", async () => {
    const { turn } = openCodexAgent();
    const { events, outcome, context, progress, late } = await turn("hello");
    expect(events.map(({ type, payload }) => [type, payload.phase ?? payload.text ?? payload.status])).toEqual([
      ["backend_status", "thread-started"],
      ["assistant_message", "Reply to hello"],
      ["backend_status", "codex-app-server-notifications-suppressed"],
      ["terminal_status", "completed"],
    ]);
    expect(outcome).toEqual({
      status: "completed",
      failureKind: null,
      message: null,
      reply: "Reply to hello",
      usage: { promptTokens: 11, completionTokens: 7 },
      turnId: events[3]?.payload.turnId,
    });
    expect(events[0]?.payload).toEqual({
      phase: "thread-started",
      backend: "codex",
      profile: "codex",
      backendKind: "codex-app-server-stdio",
      protocol: "codex-app-server-jsonrpc-stdio",
      model: "model-1",
      threadId: context.threadId,
      commandId: "cmd_1",
      approval: "never",
      sandbox: "read-only",
      network: false,
      version: "0.171.0",
    });
    expect(events[3]?.payload).toEqual({
      status: "completed",
      threadId: context.threadId,
      turnId: outcome.turnId,
      commandId: "cmd_1",
    });
    for (const { type, payload } of events) expect(EVENT_PAYLOADS[type].safeParse(payload).success, type).toBe(true);
    expect(progress).toEqual([7, 14]);
    expect(late).toEqual([]);
  });

  it.each([
    ["die-mid-turn-3", "failed", "backend-failed", "codex: the app-server ended with exit code 3"],
    ["fails:unauthorized", "failed", "provider-auth-failed", "codex: the fake fails this turn"],
    ["empty-reply", "failed", "backend-response-invalid", "codex: the turn completed without a reply."],
    [
      "garbage-line+only-deltas",
      "failed",
      "backend-json-parse-error",
      "codex: a line of the program's output is no message (not-json): this is no JSON",
    ],
    ["end-without-status", "failed", "backend-response-invalid", "codex: turn/completed lacks a field that it must have."],
  ])("that does %s never throws: error, then terminal status", async (mark, status, failureKind, message) => {
    const { turn } = openCodexAgent();
    const { events, outcome } = await turn(`[[fake:${mark}]]`);
    expect(outcome).toMatchObject({ status, failureKind, message, reply: null });
    expect(events.slice(-2)).toEqual([
      { type: "error", payload: { failureKind, message, willRetry: false, commandId: "cmd_1" } },
      {
        type: "terminal_status",
        payload: { status, failureKind, message, threadId: expect.any(String), turnId: outcome.turnId, commandId: "cmd_1" },
      },
    ]);
    expect(outcome.turnId).toMatch(/^01990000-/);
    expect(events.filter(({ type }) => type === "terminal_status")).toHaveLength(1);
  });

  it("that fails keeps what it cost", async () => {
    const { turn } = openCodexAgent();
    expect((await turn("[[fake:fails:rateLimitExceeded]]")).outcome.usage).toEqual({ promptTokens: 11, completionTokens: 7 });
  });

  it("can be started once, and by its own backend only", async () => {
    const { agent, start } = openCodexAgent();
    const { context, outcome } = await start("[[fake:slow-turn]]");
    expect(() => agent.startTurn(context)).toThrow("the turn was started before");
    await outcome;
    expect(() => agent.startTurn(context)).toThrow("the context is not one of this backend, or its turn is over");
    expect(() => agent.startTurn({ ...context })).toThrow("the context is not one of this backend");
  });
});

describe("a profile", () => {
  it("is told without any secret of it", () => {
    const { agent } = openCodexAgent();
    expect(agent.resolveProfile("codex")).toEqual({
      profile: "codex",
      backendKind: "codex-app-server-stdio",
      protocol: "codex-app-server-jsonrpc-stdio",
      transport: "stdio",
      command: "codex app-server --listen stdio://",
      requiredSecretKeys: ["apiKey"],
      isolation: "Secrets of the chosen profile only, and a home folder of its own for each profile.",
    });
  });

  it("that is another's is never mapped to this one", async () => {
    const { agent, start, pids } = openCodexAgent();
    expect(() => agent.resolveProfile("deepseek")).toThrow("codex is not the profile deepseek.");
    await expect(start("x", { run: { profile: { profile: "deepseek" } } })).rejects.toMatchObject({
      failureKind: "backend-failed",
      message: "codex is not the profile deepseek of this run.",
    });
    await expect(start("x", { run: { image: { kind: "openai-chat", command: null } } })).rejects.toThrow(
      "codex is not the profile codex of this run.",
    );
    expect(pids()).toEqual([]);
  });
});

describe("the policy is passed as it is stored, and never wider", () => {
  const policies = AGENT_SANDBOXES.flatMap((sandbox) =>
    [false, true].flatMap((network) => AGENT_APPROVALS.map((approval) => ({ sandbox, network, approval }))),
  );

  /** HOME of the run's commands. */
  const shellHome = expect.stringMatching(/\/codex-[0-9a-f]{12}\/shells\/run_1$/);

  it.each(policies)("$sandbox, network $network, approval $approval", async ({ sandbox, network, approval }) => {
    const { turn, requests, workspace } = openCodexAgent();
    const options = { policy: { sandbox, network, approval } };
    const { context } = await turn("one", options);
    await turn("two", { ...options, run: { threadId: context.threadId } });
    const sandboxPolicy = {
      "read-only": { type: "readOnly", networkAccess: network },
      "workspace-write": {
        type: "workspaceWrite",
        writableRoots: [shellHome],
        networkAccess: network,
        excludeTmpdirEnvVar: true,
        excludeSlashTmp: true,
      },
      "danger-full-access": { type: "dangerFullAccess" },
    }[sandbox];
    expect(requests("thread/start")).toEqual([
      {
        model: "model-1",
        cwd: workspace,
        approvalPolicy: approval,
        sandbox,
        ephemeral: false,
        config: {
          "shell_environment_policy.set": { HOME: shellHome },
          projects: { [workspace]: { trust_level: "untrusted" } },
        },
      },
    ]);
    expect(requests("turn/start")).toEqual(
      ["one", "two"].map((text) => ({
        threadId: context.threadId,
        input: [{ type: "text", text, text_elements: [] }],
        cwd: workspace,
        approvalPolicy: approval,
        sandboxPolicy,
      })),
    );
  });

  it("on a resumed thread as well", async () => {
    const { turn, requests, workspace } = openCodexAgent();
    const policy = { sandbox: "workspace-write", approval: "on-request" } as const;
    const { events } = await turn("x", { policy, run: { threadId: "kept-thread" } });
    expect(events[0]?.payload).toMatchObject({ phase: "thread-resumed", threadId: "kept-thread" });
    expect(requests("thread/start")).toEqual([]);
    expect(requests("thread/resume")).toEqual([
      {
        model: "model-1",
        cwd: workspace,
        approvalPolicy: "on-request",
        sandbox: "workspace-write",
        config: {
          "shell_environment_policy.set": { HOME: shellHome },
          projects: { [workspace]: { trust_level: "untrusted" } },
        },
        threadId: "kept-thread",
        excludeTurns: true,
      },
    ]);
  });
});

describe("a question", () => {
  it.each<[ApprovalDecision, string, string]>([
    ["accept", "completed", "completed"],
    ["decline", "completed", "declined"],
    ["cancel", "cancelled", "declined"],
  ])("that a person answers with %s leaves the turn %s and the command %s", async (decision, status, command) => {
    const { turn, heard } = openCodexAgent();
    const { questions, events, outcome } = await turn(COMMAND_PROMPT, {
      policy: { approval: "on-request" },
      ask: async () => decision,
    });
    expect(questions).toEqual([
      {
        kind: "command",
        itemId: expect.stringMatching(/^call_/),
        subject: "/bin/bash -c 'true'",
        cwd: expect.any(String),
        reason: "the fake needs it",
      },
    ]);
    expect(
      heard()
        .filter(({ method, result }) => method === undefined && result)
        .map(({ result }) => result),
    ).toEqual([{ decision }]);
    expect(outcome.status).toBe(status);
    expect(events.filter(({ type }) => type === "tool_call").map(({ payload }) => payload.status)).toEqual([
      "inProgress",
      command,
    ]);
    expect(events.filter(({ type }) => type === "error")).toEqual([]);
    if (decision === "cancel")
      expect(outcome).toMatchObject({ failureKind: "cancelled", message: "The turn was stopped by an answer." });
  });

  it("comes after what led to it", async () => {
    const { start } = openCodexAgent();
    let toldBefore: string[] = [];
    const turn = await start(COMMAND_PROMPT, {
      policy: { approval: "untrusted" },
      ask: async () => {
        toldBefore = turn.events.map(({ type, payload }) => `${type} ${payload.status ?? payload.phase}`);
        return "accept";
      },
    });
    await turn.outcome;
    expect(toldBefore).toEqual(["backend_status thread-started", "tool_call inProgress"]);
  });

  it("is asked of nobody under the policy `never`: the turn is blocked, and says by what", async () => {
    const { turn, heard } = openCodexAgent();
    const { questions, events, outcome } = await turn(COMMAND_PROMPT);
    const message = "the command /bin/bash -c 'true' needs an approval, which the policy never gives";
    expect(questions).toEqual([]);
    expect(outcome).toMatchObject({ status: "blocked", failureKind: null, message, reply: null });
    expect(
      heard()
        .filter(({ method, result }) => method === undefined && result)
        .map(({ result }) => result),
    ).toEqual([{ decision: "cancel" }]);
    expect(events.filter(({ type }) => type === "error")).toMatchObject([
      { payload: { failureKind: "backend-protocol-error", message, method: APPROVAL, answered: "cancelled by policy" } },
    ]);
    expect(events.at(-1)).toMatchObject({ type: "terminal_status", payload: { status: "blocked", message } });
  });

  it("for more permissions is refused whoever could be asked", async () => {
    const { turn, heard } = openCodexAgent();
    const { questions, outcome } = await turn("[[fake:asks:item/permissions/requestApproval]]", {
      policy: { approval: "untrusted" },
      ask: async () => "accept",
    });
    expect(questions).toEqual([]);
    expect(outcome.status).toBe("completed");
    expect(heard().flatMap(({ method, result }) => (method === undefined ? [result] : []))).toEqual([
      { permissions: {}, scope: "turn" },
    ]);
  });

  it("is moot once the turn is interrupted, and then declined", async () => {
    const { start, agent, heard } = openCodexAgent();
    let isMoot = false;
    const turn = await start(COMMAND_PROMPT, {
      policy: { approval: "on-request" },
      ask: (_question, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            isMoot = true;
            resolve("decline");
          });
        }),
    });
    await waitFor("the question", () => turn.questions.length === 1);
    expect(await agent.interrupt(turn.context, { reason: "Ana stopped it." })).toEqual({ accepted: true });
    expect(await turn.outcome).toMatchObject({ status: "cancelled", message: "Ana stopped it." });
    expect(isMoot).toBe(true);
    await waitFor("the answer", () => heard().some(({ result }) => result?.decision === "decline"));
  });

  it("is moot once the process is gone", async () => {
    const { start, pids } = openCodexAgent();
    let isMoot = false;
    const turn = await start(COMMAND_PROMPT, {
      policy: { approval: "on-request" },
      ask: (_question, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            isMoot = true;
            resolve("decline");
          });
        }),
    });
    await waitFor("the question", () => turn.questions.length === 1);
    process.kill(pids()[0] ?? 0, "SIGKILL");
    expect(await turn.outcome).toMatchObject({ status: "failed", failureKind: "backend-failed" });
    expect(isMoot).toBe(true);
  });

  it("about files names them and shows their diff, as recorded from the real CLI", async () => {
    const { start } = openCodexAgent({ behaviours: ["replay"], fake: { recording: "filechange-accept" } });
    let shown: unknown[] = [];
    const turn = await start("Do as the test says.", {
      policy: { approval: "on-request" },
      ask: async () => {
        shown = turn.events.filter(({ type }) => type === "diff").map(({ payload }) => [payload.status, payload.text]);
        return "accept";
      },
    });
    expect(await turn.outcome).toMatchObject({ status: "completed", reply: "It is written." });
    expect(turn.questions).toEqual([
      { kind: "file-change", itemId: "call_1", subject: "<workspace>/note.txt", cwd: null, reason: null },
    ]);
    expect(shown).toEqual([["inProgress", "--- /dev/null\n+++ <workspace>/note.txt\n@@ -0,0 +1,1 @@\n+hello\n"]]);
  });
});

describe("an interrupt", () => {
  it("ends the turn, once, with the reason that was given first", async () => {
    const { start, agent, requests } = openCodexAgent();
    const turn = await start("[[fake:silent-turn]]");
    await waitFor("the turn", () => requests("turn/start").length === 1);
    expect(await agent.interrupt(turn.context, { reason: "first" })).toEqual({ accepted: true });
    expect(await agent.interrupt(turn.context, { reason: "second" })).toEqual({ accepted: true });
    const outcome = await turn.outcome;
    expect(outcome).toMatchObject({ status: "cancelled", failureKind: "cancelled", message: "first", reply: null });
    expect(turn.events.at(-1)).toMatchObject({
      type: "terminal_status",
      payload: { status: "cancelled", failureKind: "cancelled", message: "first", turnId: outcome.turnId },
    });
    expect(turn.events.filter(({ type }) => type === "error")).toEqual([]);
    expect(requests("turn/interrupt")).toEqual([{ threadId: turn.context.threadId, turnId: outcome.turnId }]);
    expect(await agent.interrupt(turn.context, { reason: "too late" })).toEqual({ accepted: false });
  });

  it("before the turn has started cancels it, and the thread goes on with the next one", async () => {
    const { turn, agent, requests } = openCodexAgent();
    const first = await turn("one", { prepared: (context) => void agent.interrupt(context, { reason: "changed my mind" }) });
    expect(first.outcome).toMatchObject({
      status: "cancelled",
      failureKind: "cancelled",
      message: "changed my mind",
      turnId: null,
    });
    expect(first.events.map(({ type }) => type)).toEqual(["backend_status", "terminal_status"]);
    expect(requests("turn/start")).toEqual([]);
    const second = await turn("two", { run: { threadId: first.context.threadId } });
    expect(second.outcome.reply).toBe("Reply to two");
    expect(second.context.threadId).toBe(first.context.threadId);
  });

  it("leaves no command running: it is ended, and that is told afterwards", async () => {
    const { start, agent, requests } = openCodexAgent();
    const turn = await start("[[fake:running-command]]");
    await waitFor("the command", () => turn.events.some(({ type }) => type === "tool_call"));
    await agent.interrupt(turn.context, { reason: "enough" });
    expect((await turn.outcome).status).toBe("cancelled");
    expect(requests("thread/backgroundTerminals/clean")).toEqual([{ threadId: turn.context.threadId }]);
    await waitFor("the end of the command", () => [...turn.events, ...turn.late].some(({ payload }) => payload.exitCode === -1));
    const calls = [...turn.events, ...turn.late].filter(({ type }) => type === "tool_call").map(({ payload }) => payload.status);
    expect(calls.at(0)).toBe("inProgress");
    expect(calls.at(-1)).toBe("failed");
  });

  it("of the making ready is the signal's", async () => {
    const { start } = openCodexAgent({ behaviours: ["never-initialize"], limits: { initializeMs: 600_000 } });
    const controller = new AbortController();
    const reason = new Error("not wanted");
    const starting = start("x", { signal: controller.signal });
    controller.abort(reason);
    await expect(starting).rejects.toBe(reason);
  });
});

it("the policy's time bounds the turn, people included", async () => {
  const { start, turn, requests } = openCodexAgent();
  const message = "codex timed out after 0.5s (the policy's limit for a turn)";
  const silent = await turn("[[fake:silent-turn]]", { policy: { timeoutMs: 500 } });
  expect(silent.outcome).toMatchObject({ status: "failed", failureKind: "backend-timeout", message });
  const asking = await start(COMMAND_PROMPT, {
    run: { runId: "run_2" },
    policy: { timeoutMs: 500, approval: "on-request" },
    ask: (_question, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("decline"))),
  });
  expect(await asking.outcome).toMatchObject({ status: "failed", failureKind: "backend-timeout", message });
  expect(asking.questions).toHaveLength(1);
  expect(requests("turn/interrupt")).toHaveLength(2);
});

it("what outlives the turn is told afterwards", async () => {
  const { turn } = openCodexAgent({ fake: { every: 300 } });
  const { events, late, outcome } = await turn("[[fake:late-item]]");
  expect(outcome).toMatchObject({ status: "completed", reply: "Reply to [[fake:late-item]]" });
  await waitFor("what is late", () => late.length === 2);
  expect(events.filter(({ type }) => type === "tool_call").map(({ payload }) => payload.status)).toEqual([
    "inProgress",
    "still running",
  ]);
  expect(events.at(-1)?.type).toBe("terminal_status");
  expect(late.map(({ type, payload }) => [type, payload.status ?? payload.text])).toEqual([
    ["tool_call", "completed"],
    ["command_output", "late\n"],
  ]);
});

it("the home of a run's commands is there as long as its thread is loaded, private and empty at each beginning", async () => {
  const { turn, requests, backend, start } = openCodexAgent();
  const { context } = await turn("one");
  const config = requests("thread/start")[0]?.config as { "shell_environment_policy.set": { HOME: string } };
  const home = config["shell_environment_policy.set"].HOME;
  expect((statSync(home).mode & 0o777).toString(8)).toBe("700");
  writeFileSync(path.join(home, ".made"), "x");
  await turn("two", { run: { threadId: context.threadId } });
  expect(readdirSync(home)).toEqual([".made"]);
  const other = await start("[[fake:silent-turn]]", { run: { runId: "run_2" } });
  expect(readdirSync(path.dirname(home)).toSorted()).toEqual(["run_1", "run_2"]);
  await backend.close();
  await other.outcome;
  expect(readdirSync(path.dirname(home))).toEqual([]);
});

it("the end of a process is told once, by the run's last turn in it, whether its thread is loaded still or not", async () => {
  const { turn, pids } = openCodexAgent({ limits: { sessionIdleMs: 1, idleMs: 60_000 } });
  const first = await turn("one");
  const second = await turn("two", { run: { threadId: first.context.threadId } });
  const other = await turn("three", { run: { runId: "run_2" } });
  const [pid = 0] = pids();
  process.kill(pid, "SIGKILL");
  await waitFor("both runs are told", () => second.ends.length + other.ends.length === 2);
  const exit = { code: null, signal: "SIGKILL", groupEnded: true };
  expect([first.ends, second.ends, other.ends]).toMatchObject([[], [{ pid, exit }], [{ pid, exit }]]);
});

describe("a process, as pages show it", () => {
  it("is what is known of it", async () => {
    const { turn, pids } = openCodexAgent({ settings: { idleMs: 5_000 }, limits: { silenceMarginMs: 1_000 } });
    const { context } = await turn("hello");
    const facts = context.process();
    expect(facts).toEqual({
      pid: pids()[0],
      version: "0.171.0",
      startedAt: expect.any(Number),
      lastEventAt: expect.any(Number),
      stdoutBytes: expect.any(Number),
      stderrBytes: 0,
      stallLimitMs: 6_000,
      exit: null,
    });
    expect(facts.stdoutBytes).toBeGreaterThan(1_000);
    expect(facts.lastEventAt).toBeGreaterThanOrEqual(facts.startedAt);
    process.kill(facts.pid, "SIGKILL");
    await waitFor("its end", () => context.process().exit !== null);
    expect(context.process().exit).toEqual({ code: null, signal: "SIGKILL", groupEnded: true });
    expect(isRunning(facts.pid)).toBe(false);
  });
});

describe("T1: what a backend says becomes standard events without its secrets", () => {
  it("assistant, tool, output, error and terminal status", async () => {
    const { turn } = openCodexAgent({ fake: { key: CODEX_KEY } });
    const said = await turn(`[[fake:asks:${APPROVAL}+leaks-key]]`, {
      policy: { approval: "on-request" },
      ask: async () => "accept",
    });
    const failed = await turn("[[fake:leaks-key+fails:other]]", { run: { runId: "run_2" } });
    const told = [...said.events, ...failed.events];
    expect([...new Set(told.map(({ type }) => type))].sort()).toEqual([
      "assistant_message",
      "backend_status",
      "command_output",
      "error",
      "terminal_status",
      "tool_call",
    ]);
    expect(JSON.stringify([told, failed.outcome])).not.toContain(CODEX_KEY);
    expect(said.events.filter(({ type }) => type === "assistant_message").at(-1)?.payload.text).toContain(
      "with [redacted env:CODEX_KEY]",
    );
    expect(failed.outcome.message).toBe("codex: the fake fails this turn with [redacted env:CODEX_KEY]");
  });

  it("redaction covers a token, an Authorization header, a credential in an address and the content of a secret file", async () => {
    const { agent, start } = openCodexAgent();
    const fileSecret = "first-line-of-a-mounted-secret-0a1b2c";
    const turn = await start("[[fake:slow-turn]]", { access: codexAccess(fileSecret, "file:/run/secrets/key") });
    const clean = agent.redact({
      text: `it is ${fileSecret}`,
      header: "Authorization: Bearer abcdefghij0123456789",
      address: "https://user:hunter2hunter2@example.com/v1",
      nested: [{ api_key: "sk-proj-0123456789abcdefghijKLMNOP" }],
      plain: 42,
    });
    const text = JSON.stringify(clean);
    for (const secret of [fileSecret, "abcdefghij0123456789", "hunter2hunter2", "sk-proj-0123456789abcdefghijKLMNOP"])
      expect(text).not.toContain(secret);
    expect(clean.text).toBe("it is [redacted file:/run/secrets/key]");
    expect(clean.plain).toBe(42);
    await turn.outcome;
  });

  it("redaction covers every run under way, whatever the others' keys are", async () => {
    const { agent, start } = openCodexAgent();
    const keys = ["sk-canary-run-one-111", "sk-canary-run-two-222"];
    const turns = await Promise.all(
      keys.map((key, at) =>
        start("[[fake:slow-turn]]", { run: { runId: `run_${at}` }, access: codexAccess(key, `env:KEY_${at}`) }),
      ),
    );
    expect(agent.redact(keys)).toEqual(["[redacted env:KEY_0]", "[redacted env:KEY_1]"]);
    await Promise.all(turns.map(({ outcome }) => outcome));
  });
});
