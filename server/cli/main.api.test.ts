/** The command line as a real process, through the launcher that npm runs. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { projectRoot } from "@/server/shared/project-root";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "switchyard-cli-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `onError` sees what has come on stderr so far, each time something comes; `onStart` sees the process once it is there. */
function command(
  argv: readonly string[],
  onError: (text: string, child: ChildProcess) => void = () => undefined,
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, [path.join(projectRoot(), "scripts", "launch", "cli.mjs"), ...argv], {
    env: {
      NODE_ENV: "production",
      PATH: path.dirname(process.execPath),
      HOME: root,
      INIT_CWD: root,
      SWITCHYARD_DATA_DIR: path.join(root, "data"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onStart(child);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    onError(stderr, child);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

it("ends with 0 when all went well, and prints only what was asked for", async () => {
  await writeFile(path.join(root, "a.md"), "We moved the database to Oslo. The old host was too slow.");
  const { code, stdout, stderr } = await command(["distill", "a.md", "--backend", "mock", "--date", "2026-04-19", "--json"]);
  expect({ code, lines: stdout.trimEnd().split("\n").length }).toEqual({ code: 0, lines: 1 });
  expect(JSON.parse(stdout)).toMatchObject({ date: "2026-04-19", chunks: { total: 1, succeeded: 1, failed: 0 }, out: null });
  expect(stderr).toContain("1/1 chunks");
});

it("puts runs side by side", async () => {
  await writeFile(path.join(root, "a.md"), "We moved the database to Oslo. [[mock:shape=broken]]");
  const ids = [];
  for (let at = 0; at < 2; at += 1) {
    const { stdout } = await command(["distill", "a.md", "--backend", "mock", "--date", "2026-04-19", "--json"]);
    ids.push(String(JSON.parse(stdout).runId));
  }
  const { code, stdout } = await command(["compare", ...ids]);
  expect(code).toBe(0);
  const [head, ...lines] = stdout.trimEnd().split("\n");
  expect(head).toMatch(/^run +answered by +status +ok +repaired +cut +failed +requests +median +tokens +cost +insights$/);
  expect(lines.map((line) => line.split(/ {2,}/).slice(0, 8))).toEqual(
    ids.map((id) => [id, "mock/mock-1", "completed", "1/1", "1", "0", "0", "1"]),
  );
  // Inside this server nothing is paid.
  expect(lines.map((line) => line.split(/ {2,}/)[10])).toEqual(ids.map(() => "0.00 USD"));
  const shown = await command(["show", ids[0] ?? ""]);
  expect(shown.stdout).toMatch(/\n {2}tokens \d+ \+ \d+, cost 0\.00 USD\n/);
  const broken = await command(["compare", "run_none"]);
  expect(broken).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("There is no run run_none.") });
});

it("ends with 1 when a chunk failed", async () => {
  await writeFile(path.join(root, "a.md"), "A sentence. [[mock:fail=backend-failed]]");
  const { code, stdout } = await command(["distill", "a.md", "--backend", "mock", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).chunks).toEqual({ total: 1, succeeded: 0, failed: 1 });
});

it.each([
  [[]],
  [["fly"]],
  [["distill"]],
  [["distill", "nowhere.md"]],
  [["exec", "nowhere", "--backend", "mock"]],
  [["show", "run_none"]],
  [["batch"]],
  [["batch", "import", "run_none", "nowhere.jsonl"]],
  [["import", "nowhere", "--run", "run_none"]],
])("ends with 2 for %j, with a sentence and without a stack", async (argv) => {
  const { code, stdout, stderr } = await command(argv);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/\S/);
  expect(stderr).not.toMatch(/\n\s+at /);
});

it.each([[["config", "check", "c.yaml"]], [["help"]]])(
  "ends quietly with 141 when nobody reads what %j says any more",
  async (argv) => {
    const scenes = Array.from({ length: 400 }, (_, at) => `  scene-${at}: nobody/x\n`);
    await writeFile(path.join(root, "c.yaml"), `models:\n${scenes.join("")}`);
    // The reader is gone before the first line comes, however fast the command is.
    const ended = await command(argv, undefined, ({ stdout }) => stdout?.destroy());
    expect(ended).toEqual({ code: 141, stdout: "", stderr: "" });
  },
);

it("ends with 130 on SIGINT, with the run paused", async () => {
  await writeFile(path.join(root, "a.md"), "A sentence. [[mock:hang]]");
  let told = false;
  const { code, stderr } = await command(["distill", "a.md", "--backend", "mock"], (text, child) => {
    if (told || !text.includes("0/1 chunks")) return;
    told = true;
    child.kill("SIGINT");
  });
  expect(code).toBe(130);
  expect(stderr).toMatch(/Interrupted\. Run run_\S+ is paused; go on with: /);
});

it("tells the use of one member of a group", async () => {
  const { code, stdout, stderr } = await command(["config", "resolve", "--help"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(
    stdout
      .split("\n")
      .filter((line) => line.startsWith("  "))
      .map((line) => line.trim().split(" ")[1]),
  ).toEqual(["resolve"]);
});

it("tells the use of commands that share a line", async () => {
  for (const name of ["pause", "finish"]) {
    const { code, stdout, stderr } = await command([name, "--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("  pause|resume|cancel|finish RUN [--reason R]");
  }
});

it("tells the use of one command, whatever else stands in the line", async () => {
  const { code, stdout, stderr } = await command(["config", "--help"]);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n").filter((line) => line.startsWith("  "));
  expect(lines.map((line) => line.trim().split(" ").slice(0, 2).join(" "))).toEqual([
    "config check",
    "config import",
    "config export",
    "config resolve",
  ]);
});
