import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type FakeBehaviour, type FakeOptions, fakeAppServer, writeFakeAppServer } from "./fake-app-server-command";
import { framesFromCli, readFixture } from "./read-fixture";
import { waitFor } from "./wait-for";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

type Frame = Record<string, unknown>;

interface Peer {
  pid: number;
  /** Lines of stdout so far that are JSON objects. */
  frames: Frame[];
  /** Lines of stdout so far. */
  lines: string[];
  stderr: () => string;
  send(frame: unknown): void;
  /** Sends a request and resolves with the response. */
  request(method: string, params?: unknown): Promise<Frame>;
  heard(method: string): Promise<Frame>;
  closeInput(): void;
  signal(name: NodeJS.Signals): void;
  /** Exit code or signal, when the process is gone; its pipes may still be open. */
  exited: Promise<unknown>;
  closed: Promise<unknown>;
}

function start(command: { program: string; args: string[] }, environment: Record<string, string> = {}): Peer {
  // Next declares NODE_ENV as a member of every environment; the fake is to get these and no other.
  const env = environment as NodeJS.ProcessEnv;
  const child = spawn(command.program, command.args, { env, stdio: ["pipe", "pipe", "pipe"], detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error("the fake did not start");
  onTestFinished(() => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // The whole group is gone already.
    }
  });
  const pieces: Buffer[] = [];
  let errors = "";
  let errorBytes = 0;
  child.stdin.on("error", () => undefined);
  child.stdout.on("data", (piece: Buffer) => void pieces.push(piece));
  child.stderr.on("data", (piece: Buffer) => {
    errorBytes += piece.length;
    if (errors.length < 10_000) errors += piece.toString("utf8");
  });
  const lines = () => Buffer.concat(pieces).toString("utf8").split("\n").slice(0, -1);
  const frames = () =>
    lines().flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line);
        // An object that is no list is a frame.
        return typeof value === "object" && value !== null && !Array.isArray(value) ? [value as Frame] : [];
      } catch {
        return [];
      }
    });
  let lastId = 0;
  const send = (frame: unknown) => void child.stdin.write(`${JSON.stringify(frame)}\n`);
  return {
    pid,
    get frames() {
      return frames();
    },
    get lines() {
      return lines();
    },
    stderr: () => (errorBytes > errors.length ? `${errorBytes} bytes` : errors),
    send,
    request(method, params = {}) {
      const id = ++lastId;
      send({ id, method, params });
      return waitFor(`the response to ${method}`, () => frames().find((frame) => frame.id === id && frame.method === undefined));
    },
    heard: (method) => waitFor(method, () => frames().find((frame) => frame.method === method)),
    closeInput: () => void child.stdin.end(),
    signal: (name) => void child.kill(name),
    exited: once(child, "exit").then(([code, signal]: unknown[]) => code ?? signal),
    closed: once(child, "close"),
  };
}

const fake = (behaviours: FakeBehaviour | FakeBehaviour[], options: FakeOptions = {}, environment?: Record<string, string>) =>
  start(fakeAppServer(behaviours, options), environment);

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "switchyard-fake-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A member of a member. */
function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (found, key) => (typeof found === "object" && found !== null ? (found as Frame)[key] : undefined),
    value,
  );
}

async function openThread(peer: Peer): Promise<string> {
  await peer.request("initialize", { clientInfo: { name: "test", title: "Test", version: "1" }, capabilities: {} });
  peer.send({ method: "initialized" });
  return String(at(await peer.request("thread/start", { cwd: "/" }), "result", "thread", "id"));
}

/** A turn that has begun: its thread and its id. */
async function startTurn(peer: Peer, text = "hello", thread?: string): Promise<{ threadId: string; turnId: string }> {
  const threadId = thread ?? (await openThread(peer));
  const response = await peer.request("turn/start", { threadId, input: [{ type: "text", text, text_elements: [] }] });
  return { threadId, turnId: String(at(response, "result", "turn", "id")) };
}

/** Status and last message of a turn that has ended. */
async function outcome(peer: Peer): Promise<unknown[]> {
  const { params } = await peer.heard("turn/completed");
  const [item] = at(params, "turn", "items") as unknown[]; // a turn has a list of items
  return [at(params, "turn", "status"), at(item, "text")];
}

const methodsOf = (peer: Peer) => peer.frames.flatMap(({ method }) => (method === undefined ? [] : [method]));

