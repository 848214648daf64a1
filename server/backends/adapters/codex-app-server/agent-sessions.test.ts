/** How a run keeps its thread: from turn to turn, over processes that end, and over keys that change. */
import { describe, expect, it, vi } from "vitest";
import { isRunning } from "@/server/testing/is-running";
import { codexAccess, codexTurn, keepingSink } from "@/server/testing/open-codex";
import { openCodexAgent } from "@/server/testing/open-codex-agent";
import { waitFor } from "@/server/testing/wait-for";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const openingOf = ({ events }: { events: { payload: Record<string, unknown> }[] }) => events[0]?.payload.phase;

describe("the next turn of a run", () => {
  it("goes on in the thread and the process of the last one", async () => {
    const { turn, requests, pids } = openCodexAgent();
    const one = await turn("one");
    const two = await turn("two", { run: { threadId: one.context.threadId } });
    expect([openingOf(one), openingOf(two)]).toEqual(["thread-started", "thread-continued"]);
    expect(two.context.threadId).toBe(one.context.threadId);
    expect(two.outcome.reply).toBe("Reply to two");
    expect([requests("thread/start").length, requests("thread/resume").length, pids().length]).toEqual([1, 0, 1]);
  });

  it("resumes it when it had been let go of meanwhile", async () => {
    const { turn, requests, pids } = openCodexAgent({ limits: { sessionIdleMs: 50 } });
    const { context } = await turn("one");
    await waitFor("the thread is let go of", () => requests("thread/unsubscribe").length === 1);
    const two = await turn("two", { run: { threadId: context.threadId } });
    expect([openingOf(two), two.context.threadId]).toEqual(["thread-resumed", context.threadId]);
    expect(pids()).toHaveLength(1);
  });

  it("resumes it in another process, when the first has died", async () => {
    const { turn, pids } = openCodexAgent();
    const { context } = await turn("one");
    process.kill(pids()[0] ?? 0, "SIGKILL");
    await waitFor("its end", () => context.process().exit !== null);
    const two = await turn("two", { run: { threadId: context.threadId } });
    expect([openingOf(two), two.outcome.reply]).toEqual(["thread-resumed", "Reply to two"]);
    expect(pids()).toHaveLength(2);
  });

  it("resumes it after a turn that died with its process", async () => {
    const { turn, pids } = openCodexAgent();
    const one = await turn("[[fake:die-mid-turn-kill]]");
    expect(one.outcome).toMatchObject({ status: "failed", failureKind: "backend-failed" });
    const two = await turn("two", { run: { threadId: one.context.threadId } });
    expect([openingOf(two), two.outcome.reply]).toEqual(["thread-resumed", "Reply to two"]);
    expect(pids()).toHaveLength(2);
  });

  it("resumes it after a restart of all that is ours", async () => {
    const first = openCodexAgent();
    const { context } = await first.turn("one");
    await first.backend.close();
    const second = openCodexAgent({ folder: first.folder });
    const two = await second.turn("two", { run: { threadId: context.threadId } });
    expect([openingOf(two), two.outcome.reply]).toEqual(["thread-resumed", "Reply to two"]);
    expect(second.requests("thread/resume")).toMatchObject([{ threadId: context.threadId }]);
  });

  it("fails with the runtime's own words when the thread is nowhere", async () => {
    const { turn } = openCodexAgent({ behaviours: ["resume-unknown"] });
    await expect(turn("x", { run: { threadId: "gone" } })).rejects.toMatchObject({
      failureKind: "backend-protocol-error",
      message: "codex refused thread/resume: no rollout found for thread id gone",
    });
  });

  it("waits until the last one's thread has been let go of, so that its own is not let go of with it", async () => {
    const { turn, requests, heard } = openCodexAgent({ limits: { sessionIdleMs: 1 }, fake: { every: 50 } });
    let { context } = await turn("[[fake:late-item]]");
    for (let round = 0; round < 5; round++) {
      const next = await turn(`round ${round} [[fake:late-item]]`, { run: { threadId: context.threadId } });
      expect(next.outcome.status).toBe("completed");
      context = next.context;
    }
    // Of each thread that was let go of and taken up again: in that order.
    const order = heard().flatMap(({ method }) =>
      method === "thread/unsubscribe" || method === "thread/resume" ? [method] : [],
    );
    expect(order.filter((method, at) => method === "thread/resume" && order[at - 1] !== "thread/unsubscribe")).toEqual([]);
    expect(requests("turn/start")).toHaveLength(6);
  });
});

describe("a key", () => {
  it("that was rotated is used from the next turn on: the thread moves, and the old process ends", async () => {
    const { turn, pids, heard } = openCodexAgent();
    const one = await turn("one", { access: codexAccess("sk-canary-old-key") });
    const two = await turn("two", { access: codexAccess("sk-canary-new-key"), run: { threadId: one.context.threadId } });
    expect([openingOf(two), two.context.threadId, two.outcome.reply]).toEqual([
      "thread-resumed",
      one.context.threadId,
      "Reply to two",
    ]);
    const [old = 0, fresh = 0] = pids();
    expect([isRunning(old), isRunning(fresh)]).toEqual([false, true]);
    expect(
      heard()
        .filter(({ method }) => method === "turn/start")
        .map(({ pid }) => pid),
    ).toEqual([old, fresh]);
  });

  it("that is gone ends the run's turns, although the process still has it", async () => {
    const { turn, requests } = openCodexAgent();
    const { context } = await turn("one");
    await expect(
      turn("two", { run: { threadId: context.threadId }, access: { ...codexAccess("x"), secrets: {} } }),
    ).rejects.toMatchObject({ failureKind: "secret-unavailable", message: "codex has no key: set providers.codex.apiKey." });
    expect(requests("turn/start")).toHaveLength(1);
  });
});

