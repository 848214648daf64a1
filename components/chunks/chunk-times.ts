import type { ChunkSummary } from "@/server/runs/run.schema";

/** From the first claim to the end, or to `now` while the chunk is not done; null before the first claim. Milliseconds, never negative. */
export function durationOf(chunk: ChunkSummary, now: number): number | null {
  const first = chunk.attempts[0];
  if (first === undefined) return null;
  const end = chunk.endedAt === null ? now : Date.parse(chunk.endedAt);
  return Math.max(0, end - Date.parse(first.claimedAt));
}

/** Prompt and answer tokens over all attempts; `estimated` when any of them was counted here. Null when no attempt has told. */
export function tokensOf(chunk: ChunkSummary): { prompt: number; completion: number; estimated: boolean } | null {
  const told = chunk.attempts.filter((attempt) => attempt.promptTokens !== null || attempt.completionTokens !== null);
  if (told.length === 0) return null;
  return {
    prompt: told.reduce((sum, attempt) => sum + (attempt.promptTokens ?? 0), 0),
    completion: told.reduce((sum, attempt) => sum + (attempt.completionTokens ?? 0), 0),
    estimated: told.some((attempt) => attempt.tokensEstimated),
  };
}