describe("an orderly conversation", () => {
  it("has the frames of the real CLI in their order", async () => {
    const peer = fake("ok");
    await startTurn(peer);
    expect(await outcome(peer)).toEqual(["completed", "Reply to hello"]);
    const real = framesFromCli("plain-text").flatMap(({ method }) => (method === undefined ? [] : [method]));
    const withoutRepeats = (methods: unknown[]) => methods.filter((method, at) => method !== methods[at - 1]);
    expect(withoutRepeats(methodsOf(peer))).toEqual(
      // What came with the state of the read mark is of no use to a client.
      withoutRepeats(real.filter((method) => method !== "thread/readState/changed")),
    );
    peer.closeInput();
    expect(await peer.exited).toBe(0);
    expect(peer.stderr()).toBe("");
  });

  it("has several threads and turns, and no second turn in one thread", async () => {
    const peer = fake("ok");
    const one = await startTurn(peer, "[[fake:silent-turn]]");
    const other = String(at(await peer.request("thread/resume", { threadId: "kept" }), "result", "thread", "id"));
    expect(other).toBe("kept");
    expect(await startTurn(peer, "again", one.threadId)).toEqual(one);
    await startTurn(peer, "in the other", other);
    expect(await outcome(peer)).toEqual(["completed", "Reply to in the other"]);
  });

  it("refuses as the CLI does", async () => {
    const peer = fake(["ok", "resume-unknown"]);
    const messageOf = async (method: string, params: unknown) => at(await peer.request(method, params), "error", "message");
    expect(await messageOf("thread/start", {})).toBe("Not initialized");
    const threadId = await openThread(peer);
    expect(await messageOf("initialize", {})).toBe("Already initialized");
    expect(await messageOf("no/such", {})).toBe("Invalid request: unknown variant `no/such`");
    expect(await messageOf("turn/interrupt", { threadId, turnId: "none" })).toBe("no active turn to interrupt");
    expect(await messageOf("thread/resume", { threadId: "x" })).toBe("no rollout found for thread id x");
    peer.send([]);
    expect(at(await peer.request("thread/unsubscribe", { threadId }), "result")).toEqual({ status: "unsubscribed" });
  });

  it("ends with 0 on SIGTERM", async () => {
    const peer = fake("ok");
    await openThread(peer);
    peer.signal("SIGTERM");
    expect(await peer.exited).toBe(0);
  });

  it("can be a program of its own, told by arguments or by the environment", async () => {
    const program = writeFakeAppServer(temporaryFolder(), "exit-1", { reason: "it's closed" });
    const told = start({ program, args: ["app-server", "--listen", "stdio://"] }, { PATH: "/usr/bin:/bin" });
    expect(await told.exited).toBe(1);
    await told.closed;
    expect(told.stderr()).toBe("it's closed\n");
    const { program: node, args } = fakeAppServer("ok");
    expect(await start({ program: node, args: args.slice(0, 1) }, { FAKE_APP_SERVER: "exit-before-initialize" }).exited).toBe(0);
  });
});

