/** Turns of the real CLI that are ended early, by a person or by a death, and the thread that goes on afterwards. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRealCodex, type RealCodex, withoutSandbox } from "@/server/testing/real-codex";
import { agentTurn, chunkTurn, startAgentTurn, tell } from "@/server/testing/real-codex-turns";
import { onLinux, processesOf } from "@/server/testing/real-processes";
import { noHeaders, reply, runCommand, silence } from "@/server/testing/responses-answers";
import type { ResponsesRequest } from "@/server/testing/responses-upstream";
import { waitFor } from "@/server/testing/wait-for";

const notRun = await withoutSandbox();

let codex: RealCodex;

beforeAll(async () => {
  codex = await openRealCodex();
});
afterAll(() => codex.close());

/** A command that would run for hours, and can be found by its number of seconds. */
let sleepers = 0;
function longCommand() {
  const seconds = `${process.pid}${String(++sleepers).padStart(3, "0")}`;
  return {
    script: runCommand(`exec sleep ${seconds}`, { yieldMs: 60_000 }),
    isRunning: () => processesOf(codex.folder).some(({ command }) => command === `sleep ${seconds}`),
  };
}

/** A pid that is missing must not become 0: that is everybody in this process's group. */
function kill(facts: { pid: number } | undefined, signal: NodeJS.Signals = "SIGKILL"): void {
  if (facts === undefined || facts.pid < 2) throw new Error("there is no process to be killed");
  process.kill(facts.pid, signal);
}

const said = (request: ResponsesRequest | undefined) => JSON.stringify(request?.body.input);

describe("an interrupt", () => {
  it("ends a turn that waits for the model, and hangs up", async () => {
    const prompt = codex.scripted([noHeaders, reply("not asked for")]);
    const turn = await startAgentTurn(codex, prompt);
    await prompt.received(1);
    const ended = codex.upstream.disconnected(1);
    expect(await turn.interrupt()).toEqual({ accepted: true });
    const { outcome, told, requests } = await turn.ended;
    expect(outcome).toMatchObject({
      status: "cancelled",
      failureKind: "cancelled",
      message: "the test wants it",
      reply: null,
      turnId: expect.any(String),
    });
    expect(told).toEqual(["status thread-started", "status suppressed", "end cancelled cancelled"]);
    expect(requests).toHaveLength(1);
    await ended;
    expect(await turn.interrupt()).toEqual({ accepted: false });
  });

  it("keeps what was said until then", async () => {
    const turn = await startAgentTurn(codex, [silence("The beginning of it")]);
    await waitFor("the beginning is said", () => turn.progress.at(-1) === "The beginning of it".length);
    await turn.interrupt();
    const { told } = await turn.ended;
    expect(told).toEqual([
      "status thread-started",
      "message without authority: The beginning of it",
      "status suppressed",
      "end cancelled cancelled",
    ]);
  });

  it.skipIf(notRun !== "" || !onLinux)(
    `ends a command with its process, and the next turn goes on in the thread${notRun}`,
    async () => {
      const workspace = codex.makeWorkspace();
      const command = longCommand();
      const turn = await startAgentTurn(codex, [command.script, reply("not asked for")], { workspace, runId: "interrupted" });
      await turn.event("the command is announced", ({ type }) => type === "tool_call");
      await waitFor("the command runs", command.isRunning);
      await turn.interrupt();
      const { outcome, told, requests, threadId, process: before } = await turn.ended;
      expect(outcome.status).toBe("cancelled");
      expect(told.slice(0, 2)).toEqual(["status thread-started", "call inProgress"]);
      expect(told.slice(-2)).toEqual(["status suppressed", "end cancelled cancelled"]);
      expect(requests).toHaveLength(1);
      // Told within the turn or just after it.
      await waitFor("the end of the command is told", () =>
        [...told, ...turn.late.map(tell)].some((each) => /^call failed (?:-1|137)$/.test(each)),
      );
      await waitFor("the command is gone", () => !command.isRunning());
      const next = await agentTurn(codex, [reply("I go on.")], { workspace, runId: "interrupted", threadId });
      expect(next.told[0]).toBe("status thread-continued");
      expect(next.outcome).toMatchObject({ status: "completed", reply: "I go on." });
      expect(next.process.pid).toBe(before.pid);
    },
  );
});

