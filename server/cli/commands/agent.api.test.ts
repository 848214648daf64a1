/** Agent runs from the command line, over the fake app-server. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Terminal } from "@/server/cli/terminal";
import { type Container, createContainer } from "@/server/container";
import { loadEnv } from "@/server/env";
import { type OpenAgents, type OpenAgentsOptions, openAgents } from "@/server/testing/open-agents";
import { waitFor } from "@/server/testing/wait-for";
import { agentCommand } from "./agent";
import { exportCommand, listRuns, showRun } from "./runs";

let root: string;
let lines: string[];
let problems: string[];
let interrupted: AbortController;
let terminal: Terminal;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "switchyard-agent-"));
  lines = [];
  problems = [];
  interrupted = new AbortController();
  terminal = {
    out: (line) => lines.push(line),
    err: (line) => problems.push(line),
    progress: () => undefined,
    cwd: root,
    interrupted: interrupted.signal,
  };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The command in a container of its own, beside one that only looks. */
async function openCommand(options: OpenAgentsOptions = {}) {
  const agents = await openAgents({ ...options, start: false });
  const open = (only?: ReadonlySet<string>): Promise<Container> =>
    createContainer({
      env: loadEnv({
        SWITCHYARD_DATA_DIR: path.join(agents.folder, "data"),
        SWITCHYARD_CODEX_BIN: agents.program,
        LOG_LEVEL: "silent",
      }),
      ...(only ? { only } : {}),
    });
  const run = (...argv: string[]) => agentCommand(argv, terminal, open, (work) => work(agents.container));
  return { agents, run };
}

const newest = async ({ container }: OpenAgents) => (await container.runs.list({ limit: 1 })).items[0]?.id ?? "";

describe("agent run", () => {
  it("runs the turn here and prints its reply; turn goes on in the same thread", async () => {
    const { agents, run } = await openCommand();
    const waiting = await agents.create("not mine");
    expect(await run("run", "Say hello.", "--backend", "codex", "--workspace", agents.workspaces)).toBe(0);
    expect(lines).toEqual(["Reply to Say hello."]);
    const id = await newest(agents);
    expect(problems).toEqual([`${id} is completed; its changes and commands: npm run -s switchyard -- export ${id} --out DIR`]);
    lines.length = 0;
    writeFileSync(path.join(root, "next.md"), "And now?");
    expect(await run("turn", id, "--file", "next.md", "--json")).toBe(0);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ id, status: "completed", reply: "Reply to And now?", turns: 2 });
    expect(agents.requests("thread/start")).toHaveLength(1);
    // Turns of other runs are left to those who serve them.
    expect((await agents.container.agents.get(waiting.id)).status).toBe("queued");
  });

  it("only orders with --detach", async () => {
    const { agents, run } = await openCommand();
    expect(await run("run", "Later.", "--backend", "codex", "--detach")).toBe(0);
    const id = await newest(agents);
    expect(lines).toEqual([id]);
    expect((await agents.container.agents.get(id)).status).toBe("queued");
    expect(agents.heard()).toEqual([]);
  });

  it("ends with 1 when the turn fails, and says why", async () => {
    const { agents, run } = await openCommand();
    expect(await run("run", "[[fake:empty-reply]]", "--backend", "codex")).toBe(1);
    const id = await newest(agents);
    expect(lines).toEqual([]);
    expect(problems.slice(0, 2)).toEqual([
      `${id}  ${(await agents.container.agents.get(id)).sourceDate}  failed      1 turn  codex/${(await agents.container.agents.get(id)).model}  [[fake:empty-reply]]`,
      "  codex: the turn completed without a reply.",
    ]);
  });

  it.each([
    [[], "Say what to do; there is:"],
    [["fly"], 'There is no "agent fly"; there is:'],
    [["run", "--backend", "codex"], "Give one prompt, in quotes or as a file: agent run"],
    [["run", "one", "two", "--backend", "codex"], "Give one prompt, in quotes or as a file: agent run"],
    [["run", "--file", "none.md", "--backend", "codex"], "none.md cannot be read: "],
    [["turn"], "Name one run: agent turn"],
    [["answer", "run_1"], "Name run, question and answer: agent answer"],
    [["run", "one", "--backend", "codex", "--sandbox", "danger-full-access"], "The sandbox danger-full-access is wider than"],
    [["turn", "run_none", "one"], "There is no run run_none."],
  ])("refuses %j with a sentence", async (argv, sentence) => {
    const { run } = await openCommand();
    await expect(run(...argv)).rejects.toThrow(sentence);
  });

  it("that is interrupted pauses the run and ends with 130", async () => {
    const { agents, run } = await openCommand();
    const ended = run("run", "[[fake:silent-turn]]", "--backend", "codex");
    await waitFor("the turn is under way", () => agents.requests("turn/start").length === 1);
    interrupted.abort();
    expect(await ended).toBe(130);
    const id = await newest(agents);
    expect(problems).toEqual([`Interrupted. Run ${id} is paused; go on with: npm run -s switchyard -- agent turn ${id} PROMPT`]);
    expect(await agents.container.agents.get(id)).toMatchObject({ statusReason: "Interrupted on the command line." });
  });
});