describe("a process that does not let go of an interrupted turn", () => {
  it("gets no further turn of that run: the next one would be added to the old one", async () => {
    const { start, turn, agent, requests, pids, heard } = openCodexAgent();
    const stuck = await start("[[fake:ignores-interrupt]]");
    await waitFor("the turn", () => requests("turn/start").length === 1);
    await agent.interrupt(stuck.context, { reason: "enough" });
    expect(await stuck.outcome).toMatchObject({ status: "cancelled", message: "enough" });
    const two = await turn("two", { run: { threadId: stuck.context.threadId } });
    expect([openingOf(two), two.outcome.reply]).toEqual(["thread-resumed", "Reply to two"]);
    const [old = 0, fresh = 0] = pids();
    expect(isRunning(old)).toBe(false);
    expect(
      heard()
        .filter(({ method }) => method === "turn/start")
        .map(({ pid }) => pid),
    ).toEqual([old, fresh]);
  });

  it("ends although another run's thread rests in it, which is found again elsewhere", async () => {
    const { start, turn, agent, requests, pids } = openCodexAgent();
    const resting = await turn("one", { run: { runId: "run_resting" } });
    const stuck = await start("[[fake:ignores-interrupt]]", { run: { runId: "run_stuck" } });
    await waitFor("the turn", () => requests("turn/start").length === 2);
    await agent.interrupt(stuck.context, { reason: "enough" });
    await stuck.outcome;
    await waitFor("its end", () => !isRunning(pids()[0] ?? 0));
    const next = await turn("two", { run: { runId: "run_resting", threadId: resting.context.threadId } });
    expect([openingOf(next), next.outcome.reply]).toEqual(["thread-resumed", "Reply to two"]);
  });

  it("keeps the thread as long as another turn goes on in it: the next one says so", async () => {
    const { start, turn, agent, backend, requests } = openCodexAgent({
      limits: { freeMs: 200 },
      fake: { count: 30, every: 100 },
    });
    const stuck = await start("[[fake:ignores-interrupt]]");
    const other = backend.runTurn(codexTurn("[[fake:slow-turn]]"), keepingSink(), new AbortController().signal);
    await waitFor("both turns", () => requests("turn/start").length === 2);
    await agent.interrupt(stuck.context, { reason: "enough" });
    await stuck.outcome;
    const { threadId } = stuck.context;
    await expect(turn("two", { run: { threadId } })).rejects.toMatchObject({
      failureKind: "backend-failed",
      message: `codex: the thread ${threadId} is held by an older process in which other turns are under way. Order the turn again once they have ended.`,
    });
    expect((await other).text).toBe("Reply to [[fake:slow-turn]]");
    expect((await turn("three", { run: { threadId } })).outcome.reply).toBe("Reply to three");
  });
});

describe("threads", () => {
  it("of several runs share a process and stay apart", async () => {
    const { turn, pids } = openCodexAgent();
    const turns = await Promise.all(Array.from({ length: 6 }, (_, at) => turn(`number ${at}`, { run: { runId: `run_${at}` } })));
    expect(turns.map(({ outcome }) => outcome.reply)).toEqual(turns.map((_, at) => `Reply to number ${at}`));
    expect(new Set(turns.map(({ context }) => context.threadId)).size).toBe(6);
    expect(pids()).toHaveLength(1);
  });

  it("are held until their process ends, and chunks hold none", async () => {
    const { backend, agent, turn } = openCodexAgent();
    expect(agent.holdsThreads()).toBe(false);
    await backend.runTurn(codexTurn("a chunk"), keepingSink(), new AbortController().signal);
    expect(agent.holdsThreads()).toBe(false);
    await turn("hello");
    expect(agent.holdsThreads()).toBe(true);
    await backend.close();
    expect(agent.holdsThreads()).toBe(false);
  });

  it("that are closed while a turn is under way end it as cancelled, in order", async () => {
    const { start, backend } = openCodexAgent();
    const turn = await start("[[fake:silent-turn]]");
    await backend.close();
    expect(await turn.outcome).toMatchObject({ status: "cancelled", failureKind: "cancelled", message: "codex was closed." });
    expect(turn.events.at(-1)).toMatchObject({ type: "terminal_status", payload: { status: "cancelled" } });
  });

  it("end what was left running in them when a person wants it, while no turn is under way", async () => {
    const { turn, start, agent, requests } = openCodexAgent({ fake: { every: 600_000 } });
    const { context, late } = await turn("[[fake:late-item]]");
    expect(await agent.endCommands("run_other")).toBe(0);
    expect(await agent.endCommands(context.runId)).toBe(1);
    await waitFor("the end of the command", () => late.length > 0);
    expect(late.map(({ type, payload }) => [type, payload.status, payload.exitCode])).toEqual([["tool_call", "failed", -1]]);
    expect(await agent.endCommands(context.runId)).toBe(0);
    expect(requests("thread/backgroundTerminals/clean")).toEqual([{ threadId: context.threadId }]);
    const next = await start("[[fake:silent-turn]]", { run: { threadId: context.threadId } });
    expect(await agent.endCommands(context.runId)).toBe(0);
    await agent.interrupt(next.context, { reason: "enough" });
    await next.outcome;
  });

  it("end what was left running in them", async () => {
    const { turn, requests } = openCodexAgent({ limits: { sessionIdleMs: 50 }, fake: { every: 5_000 } });
    const { context } = await turn("[[fake:late-item]]");
    await waitFor("the thread is let go of", () => requests("thread/unsubscribe").length === 1);
    expect(requests("thread/backgroundTerminals/clean")).toEqual([{ threadId: context.threadId }]);
  });
});