describe("before the first turn", () => {
  it("never-initialize does not answer", async () => {
    const peer = fake("never-initialize");
    peer.send({ id: "first", method: "initialize", params: { clientInfo: {} } });
    expect(at(await peer.request("thread/start"), "error", "message")).toBe("Not initialized");
    expect(peer.frames).toHaveLength(1);
  });

  it("initialize-error, response-without-result, thread-refused, thread-without-id, turn-without-id", async () => {
    expect(await fake("initialize-error").request("initialize")).toEqual({
      id: 1,
      error: { code: -32_600, message: "the fake refuses to be initialized" },
    });
    expect(await fake("response-without-result").request("initialize")).toEqual({ id: 1 });
    const answerTo = async (behaviour: FakeBehaviour, method: string) => {
      const peer = fake(behaviour);
      await openThread(peer);
      return peer.request(method, { threadId: "t", input: [] });
    };
    expect(at(await answerTo("thread-refused", "thread/resume"), "error", "message")).toMatch(/^failed to load configuration/);
    expect(at(await answerTo("thread-without-id", "thread/start"), "result")).toEqual({ thread: {} });
    expect(at(await answerTo("turn-without-id", "turn/start"), "result")).toEqual({ turn: {} });
  });

  it("a stored thread is one process's until that ends, as with the CLI, and its frames are logged", async () => {
    const folder = temporaryFolder();
    const log = path.join(folder, "frames.jsonl");
    const [one, other] = [0, 1].map(() => fake("ok", { log }, { CODEX_HOME: folder }));
    if (!one || !other) throw new Error("two peers were started");
    const threadId = await openThread(one);
    const resume = async () => {
      const response = await other.request("thread/resume", { threadId });
      return at(response, "error", "message") ?? at(response, "result", "thread", "id");
    };
    await openThread(other);
    expect(await resume()).toBe(`thread ${threadId} already has an active writer`);
    one.closeInput();
    await one.exited;
    expect(await resume()).toBe(threadId);
    const logged = readFileSync(log, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(logged.filter(({ method }) => method === "thread/resume")).toEqual(
      [4, 5].map((at) => ({ pid: other.pid, id: at - 1, method: "thread/resume", params: { threadId } })),
    );
  });

  it("prints-environment tells what it was given", async () => {
    const to = path.join(temporaryFolder(), "given.json");
    const peer = fake(["prints-environment", "exit-before-initialize"], { to }, { PATH: "/bin", CODEX_HOME: "/x" });
    expect(await peer.exited).toBe(0);
    expect(JSON.parse(readFileSync(to, "utf8"))).toEqual({
      environment: { PATH: "/bin", CODEX_HOME: "/x" },
      arguments: ["prints-environment+exit-before-initialize", `--to=${to}`],
      directory: process.cwd(),
    });
  });
});

describe("turns", () => {
  it("silent-turn ends when it is interrupted", async () => {
    const peer = fake("silent-turn");
    const ids = await startTurn(peer);
    expect(at(await peer.request("turn/interrupt", ids), "result")).toEqual({});
    expect(await outcome(peer)).toEqual(["interrupted", undefined]);
  });

  it("ignores-interrupt and interrupt-without-end do not", async () => {
    const deaf = fake("ignores-interrupt");
    deaf.send({ id: "later", method: "turn/interrupt", params: await startTurn(deaf) });
    // Answered after the interrupt was heard.
    await deaf.request("thread/unsubscribe");
    expect(deaf.frames.some(({ id, method }) => id === "later" || method === "turn/completed")).toBe(false);
    const endless = fake("interrupt-without-end");
    expect(at(await endless.request("turn/interrupt", await startTurn(endless)), "result")).toEqual({});
    await endless.request("thread/unsubscribe");
    expect(methodsOf(endless)).not.toContain("turn/completed");
  });

  it("running-command outlives the interrupt and ends when it is cleaned up", async () => {
    const peer = fake("running-command");
    const ids = await startTurn(peer);
    await peer.request("turn/interrupt", ids);
    await peer.heard("turn/completed");
    const endOf = () =>
      peer.frames.find(({ method, params }) => method === "item/completed" && at(params, "item", "exitCode") === -1);
    expect(endOf()).toBeUndefined();
    await peer.request("thread/backgroundTerminals/clean", { threadId: ids.threadId });
    expect(at(await waitFor("the command's end", endOf), "params", "item", "status")).toBe("failed");
  });

  it.each([
    ["failed-turn", { error: "serverOverloaded" }, ["failed", undefined]],
    ["empty-reply", {}, ["completed", ""]],
    ["only-deltas", {}, ["completed", undefined]],
    ["slow-turn", { count: 3, every: 1 }, ["completed", "Reply to hello"]],
    ["late-item", {}, ["completed", "Reply to hello"]],
  ] as const)("%s", async (behaviour, options, expected) => {
    const peer = fake(behaviour, options);
    await startTurn(peer);
    expect(await outcome(peer)).toEqual(expected);
    if (behaviour === "failed-turn") {
      expect(at(await peer.heard("error"), "params", "error", "codexErrorInfo")).toBe("serverOverloaded");
    }
    if (behaviour === "late-item") {
      await waitFor("the late item", () => methodsOf(peer).at(-1) === "item/completed");
    }
  });

  it("turn-unanswered says nothing, end-without-status not how it ended", async () => {
    const peer = fake("ok");
    const threadId = await openThread(peer);
    peer.send({ id: "t", method: "turn/start", params: { threadId, input: [{ text: "[[fake:turn-unanswered]]" }] } });
    await startTurn(peer, "[[fake:end-without-status]]", threadId);
    const { params } = await peer.heard("turn/completed");
    expect(Object.keys(at(params, "turn") as object)).toEqual(["id"]); // a turn is an object
    expect(peer.frames.filter(({ id }) => id === "t")).toEqual([]);
  });

  it("leaks-key repeats what it was told is the key", async () => {
    const peer = fake("leaks-key", { key: "canary-1" });
    await startTurn(peer);
    expect(await outcome(peer)).toEqual(["completed", "Reply to hello with canary-1"]);
    await waitFor("stderr", () => peer.stderr() === "the key is canary-1\n");
  });
});

describe("requests to the client", () => {
  const ask = async (method: string, answer: Frame, more: FakeBehaviour[] = []) => {
    const peer = fake([`asks:${method}`, ...more]);
    const ids = await startTurn(peer);
    const { id } = await peer.heard(method);
    peer.send({ id, ...answer });
    return { peer, ids };
  };
  const messages = (peer: Peer) =>
    peer.frames.flatMap(({ method, params }) =>
      method === "item/completed" && at(params, "item", "type") === "agentMessage" ? [at(params, "item", "text")] : [],
    );
  const commandStates = (peer: Peer) =>
    peer.frames.flatMap(({ params }) =>
      at(params, "item", "type") === "commandExecution" ? [at(params, "item", "status")] : [],
    );

  it.each([
    ["accept", "completed"],
    ["decline", "declined"],
  ])("a command that is answered with %s is %s", async (decision, state) => {
    const { peer } = await ask("item/commandExecution/requestApproval", { result: { decision } });
    expect(await outcome(peer)).toEqual(["completed", "Reply to hello"]);
    expect(commandStates(peer)).toEqual(["inProgress", state]);
    expect(methodsOf(peer)).toContain("serverRequest/resolved");
  });

  it("cancel ends the turn", async () => {
    const { peer } = await ask("item/commandExecution/requestApproval", { result: { decision: "cancel" } });
    expect(await outcome(peer)).toEqual(["interrupted", undefined]);
    expect(commandStates(peer)).toEqual(["inProgress", "declined"]);
  });

  it.each(["item/fileChange/requestApproval", "item/tool/requestUserInput", "execCommandApproval", "something/new/request"])(
    "the answer to %s is told in a message",
    async (method) => {
      const { peer } = await ask(method, { error: { code: -32_601, message: "no" } });
      expect(await outcome(peer)).toEqual(["completed", "Reply to hello"]);
      expect(messages(peer)[0]).toBe(`Answer to ${method}: {"code":-32601,"message":"no"}`);
    },
  );

  it("never-resolved hangs although it was answered, until it is interrupted", async () => {
    const { peer, ids } = await ask("item/fileChange/requestApproval", { result: { decision: "accept" } }, ["never-resolved"]);
    await peer.request("thread/unsubscribe");
    expect(methodsOf(peer)).not.toContain("turn/completed");
    await peer.request("turn/interrupt", ids);
    expect(await outcome(peer)).toEqual(["interrupted", undefined]);
    await peer.heard("serverRequest/resolved");
  });
});

describe("deaths", () => {
  it.each([
    ["exit-before-initialize", 0],
    ["exit-1", 1],
  ] as const)("%s", async (behaviour, code) => {
    expect(await fake(behaviour).exited).toBe(code);
  });

  it.each([
    ["die-mid-turn-0", 0],
    ["die-mid-turn-3", 3],
    ["die-mid-turn-kill", "SIGKILL"],
  ] as const)("%s", async (behaviour, how) => {
    const peer = fake("ok");
    const { threadId } = await startTurn(peer);
    await outcome(peer);
    await startTurn(peer, `[[fake:${behaviour}]]`, threadId);
    expect(await peer.exited).toBe(how);
    await peer.closed;
    expect(methodsOf(peer).at(-1)).toBe("item/agentMessage/delta");
  });

  it("ignores-term stays when it is asked to go", async () => {
    const peer = fake("ignores-term");
    await openThread(peer);
    peer.signal("SIGTERM");
    peer.closeInput();
    const stays = (why: string) => peer.stderr().includes(`the fake stays in spite of ${why}\n`);
    await waitFor("both to be passed over", () => stays("SIGTERM") && stays("the end of its input"));
    peer.signal("SIGKILL");
    expect(await peer.exited).toBe("SIGKILL");
  });

  it("grandchild outlives it and holds its output", async () => {
    const to = path.join(temporaryFolder(), "pid");
    const peer = fake(["grandchild", "holds-output"], { to });
    await openThread(peer);
    const grandchild = Number(readFileSync(to, "utf8"));
    peer.signal("SIGTERM");
    expect(await peer.exited).toBe(0);
    process.kill(grandchild, "SIGTERM");
    await waitFor("the grandchild", () => peer.stderr() === "the grandchild stays\n");
    process.kill(-peer.pid, "SIGKILL");
    await peer.closed;
  });
});

describe("lines", () => {
  it.each([1, 3, 7])("split-bytes of %i are whole when they are put together", async (size) => {
    const peer = fake("split-bytes", { size });
    await startTurn(peer, "für 蜜");
    expect(await outcome(peer)).toEqual(["completed", "Reply to für 蜜"]);
  });

  it("jsonrpc-member is in every frame, and in none without it", async () => {
    for (const behaviour of ["jsonrpc-member", "ok"] as const) {
      const peer = fake(behaviour);
      await startTurn(peer);
      await outcome(peer);
      const expected = behaviour === "ok" ? undefined : "2.0";
      expect(new Set(peer.frames.map(({ jsonrpc }) => jsonrpc))).toEqual(new Set([expected]));
    }
  });

  it("garbage-line, unknown-response-id, unknown-notification and invalid-utf8 come before the reply", async () => {
    const peer = fake(["garbage-line", "unknown-response-id", "unknown-notification", "invalid-utf8"]);
    await startTurn(peer);
    expect(await outcome(peer)).toEqual(["completed", "Reply to hello"]);
    const { lines } = peer;
    const from = lines.indexOf("this is no JSON");
    expect(lines.slice(from, from + 6)).toEqual(["this is no JSON", '{"half":', "[]", "42", "null", ""]);
    expect(lines).toContain('{"id":9999,"result":{}}');
    expect(lines).toContain('{"id":null,"result":{}}');
    expect(methodsOf(peer)).toContain("something/new/happened");
    expect(lines.filter((line) => line.includes("A\uFFFD\uFFFDB"))).toHaveLength(1);
  });

  it("huge-line and endless-line are as long as they are told to be", async () => {
    const peer = fake("huge-line");
    await startTurn(peer);
    expect(await outcome(peer)).toEqual(["completed", "Reply to hello"]);
    const output = peer.frames.find(({ method }) => method === "item/commandExecution/outputDelta");
    expect(String(at(output, "params", "delta")).length).toBe(5_000_000);
    const endless = fake("endless-line", { bytes: 2_000_000 });
    await startTurn(endless);
    await endless.heard("thread/status/changed");
    const long = await waitFor("the long line", () => endless.lines.find((line) => line.startsWith("x")));
    expect(long.indexOf("{")).toBe(2_000_000);
  });

  it("many-notifications", async () => {
    const peer = fake("many-notifications", { count: 500 });
    await startTurn(peer);
    expect(await outcome(peer)).toEqual(["completed", "Reply to hello"]);
    expect(methodsOf(peer).filter((method) => method === "item/agentMessage/delta")).toHaveLength(502);
  });

  it("floods-stderr, and goes on when it is read", async () => {
    const peer = fake("floods-stderr", { bytes: 3_000_000 });
    await startTurn(peer);
    expect(await outcome(peer)).toEqual(["completed", "Reply to hello"]);
    await waitFor("all of stderr", () => peer.stderr() === "3000000 bytes");
  });
});

describe("replay", () => {
  /** Says what the client said then, as soon as it is its turn. */
  async function play(name: string): Promise<Peer> {
    const peer = fake("replay", { recording: name });
    for (const { dir, frame } of readFixture(name)) {
      if (dir !== "out") continue;
      if (frame.method === undefined) {
        await waitFor("the request", () => peer.frames.find(({ id, method }) => id === frame.id && method !== undefined));
        peer.send(frame);
      } else if (frame.id === undefined) peer.send(frame);
      else await peer.request(String(frame.method), frame.params);
    }
    peer.closeInput();
    return peer;
  }

  it.each(["plain-text", "command-decline", "interrupt-command"])("%s is what the CLI said", async (name) => {
    const peer = await play(name);
    expect(await peer.exited).toBe(0);
    await peer.closed;
    expect(peer.frames).toEqual(framesFromCli(name));
  });

  it("ends as the process did, with what it said on stderr", async () => {
    const killed = await play("kill9");
    expect(await killed.exited).toBe("SIGKILL");
    const refused = fake("replay", { recording: "config-forbidden" });
    expect(await refused.exited).toBe(1);
    await refused.closed;
    expect(refused.stderr()).toMatch(/^Error: approval_policy = "untrusted" is no longer supported/);
  });

  it("refuses what the recording does not have", async () => {
    const peer = fake("replay", { recording: "plain-text" });
    expect(at(await peer.request("no/such"), "error", "message")).toBe("the recording has no no/such here");
  });
});
