import { z } from "zod";
import { CONFIDENCES } from "@/server/artifacts/insight.schema";

/** Why a line of the input was not handed to a backend. */
export const DROP_REASONS = [
  "heartbeat",
  "metadata",
  "front_matter",
  "own_output",
  "session",
  "repeated",
  "noise",
  "blank",
] as const;
export const dropReasonSchema = z.enum(DROP_REASONS);
export type DropReason = z.infer<typeof dropReasonSchema>;

/** A range of a document's masked text, UTF-16 code units, end exclusive. */
const rangeShape = { document: z.int().min(0), start: z.int().min(0), end: z.int().min(0) };

/** A verbatim slice of a document inside the run's cleaned text. The segments, in order, are the cleaned text: no gap, no overlap. */
export const segmentSchema = z.object({
  cleanedStart: z.int().min(0),
  document: z.int().min(0),
  sourceStart: z.int().min(0),
  length: z.int().min(1),
});
export type Segment = z.infer<typeof segmentSchema>;

export const droppedRangeSchema = z.object({ ...rangeShape, reason: dropReasonSchema, lines: z.int().min(1) });
export type DroppedRange = z.infer<typeof droppedRangeSchema>;

/** What prep did to the input, for the page: nothing is left out in silence. */
export const prepReportSchema = z.object({
  documents: z.array(
    z.object({
      name: z.string(),
      bytes: z.int(),
      characters: z.int(),
      lines: z.int(),
      sha256: z.string(),
      /** A session file, whose conversation was made the document: the other numbers are of that. */
      isSession: z.boolean().exactOptional(),
    }),
  ),
  /** Secrets masked at intake, by kind. */
  masked: z.array(z.object({ kind: z.string(), count: z.int().min(1) })),
  /** Lines dropped by reason, with up to five samples (80 characters each). */
  dropped: z.array(z.object({ reason: dropReasonSchema, lines: z.int(), characters: z.int(), samples: z.array(z.string()) })),
  cleanedCharacters: z.int(),
  tokens: z.int(),
  tokenizer: z.string(),
  tokensEstimated: z.boolean(),
  chunkTokens: z.int(),
  chunks: z.int(),
});
export type PrepReport = z.infer<typeof prepReportSchema>;

/** One slice of the cleaned text. `start`/`end` count in the run's cleaned text; `source*` in the document's masked text. */
export interface PreparedChunk {
  /** 1-based. */
  index: number;
  document: number;
  start: number;
  end: number;
  sourceStart: number;
  sourceEnd: number;
  tokens: number;
  text: string;
}

export interface PreparedDocument {
  name: string;
  /** Decoded, newline-normalised, masked: the text that everything counts in. */
  text: string;
  sha256: string;
  /** A session file: `text` is the conversation that it holds. */
  isSession: boolean;
}

export interface Prepared {
  documents: PreparedDocument[];
  cleaned: string;
  segments: Segment[];
  dropped: DroppedRange[];
  chunks: PreparedChunk[];
  report: PrepReport;
}

/** Where a statement stands: `cleaned*` in the cleaned text, `start`/`end` in the document. `exact` = the quote was found word for word. */
export const insightSourceSchema = z.object({
  chunk: z.int().min(1),
  attempt: z.int().min(1),
  ...rangeShape,
  cleanedStart: z.int().min(0),
  cleanedEnd: z.int().min(0),
  quote: z.string(),
  exact: z.boolean(),
});
export type InsightSource = z.infer<typeof insightSourceSchema>;

export const stagedInsightSchema = z.object({
  /** 1-based; the order of the reranked list. */
  rank: z.int().min(1),
  content: z.string(),
  topic: z.string(),
  section: z.string(),
  confidence: z.enum(CONFIDENCES),
  date: z.string(),
  score: z.number(),
  /** The parts that the score is the sum of, by name. */
  scoreParts: z.record(z.string(), z.number()),
  sources: z.array(insightSourceSchema).min(1),
});
export type StagedInsight = z.infer<typeof stagedInsightSchema>;

export const coverageSchema = z.object({ total: z.int(), done: z.int(), failed: z.array(z.int()), missing: z.array(z.int()) });
export type Coverage = z.infer<typeof coverageSchema>;

export const consolidatedSchema = z.object({
  insights: z.array(stagedInsightSchema),
  coverage: coverageSchema,
  /** Statements merged into another as (near-)duplicates. */
  duplicates: z.int(),
  /** Entries of `output.insights` that are not insights (no content, wrong types), by chunk. */
  invalid: z.array(z.object({ chunk: z.int(), count: z.int() })),
  /** True when some chunk has no accepted result: an explicit act of the operator, shown ever after. */
  partial: z.boolean(),
});
export type Consolidated = z.infer<typeof consolidatedSchema>;
