/** One long-lived app-server process: started, greeted, many threads at once, and an end that leaves nothing behind. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { BackendError } from "@/server/backends/backend";
import {
  type ChildExit,
  type ChildFacts,
  type RunningChild,
  SpawnError,
  startChild,
} from "@/server/backends/transport/child-process";
import { JsonRpcError, JsonRpcPeer, type JsonRpcRequest, JsonRpcTimeoutError } from "@/server/backends/transport/json-rpc-peer";
import { createLineSplitter } from "@/server/backends/transport/line-splitter";
import type { Clock } from "@/server/shared/clock";
import { initializeResultSchema, placeSchema } from "./protocol.schema";

export interface AppServerSpec {
  providerName: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** What the process says of addresses, in words that people know. */
  readable(text: string): string;
  /** Takes secrets out of what the process said. */
  redact(text: string): string;
  limits: AppServerLimits;
  clock: Clock;
}

export interface AppServerLimits {
  initializeMs: number;
  /** For answers to thread and turn requests, which Codex gives at once. */
  requestMs: number;
  /** One frame; a command's output reached 1.05 MB in one line. */
  maxLineBytes: number;
  /** stdin end to TERM, and TERM to KILL. */
  stdinGraceMs: number;
  termGraceMs: number;
}

export const APP_SERVER_LIMITS: AppServerLimits = {
  initializeMs: 30_000,
  requestMs: 30_000,
  maxLineBytes: 64 * 1024 * 1024,
  stdinGraceMs: 1_500,
  termGraceMs: 2_000,
};

/** Lines that are no messages, after which the process is not trusted any longer. */
const MOST_BAD_LINES = 20;

/** Codex complains of this at every start, and goes on with the one it brings along: no reason for anything. */
const ALWAYS_SAID = /could not find bubblewrap on PATH/;
/** Lines of stderr that stand in the reason of a death. */
const SAID_LINES = 6;

/** What one thread's owner hears. */
export interface ThreadListener {
  notification(method: string, params: unknown): void;
  request(request: JsonRpcRequest): void;
  /** A line that is no JSON came on stdout: it may have been meant for this thread. */
  badLine(message: string): void;
  /** The process is gone; nothing more will come. */
  gone(error: BackendError): void;
}

export class AppServer {
  readonly #spec: AppServerSpec;
  readonly #child: RunningChild;
  readonly #peer: JsonRpcPeer;
  readonly #listeners = new Map<string, ThreadListener>();
  /** The one thread that was listened to, or the first of several. */
  #onlyThread: string | null = null;
  #isShared = false;
  #badLines = 0;
  #isEnding = false;
  #hasGreeted = false;
  #leftUnanswered = false;
  #death: BackendError | null = null;
  readonly #loaded = new Set<string>();
  /** `codex-cli` version that the process names. */
  version = "";

  private constructor(spec: AppServerSpec, child: RunningChild, peer: JsonRpcPeer) {
    this.#spec = spec;
    this.#child = child;
    this.#peer = peer;
  }

  /** Starts and greets. Throws a `BackendError`: `backend-spawn-failed`, `backend-protocol-error`, `backend-timeout`, or the signal's reason. */
  static async start(spec: AppServerSpec, signal: AbortSignal): Promise<AppServer> {
    signal.throwIfAborted();
    // What the process says before there is somebody to hear it is said to `hear`.
    let server: AppServer | null = null;
    const peer = new JsonRpcPeer({
      write: (line) => server?.write(line),
      onNotification: (method, params) => server?.heard(method, params),
      onRequest: (request) => server?.asked(request),
      onBadLine: (problem, head) => server?.badLine(problem, head),
    });
    const lines = createLineSplitter({
      maxLineBytes: spec.limits.maxLineBytes,
      onLine: (line) => peer.receive(spec.readable(line)),
      onBadLine: (problem, head) => server?.badLine(problem, head),
    });
    let child: RunningChild;
    try {
      child = await startChild({
        command: spec.command,
        args: spec.args,
        env: spec.env,
        cwd: spec.cwd,
        grace: { stdinMs: spec.limits.stdinGraceMs, termMs: spec.limits.termGraceMs },
        clock: spec.clock,
        onOutput: (piece) => lines.push(piece),
      });
    } catch (error) {
      if (error instanceof SpawnError)
        throw new BackendError("backend-spawn-failed", `${spec.providerName}: ${error.message}. Is Codex installed here?`);
      throw error;
    }
    server = new AppServer(spec, child, peer);
    void child.exited.then((exit) => {
      lines.end();
      server?.died(exit);
    });
    try {
      await server.#greet(signal);
    } catch (error) {
      await child.kill();
      throw error;
    }
    return server;
  }

  get facts(): ChildFacts {
    return this.#child.facts();
  }

  get isGone(): boolean {
    return this.#death !== null || this.#isEnding;
  }

  /** False once it left a request without an answer: what it does then is not known. */
  get isTrusted(): boolean {
    return !this.isGone && !this.#leftUnanswered;
  }

  /** Stored threads that it has loaded. Codex locks each until the process ends; letting go of a thread does not free it. */
  get loadedThreads(): ReadonlySet<string> {
    return this.#loaded;
  }

  load(threadId: string): void {
    this.#loaded.add(threadId);
  }

  get exited(): Promise<ChildExit> {
    return this.#child.exited;
  }

