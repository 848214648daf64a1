/** Chunks and attempts as pages get them, valid by the real schemas. */
import { type AttemptSummary, attemptSchema, type ChunkDetail, chunkDetailSchema } from "@/server/runs/run.schema";

const second = (at: number) => `2026-11-30T10:00:0${at}.000Z`;
export const buildArtifact = (id: string, body: string) => ({
  id,
  body,
  bytes: body.length,
  sha256: "ab".repeat(32),
  createdAt: second(0),
});

/** An attempt of two seconds with this body as its result artifact; null: it brought none. */
export function buildAttempt(
  number: number,
  body: string | null,
  part: Partial<AttemptSummary> = {},
): ChunkDetail["attempts"][number] {
  const summary = attemptSchema.parse({
    number,
    status: "succeeded",
    backend: "mock",
    model: "mock-1",
    servedModel: null,
    servedProvider: null,
    repaired: false,
    truncated: false,
    repairOf: null,
    origin: "asked",
    requestId: `req_${number}`,
    claimedAt: second(0),
    startedAt: second(1),
    firstTokenAt: null,
    endedAt: second(3),
    failureKind: null,
    errorMessage: null,
    finishReason: "stop",
    promptTokens: 40,
    completionTokens: 8,
    tokensEstimated: false,
    cachedTokens: null,
    cacheWriteTokens: null,
    reasoningTokens: null,
    costUsd: null,
    ...part,
  });
  return {
    ...summary,
    cost: { state: "unknown", reason: "no_price" },
    result: body === null ? null : buildArtifact(`art_${number}`, body),
    repairRequest: null,
  };
}

/** Chunk 3 of run_a. */
export function buildChunk(part: Partial<ChunkDetail> = {}): ChunkDetail {
  return chunkDetailSchema.parse({
    runId: "run_a",
    index: 3,
    status: "succeeded",
    document: "day.md",
    tokens: 12,
    start: 100,
    end: 130,
    sourceStart: 500,
    sourceEnd: 530,
    queuedAt: second(0),
    dueAt: null,
    endedAt: second(3),
    acceptedAttempt: 2,
    repaired: false,
    truncated: false,
    insights: 1,
    failureKind: null,
    errorMessage: null,
    text: "Decided: the raw file is kept.",
    request: buildArtifact("art_0", JSON.stringify({ input: { system: "Read.\nWrite.", user: "Notes" } })),
    attempts: [],
    ...part,
  });
}
