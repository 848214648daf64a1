/** One day through the whole product path with the built-in backend: prepare, request, turn, parse, consolidate, stage. */
import type { ResultArtifact } from "@/server/artifacts/result-artifact.schema";
import { RESULT_VERSION } from "@/server/artifacts/result-artifact.schema";
import { createBackend } from "@/server/backends/adapter-table";
import type { Backend } from "@/server/backends/backend";
import { settingsOfProvider } from "@/server/config/provider-settings";
import { DEFAULT_CHUNK_TOKENS } from "@/server/pipeline/chunk-limits.rules";
import { type ConsolidateInput, consolidate } from "@/server/pipeline/consolidate";
import { normalizeOutput } from "@/server/pipeline/normalize-output";
import type { Consolidated } from "@/server/pipeline/pipeline.schema";
import { prepare } from "@/server/pipeline/prepare";
import { buildDistillRequest } from "@/server/pipeline/prompt";
import { stageJson, stageMarkdown } from "@/server/pipeline/stage";
import { NO_HOST } from "@/server/testing/no-host";

const MODEL = "extractive-1";

export interface DistilledDay {
  consolidated: Consolidated;
  staged: string;
  /** Everything that would be stored or shown, by name, to look for what must be nowhere. */
  traces: Record<string, string>;
}

/** `sourceDate` is YYYY-MM-DD. Throws what the steps throw; a chunk without an answer ends the day. */
export async function distillDay(day: { name: string; sourceDate: string; text: string }): Promise<DistilledDay> {
  const prepared = prepare({
    documents: [{ name: day.name, text: day.text }],
    chunkTokens: DEFAULT_CHUNK_TOKENS,
    tokenizer: "pieces",
    tokenizerIsEstimate: false,
    knownSecrets: [],
  });
  const backend = extractiveBackend();
  const requests: string[] = [];
  const events: unknown[] = [];
  const results: ConsolidateInput["results"] = [];
  for (const chunk of prepared.chunks) {
    const request = buildDistillRequest({
      sourceDate: day.sourceDate,
      chunkIndex: chunk.index,
      chunkTotal: prepared.chunks.length,
      text: chunk.text,
      runtimeDir: "",
      createdAt: `${day.sourceDate}T00:00:00.000Z`,
    });
    requests.push(JSON.stringify(request));
    const { text } = await backend.runTurn(
      {
        requestId: `bench-${chunk.index}`,
        model: MODEL,
        system: request.input.system,
        user: request.input.user,
        expect: { format: "json", schema: request.expect.schema },
        generation: {},
        timeoutMs: backend.settings.timeoutMs,
        baseUrl: null,
        secrets: {},
      },
      { event: (event) => events.push(event), progress: () => {} },
      new AbortController().signal,
    );
    const parsed = normalizeOutput(text, request.expect);
    if (!parsed.ok) throw new Error(`Chunk ${chunk.index} of ${day.name}: ${parsed.reason}`);
    const result: ResultArtifact = {
      version: RESULT_VERSION,
      ok: true,
      backend: backend.settings.name,
      model: MODEL,
      source_date: day.sourceDate,
      chunk_index: chunk.index,
      finished_at: `${day.sourceDate}T00:00:00.000Z`,
      output: parsed.output,
      raw_text: text,
      timing_ms: 0,
    };
    results.push({ chunk: chunk.index, attempt: 1, result });
  }
  await backend.close();

  const { cleaned, segments, chunks } = prepared;
  const consolidated = consolidate({ sourceDate: day.sourceDate, cleaned, segments, chunks, results, allowPartial: false });
  const origin = {
    sourceDate: day.sourceDate,
    runId: "bench",
    runName: day.name,
    backend: backend.settings.name,
    model: MODEL,
  };
  const staged = stageMarkdown(consolidated, origin);
  return {
    consolidated,
    staged,
    traces: {
      prepared: JSON.stringify(prepared),
      requests: requests.join("\n"),
      events: JSON.stringify(events),
      results: JSON.stringify(results),
      insights: `${staged}\n${stageJson(consolidated, origin)}`,
    },
  };
}

function extractiveBackend(): Backend {
  const settings = settingsOfProvider({}, "extractive");
  if (!settings) throw new Error("There is no built-in extractive provider.");
  return createBackend(settings, NO_HOST);
}