it("a question is told with the command that answers it; watch follows a turn that others run", async () => {
  const { agents, run } = await openCommand();
  agents.container.agentExecutor.start();
  const { id } = await agents.create("[[fake:asks:item/commandExecution/requestApproval]]", { approval: "on-request" });
  const watching = run("watch", id);
  const said = await waitFor("the question", () => problems[0]);
  const question = /agent answer run_\S+ (\S+) accept\|decline$/.exec(said)?.[1] ?? "";
  expect(await run("answer", id, question, "accept", "--by", "Ana")).toBe(0);
  expect(lines[0]).toMatch(new RegExp(`^${question} is accepted: `));
  expect(await watching).toBe(0);
  await expect(run("interrupt", id)).rejects.toThrow("No turn of this run is under way");
  expect((await agents.container.agents.get(id)).approvals).toMatchObject([{ status: "accepted", decidedBy: "Ana" }]);
});

describe("show, runs and export", () => {
  it("tell an agent run: its turns, its policy, its process; and all of it as files", async () => {
    const { agents, run } = await openCommand({ fake: { every: 60_000 } });
    await run("run", "First line.\nSecond line.", "--backend", "codex", "--workspace", agents.workspaces);
    const id = await newest(agents);
    await run("turn", id, "[[fake:late-item]]");
    await run("turn", id, "[[fake:empty-reply]]");
    const { sourceDate, model, process, tokens } = await agents.container.agents.get(id);
    lines.length = 0;
    expect(await showRun([id], terminal, agents.container)).toBe(0);
    const head = `${id}  ${sourceDate}  failed      3 turns  codex/${model}  First line.`;
    expect(lines).toEqual([
      head,
      "  codex: the turn completed without a reply.",
      `  workspace ${agents.workspaces}`,
      "  sandbox read-only, network no, approval never, at most 1800s a turn",
      `  process ${process?.pid}, version 0.171.0, ended (exit code 0)`,
      `  tokens ${tokens.prompt} + ${tokens.completion}, cost unknown (3)`,
      "  turn 1  completed",
      "    > First line.…",
      "    < Reply to First line.…",
      "  turn 2  completed",
      "    > [[fake:late-item]]",
      "    < Reply to [[fake:late-item]]",
      "  turn 3  failed (backend-response-invalid: codex: the turn completed without a reply.)",
      "    > [[fake:empty-reply]]",
    ]);
    lines.length = 0;
    expect(await listRuns([], terminal, agents.container)).toBe(0);
    expect(lines).toEqual([head]);
    lines.length = 0;
    expect(await exportCommand([id, "--out", "out"], terminal, agents.container)).toBe(0);
    const folder = path.join(root, "out", "agent-runs", id);
    expect(lines).toEqual([folder]);
    const text = (name: string) => readFileSync(path.join(folder, name), "utf8");
    const events = await agents.trace(id);
    expect(text("events.jsonl")).toBe(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    expect(text("transcript.md").replace(/(## Turn \d), [^,]+,/g, "$1,")).toBe(
      [
        "# First line.",
        `- run: ${id}, failed (codex: the turn completed without a reply.)\n- model: codex/${model}\n- workspace: ${agents.workspaces}\n- sandbox: read-only, network: no, approval: never`,
        "## Turn 1, completed",
        "### Prompt",
        "First line.\nSecond line.",
        "### Reply",
        "Reply to First line.\nSecond line.",
        "## Turn 2, completed",
        "### Prompt",
        "[[fake:late-item]]",
        "### Reply",
        "Reply to [[fake:late-item]]",
        "## Turn 3, failed",
        "### Prompt",
        "[[fake:empty-reply]]",
        "### Reply",
        "(none; the turn is failed: codex: the turn completed without a reply.)\n",
      ].join("\n\n"),
    );
    expect(readdirSync(folder).toSorted()).toEqual(["events.jsonl", "transcript.md"]);
  });

  it("write changes whole", async () => {
    const { agents, run } = await openCommand({ behaviours: ["replay"], fake: { recording: "filechange-no-approval" } });
    await run("run", "Write.", "--backend", "codex", "--workspace", agents.workspaces);
    const id = await newest(agents);
    await exportCommand([id, "--out", "out"], terminal, agents.container);
    const folder = path.join(root, "out", "agent-runs", id);
    const diffs = (await agents.trace(id)).filter(({ type }) => type === "diff");
    expect(diffs.length).toBeGreaterThan(0);
    for (const { seq, payload } of diffs) {
      const name = `${String(seq).padStart(6, "0")}${payload.scope === "turn" ? "-turn" : ""}.patch`;
      expect(readFileSync(path.join(folder, "diffs", name), "utf8")).toBe(payload.text);
    }
  });
});
