#!/usr/bin/env node
// A peer process that speaks the protocol of `codex app-server` over stdio, for deaths and faults that no recording can show:
// `node fake-app-server.mjs BEHAVIOUR[+BEHAVIOUR…] [--name=value …]`, or with the behaviours in FAKE_APP_SERVER. Other arguments
// (`app-server --listen stdio://`) are passed over. A prompt with `[[fake:BEHAVIOUR+…]]` adds behaviours to its own turn.
// fake-app-server-command.ts names the behaviours and says how to start it.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { greeting, threadOf } from "./fake-app-server-frames.mjs";
import { replay } from "./fake-app-server-replay.mjs";
import { createTurn } from "./fake-app-server-turn.mjs";

/** Nothing that a failed test leaves behind outlives this. */
const LIFETIME_MS = 900_000;
/** The CLI gives this code for everything it refuses. */
const INVALID_REQUEST = -32_600;
const STDERR = 2;

const words = process.argv.slice(2);
// biome-ignore lint/style/noProcessEnv: this is a program of its own, and what it is given is what tests look at
const environment = process.env;
const options = new Map(
  words.flatMap((word) => [...word.matchAll(/^--([a-z-]+)=(.*)$/gs)].map(([, name, value]) => [name, value])),
);
const option = (name) => options.get(name);
const behaviours = new Set((environment.FAKE_APP_SERVER ?? words.find((word) => !word.startsWith("-")) ?? "ok").split("+"));
const is = (behaviour) => behaviours.has(behaviour);

setTimeout(() => process.exit(99), LIFETIME_MS);
process.stdout.on("error", () => process.exit(0));

let writing = Promise.resolve();
let lastRequestId = -1;
/** Who waits for the client's answer, by the id of our request. */
const waiting = new Map();

/** The address and the password that a client of this protocol version is given. */
const BASE_URL = /^model_providers\.profile\.base_url="(.+)"$/;
const PASSWORD = "SWITCHYARD_PROFILE_KEY";

const peer = {
  /** What the provider answers to an empty request, asked as Codex would. */
  async upstreamStatus() {
    const base = words.map((word) => BASE_URL.exec(word)?.[1]).find(Boolean);
    const headers = { authorization: `Bearer ${environment[PASSWORD]}`, "content-type": "application/json" };
    const answer = await fetch(`${base}/responses`, { method: "POST", headers, body: "{}" });
    await answer.text();
    return answer.status;
  },

  /** In order, whole or in pieces of `--size` bytes; resolves when it is handed over. */
  writeBytes(bytes) {
    writing = writing.then(async () => {
      const size = is("split-bytes") ? Number(option("size") ?? 1) : bytes.length;
      for (let at = 0; at < bytes.length; at += size) {
        await new Promise((resolve) => process.stdout.write(bytes.subarray(at, at + size), resolve));
        if (size < bytes.length) await new Promise(setImmediate);
      }
    });
    return writing;
  },

  send: (frame) =>
    peer.writeBytes(Buffer.from(`${JSON.stringify(is("jsonrpc-member") ? { jsonrpc: "2.0", ...frame } : frame)}\n`)),

  notify: (method, params) => peer.send({ method, params, emittedAtMs: Date.now() }),

  /** The id of the request, and a promise of the client's answer. */
  async ask(method, params) {
    const id = ++lastRequestId;
    const answered = new Promise((resolve) => {
      waiting.set(id, resolve);
    });
    await peer.send({ id, method, params });
    return { id, answered };
  },

  complain: (text) => writeAll(Buffer.from(`${text}\n`)),

  /** So many bytes on stderr; does not go on before they are taken. */
  flood(bytes) {
    const line = Buffer.from(`${"e".repeat(999)}\n`);
    for (let sent = 0; sent < bytes; sent += line.length) writeAll(line);
  },

  async leave(how) {
    await writing;
    if (typeof how === "string") process.kill(process.pid, how);
    else process.exit(how);
    await new Promise(() => undefined); // the signal is on its way, and nothing comes after it
  },
};

