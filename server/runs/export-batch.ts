/** A run's open requests as lines for a batch service. */
import { type RequestArtifact, requestArtifactSchema } from "@/server/artifacts/request-artifact.schema";
import type { Database } from "@/server/db/client";
import { chunkName, plainChunkName } from "./answer-id";
import { ChunksStore } from "./chunks.store";
import { RunsStore } from "./runs.store";

export type BatchFormat = "openai" | "anthropic";

export interface BatchOrder {
  runId: string;
  status: readonly ("queued" | "failed")[];
  format: BatchFormat;
  /** Absent = the first model that each chunk would have been sent to, without its provider. */
  model?: string | undefined;
  /** Absent = none for OpenAI; Anthropic's protocol demands one and has a usual one. */
  maxTokens?: number | undefined;
}

/** Lines of one page; a run of any size is never held whole. */
const PAGE = 200;

/** As much as every model since Claude 4 can say; a limit costs nothing by itself. */
const ANTHROPIC_MAX_TOKENS = 32_000;

/** One line a chunk, in order, without line ends. The texts are those of the request artifacts: secrets are masked in them. */
export async function* batchLines(database: Database, order: BatchOrder): AsyncGenerator<string> {
  const { runId, status } = order;
  const { summary, routes } = await new RunsStore(database).whole(runId);
  const chunks = new ChunksStore(database);
  for (let afterIndex = 0; ; ) {
    const page = await chunks.openRequests(runId, { afterIndex, limit: PAGE, status });
    for (const { index, route, body } of page) {
      const model = order.model ?? routes[route]?.candidates[0]?.model ?? summary.model;
      const request = requestArtifactSchema.parse(JSON.parse(body));
      yield JSON.stringify(
        order.format === "openai"
          ? openAiLine(request, model, order.maxTokens)
          : anthropicLine(runId, request, model, order.maxTokens),
      );
      afterIndex = index;
    }
    if (page.length < PAGE) return;
  }
}

function openAiLine(request: RequestArtifact, model: string, maxTokens: number | undefined) {
  const { system, user } = request.input;
  return {
    custom_id: chunkName(request.task, request.source_date, request.chunk_index),
    method: "POST",
    url: "/v1/chat/completions",
    body: {
      model,
      messages: [...(system === "" ? [] : [{ role: "system", content: system }]), { role: "user", content: user }],
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    },
  };
}

function anthropicLine(runId: string, request: RequestArtifact, model: string, maxTokens = ANTHROPIC_MAX_TOKENS) {
  const { system, user } = request.input;
  return {
    custom_id: plainChunkName(runId, request.chunk_index),
    params: {
      model,
      max_tokens: maxTokens,
      ...(system === "" ? {} : { system }),
      messages: [{ role: "user", content: user }],
    },
  };
}
