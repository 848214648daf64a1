import type { RunSummary } from "@/server/runs/run.schema";

/** How much was done when; epoch milliseconds by the server's clock. */
export interface Progress {
  at: number;
  done: number;
}

/** Older observations say nothing about the speed of now. */
const WINDOW_MS = 5 * 60_000;
/** Fewer results, or less time, say too little. */
const LEAST_DONE = 3;
const LEAST_MS = 3_000;

/**
 * The observations of a run with its present state added. Only time in which the run was seen running is in them: a pause or
 * a rest forgets them, and so what comes after a resume is measured from there.
 */
export function observed(
  progress: readonly Progress[],
  run: Pick<RunSummary, "status" | "updatedAt" | "counts">,
): readonly Progress[] {
  if (run.status !== "running") return progress.length === 0 ? progress : [];
  const now = { at: Date.parse(run.updatedAt), done: run.counts.succeeded };
  const last = progress.at(-1);
  if (last !== undefined && last.done === now.done) return progress;
  // Two observations that came in the wrong order.
  if (last !== undefined && (last.at > now.at || last.done > now.done)) return progress;
  const recent = progress.filter((each) => each.at >= now.at - WINDOW_MS);
  return [...recent, now];
}

/** Milliseconds until the run is done at the speed that was seen; null while too little was. */
export function millisecondsLeft(
  progress: readonly Progress[],
  run: Pick<RunSummary, "status" | "counts">,
  now: number,
): number | null {
  const first = progress[0];
  if (run.status !== "running" || first === undefined) return null;
  const done = run.counts.succeeded - first.done;
  const elapsed = now - first.at;
  if (done < LEAST_DONE || elapsed < LEAST_MS) return null;
  return (elapsed / done) * (run.counts.queued + run.counts.running);
}
