import { expect, it } from "vitest";
import { usageOfCounts } from "./token-counts";

it.each([
  [
    { prompt: 20, completion: 9 },
    { promptTokens: 20, completionTokens: 9 },
  ],
  [
    { prompt: 20, completion: 9, cached: 12, cacheWrite: 3, reasoning: 4 },
    { promptTokens: 20, completionTokens: 9, cachedTokens: 12, cacheWriteTokens: 3, reasoningTokens: 4 },
  ],
  [
    { prompt: 20, completion: 9, cached: 0, cacheWrite: null, reasoning: 10 },
    { promptTokens: 20, completionTokens: 9 },
  ],
  [
    { prompt: 20, completion: 9, costUsd: 0 },
    { promptTokens: 20, completionTokens: 9, costUsd: 0 },
  ],
  [
    { prompt: 20, completion: 9, costUsd: Number.NaN },
    { promptTokens: 20, completionTokens: 9 },
  ],
  [{ prompt: 0, completion: 0 }, undefined],
  [{ prompt: null, completion: 9 }, undefined],
  [{ prompt: 20, completion: undefined }, undefined],
])("the counts %j are %j", (counts, usage) => {
  expect(usageOfCounts(counts)).toEqual(usage);
});
