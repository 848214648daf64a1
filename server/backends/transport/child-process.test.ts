import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type FakeBehaviour, type FakeOptions, fakeAppServer } from "@/server/testing/fake-app-server-command";
import { isRunning } from "@/server/testing/is-running";
import { waitFor } from "@/server/testing/wait-for";
import { type ChildSpec, type RunningChild, SpawnError, startChild } from "./child-process";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** So long that a test which waits for it fails: the next step must not be what ends the child. */
const NEVER_MS = 600_000;

interface Started {
  child: RunningChild;
  output(): string;
}

async function start(command: string, args: string[], more: Partial<ChildSpec> = {}): Promise<Started> {
  const pieces: Buffer[] = [];
  const child = await startChild({
    command,
    args,
    env: {},
    cwd: tmpdir(),
    onOutput: (piece) => pieces.push(piece),
    grace: { stdinMs: NEVER_MS, termMs: NEVER_MS },
    ...more,
  });
  onTestFinished(async () => void (await child.kill()));
  return { child, output: () => Buffer.concat(pieces).toString("utf8") };
}

const script = (source: string, more: Partial<ChildSpec> = {}) => start(process.execPath, ["-e", source], more);

function fake(behaviours: FakeBehaviour[], options: FakeOptions = {}, more: Partial<ChildSpec> = {}) {
  const { program, args } = fakeAppServer(behaviours, options);
  return start(program, args, more);
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "switchyard-child-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("a program that cannot be started", () => {
  it.each([
    ["is not there", "no-such-program", "ENOENT"],
    ["may not be executed", "plain-file", "EACCES"],
  ])("because it %s", async (_why, name, code) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "plain-file"), "not a program", { mode: 0o644 });
    const command = path.join(folder, name);
    const error = await start(command, []).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SpawnError);
    expect(error).toMatchObject({ name: "SpawnError", code, message: `${command} could not be started (${code})` });
  });

  it("because its folder is not there", async () => {
    const error = await script("", { cwd: path.join(temporaryFolder(), "gone") }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "SpawnError", code: "ENOENT" });
  });
});

it("the child gets the environment, arguments and folder that it is given, and nothing of ours", async () => {
  vi.stubEnv("SWITCHYARD_CANARY", "must not be seen");
  onTestFinished(() => void vi.unstubAllEnvs());
  const cwd = temporaryFolder();
  const { child, output } = await start(
    process.execPath,
    ["-e", "console.log(JSON.stringify([process.env, process.argv.slice(1), process.cwd()]))", "a b", "$HOME"],
    { env: { ONLY: "this", PATH: "/nowhere" }, cwd },
  );
  expect(await child.exited).toEqual({ code: 0, signal: null, groupEnded: true });
  expect(JSON.parse(output())).toEqual([{ ONLY: "this", PATH: "/nowhere" }, ["a b", "$HOME"], cwd]);
});

it("all of a large output is heard before the exit, and counted", async () => {
  let now = 1_000;
  const { child, output } = await script(
    `process.stdout.write("x".repeat(5_000_000)); process.stderr.write("\\x1b[31mred\\x1b[0m words\\n"); process.exitCode = 3`,
    { clock: { now: () => now++ } },
  );
  expect(await child.exited).toEqual({ code: 3, signal: null, groupEnded: true });
  expect(output()).toBe("x".repeat(5_000_000));
  const facts = child.facts();
  expect(facts).toEqual({
    pid: child.pid,
    startedAt: 1_000,
    lastOutputAt: now - 1,
    stdoutBytes: 5_000_000,
    stderrBytes: Buffer.byteLength("\x1b[31mred\x1b[0m words\n"),
    exit: { code: 3, signal: null, groupEnded: true },
  });
  expect(facts.lastOutputAt).toBeGreaterThan(1_000);
  expect(child.stderrTail()).toBe("red words");
});

it("what is written arrives, and writing to one that is gone does no harm", async () => {
  const { child, output } = await script(
    `process.stdin.on("data", (piece) => { process.stdout.write(piece); if (String(piece).includes("end")) process.exit(0); })`,
  );
  expect(child.facts().exit).toBeNull();
  child.write("one\n");
  await waitFor("the echo", () => output() === "one\n");
  child.write("end\n");
  await child.exited;
  child.write("x".repeat(1_000_000));
  expect(await child.end()).toEqual({ code: 0, signal: null, groupEnded: true });
});

