/** Processes of the real Claude Code: what they are given, how they end, and that nothing is left of them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claudeBinary } from "@/scripts/launch/claude-cli.mjs";
import type { Turn } from "@/server/backends/backend";
import { projectRoot } from "@/server/shared/project-root";
import type { ClaudeOwnerOrder } from "@/server/testing/claude-owner";
import { isRunning } from "@/server/testing/is-running";
import { hang } from "@/server/testing/loopback-upstream";
import { calling, saying, silentAfter } from "@/server/testing/messages-answers";
import { processFolders } from "@/server/testing/open-claude";
import { openRealClaude, type RealClaude, type RunningTurn } from "@/server/testing/real-claude";
import { onLinux, processesOf } from "@/server/testing/real-processes";
import { waitFor } from "@/server/testing/wait-for";

const WORDS: Partial<Turn> = { expect: { format: "json", schema: {} } };

let claude: RealClaude;

beforeEach(async () => {
  claude = await openRealClaude();
});
afterEach(() => claude.close());

const pidOf = () => waitFor("the process runs", () => claude.backend.running()[0]?.pid);

describe("an abort", () => {
  const reason = new Error("no longer wanted");

  it.each<[string, (turn: RunningTurn) => Promise<unknown>]>([
    ["while the program starts", () => pidOf()],
    ["while the service thinks", (turn) => waitFor("the request", () => turn.requests().length === 1)],
    [
      "in the middle of the answer",
      (turn) => waitFor("text", () => turn.events.some(({ payload }) => payload.phase === "responding")),
    ],
  ])("%s ends the process, its group and the request", async (when, reached) => {
    const turn = claude.start([when.startsWith("in the middle") ? silentAfter("The beginning") : hang], { turn: WORDS });
    const rejected = expect(turn.ended).rejects.toBe(reason);
    const pid = await pidOf();
    await reached(turn);
    turn.abort(reason);
    await rejected;
    expect(isRunning(pid)).toBe(false);
    expect(claude.backend.running()).toEqual([]);
    await waitFor("no connection is open", () => claude.upstream.openConnections === 0);
    expect(turn.requests().length).toBeLessThanOrEqual(1);
    expect(processFolders(claude.homesFolder)).toEqual([]);
  });
});

it("a process that was killed fails its turn with what was said, and nobody asks again", async () => {
  const turn = claude.start([silentAfter("The beginning of"), saying("x")], { turn: WORDS });
  await waitFor("text", () => turn.events.some(({ payload }) => payload.phase === "responding"));
  process.kill(-(await pidOf()), "SIGKILL");
  const { error, requests } = await turn.ended;
  expect(error).toMatchObject({
    failureKind: "backend-failed",
    message: "claude-code: Claude Code was ended by SIGKILL without a result",
  });
  expect("The beginning of".startsWith(error?.partialText ?? "nothing")).toBe(true);
  expect(requests).toHaveLength(1);
  expect((await claude.run([saying("well again")], { turn: WORDS })).result?.text).toBe("well again");
});

it("a closed backend leaves no process", async () => {
  const turns = [1, 2, 3].map(() => claude.start([hang], { turn: WORDS }));
  await waitFor("three processes run", () => claude.backend.running().length === 3);
  await claude.backend.close();
  for (const turn of turns) expect((await turn.ended).error?.failureKind).toBe("cancelled");
  if (onLinux) expect(processesOf(claude.folder)).toEqual([]);
});

it.skipIf(!onLinux)("a process whose owner was killed ends with its request, and asks for nothing more", async () => {
  const order: ClaudeOwnerOrder = {
    program: await claudeBinary({ fetch: false }),
    homesFolder: claude.homesFolder,
    baseUrl: claude.upstream.baseUrl,
    key: claude.key,
    timeoutMs: 15_000,
  };
  claude.upstream.next(hang);
  const script = path.join("server", "testing", "claude-owner.ts");
  const owner = spawn(process.execPath, ["--import", "tsx", script, JSON.stringify(order)], {
    cwd: projectRoot(),
    env: { NODE_ENV: "test", PATH: "/usr/local/bin:/usr/bin:/bin" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exited = once(owner, "exit");
  await claude.upstream.received(1);
  owner.kill("SIGKILL");
  await exited;
  expect(processesOf(claude.homesFolder).map(({ command }) => command)).toEqual([expect.stringContaining("--print")]);
  // The limit of the turn is the program's own, too.
  await waitFor("the process ends", () => processesOf(claude.homesFolder).length === 0, 40_000);
  expect(claude.upstream.requests).toHaveLength(1);
});

it.skipIf(!onLinux)("the key is in the environment of the process and nowhere else; texts are in no argument", async () => {
  const turn = claude.start([hang], { text: "THE-CHUNK", turn: { system: "THE-SYSTEM" } });
  await waitFor("the request", () => turn.requests().length === 1);
  const pid = await pidOf();
  const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
  const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  const aborted = new Error("seen enough");
  const rejected = expect(turn.ended).rejects.toBe(aborted);
  turn.abort(aborted);
  await rejected;
  expect(command).not.toContain(claude.key);
  expect(command).not.toMatch(/THE-CHUNK|THE-SYSTEM/);
  expect(environment).toContain(`ANTHROPIC_API_KEY=${claude.key}`);
  expect(environment.filter((line) => /^(?:SWITCHYARD|VITEST|NODE)_/.test(line))).toEqual([]);
  await claude.run([calling("StructuredOutput", { insights: [] })]);
  const files = readdirSync(claude.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // The look finds what is there: the program keeps its settings in the home it was given.
  expect(files.map(({ name }) => name)).toContain(".claude.json");
  const forms = [
    claude.key,
    claude.key.slice(-20),
    Buffer.from(claude.key).toString("base64").slice(0, 20),
    "THE-CHUNK",
    "THE-SYSTEM",
  ];
  const holding = files.filter((file) => {
    const text = readFileSync(path.join(file.parentPath, file.name), "latin1");
    return forms.some((form) => text.includes(form));
  });
  expect(holding.map(({ parentPath, name }) => path.join(parentPath, name))).toEqual([]);
});
