import { jsonFields } from "@/components/json-fields";

export const TOKEN_PARTS = ["cachedTokens", "cacheWriteTokens", "reasoningTokens"] as const;
export type TokenPart = (typeof TOKEN_PARTS)[number];

/** What a provider said that its sums hold, out of a result artifact's body; parts that were not told are absent. */
export function tokenPartsOf(resultBody: string): { part: TokenPart; count: number }[] {
  let body: unknown;
  try {
    body = JSON.parse(resultBody);
  } catch {
    return [];
  }
  const usage = jsonFields(jsonFields(body).usage);
  return TOKEN_PARTS.flatMap((part) => {
    const count = usage[part];
    return typeof count === "number" && count > 0 ? [{ part, count }] : [];
  });
}
