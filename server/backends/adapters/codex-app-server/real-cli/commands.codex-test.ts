/** Commands and patches of an agent, run by the real CLI: who is asked, what the sandbox allows, what becomes of the output. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackUpstream, startLoopbackUpstream } from "@/server/testing/loopback-upstream";
import { openRealCodex, type RealCodex, withoutSandbox } from "@/server/testing/real-codex";
import { agentTurn, outputOf, startAgentTurn, tell } from "@/server/testing/real-codex-turns";
import { processesOf } from "@/server/testing/real-processes";
import { applyPatch, reply, runCommand } from "@/server/testing/responses-answers";
import type { ResponsesRequest } from "@/server/testing/responses-upstream";
import { waitFor } from "@/server/testing/wait-for";

const notRun = await withoutSandbox();

let codex: RealCodex;
/** Something on this machine that a command may or may not reach. */
let neighbour: LoopbackUpstream;

beforeAll(async () => {
  codex = await openRealCodex();
  neighbour = await startLoopbackUpstream();
  neighbour.otherwise(({ response }) => void response.end("hello\n"));
});
afterAll(async () => {
  await neighbour.close();
  await codex.close();
});

/** What the model was told of the commands it had asked for: exit code and output. */
function endsOf(request: ResponsesRequest | undefined): string[] {
  return (request?.toolOutputs ?? []).map(({ output }) => {
    const [, code = "none", text = ""] = /^Process exited with code (\d+)$[\s\S]*?^Output:\n([\s\S]*)$/m.exec(output) ?? [];
    return `code ${code}: ${text.trimEnd()}`;
  });
}

const patchOf = (file: string) => `*** Begin Patch\n*** Add File: ${file}\n+hello\n*** End Patch`;

