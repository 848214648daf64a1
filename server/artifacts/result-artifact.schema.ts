import { z } from "zod";
import { failureKindSchema } from "./failure-kind.schema";
import { normalizationSchema } from "./normalization.schema";
import { sourceDateSchema } from "./request-artifact.schema";

export const RESULT_VERSION = "xkb.result.v1";

/**
 * Tokens of one request. The total is derived, never stored. `estimated` = counted here, not reported by the provider. The parts
 * are there where a provider tells them: of the prompt what its cache held and what it put into it, of the completion what the
 * model thought. They are within the two sums, whatever the protocol does (Anthropic counts what its cache did beside the input;
 * adapters add it), so that nothing is paid for twice.
 */
export const tokenUsageSchema = z.object({
  promptTokens: z.int().min(0),
  completionTokens: z.int().min(0),
  cachedTokens: z.int().min(0).optional(),
  cacheWriteTokens: z.int().min(0).optional(),
  reasoningTokens: z.int().min(0).optional(),
  estimated: z.boolean().optional(),
  /** What the provider itself says the request has cost, in US dollars; absent where it says nothing. */
  costUsd: z.number().min(0).optional(),
});
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

const identity = {
  version: z.literal(RESULT_VERSION),
  backend: z.string().min(1),
  model: z.string().min(1),
  source_date: sourceDateSchema,
  chunk_index: z.int().min(1),
  finished_at: z.string(),
  /** Additive fields: ours, optional, ignored by readers of the specification. */
  task: z.string().optional(),
  attempt: z.int().min(1).optional(),
  request_id: z.string().optional(),
  request_sha256: z.string().optional(),
  /** What the runtime says it served with, where it says so; `backend` and `model` are what was asked. */
  served_model: z.string().optional(),
  served_provider: z.string().optional(),
  finish_reason: z.string().optional(),
  usage: tokenUsageSchema.optional(),
  raw_text_truncated: z.boolean().optional(),
  raw_text_bytes: z.int().min(0).optional(),
  /** Nobody here asked for it: the answer was made elsewhere and adopted. `source` says from where, as the operator's file and line. */
  origin: z.literal("import").optional(),
  source: z.string().optional(),
  /** The number of the attempt whose invalid answer this one was asked to mend. */
  repair_of: z.int().min(1).optional(),
  /** How the text became `output`, or why it did not; results from before there was a ledger have none. */
  normalization: normalizationSchema.optional(),
};

export const okResultSchema = z.looseObject({
  ...identity,
  ok: z.literal(true),
  /** Obeys the request's `expect` (memory_distill_extract: an `insights` array, may be empty). */
  output: z.record(z.string(), z.unknown()),
  raw_text: z.string(),
  timing_ms: z.number().min(0),
});

export const failedResultSchema = z.looseObject({
  ...identity,
  ok: z.literal(false),
  error: z.looseObject({
    type: z.string().min(1),
    message: z.string(),
    failureKind: failureKindSchema.optional(),
    retryable: z.boolean().optional(),
  }),
  raw_text: z.string().optional(),
  timing_ms: z.number().min(0).optional(),
});

/** The result artifact of the XKB specification (`xkb.result.v1`): the seed's fields exactly, ours only beside them. */
export const resultArtifactSchema = z.discriminatedUnion("ok", [okResultSchema, failedResultSchema]);
export type ResultArtifact = z.infer<typeof resultArtifactSchema>;
