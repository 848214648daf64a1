/** Chunks that are asked again: with the models they had, with others, or with room for a longer answer. */
import type { PinnedRoute } from "@/server/config/pinned-route.schema";
import type { Writer } from "@/server/db/writer";
import { AppError } from "@/server/shared/app-error";
import type { Clock } from "@/server/shared/clock";
import type { ChunksStore } from "./chunks.store";
import { type ModelChoice, withOutputLimit } from "./pin-route";
import type { RetryInput, RetryOutcome, RunSummary } from "./run.schema";
import { type RetryOrder, retryRun, reviveFailedRun } from "./run-actions.store";
import type { RunsStore } from "./runs.store";

interface RetryDeps {
  writer: Writer;
  clock: Clock;
  runs: RunsStore;
  chunks: ChunksStore;
  /** The models of a choice, by the newest revision of the configuration. */
  pin(choice: ModelChoice): Promise<PinnedRoute>;
}

const SKIP_REASONS: Record<string, string> = {
  succeeded: "it has succeeded already",
  running: "it is running",
  queued: "it is queued already",
  cancelled: "it was cancelled",
  missing: "there is no such chunk",
  held: "a batch job holds it",
};

/** Null when the run's state had changed meanwhile. Throws AppErrors with one sentence for a choice that cannot be. */
export async function retryChunks(deps: RetryDeps, run: RunSummary, order: RetryInput): Promise<RetryOutcome | null> {
  const { id } = run;
  const chunks = order.chunks === undefined ? null : [...new Set(order.chunks)];
  if (order.again && chunks === null)
    throw new AppError("invalid_input", "Name the chunks that are to be asked again although they have succeeded.");
  const states = order.again ? (["failed", "succeeded"] as const) : (["failed"] as const);
  const ways = await waysOf(deps, id, order.with, { chunks, states });
  if (chunks === null && run.counts.failed === 0) {
    return (await reviveFailedRun(deps.writer, id, deps.clock.now())) ? { requeued: 0, skipped: [] } : null;
  }
  const outcome: RetryOutcome = { requeued: 0, skipped: [] };
  for (const way of ways) {
    const done = await retryRun(deps.writer, id, { chunks, states, ...way }, deps.clock.now());
    if (!done) return null;
    outcome.requeued += done.requeued;
    // What one way has just queued is no reason to tell of in the next.
    if (way === ways[0])
      outcome.skipped = done.skipped.map(({ chunk, status }) => ({ chunk, reason: SKIP_REASONS[status] ?? status }));
  }
  return outcome;
}

/** Where the chunks go. A limit alone leaves each of them its models: every way that one of them has gets a copy with the limit. */
async function waysOf(
  deps: RetryDeps,
  id: string,
  choice: RetryInput["with"],
  of: Pick<RetryOrder, "chunks" | "states">,
): Promise<Pick<RetryOrder, "route" | "from">[]> {
  const asBefore = [{ route: null, from: null }];
  if (choice === undefined) return asBefore;
  const { maxTokens, ...models } = choice;
  const isOther = Object.values(models).some((value) => value !== undefined);
  if (isOther || maxTokens === undefined) return [{ route: stored(await deps.pin(choice), true), from: null }];
  const taken = await deps.chunks.waysTaken(id, of);
  const { routes } = await deps.runs.whole(id);
  const ways = routes.flatMap((route, from) =>
    taken.includes(from) ? [{ route: stored(withOutputLimit(route, maxTokens), false), from }] : [],
  );
  // Then there is nothing to ask again, and the reasons are told.
  return ways.length === 0 ? asBefore : ways;
}

/** A route as it is stored, with the models that it names anew. */
function stored(route: PinnedRoute, isOther: boolean): NonNullable<RetryOrder["route"]> {
  const models = route.candidates.map(({ settings, model }) => `${settings.name}/${model}`).join(", ");
  return { json: JSON.stringify(route), models: isOther ? models : null, maxTokens: route.maxTokens };
}