describe.skipIf(notRun !== "")(`a command${notRun}`, () => {
  it("is told with its start, its end and its output, and a bad exit code does not fail the turn", async () => {
    const workspace = codex.makeWorkspace();
    const { outcome, told, events, requests, threadId } = await agentTurn(
      codex,
      [runCommand("exec 2>&1; echo out; echo err >&2; exit 3"), reply("It ended with 3.")],
      { workspace },
    );
    expect(outcome).toEqual({
      status: "completed",
      failureKind: null,
      message: null,
      reply: "It ended with 3.",
      usage: { promptTokens: 22, completionTokens: 14 },
      turnId: expect.any(String),
    });
    expect(told).toEqual([
      "status thread-started",
      "call inProgress",
      "call failed 3",
      "output out\nerr",
      "message final: It ended with 3.",
      "status suppressed",
      "end completed",
    ]);
    const place = { threadId, turnId: outcome.turnId };
    const itemId = requests[1]?.toolOutputs[0]?.callId;
    expect(events[0]?.payload).toEqual({
      phase: "thread-started",
      backend: "deepseek",
      profile: "deepseek",
      backendKind: "codex-app-server-stdio",
      protocol: "codex-app-server-jsonrpc-stdio",
      model: "deepseek-flash",
      approval: "never",
      sandbox: "read-only",
      network: false,
      version: "0.171.0",
      threadId,
      commandId: expect.any(String),
    });
    expect(events[2]?.payload).toEqual({
      method: "item/completed",
      itemId,
      toolName: "shell",
      type: "commandExecution",
      command: "/bin/bash -c 'exec 2>&1; echo out; echo err >&2; exit 3'",
      cwd: workspace,
      status: "failed",
      processId: expect.any(String),
      valuesPrinted: false,
      exitCode: 3,
      durationMs: expect.any(Number),
      bytes: 8,
      truncated: false,
      ...place,
    });
    expect(events[3]?.payload).toEqual({ itemId, text: "out\nerr\n", bytes: 8, truncated: false, ...place });
    expect(requests).toHaveLength(2);
  });

  it("that a person accepts runs outside the sandbox", async () => {
    const workspace = codex.makeWorkspace();
    const { outcome, told, questions, requests } = await agentTurn(
      codex,
      [runCommand("echo one > new.txt", { escalated: true }), reply("done")],
      { workspace, policy: { approval: "on-request" }, decide: "accept" },
    );
    expect(questions).toEqual([
      {
        kind: "command",
        itemId: requests[1]?.toolOutputs[0]?.callId,
        subject: "/bin/bash -c 'echo one > new.txt'",
        cwd: workspace,
        reason: "the command needs it",
      },
    ]);
    expect(told).toEqual([
      "status thread-started",
      "call inProgress",
      "call completed 0",
      "message final: done",
      "status suppressed",
      "end completed",
    ]);
    expect(outcome.status).toBe("completed");
    expect(readFileSync(path.join(workspace, "new.txt"), "utf8")).toBe("one\n");
  });

  it("that a person declines does not run, the model is told, and the turn goes on", async () => {
    const workspace = codex.makeWorkspace();
    const { outcome, told, questions, requests } = await agentTurn(
      codex,
      [runCommand("echo one > new.txt", { escalated: true }), reply("without it")],
      { workspace, policy: { approval: "on-request" }, decide: "decline" },
    );
    expect(questions).toHaveLength(1);
    expect(told).toEqual([
      "status thread-started",
      "call inProgress",
      "call declined",
      "message final: without it",
      "status suppressed",
      "end completed",
    ]);
    expect(outcome).toMatchObject({ status: "completed", reply: "without it" });
    expect(requests[1]?.toolOutputs[0]?.output).toContain("rejected by user");
    expect(readdirSync(workspace)).toEqual([]);
  });

  it("that a person cancels ends the turn", async () => {
    const workspace = codex.makeWorkspace();
    const { outcome, told, questions, requests } = await agentTurn(
      codex,
      [runCommand("echo one > new.txt", { escalated: true }), reply("not asked for")],
      { workspace, policy: { approval: "on-request" }, decide: "cancel" },
    );
    expect(questions).toHaveLength(1);
    expect(told).toEqual([
      "status thread-started",
      "call inProgress",
      "call declined",
      "status suppressed",
      "end cancelled cancelled",
    ]);
    expect(outcome).toMatchObject({ status: "cancelled", failureKind: "cancelled", reply: null });
    expect(requests).toHaveLength(1);
    expect(readdirSync(workspace)).toEqual([]);
  });

  it("that is not known to be harmless is asked about under `untrusted`", async () => {
    const workspace = codex.makeWorkspace();
    const { questions, told } = await agentTurn(codex, [runCommand("touch new.txt"), reply("done")], {
      workspace,
      policy: { approval: "untrusted", sandbox: "workspace-write" },
      decide: "accept",
    });
    expect(questions.map(({ subject }) => subject)).toEqual(["/bin/bash -c 'touch new.txt'"]);
    expect(told).toContain("call completed 0");
    expect(readdirSync(workspace)).toEqual(["new.txt"]);
  });

  it("may not leave the sandbox where nobody is to be asked: it does not run, and the CLI itself says so to the model", async () => {
    const workspace = codex.makeWorkspace();
    const { outcome, told, questions, requests } = await agentTurn(
      codex,
      [runCommand("echo one > new.txt", { escalated: true }), reply("I may not.")],
      { workspace, policy: { approval: "never" } },
    );
    expect(questions).toEqual([]);
    expect(requests[1]?.toolOutputs.map(({ output }) => output)).toEqual([
      "approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never",
    ]);
    expect(told).toEqual(["status thread-started", "message final: I may not.", "status suppressed", "end completed"]);
    expect(outcome).toMatchObject({ status: "completed", reply: "I may not." });
    expect(readdirSync(workspace)).toEqual([]);
  });

  // The CLI tells no item of a command that fails at once for its sandbox, so it is the model's side that is looked at.
  it("cannot write in the read-only sandbox", async () => {
    const workspace = codex.makeWorkspace();
    const { requests } = await agentTurn(codex, [runCommand("echo one > new.txt"), reply("no")], { workspace });
    expect(endsOf(requests[1])).toEqual(["code 1: /bin/bash: line 1: new.txt: Read-only file system"]);
    expect(readdirSync(workspace)).toEqual([]);
  });

  it("writes in the workspace and nowhere else in the sandbox of that name", async () => {
    const workspace = codex.makeWorkspace("inner");
    const outside = codex.makeWorkspace("outer");
    const { requests } = await agentTurn(
      codex,
      [
        runCommand("echo in > in.txt && cat in.txt"),
        runCommand(`echo out > ${outside}/out.txt`),
        runCommand("echo up > ../up.txt"),
        runCommand(`echo home > ${codex.homesFolder}/home.txt`),
        runCommand("cd $TMPDIR && echo temporary > temporary.txt"),
        runCommand("echo hook > .git/hook"),
        reply("done"),
      ],
      { workspace, policy: { sandbox: "workspace-write" } },
    );
    const refused = (file: string) => `code 1: /bin/bash: line 1: ${file}: Read-only file system`;
    expect(endsOf(requests[6])).toEqual([
      "code 0: in",
      refused(`${outside}/out.txt`),
      refused("../up.txt"),
      refused(`${codex.homesFolder}/home.txt`),
      refused("temporary.txt"),
      refused(".git/hook"),
    ]);
    expect(readFileSync(path.join(workspace, "in.txt"), "utf8")).toBe("in\n");
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(path.join(codex.folder, "up.txt"))).toBe(false);
    expect(existsSync(path.join(workspace, ".git", "hook"))).toBe(false);
  });

  it.each([
    ["read-only", false, 0],
    ["read-only", true, 1],
    ["workspace-write", false, 0],
    ["workspace-write", true, 1],
    // The widest sandbox has no bounds at all, whatever the policy says of the network.
    ["danger-full-access", false, 1],
  ] as const)("in the sandbox %s with network %s reaches a neighbour %i times", async (sandbox, network, times) => {
    const { port } = new URL(neighbour.baseUrl);
    const before = neighbour.requests.length;
    const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && tail -n 1 <&3`;
    const { requests } = await agentTurn(codex, [runCommand(ask), reply("done")], { policy: { sandbox, network } });
    expect(neighbour.requests.length - before).toBe(times);
    expect(endsOf(requests[1])).toEqual([
      times === 1
        ? "code 0: hello"
        : `code 1: /bin/bash: socket: Operation not permitted\n/bin/bash: line 1: /dev/tcp/127.0.0.1/${port}: Operation not permitted`,
    ]);
  });

  it("may print megabytes: every byte is counted and kept, and the trace gets an excerpt", async () => {
    const workspace = codex.makeWorkspace();
    const lines = 100_000;
    const step = 5_000;
    const turn = await startAgentTurn(
      codex,
      [
        // The CLI tells the output from when it has announced the command, and leaves pieces out that come faster than it tells them.
        runCommand(
          `until [ -e go ]; do sleep 0.02; done; for n in $(seq 1 ${step} ${lines}); do seq -f '%.0f 瓶啤酒在墙上🍺' $n $((n + ${step - 1})); sleep 0.1; done`,
          { yieldMs: 30_000 },
        ),
        reply("long"),
      ],
      { workspace },
    );
    await turn.event("the command is announced", ({ type }) => type === "tool_call");
    writeFileSync(path.join(workspace, "go"), "");
    const { events, told, requests } = await turn.ended;
    const whole = Array.from({ length: lines }, (_, index) => `${index + 1} 瓶啤酒在墙上🍺\n`).join("");
    const bytes = Buffer.byteLength(whole);
    expect(bytes).toBe(2_888_895);
    expect(told).toEqual([
      "status thread-started",
      "call inProgress",
      "call completed 0",
      `output of ${bytes} bytes`,
      "message final: long",
      "status suppressed",
      "end completed",
    ]);
    expect(events[2]?.payload).toMatchObject({ bytes, truncated: true });
    expect(events[3]).toMatchObject({ inEvent: { field: "text", bytes: 16 * 1024 } });
    expect(events[3]?.payload).toMatchObject({ bytes, truncated: false });
    // Compared as a whole, and not printed when it differs.
    expect(outputOf(events) === whole).toBe(true);
    // The model gets an excerpt of Codex's own.
    expect(requests[1]?.toolOutputs[0]?.output.length).toBeLessThan(64 * 1024);
  });

  it("may print megabytes at once: every byte is counted, and what nobody kept is said with its size", async () => {
    const { events } = await agentTurn(codex, [runCommand("seq -f '%.0f bottles of beer' 1 100000"), reply("long")]);
    const whole = Array.from({ length: 100_000 }, (_, index) => `${index + 1} bottles of beer\n`).join("");
    expect(events.find(({ type }) => type === "command_output")?.payload.bytes).toBe(whole.length);
    const text = outputOf(events);
    // How much the CLI's pieces lack, of the beginning or of the middle, is up to its threads: nothing, or more than half.
    const [, beginning, size, end] = /^([\s\S]*)\n… (\d+) bytes left out …\n([\s\S]*)$/.exec(text) ?? [];
    if (beginning === undefined || end === undefined) expect(text === whole).toBe(true);
    else {
      expect(whole.startsWith(`${beginning}\n`) && whole.endsWith(`\n${end}`)).toBe(true);
      expect(beginning.length + Number(size) + end.length).toBe(whole.length);
    }
  });

  it("may outlive its turn: the turn says that it is still running, and its end comes late", async () => {
    const workspace = codex.makeWorkspace();
    const turn = await startAgentTurn(
      codex,
      [runCommand("echo before; until [ -e go ]; do sleep 0.05; done; echo after", { yieldMs: 250 }), reply("It still runs.")],
      { workspace },
    );
    const { told, outcome, threadId } = await turn.ended;
    expect(told).toEqual([
      "status thread-started",
      "call inProgress",
      "call still running",
      "message final: It still runs.",
      "status suppressed",
      "end completed",
    ]);
    expect(turn.late).toEqual([]);
    writeFileSync(path.join(workspace, "go"), "");
    await waitFor("the late end of the command", () => turn.late.length === 2);
    expect(turn.late.map(tell)).toEqual(["call completed 0", "output before\nafter"]);
    expect(turn.late.map(({ payload }) => [payload.threadId, payload.turnId])).toEqual([
      [threadId, outcome.turnId],
      [threadId, outcome.turnId],
    ]);
  });
});

describe.skipIf(notRun !== "")(`the home of a command${notRun}`, () => {
  const LOOK =
    'exec 2>&1; echo "$HOME"; find ~ -type f -size +0; cat ~/config.toml; echo one > ~/.made && echo written; touch "$TMPDIR"/made 2>/dev/null || echo refused';

  it("is a folder of its run, empty, writable where the workspace is, kept from turn to turn and gone afterwards", async () => {
    const own = codex.another({ limits: { sessionIdleMs: 60_000 } });
    const workspace = codex.makeWorkspace();
    const policy = { sandbox: "workspace-write" } as const;
    const runId = "run-with-home";
    const first = await agentTurn(codex, [runCommand(LOOK), reply("done")], { via: own, workspace, policy, runId });
    const home = outputOf(first.events).split("\n")[0] ?? "";
    expect(path.relative(codex.homesFolder, home)).toMatch(/^deepseek-[0-9a-f]{12}\/shells\/run-with-home$/);
    expect(endsOf(first.requests[1])).toEqual([
      `code 0: ${home}\ncat: ${home}/config.toml: No such file or directory\nwritten\nrefused`,
    ]);
    const script = [runCommand("cat ~/.made"), reply("done")];
    const second = await agentTurn(codex, script, { via: own, workspace, policy, runId, threadId: first.threadId });
    expect(outputOf(second.events)).toBe("one\n");
    await own.backend.close();
    expect(existsSync(home)).toBe(false);
  });

  it("is not writable where nothing is", async () => {
    const { requests } = await agentTurn(codex, [runCommand("touch ~/made 2>/dev/null || echo refused"), reply("done")]);
    expect(endsOf(requests[1])).toEqual(["code 0: refused"]);
  });

  it("is that of another run for no command", async () => {
    const policy = { sandbox: "workspace-write" } as const;
    const one = await agentTurn(codex, [runCommand("echo $HOME"), reply("done")], { policy });
    const home = outputOf(one.events).trim();
    const other = [runCommand(`echo $HOME; touch ${home}/made 2>/dev/null || echo refused`), reply("done")];
    const two = await agentTurn(codex, other, { policy });
    expect(outputOf(two.events)).toMatch(/^\S+\nrefused\n$/);
    expect(outputOf(two.events)).not.toContain(`${home}\n`);
  });
});

describe.skipIf(notRun !== "")(`a command that outlived its turn${notRun}`, () => {
  it("is ended when a person wants it, and the thread goes on", async () => {
    const own = codex.another({ limits: { sessionIdleMs: 60_000 } });
    const runId = "run-left-running";
    const script = [runCommand("exec sleep 36005", { yieldMs: 250 }), reply("It still runs.")];
    const turn = await startAgentTurn(codex, script, { via: own, runId });
    const { threadId } = await turn.ended;
    // The sandbox is a process of its own.
    expect(processesOf("sleep 36005").length).toBeGreaterThan(0);
    expect(await own.backend.agent.endCommands("another-run")).toBe(0);
    expect(await own.backend.agent.endCommands(runId)).toBe(1);
    await waitFor("the end of the command", () => turn.late.length > 0);
    // Codex ends it with SIGKILL, and tells -1 where it does not wait for the exit code of that.
    expect(turn.late.map(tell)).toEqual([expect.stringMatching(/^call failed (?:-1|137)$/)]);
    await waitFor("the command is gone", () => processesOf("sleep 36005").length === 0);
    expect(await own.backend.agent.endCommands(runId)).toBe(0);
    const next = await agentTurn(codex, [reply("Still here.")], { via: own, runId, threadId });
    expect(next.outcome).toMatchObject({ status: "completed", reply: "Still here." });
    await own.backend.close();
  });

  it("has ended with its process when that is killed, and both ends are told", async () => {
    const own = codex.another();
    const script = [runCommand("exec sleep 36004", { yieldMs: 250 }), reply("It still runs.")];
    const turn = await startAgentTurn(codex, script, { via: own });
    const { pid } = (await turn.ended).process;
    process.kill(pid, "SIGKILL");
    await waitFor("the end of the process", () => turn.ends.length === 1);
    expect(turn.late.map(tell)).toEqual(["call ended with its process"]);
    expect(turn.ends).toMatchObject([{ pid, exit: { code: null, signal: "SIGKILL", groupEnded: true } }]);
    await own.backend.close();
    await waitFor("the command is gone", () => processesOf("sleep 36004").length === 0);
  });
});

describe.skipIf(notRun !== "")(`a patch${notRun}`, () => {
  it("changes the workspace where it may be written, and is told with its diff", async () => {
    const workspace = codex.makeWorkspace();
    const { told, events } = await agentTurn(codex, [applyPatch(patchOf("note.txt")), reply("done")], {
      workspace,
      policy: { sandbox: "workspace-write" },
    });
    expect(told).toEqual([
      "status thread-started",
      "diff completed",
      "diff turn",
      "message final: done",
      "status suppressed",
      "end completed",
    ]);
    expect(events[1]?.payload).toMatchObject({ status: "completed", paths: [path.join(workspace, "note.txt")], files: 1 });
    expect(events[2]?.payload.text).toMatch(/^diff --git a\/.*note\.txt[\s\S]*\n\+hello\n$/);
    expect(readFileSync(path.join(workspace, "note.txt"), "utf8")).toBe("hello\n");
  });

  it.each([
    ["the read-only sandbox", "read-only", "note.txt", "patch rejected: writing is blocked by read-only sandbox"],
    ["a file outside the workspace", "workspace-write", "../outside.txt", "patch rejected: writing outside of the project"],
  ] as const)("to %s is refused", async (_what, sandbox, file, reason) => {
    const workspace = codex.makeWorkspace();
    const { told, requests } = await agentTurn(codex, [applyPatch(patchOf(file)), reply("no")], {
      workspace,
      policy: { sandbox },
    });
    expect(requests[1]?.toolOutputs.map(({ output }) => output)).toEqual([`${reason}; rejected by user approval settings`]);
    expect(told).toEqual(["status thread-started", "message final: no", "status suppressed", "end completed"]);
    expect(existsSync(path.join(workspace, file))).toBe(false);
  });

  it.each([
    ["accept", true],
    ["decline", false],
  ] as const)("that needs a person is asked about: %s", async (decide, isThere) => {
    const workspace = codex.makeWorkspace();
    const file = path.join(workspace, "note.txt");
    const { outcome, questions, events, told } = await agentTurn(codex, [applyPatch(patchOf("note.txt")), reply("done")], {
      workspace,
      policy: { approval: "on-request" },
      decide,
    });
    expect(questions).toEqual([{ kind: "file-change", itemId: expect.any(String), subject: file, cwd: null, reason: null }]);
    // Whoever decides sees the change first.
    expect(events[1]?.payload).toMatchObject({
      itemId: questions[0]?.itemId,
      paths: [file],
      text: `--- /dev/null\n+++ ${file}\n@@ -0,0 +1,1 @@\n+hello\n`,
    });
    expect(told).toEqual([
      "status thread-started",
      "diff inProgress",
      ...(isThere ? ["diff completed", "diff turn"] : ["diff declined"]),
      "message final: done",
      "status suppressed",
      "end completed",
    ]);
    expect(outcome.status).toBe("completed");
    expect(existsSync(file)).toBe(isThere);
  });
});
