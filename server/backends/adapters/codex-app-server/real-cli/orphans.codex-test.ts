/** Nothing is left behind: not when a backend is closed, not when nobody needs it, and not when its owner is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "@/server/shared/project-root";
import type { OwnerOrder } from "@/server/testing/codex-owner";
import { openRealCodex, type RealCodex, realCodexProgram, withoutSandbox } from "@/server/testing/real-codex";
import { agentTurn, chunkTurn, startAgentTurn } from "@/server/testing/real-codex-turns";
import { onLinux, processesOf } from "@/server/testing/real-processes";
import { noHeaders, reply, runCommand } from "@/server/testing/responses-answers";
import { waitFor } from "@/server/testing/wait-for";

const notRun = await withoutSandbox();

let codex: RealCodex;

beforeAll(async () => {
  codex = await openRealCodex();
});
afterAll(() => codex.close());

const left = () => processesOf(codex.folder).map(({ command }) => command);
const longCommand = (seconds: number) => runCommand(`exec sleep ${seconds}`, { yieldMs: 60_000 });

describe.skipIf(!onLinux)("no process is left", () => {
  it.skipIf(notRun !== "")(`after a close in the middle of chunks, of a turn and of a command${notRun}`, async () => {
    const own = codex.another();
    const hanging = codex.scripted([noHeaders]);
    const chunk = chunkTurn(codex, hanging, { via: own });
    const turn = await startAgentTurn(codex, [longCommand(36_001)], { via: own });
    await hanging.received(1);
    await turn.event("the command is announced", ({ type }) => type === "tool_call");
    await waitFor("the command runs", () => left().includes("sleep 36001"));
    await own.backend.close();
    expect(left()).toEqual([]);
    expect((await chunk).error).toMatchObject({
      failureKind: "cancelled",
      message: "deepseek was closed while the turn was under way.",
    });
    expect((await turn.ended).outcome).toMatchObject({ status: "cancelled", failureKind: "cancelled" });
  });

  it.skipIf(notRun !== "")(`of a command that outlived its turn, once its backend is closed${notRun}`, async () => {
    const own = codex.another();
    const script = [runCommand("exec sleep 36002", { yieldMs: 250 }), reply("It still runs.")];
    const { outcome } = await agentTurn(codex, script, { via: own });
    expect(outcome.reply).toBe("It still runs.");
    expect(left()).toContain("sleep 36002");
    await own.backend.close();
    expect(left()).toEqual([]);
  });

  it("of a backend that nobody needs: it ends by itself, and the next turn starts another", async () => {
    const own = codex.another({ limits: { idleMs: 200 } });
    await chunkTurn(codex, [reply("one")], { via: own });
    const [before] = own.backend.running();
    await waitFor("the idle process ends", () => own.backend.running().length === 0);
    expect(left()).toEqual([]);
    const { result } = await chunkTurn(codex, [reply("two")], { via: own });
    expect(result?.text).toBe("two");
    expect(own.backend.running().map(({ pid }) => pid)).not.toEqual([before?.pid]);
    await own.backend.close();
  });

  it.skipIf(notRun !== "")(`after its owner was killed, and the thread is found again${notRun}`, async () => {
    const workspace = codex.makeWorkspace();
    const { prompt, requests } = codex.scripted([longCommand(36_003)], "Remember the number 4711.");
    const order: OwnerOrder = {
      program: await realCodexProgram(),
      homesFolder: codex.homesFolder,
      workspace,
      baseUrl: codex.upstream.baseUrl,
      model: codex.model,
      key: codex.key,
      prompt,
    };
    const script = path.join("server", "testing", "codex-owner.ts");
    const owner = spawn(process.execPath, ["--import", "tsx", script, JSON.stringify(order)], {
      cwd: projectRoot(),
      env: { NODE_ENV: "test", PATH: "/usr/local/bin:/usr/bin:/bin" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(owner, "exit");
    const told: { type: string; payload: { threadId?: string } }[] = [];
    createInterface({ input: owner.stdout }).on("line", (line) => told.push(JSON.parse(line)));
    try {
      await waitFor("the command is announced", () => told.some(({ type }) => type === "tool_call"));
      await waitFor("the command runs", () => left().includes("sleep 36003"));
      expect(left().some((command) => command.includes("app-server --listen stdio://"))).toBe(true);
    } finally {
      owner.kill("SIGKILL");
      await exited;
    }
    await waitFor("everything it had started is gone", () => left().length === 0);
    expect(requests()).toHaveLength(1);
    const threadId = told[0]?.payload.threadId ?? "";
    const resumed = await agentTurn(codex, [reply("4711")], { workspace, threadId });
    expect(resumed.told).toEqual(["status thread-resumed", "message final: 4711", "status suppressed", "end completed"]);
    expect(JSON.stringify(resumed.requests[0]?.body.input)).toContain("Remember the number 4711.");
  });
});

it("a backend may be closed twice, and takes no turn afterwards", async () => {
  const own = codex.another();
  await chunkTurn(codex, [reply("one")], { via: own });
  await own.backend.close();
  await own.backend.close();
  const { error, requests } = await chunkTurn(codex, [reply("never said")], { via: own });
  expect(error?.failureKind).toBe("cancelled");
  expect(requests).toEqual([]);
  await expect(agentTurn(codex, [reply("never said")], { via: own })).rejects.toThrow("the pool of app-servers is closed");
});
