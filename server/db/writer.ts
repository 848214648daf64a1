import path from "node:path";
import { Worker } from "node:worker_threads";
import { AppError } from "@/server/shared/app-error";
import { projectRoot } from "@/server/shared/project-root";
import { WORKER_LEASE_MS } from "@/server/shared/worker-lease";
import { STATEMENTS, type StatementName } from "./sql/statements";

/** `{ rowsOf: n }` is the JSON of the rows that op n of the same unit returned. */
export type WriteArgument = string | number | bigint | null | { rowsOf: number };

export interface WriteOp {
  sql: StatementName;
  args: readonly WriteArgument[];
  /** How many tuples the statement's `{(…)}` stands for; the arguments of all of them are in `args`. */
  tuples?: number;
  /** What it means when the statement touches (or returns) no row: the whole unit is undone, or it ends here with what it did. */
  none?: "rollback" | "stop";
}

export type WriteRow = Record<string, string | number | null>;

/** `applied: false` is an expected outcome (a compare-and-set lost); `at` is the op that found nothing. */
export type UnitOutcome = { applied: true; rows: WriteRow[][] } | { applied: false; at: number };

interface Pending {
  ops: readonly WriteOp[] | (() => readonly WriteOp[]);
  resolve(outcome: UnitOutcome): void;
  reject(error: unknown): void;
}

type FromThread =
  | { type: "done"; id: number; outcomes: (UnitOutcome & { error?: { message: string; code: string } })[] }
  | { type: "failed"; id: number; message: string; code: string }
  | { type: "beatFailed"; message: string }
  | { type: "closed" };

/** Groups are at least this far apart: a commit costs a disk sync and rewrites the pages that every chunk touches, so many writes share one. */
const GROUP_MS = 50;
const BUSY_TIMEOUT_MS = 5_000;
/** A group that the disk or a lock refused is sent again, ever slower: what it holds may be paid answers. */
const TROUBLE_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000];

const WORKER_BEAT_MS = 500;

/**
 * The way to write. Units of many callers are committed together; each unit applies whole or not at all, durable
 * (synchronous=FULL) when its promise resolves. The thread keeps disk syncs off the event loop.
 */
export class Writer {
  readonly #thread: Worker;
  #queue: Pending[] = [];
  #sent: Pending[] | null = null;
  #units: (readonly WriteOp[])[] = [];
  #sentId = 0;
  #timer: NodeJS.Timeout | null = null;
  #lastSentAt = 0;
  #failures = 0;
  #trouble: string | null = null;
  #closed = false;
  #closing: Promise<void> | null = null;
  #onClosed: (() => void) | null = null;
  #onIdle: (() => void)[] = [];

  constructor(file: string) {
    this.#thread = new Worker(path.join(/* turbopackIgnore: true */ projectRoot(), "server", "db", "writer-thread.mjs"), {
      workerData: {
        file,
        statements: STATEMENTS,
        busyTimeoutMs: BUSY_TIMEOUT_MS,
        leaseMs: WORKER_LEASE_MS,
        beatMs: WORKER_BEAT_MS,
      },
    });
    this.#thread.on("message", (message: FromThread) => this.#receive(message));
    this.#thread.on("error", (error) => this.#die(error));
    this.#thread.unref();
  }

  /** Why writes do not get through at present, or null. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /**
   * Applies one unit. Rejects on a fault of the unit itself (a broken constraint); disk trouble only delays it. A function is
   * called when the unit's group is put together: what gathers until then goes into one unit, at the place of this call.
   */
  commit(ops: Pending["ops"]): Promise<UnitOutcome> {
    if (this.#closed)
      return Promise.reject(new AppError("store_unavailable", "The server is shutting down; nothing more is written."));
    return new Promise((resolve, reject) => {
      this.#queue.push({ ops, resolve, reject });
      this.#schedule();
    });
  }

  /** Keeps a worker's lease alive from the writing thread, or lets it run out. */
  beat(worker: string, isAlive: boolean): void {
    this.#thread.postMessage({ type: "beat", worker, isAlive });
  }

  /** Resolves when everything committed so far is on disk. */
  async flush(): Promise<void> {
    if (this.#queue.length === 0 && this.#sent === null) return;
    await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Flushes, then ends the thread. May be called twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // Whoever waited for the same flush may have committed more meanwhile.
    while (this.#queue.length > 0 || this.#sent) await this.flush();
    if (this.#closed) return;
    this.#closed = true;
    await new Promise<void>((resolve) => {
      this.#onClosed = resolve;
      this.#thread.ref();
      this.#thread.postMessage({ type: "close" });
    });
    await this.#thread.terminate();
  }

  #schedule(): void {
    if (this.#sent || this.#timer || this.#queue.length === 0) return;
    const wait = this.#lastSentAt + GROUP_MS - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#send();
      },
      Math.max(0, wait),
    );
  }

  #send(): void {
    if (!this.#sent) {
      this.#sent = this.#queue;
      this.#queue = [];
      this.#units = this.#sent.map(({ ops }) => (typeof ops === "function" ? ops() : ops));
    }
    this.#lastSentAt = performance.now();
    this.#sentId += 1;
    this.#thread.ref();
    this.#thread.postMessage({ type: "group", id: this.#sentId, units: this.#units });
  }

  #receive(message: FromThread): void {
    if (message.type === "closed") {
      this.#onClosed?.();
    } else if (message.type === "beatFailed") {
      this.#trouble = message.message;
    } else if (message.id !== this.#sentId || !this.#sent) {
      return;
    } else if (message.type === "failed") {
      this.#trouble = `The database cannot be written (${message.code}: ${message.message}); trying again.`;
      const delay = TROUBLE_DELAYS_MS[Math.min(this.#failures, TROUBLE_DELAYS_MS.length - 1)] ?? 0;
      this.#failures += 1;
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.#send();
      }, delay);
    } else {
      const settled = this.#sent;
      this.#sent = null;
      this.#units = [];
      this.#failures = 0;
      this.#trouble = null;
      settled.forEach((pending, index) => {
        const outcome = message.outcomes[index];
        if (!outcome || outcome.error) pending.reject(new Error(`write refused: ${outcome?.error?.message ?? "no outcome"}`));
        else pending.resolve(outcome);
      });
      this.#thread.unref();
      this.#schedule();
      if (!this.#sent && this.#queue.length === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  #die(error: unknown): void {
    this.#closed = true;
    this.#trouble = `The writing thread ended: ${error instanceof Error ? error.message : String(error)}`;
    for (const pending of [...(this.#sent ?? []), ...this.#queue])
      pending.reject(new AppError("store_unavailable", this.#trouble, { cause: error }));
    this.#sent = null;
    this.#queue = [];
    this.#onClosed?.();
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
