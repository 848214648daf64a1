/** One process of the real CLI, spoken to over stdio and written down in both directions. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { FixtureLine } from "@/server/testing/read-fixture";

export type Frame = Record<string, unknown>;

/** The answer to a request of the CLI: a result, or an error; null never answers. */
export type ServerAnswer = { result: unknown } | { error: { code: number; message: string } } | null;

/** No step of any recording takes longer on a busy machine. */
const STEP_LIMIT_MS = 60_000;

export interface Session {
  readonly lines: readonly FixtureLine[];
  /** Sends a request; resolves with the response, be it a result or an error. */
  request(method: string, params?: unknown): Promise<Frame>;
  notify(method: string): void;
  /** Resolves with the first frame from the CLI, heard already or to come, for which `isIt` holds. */
  heard(what: string, isIt: (frame: Frame) => boolean): Promise<Frame>;
  kill(signal: NodeJS.Signals): void;
  /** Ends the CLI's input, which makes it leave, and resolves when it has. */
  end(): Promise<void>;
  /** Resolves when the process has ended and everything it said is written down. */
  readonly ended: Promise<void>;
}

export interface SessionOptions {
  program: string;
  args: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
  /** Milliseconds on a clock that starts with the recording. */
  now: () => number;
  answerServer: (method: string, params: unknown) => ServerAnswer;
}

export function startSession({ program, args, cwd, environment, now, answerServer }: SessionOptions): Session {
  const child = spawn(program, args, {
    cwd,
    // Next declares NODE_ENV as a member of every environment; the CLI is to get the listed variables and no other.
    env: environment as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const lines: FixtureLine[] = [];
  const changes = new EventTarget();
  let lastId = 0;

  const write = (line: FixtureLine) => {
    lines.push(line);
    changes.dispatchEvent(new Event("line"));
  };
  const send = (frame: Frame) => {
    write({ dir: "out", ms: now(), frame });
    child.stdin.write(`${JSON.stringify(frame)}\n`);
  };
  const receive = (text: string) => {
    // A line of the CLI is a JSON-RPC object; anything else is to fail the recording.
    const frame = JSON.parse(text) as Frame;
    write({ dir: "in", ms: now(), frame });
    const { id, method } = frame;
    if (id === undefined || typeof method !== "string") return;
    const answer = answerServer(method, frame.params);
    if (answer) send({ id, ...answer });
  };

  createInterface({ input: child.stdout }).on("line", receive);
  createInterface({ input: child.stderr }).on("line", (text) => write({ dir: "err", ms: now(), frame: text }));
  // The process may be gone before everything is written to it; its end is what counts.
  child.stdin.on("error", () => undefined);

  async function heard(what: string, isIt: (frame: Frame) => boolean): Promise<Frame> {
    const limit = AbortSignal.timeout(STEP_LIMIT_MS);
    for (;;) {
      for (const line of lines) if (line.dir === "in" && isIt(line.frame)) return line.frame;
      const last = lines.at(-1);
      if (last?.dir === "exit") throw new Error(`the process ended before ${what}: ${JSON.stringify(lines.slice(-3))}`);
      await once(changes, "line", { signal: limit }).catch(() => {
        throw new Error(`waited ${STEP_LIMIT_MS} ms for ${what}; the last line was ${JSON.stringify(last)}`);
      });
    }
  }

  const ended = once(child, "close").then(([code, signal]) => {
    // What `close` hands over, as Node documents it.
    write({ dir: "exit", ms: now(), frame: { code: code as number | null, signal: signal as string | null } });
  });

  return {
    lines,
    request(method, params) {
      const id = ++lastId;
      send({ id, method, ...(params === undefined ? {} : { params }) });
      return heard(`the response to ${method}`, (frame) => frame.id === id && frame.method === undefined);
    },
    notify: (method) => send({ method }),
    heard,
    kill: (signal) => killGroup(child, signal),
    async end() {
      child.stdin.end();
      await ended;
    },
    ended,
  };
}

/** The CLI leads a group of its own, so that its commands end with it. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid, signal);
}
