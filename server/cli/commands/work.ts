import { setTimeout as delay } from "node:timers/promises";
import type { Container } from "@/server/container";
import { exportRun } from "@/server/runs/export-run";
import type { RunSummary } from "@/server/runs/run.schema";
import { isResting } from "@/server/runs/run-state.rules";
import { AppError, isAppError } from "@/server/shared/app-error";
import { parseArguments } from "../arguments";
import { bar, resolvePath, type Terminal } from "../terminal";

export const WORK_USAGE = "work RUN… [--out DIR] [--json] [--accept-gaps]";

/** How often progress is read from the database. */
const LOOK_MS = 200;
/** How long calls in flight may finish after Ctrl-C. */
export const GRACE_MS = 5_000;

/**
 * Goes on with runs here, without a server: paused ones are resumed, queued and interrupted ones taken up. Exit as `distill`:
 * 0 all well, 1 some chunk failed, 2 bad use, 130 interrupted.
 */
export async function work(
  argv: readonly string[],
  terminal: Terminal,
  open: (only: Set<string>) => Promise<Container>,
): Promise<number> {
  const args = parseArguments(argv, { out: "text", json: "switch", "accept-gaps": "switch" });
  const ids = [...new Set(args.positionals)];
  if (ids.length === 0) throw new AppError("invalid_input", `Name at least one run: ${WORK_USAGE}`);
  const out = args.text("out");
  const container = await open(new Set(ids));
  try {
    for (const id of ids) {
      const { status } = await container.runs.get(id);
      if (status === "paused") await container.runs.resume(id);
    }
    const options = {
      root: out === undefined ? null : resolvePath(terminal, out),
      json: args.on("json"),
      acceptGaps: args.on("accept-gaps"),
    };
    return await workOn(container, ids, options, terminal);
  } finally {
    await container.close(GRACE_MS);
  }
}

export interface WorkOptions {
  /** Where the files of the runs go; null = nowhere. */
  root: string | null;
  json: boolean;
  acceptGaps: boolean;
}

/** Runs the chunks of these runs in this process until every run rests, and reports. Returns the exit code. */
export async function workOn(
  container: Container,
  ids: readonly string[],
  { root, json, acceptGaps }: WorkOptions,
  terminal: Terminal,
): Promise<number> {
  // Prep is on disk before anything is inferred.
  if (root) for (const id of ids) await exportTo(container, id, root, terminal);
  container.executor.start();
  const interrupted = await watch(container, ids, terminal);
  if (interrupted) return await interrupt(container, ids, root, terminal);
  let failed = false;
  for (const id of ids) {
    const run = await conclude(container, id, acceptGaps);
    if (root) await exportTo(container, id, root, terminal);
    report(run, root, json, terminal);
    failed ||= run.status !== "completed" || run.counts.failed > 0;
  }
  return failed ? 1 : 0;
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
    else terminal.err(`Interrupted. Run ${id} is paused; go on with: npm run -s switchyard -- work ${id}`);
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
      `Some chunks failed, so nothing is staged yet. Retry them: npm run -s switchyard -- retry ${run.id} --work; or accept the gaps: npm run -s switchyard -- finish ${run.id}`,
    );
  else if (run.statusReason) terminal.err(run.statusReason);
}
