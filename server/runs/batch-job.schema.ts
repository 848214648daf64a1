import { z } from "zod";
import { LONGEST_MODEL } from "@/server/config/config.rules";
import { BATCH_STATES, MOST_NAMED_CHUNKS } from "./batch-job.rules";

export const batchStateSchema = z.enum(BATCH_STATES);
export const batchOutcomeSchema = z.enum(["completed", "failed", "expired", "cancelled"]);

const isoTime = z.string();

/** One job, as callers see it. */
export const batchJobSchema = z.object({
  id: z.string(),
  runId: z.string(),
  /** The provider that has it. */
  backend: z.string(),
  model: z.string(),
  state: batchStateSchema,
  /** The provider's own id and word for where it stands; null until it has taken it. */
  nativeId: z.string().nullable(),
  nativeState: z.string().nullable(),
  /** Chunks that it covers. */
  requests: z.int(),
  /** As the provider counts them; null until it has told. */
  counts: z.object({ total: z.int(), succeeded: z.int(), failed: z.int() }).nullable(),
  /** What became of its chunks; null until it has ended: answers that were accepted, that were not, and chunks that are open as before. */
  taken: z.object({ adopted: z.int(), unusable: z.int(), returned: z.int() }).nullable(),
  /** What is in its way at present, in a sentence; it is tried again. */
  problem: z.string().nullable(),
  /** Why it ended otherwise than completed. */
  message: z.string().nullable(),
  createdAt: isoTime,
  submittedAt: isoTime.nullable(),
  polledAt: isoTime.nullable(),
  /** When the provider is asked again by itself; null once it has ended. */
  nextPollAt: isoTime.nullable(),
  cancelAskedAt: isoTime.nullable(),
  endedAt: isoTime.nullable(),
});
export type BatchJobView = z.infer<typeof batchJobSchema>;

/** What to hand in: absent = all open chunks, with the first model of the run whose provider takes batches. */
export const submitBatchSchema = z.strictObject({
  backend: z.string().min(1).max(64).exactOptional(),
  model: z.string().trim().min(1).max(LONGEST_MODEL).exactOptional(),
  chunks: z.array(z.int().min(1)).min(1).max(MOST_NAMED_CHUNKS).exactOptional(),
});
export type SubmitBatchInput = z.infer<typeof submitBatchSchema>;

export interface SubmitBatchOutcome {
  /** More than one where the requests do not fit into one. A job that was refused is among them, with its reason. */
  jobs: BatchJobView[];
  /** Chunks that were named and cannot be handed in. */
  skipped: { chunk: number; reason: string }[];
}

export const cancelBatchSchema = z.strictObject({
  /** Do not wait for the provider: the chunks are free at once, and what the provider still answers is not fetched. */
  giveUp: z.boolean().exactOptional(),
});