/** A pipe that is full says EAGAIN; then it is tried again. */
function writeAll(block) {
  for (let at = 0; at < block.length; ) {
    try {
      at += writeSync(STDERR, block, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

let isInitialized = false;
let idCount = 0;
/** Apart from those of other processes: threads are stored, and found again by another one. */
const ownPart = (process.pid % 65_536).toString(16).padStart(4, "0");
const freshId = () => `01990000-0000-7000-${ownPart}-${String(++idCount).padStart(12, "0")}`;
/** The last turn of each thread, and whether it goes on. */
const turns = new Map();

const refuse = (id, message) => peer.send({ id, error: { code: INVALID_REQUEST, message } });

async function handle(frame) {
  const { id, method, params = {} } = frame;
  if (option("log") !== undefined) appendFileSync(option("log"), `${JSON.stringify({ pid: process.pid, ...frame })}\n`);
  if (method === undefined) return waiting.get(id)?.(frame);
  if (id === undefined) return; // notifications need no answer
  if (method === "initialize") return initialize(id, params);
  if (!isInitialized) return refuse(id, "Not initialized");
  switch (method) {
    case "thread/start":
      return openThread(id, freshId(), params);
    case "thread/resume":
      return is("resume-unknown")
        ? refuse(id, `no rollout found for thread id ${params.threadId}`)
        : openThread(id, params.threadId, params);
    case "thread/unsubscribe":
      return peer.send({ id, result: { status: "unsubscribed" } });
    case "thread/backgroundTerminals/clean":
      await peer.send({ id, result: {} });
      return turns.get(params.threadId)?.turn.clean();
    case "turn/start":
      return startTurn(id, params);
    case "turn/interrupt": {
      const last = turns.get(params.threadId);
      if (!last?.isActive || last.turn.id !== params.turnId) return refuse(id, "no active turn to interrupt");
      return last.turn.interrupt(id);
    }
    default:
      return refuse(id, `Invalid request: unknown variant \`${method}\``);
  }
}

async function initialize(id, params) {
  if (is("never-initialize")) return;
  if (isInitialized) return refuse(id, "Already initialized");
  if (is("initialize-error")) return refuse(id, "the fake refuses to be initialized");
  if (is("response-without-result")) return peer.send({ id });
  isInitialized = true;
  for (const frame of greeting(id, params, environment.CODEX_HOME ?? null)) await peer.send(frame);
}

async function openThread(id, threadId, params) {
  if (is("thread-refused")) return refuse(id, "failed to load configuration: the fake has none");
  if (is("thread-without-id")) return peer.send({ id, result: { thread: {} } });
  if (!params.ephemeral && !lock(threadId)) return refuse(id, `thread ${threadId} already has an active writer`);
  const { thread, result } = threadOf(threadId, params);
  await peer.send({ id, result });
  await peer.notify("thread/started", { thread });
}

/** As the CLI does: a stored thread is this process's until it ends. False when another one that lives has it. */
function lock(threadId) {
  if (environment.CODEX_HOME === undefined) return true;
  const file = path.join(environment.CODEX_HOME, `fake-writer-${threadId}`);
  try {
    const holder = Number(readFileSync(file, "utf8"));
    if (holder !== process.pid) process.kill(holder, 0);
    return holder === process.pid;
  } catch {
    writeFileSync(file, String(process.pid));
    return true;
  }
}

async function startTurn(id, { threadId, input, outputSchema }) {
  const last = turns.get(threadId);
  // As the CLI does: no second turn starts, and the id says so.
  if (last?.isActive) return peer.send({ id, result: { turn: last.turn.started() } });
  if (is("turn-without-id")) return peer.send({ id, result: { turn: {} } });
  const prompt = input.map(({ text }) => text ?? "").join("");
  const marked = prompt.match(/\[\[fake:([^\]]*)\]\]/)?.[1]?.split("+") ?? [];
  if (is("turn-unanswered") || marked.includes("turn-unanswered")) return;
  const entry = { isActive: true, turn: null };
  entry.turn = createTurn({
    threadId,
    prompt,
    isSchemaAsked: outputSchema !== undefined && outputSchema !== null,
    behaviours: new Set([...behaviours, ...marked]),
    option,
    peer,
    freshId,
    onEnd: () => {
      entry.isActive = false;
    },
  });
  turns.set(threadId, entry);
  await peer.send({ id, result: { turn: entry.turn.started() } });
  await entry.turn.run();
}

/** A process of this group that does not mind SIGTERM; its pid goes to `--to`. With `holds-output` it keeps our stdout open. */
async function haveGrandchild() {
  const output = is("holds-output") ? "inherit" : "ignore";
  const script = `process.on("SIGTERM", () => process.stderr.write("the grandchild stays\\n")); setTimeout(() => process.exit(), ${LIFETIME_MS}); process.send("ready")`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", output, output, "ipc"] });
  await new Promise((resolve) => child.on("message", resolve));
  child.disconnect();
  writeFileSync(option("to"), String(child.pid));
}

async function begin() {
  if (option("pids")) appendFileSync(option("pids"), `${process.pid}\n`);
  if (is("prints-environment")) {
    writeFileSync(option("to"), JSON.stringify({ environment, arguments: words, directory: process.cwd() }));
  }
  if (is("exit-before-initialize")) return peer.leave(0);
  if (is("exit-1")) {
    peer.complain(option("reason") ?? "Error: the fake has a reason not to start");
    return peer.leave(1);
  }
  const leaveWhenAsked = (why) => (is("ignores-term") ? peer.complain(`the fake stays in spite of ${why}`) : void peer.leave(0));
  process.on("SIGTERM", () => leaveWhenAsked("SIGTERM"));
  if (is("grandchild")) await haveGrandchild();
  const lines = createInterface({ input: process.stdin });
  if (is("replay")) {
    const recording = readFileSync(option("recording"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    return replay({ recording, lines, send: peer.send, complain: peer.complain, leave: peer.leave });
  }
  lines.on("line", (line) => {
    let frame;
    try {
      frame = JSON.parse(line);
    } catch {
      return peer.complain("the fake heard a line that is no JSON");
    }
    void handle(frame);
  });
  lines.on("close", () => leaveWhenAsked("the end of its input"));
}

await begin();