/** A process that stands still: it lives, and answers nothing. */
describe.skipIf(!onLinux)("a process that does not hear any more", () => {
  const impatient = { requestMs: 3_000, interruptMs: 400, stdinGraceMs: 200, termGraceMs: 200 };
  const seen = (pid: number | undefined) => processesOf(codex.homesFolder).some((found) => found.pid === pid);

  it("keeps neither a chunk that is aborted nor the next one, which gets another", async () => {
    const own = codex.another({ limits: impatient });
    const prompt = codex.scripted([noHeaders]);
    const controller = new AbortController();
    const reason = new Error("nobody wants it any more");
    const chunk = chunkTurn(codex, prompt, { via: own, signal: controller.signal });
    await prompt.received(1);
    const [deaf] = own.backend.running();
    kill(deaf, "SIGSTOP");
    controller.abort(reason);
    await expect(chunk).rejects.toBe(reason);
    const next = await chunkTurn(codex, [reply("by another process")], { via: own });
    expect(next.result?.text).toBe("by another process");
    await waitFor("the deaf one is ended", () => !seen(deaf?.pid));
    await waitFor("the other one is all there is", () => own.backend.running().length === 1);
  });

  it("is given up by the first chunk that it leaves without an answer", async () => {
    const own = codex.another({ limits: impatient });
    await chunkTurn(codex, [reply("awake")], { via: own });
    const [deaf] = own.backend.running();
    kill(deaf, "SIGSTOP");
    const { error, requests } = await chunkTurn(codex, [reply("never said")], { via: own });
    expect(error).toMatchObject({ failureKind: "backend-timeout", message: "deepseek: thread/start was not answered within 3s" });
    expect(requests).toEqual([]);
    const next = await chunkTurn(codex, [reply("by another process")], { via: own });
    expect(next.result?.text).toBe("by another process");
    await waitFor("the deaf one is ended", () => !seen(deaf?.pid));
  });

  it("ends an agent's turn that is interrupted, and holds no close up", async () => {
    const own = codex.another({ limits: impatient });
    const prompt = codex.scripted([noHeaders]);
    const turn = await startAgentTurn(codex, prompt, { via: own });
    await prompt.received(1);
    const deaf = turn.context.process();
    kill(deaf, "SIGSTOP");
    await turn.interrupt();
    const { outcome, told } = await turn.ended;
    expect(outcome).toMatchObject({ status: "cancelled", failureKind: "cancelled" });
    expect(told).toEqual(["status thread-started", "status suppressed", "end cancelled cancelled"]);
    await own.backend.close();
    expect(seen(deaf.pid)).toBe(false);
  });

  it("is ended before the next turn of the run, which finds its thread in another process", async () => {
    const own = codex.another({ limits: impatient });
    const workspace = codex.makeWorkspace();
    const prompt = codex.scripted([noHeaders], "Remember the number 4711.");
    const turn = await startAgentTurn(codex, prompt, { via: own, workspace, runId: "deaf" });
    await prompt.received(1);
    const deaf = turn.context.process();
    kill(deaf, "SIGSTOP");
    await turn.interrupt();
    const { threadId } = await turn.ended;
    const next = await agentTurn(codex, [reply("4711")], { via: own, workspace, runId: "deaf", threadId });
    expect(next.told).toEqual(["status thread-resumed", "message final: 4711", "status suppressed", "end completed"]);
    expect(next.threadId).toBe(threadId);
    expect(said(next.requests[0])).toContain("Remember the number 4711.");
    expect(next.process.pid).not.toBe(deaf.pid);
    expect(seen(deaf.pid)).toBe(false);
  });
});

