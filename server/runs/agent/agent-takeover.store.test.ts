/** Several processes over one data folder, and what becomes of a turn whose process is gone. */
import { describe, expect, it } from "vitest";
import { AGENT_KEY, inWords, openAgents } from "@/server/testing/open-agents";
import { spawnServer } from "@/server/testing/spawn-server";

const DIED =
  "The server ended while the turn was under way; what it had done until then is in the events. Order another turn to go on.";

describe("a server that is killed with -9", () => {
  it("leaves its turn failed, those that wait cancelled, and the thread to the next turn", async () => {
    const agents = await openAgents({ start: false });
    const { container, create, until, rested, requests, trace, program } = agents;
    const server = await spawnServer(`${agents.folder}/data`, 1_500, { SWITCHYARD_CODEX_BIN: program, CODEX_KEY: AGENT_KEY });
    const { id } = await create("[[fake:silent-turn]]");
    const before = await until(
      id,
      "the thread is known",
      ({ threadId }) => threadId !== null && requests("turn/start").length === 1,
    );
    await container.agents.command(id, { type: "turn", prompt: "next" });
    server.signal("SIGKILL");
    await server.exited;
    container.agentExecutor.start();
    const failed = await rested(id);
    expect(failed).toMatchObject({
      status: "failed",
      statusReason: DIED,
      waitingFor: null,
      commands: [
        { status: "failed", failureKind: "backend-failed", message: DIED },
        { status: "cancelled", message: "The turn before it did not complete." },
      ],
    });
    expect(inWords(await trace(id)).at(-1)).toBe("command_ended failed");
    await container.agents.command(id, { type: "turn", prompt: "go on" });
    const run = await rested(id);
    expect(run).toMatchObject({ status: "completed", reply: "Reply to go on", threadId: before.threadId });
    expect(requests("thread/resume")).toMatchObject([{ threadId: before.threadId }]);
    // The turn that was cut off is not sent again.
    expect(requests("turn/start").map(({ input }) => JSON.stringify(input))).toEqual([
      expect.stringContaining("silent-turn"),
      expect.stringContaining("go on"),
    ]);
  });
});

describe("two processes", () => {
  it("claim each turn once", async () => {
    const agents = await openAgents();
    const beside = await openAgents({ beside: agents });
    const runs = await Promise.all(Array.from({ length: 8 }, (_, at) => (at % 2 ? beside : agents).create(`number ${at}`)));
    const ended = await Promise.all(runs.map(({ id }) => agents.rested(id)));
    expect(ended.map(({ reply }) => reply)).toEqual(runs.map((_, at) => `Reply to number ${at}`));
    expect(agents.requests("turn/start")).toHaveLength(8);
    const attempts = await agents.container.database.command.findMany({ select: { attempt: true } });
    expect(attempts).toEqual(Array(8).fill({ attempt: 1 }));
    for (const { id } of runs) await agents.trace(id);
  });

  it("leave a run to the one that has its thread, and the other takes it up once that has gone", async () => {
    const agents = await openAgents();
    const { id } = await agents.create("one");
    const first = await agents.rested(id);
    const beside = await openAgents({ beside: agents });
    for (const prompt of ["two", "three", "four"]) {
      await beside.container.agents.command(id, { type: "turn", prompt });
      expect(await beside.rested(id)).toMatchObject({ status: "completed", reply: `Reply to ${prompt}` });
    }
    expect(agents.requests("thread/resume")).toEqual([]);
    expect(new Set(agents.heard().map(({ pid }) => pid)).size).toBe(1);
    await agents.container.shut();
    await beside.container.agents.command(id, { type: "turn", prompt: "five" });
    expect(await beside.rested(id)).toMatchObject({ status: "completed", reply: "Reply to five", threadId: first.threadId });
    expect(agents.requests("thread/resume")).toMatchObject([{ threadId: first.threadId }]);
  });
});

it("a worker that has lost its lease writes nothing more of the turn", async () => {
  const agents = await openAgents({ fake: { count: 20, every: 100 } });
  const { container, create, until, rested, requests, trace } = agents;
  const { id } = await create("[[fake:slow-turn]]");
  await until(id, "the turn runs", ({ threadId }) => threadId !== null && requests("turn/start").length === 1);
  const before = await trace(id);
  // As if another process had swept it and somebody else had it now.
  await container.database.command.updateMany({
    where: { runId: id },
    data: { leaseOwner: "wrk_gone", attempt: { increment: 1 } },
  });
  const run = await rested(id);
  expect(run).toMatchObject({
    status: "failed",
    statusReason: DIED,
    reply: null,
    commands: [{ status: "failed", replyId: null, tokens: null }],
  });
  await container.shut();
  expect(container.logLines.map((line) => JSON.parse(line).msg)).toEqual([
    "a lease was lost; the end of a turn was not accepted",
  ]);
  const reopened = await openAgents({ beside: agents, start: false });
  // The end of its process is no part of the turn.
  expect(inWords((await reopened.trace(id)).slice(before.length))).toEqual([
    "error backend-failed",
    "terminal_status failed",
    "command_ended failed",
    "model_unloaded",
  ]);
});

it("a shutdown lets a turn finish, and interrupts one that takes too long", async () => {
  const agents = await openAgents({ fake: { count: 5, every: 100 } });
  const short = await agents.create("[[fake:slow-turn]]");
  const long = await agents.create("[[fake:silent-turn]]");
  await agents.until(short.id, "both run", () => agents.requests("turn/start").length === 2);
  await agents.container.shut(2_000);
  const reopened = await openAgents({ beside: agents, start: false });
  expect(await reopened.container.agents.get(short.id)).toMatchObject({ status: "completed" });
  expect(await reopened.container.agents.get(long.id)).toMatchObject({
    status: "paused",
    statusReason: "The server is shutting down.",
    commands: [{ status: "cancelled", message: "The server is shutting down." }],
  });
  expect(await reopened.container.database.worker.count()).toBe(0);
});
