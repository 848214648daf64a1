import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Container } from "@/server/container";
import { decodeText, MAX_INPUT_BYTES } from "@/server/pipeline/decode-text";
import { exportRun } from "@/server/runs/export-run";
import { type DistillOrder, distillOrderSchema, type RunSummary } from "@/server/runs/run.schema";
import { isResting } from "@/server/runs/run-state.schema";
import { AppError, isAppError } from "@/server/shared/app-error";
import { parseArguments } from "../arguments";
import { bar, resolvePath, type Terminal } from "../terminal";

const FLAGS = {
  date: "text",
  backend: "text",
  model: "text",
  name: "text",
  out: "text",
  json: "switch",
  "accept-gaps": "switch",
  concurrency: "count",
  "max-attempts": "count",
  "timeout-ms": "count",
  "chunk-tokens": "count",
} as const;

export const DISTILL_USAGE =
  "distill FILE… [--date D] [--backend B] [--model M] [--out DIR] [--json] [--name N] [--accept-gaps] [--concurrency N] [--max-attempts N] [--timeout-ms N] [--chunk-tokens N]";

/** How often progress is read from the database. */
const LOOK_MS = 200;
/** How long calls in flight may finish after Ctrl-C. */
const GRACE_MS = 5_000;

/** The whole job: read, prepare, run every chunk, stage. Exit 0 all well, 1 some chunk failed, 2 bad use or input, 130 interrupted. */
export async function distill(
  argv: readonly string[],
  terminal: Terminal,
  open: (only: Set<string>) => Promise<Container>,
): Promise<number> {
  const args = parseArguments(argv, FLAGS);
  if (args.positionals.length === 0) throw new AppError("invalid_input", `Name at least one file: ${DISTILL_USAGE}`);
  const documents = await Promise.all(args.positionals.map((given) => readDocument(given, resolvePath(terminal, given))));
  const optional = <T>(key: string, value: T | undefined) => (value === undefined ? {} : { [key]: value });
  const order: DistillOrder = distillOrderSchema.parse({
    documents,
    ...optional("sourceDate", args.text("date")),
    ...optional("backend", args.text("backend")),
    ...optional("model", args.text("model")),
    ...optional("name", args.text("name")),
    options: {
      ...optional("concurrency", args.count("concurrency")),
      ...optional("maxAttempts", args.count("max-attempts")),
      ...optional("timeoutMs", args.count("timeout-ms")),
      ...optional("chunkTokens", args.count("chunk-tokens")),
    },
  });
  const out = args.text("out");
  const root = out === undefined ? null : resolvePath(terminal, out);

  const mine = new Set<string>();
  const container = await open(mine);
  try {
    const started = await container.runs.start(order);
    for (const run of started) mine.add(run.id);
    // Prep is on disk before anything is inferred.
    if (root) for (const run of started) await exportTo(container, run.id, root, terminal);
    container.executor.start();
    const interrupted = await watch(container, [...mine], terminal);
    if (interrupted) return await interrupt(container, [...mine], root, terminal);
    let failed = false;
    for (const id of mine) {
      const run = await conclude(container, id, args.on("accept-gaps"));
      if (root) await exportTo(container, id, root, terminal);
      report(run, root, args.on("json"), terminal);
      failed ||= run.status !== "completed" || run.counts.failed > 0;
    }
    return failed ? 1 : 0;
  } finally {
    await container.close(GRACE_MS);
  }
}

async function readDocument(given: string, file: string): Promise<{ name: string; text: string }> {
  try {
    const facts = await stat(file);
    if (facts.isDirectory()) throw new AppError("invalid_input", `${given} is a folder; name the files in it.`);
    if (facts.size > MAX_INPUT_BYTES)
      throw new AppError(
        "too_large",
        `${given} is ${(facts.size / 1024 / 1024).toFixed(1)} MiB; at most ${MAX_INPUT_BYTES / 1024 / 1024} MiB are taken.`,
      );
    return { name: path.basename(file), text: decodeText(await readFile(file), given) };
  } catch (error) {
    if (error instanceof Error && "syscall" in error)
      throw new AppError("not_found", `${given} cannot be read: ${error.message}.`, { cause: error });
    throw error;
  }
}

/** Until every run rests. True when the operator interrupted. */
async function watch(container: Container, ids: readonly string[], terminal: Terminal): Promise<boolean> {
  for (;;) {
    if (terminal.interrupted.aborted) return true;
    const runs = await Promise.all(ids.map((id) => container.runs.get(id)));
    const total = runs.reduce((sum, run) => sum + run.counts.total, 0);
    const done = runs.reduce((sum, run) => sum + run.counts.succeeded + run.counts.failed + run.counts.cancelled, 0);
    const failed = runs.reduce((sum, run) => sum + run.counts.failed, 0);
    const backoff = runs.reduce((sum, run) => sum + run.waiting.backoff, 0);
    terminal.progress(
      `${bar(done, total)} ${done}/${total} chunks${failed > 0 ? ` · ${failed} failed` : ""}${backoff > 0 ? ` · ${backoff} waiting to retry` : ""}`,
    );
    if (runs.every((run) => isResting(run.status))) return false;
    await delay(LOOK_MS, undefined, { signal: terminal.interrupted }).catch(() => undefined);
  }
}

async function conclude(container: Container, id: string, acceptGaps: boolean): Promise<RunSummary> {
  const run = await container.runs.get(id);
  return run.status === "incomplete" && acceptGaps ? container.runs.finish(id, "Gaps accepted on the command line.") : run;
}

/** The run rests as paused: nothing goes on behind the operator's back, nothing is lost. */
async function interrupt(container: Container, ids: readonly string[], root: string | null, terminal: Terminal): Promise<number> {
  for (const id of ids) {
    const run = await container.runs.get(id);
    if (isResting(run.status)) continue;
    // It may come to rest by itself meanwhile; what it is then is told below.
    await container.runs.pause(id, "Interrupted on the command line.").catch((error: unknown) => {
      if (!isAppError(error) || error.code !== "conflict") throw error;
    });
  }
  await container.executor.stop(GRACE_MS);
  for (const id of ids) {
    if (root) await exportTo(container, id, root, terminal);
    const { status } = await container.runs.get(id);
    if (status !== "paused") terminal.err(`Interrupted. Run ${id} is ${status}.`);
    else terminal.err(`Interrupted. Run ${id} is paused; go on with: npm run -s switchyard -- resume ${id}`);
  }
  return 130;
}

async function exportTo(container: Container, id: string, root: string, terminal: Terminal): Promise<void> {
  const { movedAside } = await exportRun(container.database, id, root, Date.now());
  if (movedAside) terminal.err(`Files of an earlier run of that date were moved to ${movedAside}`);
}

function report(run: RunSummary, root: string | null, json: boolean, terminal: Terminal): void {
  const { total, succeeded, failed } = run.counts;
  if (json) {
    terminal.out(
      JSON.stringify({
        runId: run.id,
        date: run.sourceDate,
        chunks: { total, succeeded, failed },
        insights: run.insights,
        out: root,
      }),
    );
    return;
  }
  terminal.out(
    `${run.sourceDate}  ${run.status}  ${succeeded}/${total} chunks, ${failed} failed, ${run.insights} insights  ${run.id}${root ? `  ${root}` : ""}`,
  );
  if (run.status === "incomplete")
    terminal.err(
      `Some chunks failed, so nothing is staged yet. Retry them: npm run -s switchyard -- retry ${run.id}; or accept the gaps: npm run -s switchyard -- finish ${run.id}`,
    );
  else if (run.statusReason) terminal.err(run.statusReason);
}
