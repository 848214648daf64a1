/** The processes that work for a run: who is told when one has ended, however long after its turn. */
import { describe, expect, it } from "vitest";
import { AGENT_KEY, inWords, type OpenAgents, openAgents } from "@/server/testing/open-agents";
import { spawnServer } from "@/server/testing/spawn-server";
import { waitFor } from "@/server/testing/wait-for";

const LONG_MS = 600_000;

const pidsOf = (agents: OpenAgents) => [...new Set(agents.heard().map(({ pid }) => pid))];

/** What the trace says of processes and calls. */
const told = async (agents: OpenAgents, id: string) =>
  (await agents.trace(id)).flatMap(({ type, payload }) => {
    if (type === "tool_call") return [`call ${String(payload.status)}`];
    if (type === "command_ended") return [`turn ${String(payload.status)}`];
    if (type === "model_loaded" || type === "model_unloaded")
      return [`${type} ${payload.pid === pidsOf(agents)[0] ? "first" : "second"}`];
    return [];
  });

describe("a process that is killed while nobody works in it", () => {
  it("is ended on the page of each of its runs, with the command that outlived its turn", async () => {
    const agents = await openAgents({ fake: { every: LONG_MS } });
    const busy = await agents.create("[[fake:late-item]]");
    await agents.rested(busy.id);
    const beside = await agents.create("hello");
    expect((await agents.rested(beside.id)).process).toMatchObject({ exit: null });
    const [pid = 0] = pidsOf(agents);
    process.kill(pid, "SIGKILL");
    const exit = { code: null, signal: "SIGKILL", groupEnded: true };
    for (const { id } of [busy, beside]) {
      const run = await agents.until(id, "the end is told", (seen) => seen.process?.exit != null);
      expect(run).toMatchObject({ status: "completed", process: { pid, exit } });
    }
    expect(await told(agents, busy.id)).toEqual([
      "model_loaded first",
      "call inProgress",
      "call still running",
      "turn completed",
      "call ended with its process",
      "model_unloaded first",
    ]);
    expect(await told(agents, beside.id)).toEqual(["model_loaded first", "turn completed", "model_unloaded first"]);
    const unloaded = (await agents.trace(busy.id)).find(({ type }) => type === "model_unloaded");
    expect(unloaded?.payload).toEqual({
      providerId: "codex",
      sessionId: busy.id,
      model: busy.model,
      pid,
      exitCode: null,
      signal: "SIGKILL",
      groupEnded: true,
    });
  });

  it("says nothing of the one that works for the run by then", async () => {
    const agents = await openAgents();
    const { id } = await agents.create("one");
    await agents.rested(id);
    const [first = 0] = pidsOf(agents);
    process.kill(first, "SIGKILL");
    await agents.until(id, "the end is told", (seen) => seen.process?.exit != null);
    await agents.container.agents.command(id, { type: "turn", prompt: "two" });
    const run = await agents.rested(id);
    expect(run.process).toMatchObject({ exit: null });
    expect(run.process?.pid).not.toBe(first);
    expect(await told(agents, id)).toEqual([
      "model_loaded first",
      "turn completed",
      "model_unloaded first",
      "model_loaded second",
      "turn completed",
    ]);
  });
});

it("a process that dies in the middle of a turn takes the turn's command along, once", async () => {
  const agents = await openAgents();
  const { id } = await agents.create("[[fake:running-command]]");
  await waitFor("the command is told", async () => {
    const { items } = await agents.container.runs.events(id, { limit: 50 });
    return items.some(({ type }) => type === "tool_call");
  });
  process.kill(pidsOf(agents)[0] ?? 0, "SIGKILL");
  const run = await agents.rested(id);
  expect(run).toMatchObject({ status: "failed", process: { exit: { signal: "SIGKILL", groupEnded: true } } });
  expect(await told(agents, id)).toEqual([
    "model_loaded first",
    "call inProgress",
    "model_unloaded first",
    "call ended with its process",
    "turn failed",
  ]);
});

it("a server that shuts down tells the ends of its processes before it goes", async () => {
  const agents = await openAgents();
  const { id } = await agents.create("one");
  await agents.rested(id);
  await agents.container.shut();
  const reopened = await openAgents({ beside: agents, start: false });
  const run = await reopened.container.agents.get(id);
  expect(run.process?.exit).toEqual({ code: 0, signal: null, groupEnded: true });
  expect(inWords(await reopened.trace(id)).at(-1)).toBe("model_unloaded");
});

it("the processes of a server that was killed are known to have ended, and not how", async () => {
  const agents = await openAgents({ start: false });
  const server = await spawnServer(`${agents.folder}/data`, 1_500, {
    SWITCHYARD_CODEX_BIN: agents.program,
    CODEX_KEY: AGENT_KEY,
  });
  const { id } = await agents.create("one");
  expect((await agents.rested(id)).process).toMatchObject({ exit: null });
  server.signal("SIGKILL");
  await server.exited;
  agents.container.agentExecutor.start();
  const run = await agents.until(id, "the end is told", (seen) => seen.process?.exit != null);
  expect(run).toMatchObject({ status: "completed", process: { exit: { code: null, signal: null, groupEnded: null } } });
  expect(await told(agents, id)).toEqual(["model_loaded first", "turn completed", "model_unloaded first"]);
});
