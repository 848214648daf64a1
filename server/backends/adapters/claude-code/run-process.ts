/** One process for one request: started, given its input, listened to, and ended with all that belongs to it. */
import { BackendError } from "@/server/backends/backend";
import { type ChildFacts, type RunningChild, SpawnError, startChild } from "@/server/backends/transport/child-process";
import { createLineSplitter } from "@/server/backends/transport/line-splitter";
import type { ProcessEnd } from "./outcome";

export interface ProcessLimits {
  /** One line; an answer stands in it once, escaped. */
  maxLineBytes: number;
  /** TERM to KILL. */
  termGraceMs: number;
  /** How long the process may live on after its result. */
  afterResultMs: number;
}

export interface ProcessOrder {
  providerName: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  input: string;
  /** Milliseconds in which nothing is heard, and for the whole. */
  silenceMs: number;
  totalMs: number;
  limits: ProcessLimits;
  /** Takes a line, and says whether it was one; `stop`: nothing more is wanted, `last`: nothing more will come. */
  onLine(line: string): { isKnown: boolean; wanted: "more" | "stop" | "last" };
  onStart(child: { facts(): ChildFacts }): void;
}

/** Lines that are no messages, after which the process is not listened to any longer. */
const MOST_BAD_LINES = 20;

/**
 * Resolves when the process and its group are gone. Rejects with the signal's reason when that was aborted, with `backend-timeout` when a
 * limit of time was reached, and with `backend-spawn-failed` when it could not be started; in each case nothing is left of it.
 */
export async function runProcess(order: ProcessOrder, signal: AbortSignal): Promise<ProcessEnd> {
  const { providerName, limits } = order;
  let child: RunningChild | null = null;
  let stopped = false;
  let badLines = 0;
  let badLine: string | null = null;
  let late: BackendError | null = null;
  let silence: NodeJS.Timeout | undefined;
  const timers: NodeJS.Timeout[] = [];
  const after = (milliseconds: number, act: () => void) => {
    const timer = setTimeout(act, milliseconds);
    timers.push(timer);
    return timer;
  };

  function stop(): void {
    stopped = true;
    void child?.kill();
  }
  function takeBadLine(head: string): void {
    badLine ??= head;
    badLines += 1;
    if (badLines > MOST_BAD_LINES) void child?.kill();
  }
  const lines = createLineSplitter({
    maxLineBytes: limits.maxLineBytes,
    onLine(line) {
      if (stopped) return;
      const { isKnown, wanted } = order.onLine(line);
      if (!isKnown) takeBadLine(line);
      // At once, for the next request that nobody ordered is a matter of milliseconds.
      if (wanted === "stop") stop();
      if (wanted === "last") {
        after(limits.afterResultMs, () => {
          stopped = true;
          void child?.end();
        });
      }
    },
    onBadLine: (problem, head) => takeBadLine(`(${problem}) ${head}`),
  });

  signal.throwIfAborted();
  const started = await startChild({
    command: order.command,
    args: order.args,
    env: order.env,
    cwd: order.cwd,
    grace: { stdinMs: 0, termMs: limits.termGraceMs },
    onOutput(piece) {
      silence?.refresh();
      lines.push(piece);
    },
  }).catch((error: unknown) => {
    if (!(error instanceof SpawnError)) throw error;
    throw new BackendError("backend-spawn-failed", `${providerName}: ${error.message}. Is Claude Code installed here?`);
  });
  child = started;
  const giveUp = (message: string) => {
    late ??= new BackendError("backend-timeout", message);
    void started.end();
  };
  silence = after(order.silenceMs, () => giveUp(`${providerName} timed out after ${order.silenceMs / 1000}s without data`));
  after(order.totalMs, () => giveUp(`${providerName} timed out after ${order.totalMs / 1000}s`));
  const onAbort = () => void started.end();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    order.onStart(started);
    if (signal.aborted) onAbort();
    else started.write(order.input);
    started.closeInput();
    const { code, signal: endedBy } = await started.exited;
    lines.end();
    signal.throwIfAborted();
    if (late !== null && !stopped) throw late;
    return { code, signal: endedBy, stderr: started.stderrTail(), wasStopped: stopped, badLine };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
