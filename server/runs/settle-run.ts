import { textArtifact } from "@/server/artifacts/artifact-text";
import { resultArtifactSchema } from "@/server/artifacts/result-artifact.schema";
import type { Writer } from "@/server/db/writer";
import type { NewEvent } from "@/server/events/event.schema";
import { type PreparedEvent, prepareEvent } from "@/server/events/event-writes.store";
import type { Redactor } from "@/server/events/redact";
import type { ConsolidateInput } from "@/server/pipeline/consolidate";
import { manifestSchema } from "@/server/pipeline/manifest.schema";
import type { Consolidated } from "@/server/pipeline/pipeline.schema";
import { stageJson, stageMarkdown } from "@/server/pipeline/stage";
import type { Clock } from "@/server/shared/clock";
import { newId } from "@/server/shared/ids";
import type { ChunksStore } from "./chunks.store";
import { completeRun, restRun } from "./run-actions.store";
import type { NewArtifact } from "./run-writes.store";
import type { RunsStore } from "./runs.store";

/** Results are read in pages, so that a run of ten thousand chunks does not hold the event loop. */
const RESULT_PAGE = 500;

export interface SettleDeps {
  writer: Writer;
  runs: RunsStore;
  chunks: ChunksStore;
  consolidate(input: ConsolidateInput): Promise<Consolidated>;
  redactor: Redactor;
  clock: Clock;
}

/**
 * What follows when nothing of a run is queued or running any more: completed when every chunk has an accepted result,
 * else incomplete (never completed), and failed with the reason when consolidation itself broke.
 */
export async function settleRun(deps: SettleDeps, id: string): Promise<void> {
  const run = await deps.runs.activeById(id);
  if (!run || (run.status !== "queued" && run.status !== "running") || run.queued > 0 || run.running > 0) return;
  const now = deps.clock.now();
  if (run.failed > 0 || run.cancelled > 0) {
    const event = prepared(deps, {
      type: "run_incomplete",
      payload: { failed: run.failed, cancelled: run.cancelled, succeeded: run.succeeded },
    });
    await restRun(deps.writer, id, "incomplete", null, now, [event]);
    return;
  }
  try {
    await consolidateRun(deps, id, { allowPartial: false, reason: null });
  } catch (error) {
    const message = deps.redactor.text(error instanceof Error ? error.message : String(error)).slice(0, 1_000);
    const event = prepared(deps, { type: "run_failed", payload: { message } });
    await restRun(deps.writer, id, "failed", `Consolidation broke: ${message}`, deps.clock.now(), [event]);
  }
}

/** Consolidates and completes. False when the run's state changed meanwhile (a retry came first). */
export async function consolidateRun(
  deps: SettleDeps,
  id: string,
  how: { allowPartial: boolean; reason: string | null },
): Promise<boolean> {
  const consolidated = await deps.consolidate(await consolidateInput(deps, id, how.allowPartial));
  const summary = await deps.runs.summary(id);
  const now = deps.clock.now();
  const origin = {
    sourceDate: summary.sourceDate,
    runId: id,
    runName: summary.name,
    backend: summary.backend,
    model: summary.model,
  };
  const artifacts: NewArtifact[] = [
    { id: newId("art", now), kind: "staged-markdown", ...textArtifact(stageMarkdown(consolidated, origin)) },
    { id: newId("art", now), kind: "staged-json", ...textArtifact(stageJson(consolidated, origin)) },
  ];
  const { coverage, partial } = consolidated;
  const events = [
    prepared(deps, {
      type: "consolidate_completed",
      payload: {
        insights: consolidated.insights.length,
        duplicates: consolidated.duplicates,
        done: coverage.done,
        failed: coverage.failed.length,
        missing: coverage.missing.length,
        partial,
      },
    }),
    prepared(deps, {
      type: "run_completed",
      payload: { insights: consolidated.insights.length, withGaps: partial, ...(how.reason ? { reason: how.reason } : {}) },
    }),
  ];
  return completeRun(
    deps.writer,
    id,
    {
      consolidated,
      artifacts,
      gapsAcceptedAt: how.allowPartial ? now : null,
      reason: how.reason,
      allowed: how.allowPartial ? ["incomplete"] : ["queued", "running"],
    },
    now,
    events,
  );
}

async function consolidateInput(deps: SettleDeps, id: string, allowPartial: boolean): Promise<ConsolidateInput> {
  const [manifestRow, cleanedRow, positions, summary] = await Promise.all([
    deps.runs.artifactOfKind(id, "manifest"),
    deps.runs.artifactOfKind(id, "cleaned"),
    deps.chunks.positions(id),
    deps.runs.summary(id),
  ]);
  if (!manifestRow || !cleanedRow) throw new Error(`run ${id} has no manifest or cleaned text`);
  const manifest = manifestSchema.parse(JSON.parse(manifestRow.body));
  const results: ConsolidateInput["results"] = [];
  for (let after = 0; after < positions.length; after += RESULT_PAGE) {
    for (const row of await deps.chunks.results(id, after, RESULT_PAGE)) {
      if (row.accepted)
        results.push({ chunk: row.chunk, attempt: row.attempt, result: resultArtifactSchema.parse(JSON.parse(row.body)) });
    }
  }
  // Chunks that ended without success are known to the run; their last failure tells failed from missing.
  const succeeded = new Set(results.map((entry) => entry.chunk));
  for (const failure of await deps.chunks.lastFailures(id)) {
    if (!succeeded.has(failure.chunk))
      results.push({
        chunk: failure.chunk,
        attempt: failure.attempt,
        result: resultArtifactSchema.parse(JSON.parse(failure.body)),
      });
  }
  return {
    sourceDate: summary.sourceDate,
    cleaned: cleanedRow.body,
    segments: manifest.segments,
    chunks: positions,
    results,
    allowPartial,
  };
}

function prepared(deps: SettleDeps, event: NewEvent): PreparedEvent {
  return prepareEvent(event, { ts: deps.clock.now() }, deps.redactor);
}
