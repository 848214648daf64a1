import type { AttemptSummary } from "@/server/runs/run.schema";

const TOKEN_PARTS = ["cachedTokens", "cacheWriteTokens", "reasoningTokens"] as const;
type TokenPart = (typeof TOKEN_PARTS)[number];

/** What a provider said that its sums hold; parts that were not told are absent. */
export function tokenPartsOf(attempt: Pick<AttemptSummary, TokenPart>): { part: TokenPart; count: number }[] {
  return TOKEN_PARTS.flatMap((part) => {
    const count = attempt[part];
    return count !== null && count > 0 ? [{ part, count }] : [];
  });
}
