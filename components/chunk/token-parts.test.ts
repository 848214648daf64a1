import { expect, it } from "vitest";
import { tokenPartsOf } from "./token-parts";

it.each([
  [
    "all that was told, in one order",
    { usage: { reasoningTokens: 3, cacheWriteTokens: 2, cachedTokens: 40, promptTokens: 50 } },
    [
      { part: "cachedTokens", count: 40 },
      { part: "cacheWriteTokens", count: 2 },
      { part: "reasoningTokens", count: 3 },
    ],
  ],
  ["nothing of what is no count", { usage: { cachedTokens: 0, cacheWriteTokens: "2", reasoningTokens: null } }, []],
  ["nothing without usage", { ok: true }, []],
])("tells %s", (_name, body, parts) => {
  expect(tokenPartsOf(JSON.stringify(body))).toEqual(parts);
});

it("tells nothing of a body that is cut", () => {
  expect(tokenPartsOf('{"usage":{"cachedTokens":')).toEqual([]);
});