describe("a kill of the process", () => {
  it("fails a chunk with what was said, and the next one gets a new process", async () => {
    const [before] = codex.backend.running();
    const progress: number[] = [];
    const chunk = chunkTurn(codex, [silence("Half an answer")], { onProgress: (characters) => progress.push(characters) });
    await waitFor("half of it is said", () => progress.at(-1) === "Half an answer".length);
    kill(before);
    const { error, told } = await chunk;
    expect(error).toMatchObject({ failureKind: "backend-failed", partialText: "Half an answer" });
    expect(error?.message).toMatch(/^deepseek: the app-server was ended by SIGKILL/);
    expect(told).toEqual([
      "status started",
      "status thread-started",
      "message without authority: Half an answer",
      "status suppressed",
    ]);
    const next = await chunkTurn(codex, [reply("afterwards")]);
    expect(next.result?.text).toBe("afterwards");
    const [after] = codex.backend.running();
    expect(after?.pid).not.toBe(before?.pid);
  });

  it.skipIf(notRun !== "" || !onLinux)(
    `in the middle of a command ends the command, and the thread is resumed${notRun}`,
    async () => {
      const workspace = codex.makeWorkspace();
      const command = longCommand();
      const prompt = codex.scripted([command.script, reply("not asked for")], "Sleep well.");
      const turn = await startAgentTurn(codex, prompt, { workspace, runId: "killed" });
      await turn.event("the command is announced", ({ type }) => type === "tool_call");
      await waitFor("the command runs", command.isRunning);
      kill(turn.context.process());
      const { outcome, told, threadId, process: ended } = await turn.ended;
      expect(outcome).toMatchObject({ status: "failed", failureKind: "backend-failed", reply: null });
      expect(told).toEqual([
        "status thread-started",
        "call inProgress",
        "call ended with its process",
        "status suppressed",
        "error backend-failed",
        "end failed backend-failed",
      ]);
      expect(ended.exit).toEqual({ code: null, signal: "SIGKILL", groupEnded: true });
      await waitFor("the command is gone", () => !command.isRunning());
      const next = await agentTurn(codex, [reply("I am back.")], { workspace, runId: "killed", threadId });
      expect(next.told).toEqual(["status thread-resumed", "message final: I am back.", "status suppressed", "end completed"]);
      expect(next.threadId).toBe(threadId);
      expect(next.process.pid).not.toBe(ended.pid);
      // The model is told what came before.
      expect(said(next.requests[0])).toContain("Sleep well.");
      expect(next.requests[0]?.toolOutputs.map(({ output }) => output)).toEqual(["aborted"]);
    },
  );
});

it("a thread is found again by a fresh backend in a fresh process, with all that was said", async () => {
  const workspace = codex.makeWorkspace();
  const first = await agentTurn(codex, codex.scripted([reply("The answer is 4711.")], "Remember the number."), {
    workspace,
    runId: "resumed",
  });
  await codex.reopen();
  const second = await agentTurn(codex, [reply("4711")], { workspace, runId: "resumed", threadId: first.threadId });
  expect(second.told).toEqual(["status thread-resumed", "message final: 4711", "status suppressed", "end completed"]);
  expect(second.threadId).toBe(first.threadId);
  expect(second.process.pid).not.toBe(first.process.pid);
  expect(said(second.requests[0])).toContain("Remember the number.");
  expect(said(second.requests[0])).toContain("The answer is 4711.");
  // Of the second turn alone.
  expect(second.outcome.usage).toEqual({ promptTokens: 11, completionTokens: 7 });
});

it("a thread that nobody knows is refused, and nothing is started in its place", async () => {
  const asked = codex.upstream.requests.length;
  const threadId = "01a22d35-7520-7870-83d4-1e8c7009dc46";
  await expect(agentTurn(codex, [reply("never said")], { threadId })).rejects.toMatchObject({
    failureKind: "backend-protocol-error",
    message: `deepseek refused thread/resume: no rollout found for thread id ${threadId}`,
  });
  expect(codex.upstream.requests).toHaveLength(asked);
});
