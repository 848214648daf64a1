import type { AttemptSummary, ChunkSummary } from "@/server/runs/run.schema";

type TimedChunk = Pick<ChunkSummary, "endedAt"> & {
  attempts: readonly Pick<AttemptSummary, "origin" | "claimedAt" | "endedAt">[];
};

/**
 * From the first claim to the end, or to `now` while the chunk is not done; null before the first claim. Milliseconds, never
 * negative. An adopted answer took its time elsewhere: it neither begins nor ends what was waited for here.
 */
export function durationOf(chunk: TimedChunk, now: number): number | null {
  const asked = chunk.attempts.filter(({ origin }) => origin === "asked");
  const first = asked[0];
  if (first === undefined) return null;
  const isAdopted = chunk.attempts.at(-1)?.origin === "import";
  const endedAt = isAdopted ? (asked.at(-1)?.endedAt ?? null) : chunk.endedAt;
  const end = endedAt === null ? now : Date.parse(endedAt);
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
