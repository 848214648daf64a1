import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";

type Count = number | null | undefined;

interface PartCounts {
  /** Of the prompt: what the provider's cache held, and what was put into it. */
  cached?: Count;
  cacheWrite?: Count;
  /** Of the completion: what the model thought. */
  reasoning?: Count;
}

/**
 * Usage as this server keeps it, from counts as a provider tells them: `prompt` includes `cached` and `cacheWrite`, and
 * `completion` includes `reasoning`. Undefined when one of the two sums is missing, or both are zero, which is what servers
 * say that do not count. `costUsd` is what the provider says it costs, in US dollars.
 */
export function usageOfCounts(
  counts: { prompt: Count; completion: Count; costUsd?: Count } & PartCounts,
): TokenUsage | undefined {
  const { prompt, completion } = counts;
  if (typeof prompt !== "number" || typeof completion !== "number" || prompt + completion === 0) return undefined;
  return {
    promptTokens: prompt,
    completionTokens: completion,
    ...partsOfUsage({ ...counts, prompt, completion }),
    ...(typeof counts.costUsd === "number" && Number.isFinite(counts.costUsd) && counts.costUsd >= 0
      ? { costUsd: counts.costUsd }
      : {}),
  };
}

/** The parts of the two sums that are told; one that is not above zero, or above its sum, is none. */
export function partsOfUsage(
  counts: { prompt: number; completion: number } & PartCounts,
): Pick<TokenUsage, "cachedTokens" | "cacheWriteTokens" | "reasoningTokens"> {
  const isPart = (part: Count, sum: number): part is number => typeof part === "number" && part > 0 && part <= sum;
  return {
    ...(isPart(counts.cached, counts.prompt) ? { cachedTokens: counts.cached } : {}),
    ...(isPart(counts.cacheWrite, counts.prompt) ? { cacheWriteTokens: counts.cacheWrite } : {}),
    ...(isPart(counts.reasoning, counts.completion) ? { reasoningTokens: counts.reasoning } : {}),
  };
}
