import { expect, it } from "vitest";
import { tokenPartsOf } from "./token-parts";

it.each([
  [
    "all that was told, in one order",
    { reasoningTokens: 3, cacheWriteTokens: 2, cachedTokens: 40 },
    [
      { part: "cachedTokens", count: 40 },
      { part: "cacheWriteTokens", count: 2 },
      { part: "reasoningTokens", count: 3 },
    ],
  ],
  ["nothing of what is none", { cachedTokens: 0, cacheWriteTokens: null, reasoningTokens: null }, []],
])("tells %s", (_name, attempt, parts) => {
  expect(tokenPartsOf(attempt)).toEqual(parts);
});
