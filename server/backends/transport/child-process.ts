/** One child in a process group of its own: bytes both ways, what is known of it, and an end that leaves nothing behind. Names no runtime. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { type Clock, systemClock } from "@/server/shared/clock";
import { endGroup, signalGroup } from "./process-group";

export interface ChildSpec {
  /** The program itself, not a launcher of it: a process in between would hide the child and outlive it. */
  command: string;
  args: readonly string[];
  /** The whole environment of the child; nothing of ours is added. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** What becomes of stdout, piece by piece. */
  onOutput(piece: Buffer): void;
  /** Milliseconds from the end of stdin to TERM, and from TERM to KILL. */
  grace?: Partial<Grace>;
  clock?: Clock;
}

interface Grace {
  stdinMs: number;
  termMs: number;
}

const GRACE: Grace = { stdinMs: 1_500, termMs: 2_000 };

/** The end of stderr that is kept, in bytes: reasons of a death stand there. */
const STDERR_TAIL_BYTES = 16 * 1024;
/** What the child wrote before it ended is read for so long, when others hold the pipe open. */
const DRAIN_MS = 250;

export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Whether no process of the group was left. */
  groupEnded: boolean;
}

/** What a page may show of a process. Times are epoch milliseconds. */
export interface ChildFacts {
  pid: number;
  startedAt: number;
  lastOutputAt: number;
  stdoutBytes: number;
  stderrBytes: number;
  /** Null while it runs. */
  exit: ChildExit | null;
}

/** The program could not be started; `code` is the system's (`ENOENT`, `EACCES`). */
export class SpawnError extends Error {
  readonly code: string;

  constructor(command: string, code: string) {
    super(`${command} could not be started (${code})`);
    this.name = "SpawnError";
    this.code = code;
  }
}

/** Resolves once the program runs; rejects with a `SpawnError`. */
export async function startChild(spec: ChildSpec): Promise<RunningChild> {
  const child = spawn(spec.command, [...spec.args], {
    cwd: spec.cwd,
    env: { ...spec.env } as NodeJS.ProcessEnv,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error: NodeJS.ErrnoException) => reject(new SpawnError(spec.command, error.code ?? error.message)));
  });
  return new RunningChild(child, spec);
}

export class RunningChild {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #grace: Grace;
  readonly #facts: ChildFacts;
  readonly #clock: Clock;
  #stderr: Buffer = Buffer.alloc(0);
  #ending: Promise<ChildExit> | null = null;
  /** The child itself has ended: from then on its number may be another's. */
  #hasLeft = false;
  /** Resolves when it has ended, however that came, and what was left of its group has been killed. Never rejects. */
  readonly exited: Promise<ChildExit>;

  constructor(child: ChildProcessWithoutNullStreams, spec: ChildSpec) {
    this.#child = child;
    this.#grace = { ...GRACE, ...spec.grace };
    this.#clock = spec.clock ?? systemClock;
    const now = this.#clock.now();
    // A process that has spawned has a pid.
    this.#facts = { pid: child.pid ?? 0, startedAt: now, lastOutputAt: now, stdoutBytes: 0, stderrBytes: 0, exit: null };
    child.stdout.on("data", (piece: Buffer) => {
      this.#facts.stdoutBytes += piece.length;
      this.#facts.lastOutputAt = this.#clock.now();
      spec.onOutput(piece);
    });
    // Always drained: a child that cannot write its log stands still.
    child.stderr.on("data", (piece: Buffer) => this.#keepStderr(piece));
    // A child that dies while it is written to; its exit says more.
    child.stdin.on("error", () => undefined);
    child.on("error", () => undefined);
    this.exited = this.#watchExit();
  }

  get pid(): number {
    return this.#facts.pid;
  }

  facts(): ChildFacts {
    return { ...this.#facts };
  }

  /** The last of stderr, without colours; unredacted, for the caller to clean before it is shown. */
  stderrTail(): string {
    return stripVTControlCharacters(this.#stderr.toString("utf8")).trim();
  }

  write(text: string): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(text);
  }

  /** The end of stdin, for a program that begins its work then. */
  closeInput(): void {
    this.#child.stdin.end();
  }

  /** stdin end, then TERM, then KILL of the whole group, each after its grace. May be called more than once. */
  end(): Promise<ChildExit> {
    this.#ending ??= this.#endGently();
    return this.#ending;
  }

  /** KILL of the whole group, now. */
  kill(): Promise<ChildExit> {
    this.#signal("SIGKILL");
    return this.exited;
  }

  #signal(signal: NodeJS.Signals): void {
    if (!this.#hasLeft) signalGroup(this.pid, signal);
  }

  async #endGently(): Promise<ChildExit> {
    this.#child.stdin.end();
    if (await this.#endsWithin(this.#grace.stdinMs)) return this.exited;
    this.#signal("SIGTERM");
    if (await this.#endsWithin(this.#grace.termMs)) return this.exited;
    return this.kill();
  }

  async #endsWithin(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), milliseconds);
    });
    const ended = await Promise.race([this.exited.then(() => true), late]);
    clearTimeout(timer);
    return ended;
  }

  async #watchExit(): Promise<ChildExit> {
    const { code, signal } = await new Promise<Pick<ChildExit, "code" | "signal">>((resolve) => {
      this.#child.once("exit", (exitCode, exitSignal) => {
        this.#hasLeft = true;
        // A grandchild may hold the pipes open; what the child itself wrote is read by then or never.
        resolve({ code: exitCode, signal: exitSignal });
      });
    });
    await this.#drained();
    const exit = { code, signal, groupEnded: await endGroup(this.pid) };
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
    this.#facts.exit = exit;
    return exit;
  }

  /** What the child wrote before it ended, as far as it comes without waiting for others who hold the pipe. */
  async #drained(): Promise<void> {
    if (this.#child.stdout.readableEnded) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      new Promise<void>((resolve) => this.#child.once("close", () => resolve())),
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, DRAIN_MS);
      }),
    ]);
    clearTimeout(timer);
  }

  #keepStderr(piece: Buffer): void {
    this.#facts.stderrBytes += piece.length;
    const joined = piece.length >= STDERR_TAIL_BYTES ? piece : Buffer.concat([this.#stderr, piece]);
    // A copy of the end: a view would keep the whole piece alive.
    this.#stderr = joined.length > STDERR_TAIL_BYTES ? Buffer.from(joined.subarray(-STDERR_TAIL_BYTES)) : joined;
  }
}
