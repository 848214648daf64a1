import { Cancellation } from "@/server/inference/cancellation";
import type { ExecutorDeps } from "./executor-deps";
import type { Held, Turn } from "./held-run";
import { startTurns } from "./run-writes.store";

/**
 * Writes down that a turn has started. Turns that start while the disk is busy are recorded together, each before anything
 * else that it writes; one whose claim was lost is called off.
 */
export function recordStart({ writer, clock, logger }: ExecutorDeps, owner: string, held: Held, turn: Turn): void {
  held.run.queued = Math.max(0, held.run.queued - 1);
  held.run.running += 1;
  held.starting.push(turn);
  // The first of them has asked already, and takes the others along.
  if (held.starting.length > 1) return;
  const { id: runId } = held.run;
  let batch: Turn[] = [];
  const take = () => {
    batch = held.starting.splice(0);
    return batch.map(({ recorder, routed }) => ({
      chunk: recorder.chunk,
      startedAt: recorder.times.startedAt ?? clock.now(),
      backend: routed.provider.id,
      model: routed.model,
    }));
  };
  void startTurns(writer, { runId, owner, take })
    .then((lost) => {
      const chunks = new Set(lost.map(({ chunk }) => chunk));
      for (const { recorder, abort } of batch) if (chunks.has(recorder.chunk)) abort.abort(new Cancellation("provider_evicted"));
    })
    .catch((error) => logger.error({ error, run: runId }, "the start of turns could not be written"));
}