it("a flood on stderr blocks nothing, and only its end is kept", async () => {
  const { child, output } = await script(
    `const { writeSync } = require("node:fs");
     const write = (text) => { for (let at = 0; at < text.length; ) try { at += writeSync(2, text.slice(at)); } catch (error) { if (error.code !== "EAGAIN") throw error; } };
     for (let sent = 0; sent < 50; sent++) write("e".repeat(999_999) + "\\n");
     write("the last words");
     console.log("still here")`,
  );
  expect(await child.exited).toEqual({ code: 0, signal: null, groupEnded: true });
  expect(output()).toBe("still here\n");
  expect(child.facts().stderrBytes).toBe(50_000_014);
  const tail = child.stderrTail();
  expect(tail.length).toBe(16 * 1_024);
  expect(tail.endsWith("eee\nthe last words")).toBe(true);
});

describe("its end", () => {
  it("is the end of its input, when it minds that", async () => {
    const { child } = await fake(["ok"]);
    expect(await child.end()).toEqual({ code: 0, signal: null, groupEnded: true });
  });

  it("is TERM for one that does not mind the end of its input", async () => {
    const { child, output } = await script(`setInterval(() => undefined, 1e6); console.log("ready")`, {
      grace: { stdinMs: 50, termMs: NEVER_MS },
    });
    await waitFor("it runs", () => output() !== "");
    expect(await child.end()).toEqual({ code: null, signal: "SIGTERM", groupEnded: true });
  });

  it("is KILL for one that minds neither", async () => {
    const { child } = await fake(["ignores-term"], {}, { grace: { stdinMs: 50, termMs: 500 } });
    child.write(`${JSON.stringify({ id: 1, method: "initialize", params: { clientInfo: {} } })}\n`);
    await waitFor("it runs", () => child.facts().stdoutBytes > 0);
    expect(await child.end()).toEqual({ code: null, signal: "SIGKILL", groupEnded: true });
    expect(child.stderrTail()).toBe("the fake stays in spite of the end of its input\nthe fake stays in spite of SIGTERM");
  });

  it("is the same for all who ask for it, and known to those who look", async () => {
    const { child } = await fake(["ok"]);
    const [one, other] = [child.end(), child.end()];
    expect(one).toBe(other);
    const exit = await one;
    expect(await child.exited).toEqual(exit);
    expect(child.facts().exit).toEqual(exit);
  });

  it("signals nobody once it has ended: its number may be another's by then", async () => {
    const { child } = await script("");
    const exit = await child.exited;
    const kill = vi.spyOn(process, "kill");
    expect(await child.kill()).toEqual(exit);
    expect(await child.end()).toEqual(exit);
    expect(kill).not.toHaveBeenCalled();
  });
});

describe("a process of its group that minds no signal", () => {
  async function withGrandchild(behaviours: FakeBehaviour[]) {
    const to = path.join(temporaryFolder(), "pid");
    const started = await fake(["grandchild", ...behaviours], { to }, { grace: { stdinMs: NEVER_MS, termMs: NEVER_MS } });
    const grandchild = await waitFor("the grandchild", () => {
      try {
        return Number(readFileSync(to, "utf8"));
      } catch {
        return null;
      }
    });
    expect(isRunning(grandchild)).toBe(true);
    return { ...started, grandchild };
  }

  it("is gone when the leader has left in peace", async () => {
    const { child, grandchild } = await withGrandchild([]);
    expect(await child.end()).toEqual({ code: 0, signal: null, groupEnded: true });
    expect(isRunning(grandchild)).toBe(false);
  });

  it("is gone when the leader was killed from outside", async () => {
    const { child, grandchild } = await withGrandchild(["holds-output"]);
    process.kill(child.pid, "SIGKILL");
    expect(await child.exited).toEqual({ code: null, signal: "SIGKILL", groupEnded: true });
    expect(isRunning(grandchild)).toBe(false);
  });

  it("is gone with the leader when the group is killed", async () => {
    const { child, grandchild } = await withGrandchild(["ignores-term"]);
    expect(await child.kill()).toEqual({ code: null, signal: "SIGKILL", groupEnded: true });
    expect(isRunning(grandchild)).toBe(false);
  });
});
