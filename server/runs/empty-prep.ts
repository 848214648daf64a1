import type { PrepReport } from "@/server/pipeline/pipeline.schema";

/** Of a run that has no text to prepare. */
export const EMPTY_PREP: PrepReport = {
  documents: [],
  masked: [],
  dropped: [],
  cleanedCharacters: 0,
  tokens: 0,
  tokenizer: "none",
  tokensEstimated: false,
  chunkTokens: 0,
  chunks: 0,
};
