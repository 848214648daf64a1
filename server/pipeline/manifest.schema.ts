import { z } from "zod";
import { sourceDateSchema } from "@/server/artifacts/request-artifact.schema";
import { droppedRangeSchema, segmentSchema } from "./pipeline.schema";

export const MANIFEST_VERSION = "switchyard.manifest.v1";

/** One chunk of the manifest. `start`/`end` count in the cleaned text, `source_*` in the document's masked text. */
export const manifestChunkSchema = z.looseObject({
  index: z.int().min(1),
  document: z.int().min(0),
  start: z.int().min(0),
  end: z.int().min(0),
  source_start: z.int().min(0),
  source_end: z.int().min(0),
  tokens: z.int().min(0),
});

/**
 * What prep made of a run's documents: the file that stands beside the requests and lets a reader find the source of every
 * chunk without the program. Holds no text of the documents.
 */
export const manifestSchema = z.looseObject({
  version: z.literal(MANIFEST_VERSION),
  source_date: sourceDateSchema,
  chunk_count: z.int().min(0),
  cleaned_chars: z.int().min(0),
  documents: z.array(z.looseObject({ name: z.string(), characters: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
  chunks: z.array(manifestChunkSchema),
  segments: z.array(segmentSchema),
  dropped: z.array(droppedRangeSchema),
  masked: z.array(z.object({ kind: z.string(), count: z.int().min(1) })),
  prompt_version: z.string().min(1),
  created_at: z.string(),
  runtime_dir: z.string(),
});
export type Manifest = z.infer<typeof manifestSchema>;
