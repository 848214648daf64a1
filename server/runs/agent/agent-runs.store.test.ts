/** Agent runs from their order to their end, over the fake app-server and a real database. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { ExecutionPolicyOrder } from "@/server/config/execution-policy.schema";
import { AGENT_KEY, agentDocument, inWords, openAgents } from "@/server/testing/open-agents";
import { waitFor } from "@/server/testing/wait-for";

const APPROVAL = "item/commandExecution/requestApproval";

describe("a run", () => {
  it("is ordered, runs and completes: reply, tokens, process and events in their order", async () => {
    const agents = await openAgents();
    const { container, create, rested, trace, folder } = agents;
    const ordered = await create("Say hello.\nThen stop.");
    expect(ordered).toMatchObject({
      kind: "thread",
      workflow: "agent",
      name: "Say hello.",
      status: "queued",
      backend: "codex",
      reply: null,
      threadId: null,
      waitingFor: null,
      process: null,
      approvals: [],
      policy: {
        workspace: path.join(folder, "data", "workspaces", ordered.id),
        network: false,
        approval: "never",
        sandbox: "read-only",
        timeoutMs: 1_800_000,
        approvalMs: 600_000,
        secretScope: { providerCredentials: [{ profile: "codex", secretRef: "env:CODEX_KEY" }] },
      },
      commands: [{ index: 0, type: "turn", status: "queued", preview: "Say hello.\nThen stop.", tokens: null, startedAt: null }],
    });
    const run = await rested(ordered.id);
    expect(run).toMatchObject({
      status: "completed",
      statusReason: null,
      reply: "Reply to Say hello.\nThen stop.",
      waitingFor: null,
      commands: [
        {
          status: "completed",
          failureKind: null,
          message: null,
          tokens: { prompt: 11, completion: 7 },
          cost: { state: "unknown", reason: "no_price" },
        },
      ],
      cost: { known: [], unknownAttempts: 1 },
      process: { version: "0.171.0", exit: null },
    });
    expect(run.endedAt).not.toBeNull();
    expect(run.threadId).toMatch(/^01990000-/);
    const [command] = run.commands;
    expect([command?.turnId, command?.replyId, command?.startedAt, command?.endedAt]).not.toContain(null);
    const events = await trace(run.id);
    expect(inWords(events)).toEqual([
      "run_queued",
      "command_queued Say hello.\nThen stop.",
      "command_started",
      "model_loaded",
      "backend_status thread-started",
      "assistant_message Reply to Say hello.\nThen stop.",
      "backend_status codex-app-server-notifications-suppressed",
      "terminal_status completed",
      "command_ended completed",
    ]);
    const reply = await container.database.artifact.findUnique({ where: { id: command?.replyId ?? "" } });
    expect([reply?.kind, reply?.body]).toEqual(["reply", "Reply to Say hello.\nThen stop."]);
    const prompt = await container.database.artifact.findUnique({ where: { id: command?.promptId ?? "" } });
    expect([prompt?.kind, prompt?.body]).toEqual(["prompt", "Say hello.\nThen stop."]);
  });

  it("without a workspace has an empty folder of its own", async () => {
    const { create, rested, requests, folder } = await openAgents();
    const { id } = await create("hello");
    await rested(id);
    const own = path.join(folder, "data", "workspaces", id);
    expect(readdirSync(own)).toEqual([]);
    expect((statSync(own).mode & 0o777).toString(8)).toBe("700");
    expect(requests("thread/start")).toMatchObject([{ cwd: own, sandbox: "read-only", approvalPolicy: "never" }]);
  });

  it("gives the runtime the stored policy, turn by turn", async () => {
    const { container, create, rested, requests, workspaces, folder } = await openAgents({
      rules: "network: true, sandbox: danger-full-access",
    });
    const policy = { workspace: workspaces, network: true, sandbox: "workspace-write", approval: "on-request" } as const;
    const { id } = await create("one", policy);
    await rested(id);
    await container.agents.command(id, { type: "turn", prompt: "two" });
    await rested(id);
    const sandboxPolicy = {
      type: "workspaceWrite",
      // HOME of its commands, beside the home of the program.
      writableRoots: [expect.stringMatching(new RegExp(`^${folder}/data/agents/codex-[0-9a-f]{12}/shells/${id}$`))],
      networkAccess: true,
      excludeTmpdirEnvVar: true,
      excludeSlashTmp: true,
    };
    expect(requests("turn/start")).toMatchObject([
      { cwd: workspaces, approvalPolicy: "on-request", sandboxPolicy },
      { cwd: workspaces, approvalPolicy: "on-request", sandboxPolicy },
    ]);
  });

  it("is in the list with the others, and has the artifacts of its outputs", async () => {
    const { container, create, rested } = await openAgents();
    const { id } = await create("hello", undefined, { name: "My agent", model: "another-model" });
    await rested(id);
    const { items } = await container.runs.list({ limit: 10 });
    expect(items).toMatchObject([{ id, kind: "thread", name: "My agent", model: "another-model", status: "completed" }]);
  });
});

describe("what a turn is writing", () => {
  it("is known while it grows, is no event, and is gone with the turn; another process knows nothing of it", async () => {
    const agents = await openAgents({ fake: { count: 20, every: 100 } });
    const beside = await openAgents({ beside: agents, start: false });
    const { container, create, rested, trace } = agents;
    const { id } = await create("[[fake:slow-turn]]");
    expect(container.agents.writing(id)).toBe(null);
    const seen = new Set<string>();
    await waitFor("it grows", () => {
      const text = container.agents.writing(id);
      if (text !== null && text !== "") seen.add(text);
      return seen.size >= 2;
    });
    expect(beside.container.agents.writing(id)).toBe(null);
    const [first = "", second = ""] = seen;
    expect(second.startsWith(first)).toBe(true);
    await rested(id);
    expect(container.agents.writing(id)).toBe(null);
    expect((await trace(id)).filter(({ type }) => type === "assistant_message")).toHaveLength(1);
  });
});

describe("a further turn", () => {
  it("goes on in the same thread; the last reply is the run's", async () => {
    const { container, create, rested, requests, trace } = await openAgents();
    const { id, threadId: before } = await create("one");
    const first = await rested(id);
    const command = await container.agents.command(id, { type: "turn", prompt: "two" });
    expect(command).toMatchObject({ index: 1, type: "turn", status: "queued", preview: "two" });
    const second = await rested(id);
    expect([before, second.threadId]).toEqual([null, first.threadId]);
    expect(second).toMatchObject({
      status: "completed",
      reply: "Reply to two",
      commands: [{ status: "completed" }, { status: "completed" }],
    });
    expect(requests("thread/start")).toHaveLength(1);
    expect(inWords(await trace(id)).filter((word) => word.startsWith("backend_status thread"))).toEqual([
      "backend_status thread-started",
      "backend_status thread-continued",
    ]);
  });

  it("waits behind the one under way; the run stays running in between", async () => {
    const { container, create, rested, until, requests, trace } = await openAgents({ fake: { count: 5, every: 50 } });
    const { id } = await create("one [[fake:slow-turn]]");
    await until(id, "the first turn runs", ({ commands }) => commands[0]?.status === "running");
    for (const prompt of ["two", "three"]) await container.agents.command(id, { type: "turn", prompt });
    expect((await container.agents.get(id)).commands.map(({ status }) => status)).toEqual(["running", "queued", "queued"]);
    const run = await rested(id);
    expect(run).toMatchObject({ status: "completed", reply: "Reply to three" });
    expect(requests("turn/start").map(({ input }) => JSON.stringify(input))).toEqual([
      expect.stringContaining("one"),
      expect.stringContaining("two"),
      expect.stringContaining("three"),
    ]);
    const order = inWords(await trace(id)).filter((word) => word.startsWith("command_") && !word.startsWith("command_queued"));
    expect(order).toEqual(Array(3).fill(["command_started", "command_ended completed"]).flat());
  });

  it("does not say meanwhile that the run has ended", async () => {
    const { container, create, rested } = await openAgents();
    const { id } = await create("one");
    for (const prompt of ["two", "three", "four"]) await container.agents.command(id, { type: "turn", prompt });
    const seen: unknown[] = [];
    let { cursor } = await container.runs.changes(-1);
    await rested(id);
    for (let more = true; more; ) {
      const page = await container.runs.changes(cursor);
      more = page.runs.length > 0;
      cursor = page.cursor;
      for (const { run } of page.runs) seen.push([run.status === "completed", run.endedAt !== null]);
    }
    expect(seen.filter((state) => JSON.stringify(state) !== "[false,false]" && JSON.stringify(state) !== "[true,true]")).toEqual(
      [],
    );
  });

  it("that fails cancels those that wait, and the run rests as failed", async () => {
    const { container, create, rested, trace } = await openAgents();
    const { id } = await create("[[fake:fails:serverOverloaded]]");
    await container.agents.command(id, { type: "turn", prompt: "two" });
    const run = await rested(id);
    expect(run).toMatchObject({
      status: "failed",
      statusReason: "codex: the fake fails this turn",
      reply: null,
      commands: [
        { status: "failed", failureKind: "provider-unavailable", message: "codex: the fake fails this turn" },
        { status: "cancelled", failureKind: null, message: "The turn before it did not complete." },
      ],
    });
    expect(inWords(await trace(id)).slice(-3)).toEqual([
      "error provider-unavailable",
      "terminal_status failed",
      "command_ended failed",
    ]);
    await container.agents.command(id, { type: "turn", prompt: "Continue where you were interrupted." });
    expect(await rested(id)).toMatchObject({
      status: "completed",
      reply: "Reply to Continue where you were interrupted.",
      statusReason: null,
    });
  });

  it("of many that are ordered at once each has a place of its own", async () => {
    const { container, create, rested, trace } = await openAgents();
    const { id } = await create("0");
    const ordered = await Promise.all(
      Array.from({ length: 12 }, (_, at) => container.agents.command(id, { type: "turn", prompt: `number ${at}` })),
    );
    expect(ordered.map(({ index }) => index).sort((left, right) => left - right)).toEqual(
      Array.from({ length: 12 }, (_, at) => at + 1),
    );
    const run = await rested(id);
    expect(run.commands.map(({ index, status }) => [index, status])).toEqual(
      Array.from({ length: 13 }, (_, at) => [at, "completed"]),
    );
    const events = await trace(id);
    const queued = events.filter(({ type }) => type === "command_queued").map(({ payload }) => [payload.index, payload.text]);
    expect(queued).toEqual(run.commands.map(({ index, preview }) => [index, preview]));
  });
});

describe("an interrupt", () => {
  it("ends the turn under way with its reason; the run pauses and goes on with the next turn", async () => {
    const { container, create, rested, until, requests, trace } = await openAgents();
    const { id } = await create("[[fake:silent-turn]]");
    await until(id, "the turn runs", () => requests("turn/start").length === 1);
    const order = await container.agents.command(id, { type: "interrupt", reason: "Ana needs the machine." });
    expect(order).toMatchObject({ index: 1, type: "interrupt", status: "completed", preview: "Ana needs the machine." });
    const run = await rested(id);
    expect(run).toMatchObject({
      status: "paused",
      statusReason: "Ana needs the machine.",
      endedAt: null,
      commands: [{ status: "cancelled", failureKind: "cancelled", message: "Ana needs the machine." }, { type: "interrupt" }],
    });
    expect(inWords(await trace(id)).slice(-2)).toEqual(["terminal_status cancelled", "command_ended cancelled"]);
    await container.agents.command(id, { type: "turn", prompt: "go on" });
    expect(await rested(id)).toMatchObject({ status: "completed", reply: "Reply to go on" });
    expect(requests("thread/start")).toHaveLength(1);
  });

  it("lets a turn that waits begin", async () => {
    const { container, create, rested, until, requests } = await openAgents();
    const { id } = await create("[[fake:silent-turn]]");
    await container.agents.command(id, { type: "turn", prompt: "next" });
    await until(id, "the turn runs", () => requests("turn/start").length === 1);
    await container.agents.command(id, { type: "interrupt" });
    const run = await rested(id);
    expect(run).toMatchObject({ status: "completed", reply: "Reply to next", endedAt: expect.any(String), statusReason: null });
    expect(run.commands.map(({ type, status, message }) => [type, status, message])).toEqual([
      ["turn", "cancelled", "Interrupted by the operator."],
      ["turn", "completed", null],
      ["interrupt", "completed", null],
    ]);
  });

  it("before the process is ready cancels the turn as well, with one terminal status", async () => {
    const { container, create, rested, until, trace } = await openAgents({ behaviours: ["never-initialize"] });
    const { id } = await create("hello");
    await until(id, "the turn runs", ({ commands }) => commands[0]?.status === "running");
    await container.agents.command(id, { type: "interrupt", reason: "never mind" });
    expect(await rested(id)).toMatchObject({ status: "paused", commands: [{ status: "cancelled", message: "never mind" }, {}] });
    expect(inWords(await trace(id)).slice(-2)).toEqual(["terminal_status cancelled", "command_ended cancelled"]);
  });

  it("between turns ends what they left running, and gives the last turn", async () => {
    const { container, create, rested, requests, trace } = await openAgents({ fake: { every: 600_000 } });
    const { id } = await create("[[fake:late-item]]");
    const { commands } = await rested(id);
    expect(commands[0]).toMatchObject(await container.agents.command(id, { type: "interrupt" }));
    expect(requests("thread/backgroundTerminals/clean")).toHaveLength(1);
    await waitFor(
      "its end",
      async () =>
        inWords(await trace(id))
          .at(-1)
          ?.startsWith("tool_call") === true,
    );
    expect((await trace(id)).at(-1)?.payload).toMatchObject({ status: "failed", exitCode: -1 });
    await expect(container.agents.command(id, { type: "interrupt" })).rejects.toMatchObject({ code: "conflict" });
  });

  it("where nothing is under way is refused", async () => {
    const { container, create, rested } = await openAgents();
    const { id } = await create("hello");
    await rested(id);
    await expect(container.agents.command(id, { type: "interrupt" })).rejects.toMatchObject({
      code: "conflict",
      message:
        "No turn of this run is under way (it is completed) and none left a command running here, so there is nothing to interrupt.",
    });
  });
});

describe("cancelling", () => {
  it("ends the turn under way, those that wait, and the conversation", async () => {
    const { container, create, rested, until, requests, trace } = await openAgents();
    const { id } = await create("[[fake:silent-turn]]");
    await container.agents.command(id, { type: "turn", prompt: "next" });
    await until(id, "the turn runs", () => requests("turn/start").length === 1);
    expect(await container.agents.cancel(id, "wrong repository")).toMatchObject({
      status: "cancelled",
      statusReason: "wrong repository",
    });
    const run = await rested(id);
    expect(run.status).toBe("cancelled");
    expect(run.commands.map(({ status, message }) => [status, message])).toEqual([
      ["cancelled", "wrong repository"],
      ["cancelled", "wrong repository"],
    ]);
    expect(inWords(await trace(id)).slice(-2)).toEqual(["terminal_status cancelled", "command_ended cancelled"]);
    const over = "A run that is cancelled takes no further turn: its conversation is over; start a new run.";
    await expect(container.agents.command(id, { type: "turn", prompt: "x" })).rejects.toMatchObject({
      code: "conflict",
      message: over,
    });
    await expect(container.agents.cancel(id)).rejects.toMatchObject({ message: "A run that is cancelled cannot be cancelled." });
  });

  it("before anything has begun asks nobody", async () => {
    const { container, create, requests } = await openAgents({ start: false });
    const { id } = await create("hello");
    await container.runs.cancel(id);
    container.agentExecutor.start();
    const { id: other } = await create("other");
    await vi.waitFor(async () => expect((await container.agents.get(other)).status).toBe("completed"), { timeout: 20_000 });
    expect(await container.agents.get(id)).toMatchObject({
      status: "cancelled",
      commands: [{ status: "cancelled", startedAt: null }],
    });
    expect(requests("turn/start")).toHaveLength(1);
  });
});

describe("a run that its policy stops is blocked, and that is the end", () => {
  const over = "A run that is blocked takes no further turn: its policy stopped it; start a new run with another policy.";

  it("by a request that nobody may allow", async () => {
    const { container, create, rested, trace } = await openAgents();
    const { id } = await create(`[[fake:asks:${APPROVAL}]]`);
    await container.agents.command(id, { type: "turn", prompt: "next" });
    const message = "the command /bin/bash -c 'true' needs an approval, which the policy never gives";
    expect(await rested(id)).toMatchObject({
      status: "blocked",
      statusReason: message,
      commands: [
        { status: "blocked", failureKind: null, message },
        { status: "cancelled", message: "The turn before it did not complete." },
      ],
    });
    expect(inWords(await trace(id)).slice(-2)).toEqual(["terminal_status blocked", "command_ended blocked"]);
    await expect(container.agents.command(id, { type: "turn", prompt: "x" })).rejects.toMatchObject({
      code: "conflict",
      message: over,
    });
  });

  it.each<[string, string, Partial<ExecutionPolicyOrder>, string]>([
    [
      "no network any more",
      "network: false",
      { network: true },
      "Network access is not allowed: set agents.network to true in the configuration first.",
    ],
    [
      "no writing any more",
      "sandbox: read-only",
      { sandbox: "workspace-write" },
      "The sandbox workspace-write is wider than read-only, the most that agents.sandbox of the configuration allows.",
    ],
    [
      "another provider only",
      "backends: [minimax-m3]",
      {},
      "codex may not be used for agent runs: agents.backends of the configuration lists minimax-m3.",
    ],
  ])("by a configuration that was narrowed between the order and the start: %s", async (_what, rules, policy, message) => {
    const { container, create, rested, heard, workspaces, trace } = await openAgents({ start: false, rules: "network: true" });
    const { id } = await create("hello", { workspace: workspaces, ...policy });
    const text = agentDocument(workspaces, rules);
    await container.config.importText({ text, author: "test", comment: "", source: "command_line" });
    container.agentExecutor.start();
    expect(await rested(id)).toMatchObject({
      status: "blocked",
      statusReason: message,
      commands: [{ status: "blocked", message }],
    });
    expect(inWords(await trace(id)).slice(-3)).toEqual(["command_started", "terminal_status blocked", "command_ended blocked"]);
    expect(heard()).toEqual([]);
  });

  it("by a workspace that leads elsewhere when the turn starts", async () => {
    const { container, create, rested, heard, workspaces, folder } = await openAgents({ start: false });
    const workspace = path.join(workspaces, "one");
    mkdirSync(workspace);
    const { id } = await create("hello", { workspace });
    rmSync(workspace, { recursive: true });
    symlinkSync(folder, workspace);
    container.agentExecutor.start();
    expect(await rested(id)).toMatchObject({
      status: "blocked",
      statusReason: `The workspace ${workspace} lies in none of the folders that agents.workspaces allows (${workspaces}).`,
    });
    expect(heard()).toEqual([]);
  });
});

describe("a key that cannot be had", () => {
  it("fails the turn as secret-unavailable, and nothing is started", async () => {
    const { container, create, rested, heard, trace } = await openAgents();
    vi.stubEnv("CODEX_KEY", "");
    const { id } = await create("hello");
    const message = "providers.codex.apiKey: env:CODEX_KEY is missing: the environment variable CODEX_KEY is set but empty.";
    expect(await rested(id)).toMatchObject({
      status: "failed",
      commands: [{ status: "failed", failureKind: "secret-unavailable", message }],
    });
    expect(inWords(await trace(id)).slice(-4)).toEqual([
      "command_started",
      "error secret-unavailable",
      "terminal_status failed",
      "command_ended failed",
    ]);
    expect(heard()).toEqual([]);
    vi.stubEnv("CODEX_KEY", AGENT_KEY);
    await container.agents.command(id, { type: "turn", prompt: "again" });
    expect(await rested(id)).toMatchObject({ status: "completed", reply: "Reply to again" });
  });

  it("of one profile is not made up for by another's (T4)", async () => {
    const { create, rested, heard } = await openAgents();
    const { id } = await create("hello", undefined, { backend: "minimax-m3" });
    expect(await rested(id)).toMatchObject({ status: "failed", commands: [{ failureKind: "secret-unavailable" }] });
    expect(heard()).toEqual([]);
  });
});

describe("an order is refused", () => {
  it("with every reason of the policy in one answer, and leaves nothing behind", async () => {
    const { container, create, folder } = await openAgents({
      rules: "backends: [minimax-m3], sandbox: read-only, timeoutMs: 1000",
    });
    const refusal = await create("hello", {
      workspace: "/etc",
      network: true,
      sandbox: "danger-full-access",
      secretScope: { providerCredentials: [] },
    }).catch((thrown: unknown) => thrown);
    const problems = [
      "codex may not be used for agent runs: agents.backends of the configuration lists minimax-m3.",
      "The sandbox danger-full-access is wider than read-only, the most that agents.sandbox of the configuration allows.",
      "Network access is not allowed: set agents.network to true in the configuration first.",
      "The time limit of 1800000 ms is above 1000 ms, the most that agents.timeoutMs allows.",
      "The secret scope names no credential for codex: add it to executionPolicy.secretScope.",
      expect.stringMatching(/^The workspace \/etc lies in none of the folders that agents\.workspaces allows \(.*\/repos\)\.$/),
    ];
    expect(refusal).toMatchObject({ code: "policy_refused", details: { backend: "codex", problems } });
    await create("hello").catch(() => undefined);
    expect((await container.runs.list({ limit: 10 })).items).toEqual([]);
    expect(existsSync(path.join(folder, "data", "workspaces"))).toBe(false);
  });

  it("for a provider that is no agent, by its own name and never another's (contradiction 1)", async () => {
    const { create } = await openAgents({ variables: { MINIMAX_KEY: "sk-canary-minimax-1" } });
    await expect(create("hello", undefined, { backend: "minimax-api" })).rejects.toMatchObject({
      code: "policy_refused",
      message: expect.stringMatching(/^minimax-api is no agent: its kind is openai-chat\./),
    });
    await expect(create("hello", undefined, { backend: "mock" })).rejects.toMatchObject({ code: "policy_refused" });
    await expect(create("hello", undefined, { backend: "deepseek" })).rejects.toMatchObject({ code: "unknown_backend" });
  });
});
