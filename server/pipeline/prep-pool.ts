/** Runs prep and consolidation on one worker thread, so that no document, however large, holds up the server. */
import path from "node:path";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { AppError } from "@/server/shared/app-error";
import { errorCodeSchema } from "@/server/shared/error-codes.schema";
import { projectRoot } from "@/server/shared/project-root";
import { type ConsolidateInput, consolidate } from "./consolidate";
import type { Consolidated, PrepReport } from "./pipeline.schema";
import { type PlanInput, planRun, previewRun, type RunPlan } from "./plan-run";
import type { PrepareInput } from "./prepare";

interface Jobs {
  previewRun: { input: PrepareInput; output: PrepReport };
  planRun: { input: PlanInput; output: RunPlan };
  consolidate: { input: ConsolidateInput; output: Consolidated };
}

/**
 * Up to these sizes the work takes less than 20 ms and less than starting a thread: it is done at once, in the caller's thread.
 * Never with the o200k vocabulary, whose 100 MB the server's own thread is to be spared.
 */
const INLINE_CHARACTERS = 64_000;
const INLINE_CHUNKS = 200;

/** A thread without work for this long ends and gives its memory back. */
const IDLE_MS = 10_000;

const replySchema = z.discriminatedUnion("ok", [
  z.object({ id: z.int(), ok: z.literal(true), value: z.unknown() }),
  z.object({
    id: z.int(),
    ok: z.literal(false),
    error: z.object({ message: z.string(), code: z.string().optional(), details: z.record(z.string(), z.unknown()).optional() }),
  }),
]);

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

interface Thread {
  worker: Worker;
  waiting: Map<number, Waiting>;
  idle: NodeJS.Timeout | undefined;
}

/** One thread a process: pages, routes and instrumentation are separate instances of this module and share it over globalThis. */
interface Pool {
  thread: Thread | undefined;
  nextId: number;
}

const POOL_KEY = Symbol.for("switchyard.prep-pool");

function pool(): Pool {
  // globalThis has no type for a key of our own; nobody else writes under this symbol.
  const shared = globalThis as { [POOL_KEY]?: Pool };
  shared[POOL_KEY] ??= { thread: undefined, nextId: 1 };
  return shared[POOL_KEY];
}

/** `previewRun` without holding up the caller's thread. Rejects with the same AppErrors, or an Error when the thread died. */
export async function previewOffThread(input: PrepareInput): Promise<PrepReport> {
  return isSmall(input) ? previewRun(input) : call("previewRun", input);
}

/** `planRun` without holding up the caller's thread. Rejects with the same AppErrors, or an Error when the thread died. */
export async function planOffThread(input: PlanInput): Promise<RunPlan> {
  return isSmall(input) ? planRun(input) : call("planRun", input);
}

function isSmall(input: PrepareInput): boolean {
  const characters = input.documents.reduce((sum, document) => sum + document.text.length, 0);
  return characters < INLINE_CHARACTERS && input.tokenizer !== "o200k";
}

/** `consolidate` without holding up the caller's thread. Rejects with the same AppErrors, or an Error when the thread died. */
export async function consolidateOffThread(input: ConsolidateInput): Promise<Consolidated> {
  if (input.chunks.length < INLINE_CHUNKS) return consolidate(input);
  return call("consolidate", input);
}

/** Ends the thread. Calls still waiting are rejected; a later call starts a new one. May be called twice. */
export async function closePrepPool(): Promise<void> {
  const { thread } = pool();
  if (!thread) return;
  end(thread, new Error("The prep thread was closed."));
  await thread.worker.terminate();
}

async function call<Job extends keyof Jobs>(job: Job, input: Jobs[Job]["input"]): Promise<Jobs[Job]["output"]> {
  const state = pool();
  state.thread ??= start();
  const { thread } = state;
  const id = state.nextId++;
  clearTimeout(thread.idle);
  thread.worker.ref();
  const value = await new Promise<unknown>((resolve, reject) => {
    thread.waiting.set(id, { resolve, reject });
    thread.worker.postMessage({ id, job, input });
  });
  // The thread runs this very function and answers with its value; checking it again would cost more than making it.
  return value as Jobs[Job]["output"];
}

function start(): Thread {
  const file = path.join(/* turbopackIgnore: true */ projectRoot(), "server/pipeline/prep-thread.mjs");
  // No flags of the parent: its loaders (tsx, a test runner's) are not the thread's.
  const thread: Thread = {
    worker: new Worker(/* turbopackIgnore: true */ file, { execArgv: [] }),
    waiting: new Map(),
    idle: undefined,
  };
  thread.worker.on("message", (message: unknown) => settle(thread, message));
  thread.worker.on("error", (error) => end(thread, new Error(`The prep thread failed: ${error.message}`, { cause: error })));
  thread.worker.on("exit", (code) => end(thread, new Error(`The prep thread ended with code ${code}.`)));
  return thread;
}

function settle(thread: Thread, message: unknown): void {
  const reply = replySchema.parse(message);
  const waiting = thread.waiting.get(reply.id);
  thread.waiting.delete(reply.id);
  if (thread.waiting.size === 0) {
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      end(thread, new Error("The prep thread was idle."));
      void thread.worker.terminate();
    }, IDLE_MS).unref();
  }
  if (reply.ok) waiting?.resolve(reply.value);
  else waiting?.reject(errorFrom(reply.error));
}

function errorFrom({
  message,
  code,
  details,
}: {
  message: string;
  code?: string | undefined;
  details?: Record<string, unknown> | undefined;
}): Error {
  const known = errorCodeSchema.safeParse(code);
  return known.success ? new AppError(known.data, message, details ? { details } : {}) : new Error(message);
}

/** Takes the thread out of use and rejects what waits on it. */
function end(thread: Thread, reason: Error): void {
  clearTimeout(thread.idle);
  const state = pool();
  if (state.thread === thread) state.thread = undefined;
  const waiting = [...thread.waiting.values()];
  thread.waiting.clear();
  for (const { reject } of waiting) reject(reason);
}
