import { expect, it } from "vitest";
import { previewTotals } from "./preview-totals";

const report = {
  documents: [],
  masked: [{ kind: "api-key", count: 1 }],
  dropped: [{ reason: "heartbeat" as const, lines: 3, characters: 9, samples: ["a", "b", "c"] }],
  cleanedCharacters: 10,
  tokens: 40,
  tokenizer: "pieces",
  tokensEstimated: false,
  chunkTokens: 1_000,
  chunks: 2,
};

it("adds up what all runs of a start come to", () => {
  const other = {
    ...report,
    tokensEstimated: true,
    chunks: 1,
    tokens: 2,
    masked: [
      { kind: "jwt", count: 1 },
      { kind: "api-key", count: 2 },
    ],
    dropped: [
      { reason: "heartbeat" as const, lines: 4, characters: 9, samples: ["d", "e", "f"] },
      { reason: "blank" as const, lines: 9, characters: 0, samples: [] },
    ],
  };
  expect(
    previewTotals({
      runs: [
        { sourceDate: "2026-04-19", report },
        { sourceDate: "2026-04-20", report: other },
      ],
      scene: "extract",
      backend: "mock",
      model: "m",
    }),
  ).toEqual({
    chunks: 3,
    tokens: 42,
    tokensEstimated: true,
    tokenizer: "pieces",
    masked: [
      { kind: "api-key", count: 3 },
      { kind: "jwt", count: 1 },
    ],
    maskedTotal: 4,
    dropped: [
      { reason: "blank", lines: 9, samples: [] },
      { reason: "heartbeat", lines: 7, samples: ["a", "b", "c", "d", "e"] },
    ],
    droppedTotal: 16,
  });
});
