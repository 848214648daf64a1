import { z } from "zod";
import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import { costTotalSchema } from "./cost.schema";
import { runSummarySchema } from "./run.schema";
import { MOST_COMPARED } from "./run-comparison.rules";
import { chunkStatusSchema } from "./run-state.schema";

const milliseconds = z.number().min(0);

/** A run with the figures that only a comparison needs. */
export const comparedRunSchema = z.object({
  run: runSummarySchema,
  /** Real requests, retries and repair rounds included. */
  requests: z.int(),
  /** Of requests that were answered and accepted: from sending to the end. Null while there is none. */
  requestMs: z.object({ median: milliseconds, longest: milliseconds }).nullable(),
  /** Median time to the first piece of an accepted answer; null where nothing streamed. */
  firstTokenMs: milliseconds.nullable(),
  /** Chunks whose newest answer was repaired, or cut. */
  marks: z.object({ repaired: z.int(), truncated: z.int() }),
  cost: costTotalSchema,
  /** `provider/model` of who answered, the most frequent first; empty while nobody has. */
  answeredBy: z.array(z.string()),
});
export type ComparedRun = z.infer<typeof comparedRunSchema>;

/** What became of one stretch of text in one run. */
export const comparedChunkSchema = z.object({
  index: z.int(),
  status: chunkStatusSchema,
  attempts: z.int(),
  repaired: z.boolean(),
  truncated: z.boolean(),
  failureKind: failureKindSchema.nullable(),
  insights: z.int().nullable(),
  /** Of the accepted attempt, or else of the newest one that has ended. */
  requestMs: milliseconds.nullable(),
});
export type ComparedChunk = z.infer<typeof comparedChunkSchema>;

/** The same stretch of the same text: equal documents (by hash), equal ends. */
export const comparedStretchSchema = z.object({
  document: z.string(),
  sha256: z.string(),
  sourceStart: z.int(),
  sourceEnd: z.int(),
  /** In the order of the runs; null where a run has no chunk with these ends. */
  chunks: z.array(comparedChunkSchema.nullable()),
});
export type ComparedStretch = z.infer<typeof comparedStretchSchema>;

/** Where a page of stretches ended: all of its sort key. */
export const stretchCursorSchema = comparedStretchSchema.pick({
  document: true,
  sha256: true,
  sourceStart: true,
  sourceEnd: true,
});
export type StretchCursor = z.infer<typeof stretchCursorSchema>;

export const stretchPageSchema = z.object({
  items: z.array(comparedStretchSchema),
  nextCursor: stretchCursorSchema.nullable(),
});
export type StretchPage = z.infer<typeof stretchPageSchema>;

export const comparedRunIdsSchema = z
  .array(z.string().min(1).max(64))
  .min(1, "name at least one run")
  .max(MOST_COMPARED, `no more than ${MOST_COMPARED} runs are compared at once`)
  .refine((ids) => new Set(ids).size === ids.length, "names a run twice");