  /** Listens to one thread until the returned function is called. */
  listen(threadId: string, listener: ThreadListener): () => void {
    if (this.#death) throw this.#death;
    if (this.#onlyThread === null) this.#onlyThread = threadId;
    else if (this.#onlyThread !== threadId) this.#isShared = true;
    this.#listeners.set(threadId, listener);
    return () => {
      if (this.#listeners.get(threadId) === listener) this.#listeners.delete(threadId);
    };
  }

  /** One request, with its failures as `BackendError`s. */
  async request(
    method: string,
    params: unknown,
    { signal, timeoutMs }: { signal?: AbortSignal; timeoutMs?: number } = {},
  ): Promise<unknown> {
    const limit = { timeoutMs: timeoutMs ?? this.#spec.limits.requestMs, ...(signal ? { signal } : {}) };
    try {
      return await this.#peer.request(method, params, limit);
    } catch (error) {
      // A caller in a hurry says nothing about the process.
      if (error instanceof JsonRpcTimeoutError && timeoutMs === undefined) this.#leftUnanswered = true;
      throw this.#failureOf(error);
    }
  }

  respond(request: JsonRpcRequest, result: unknown): void {
    this.#peer.respond(request.id, result);
  }

  respondError(request: JsonRpcRequest, code: number, message: string): void {
    this.#peer.respondError(request.id, code, message);
  }

  /** stdin end, TERM, KILL of the group. */
  end(): Promise<ChildExit> {
    this.#isEnding = true;
    return this.#child.end();
  }

  kill(): Promise<ChildExit> {
    this.#isEnding = true;
    return this.#child.kill();
  }

  async #greet(signal: AbortSignal): Promise<void> {
    const { providerName, limits } = this.#spec;
    try {
      const result = await this.#peer.request(
        "initialize",
        {
          clientInfo: { name: "switchyard", title: "Switchyard", version: "1" },
          // Cleaning up a command that outlives its turn is asked for under this flag.
          capabilities: { experimentalApi: true },
        },
        { timeoutMs: limits.initializeMs, signal },
      );
      const greeted = initializeResultSchema.safeParse(result);
      if (!greeted.success)
        throw new BackendError("backend-protocol-error", `${providerName}: the answer to initialize names no program.`);
      this.version = /\/(\d+\.\d+\.\d+\S*)/.exec(greeted.data.userAgent)?.[1] ?? "";
      this.#hasGreeted = true;
      this.#peer.notify("initialized");
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  #failureOf(error: unknown): unknown {
    const { providerName, redact } = this.#spec;
    if (error instanceof JsonRpcTimeoutError) return new BackendError("backend-timeout", `${providerName}: ${error.message}`);
    if (!(error instanceof JsonRpcError)) return error;
    const kind: FailureKind = /failed to load configuration/i.test(error.message) ? "backend-failed" : "backend-protocol-error";
    return new BackendError(kind, redact(`${providerName} refused ${error.method}: ${error.message}`));
  }

  // The four below are called by what start() wires up.
  private write(line: string): void {
    this.#child.write(line);
  }

  private heard(method: string, params: unknown): void {
    const { threadId } = placeSchema.catch({}).parse(params);
    if (threadId !== undefined) this.#listeners.get(threadId)?.notification(method, params);
  }

  private asked(request: JsonRpcRequest): void {
    const place = threadOf(request.params);
    const listener = place === null ? undefined : this.#listeners.get(place);
    if (listener) listener.request(request);
    // Nobody's: refused, so that nothing waits for ever.
    else this.#peer.respondError(request.id, -32601, "no thread of this client");
  }

  private badLine(problem: string, head: string): void {
    this.#badLines += 1;
    const { providerName, redact } = this.#spec;
    const message = redact(`${providerName}: a line of the program's output is no message (${problem}): ${head}`);
    for (const listener of [...this.#listeners.values()]) listener.badLine(message);
    if (this.#badLines > MOST_BAD_LINES) void this.kill();
  }

  /** Before the greeting: one that says no by its exit code cannot start, another one has broken off the conversation. */
  #kindOfDeath({ code }: ChildExit): FailureKind {
    if (this.#badLines > MOST_BAD_LINES) return "backend-json-parse-error";
    if (this.#hasGreeted) return "backend-failed";
    return code === null || code === 0 ? "backend-protocol-error" : "backend-spawn-failed";
  }

  private died(exit: ChildExit): void {
    const { providerName, redact } = this.#spec;
    const how = exit.signal === null ? `ended with exit code ${exit.code ?? "unknown"}` : `was ended by ${exit.signal}`;
    const lines = this.#spec
      .readable(this.#child.stderrTail())
      .split("\n")
      .filter((line) => !ALWAYS_SAID.test(line));
    // Of a process that served several threads, what it said last may be of another run.
    const said = this.#isShared ? "" : lines.slice(-SAID_LINES).join("\n").trim();
    const reason = said === "" ? "" : `: ${redact(said)}`;
    this.#death = new BackendError(this.#kindOfDeath(exit), `${providerName}: the app-server ${how}${reason}`);
    this.#peer.close(this.#death);
    for (const listener of [...this.#listeners.values()]) listener.gone(this.#death);
    this.#listeners.clear();
  }
}

/** Legacy requests call the thread a conversation. */
function threadOf(params: unknown): string | null {
  if (typeof params !== "object" || params === null) return null;
  const { threadId, conversationId } = params as Record<string, unknown>;
  if (typeof threadId === "string") return threadId;
  return typeof conversationId === "string" ? conversationId : null;
}
