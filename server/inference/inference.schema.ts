/** The value types of one inference, serialisable both ways, so that a recorded request can be replayed. */
import { z } from "zod";
import { type TokenUsage, tokenUsageSchema } from "@/server/artifacts/result-artifact.schema";
import { modelCapabilitySchema } from "@/server/config/config-document.schema";

/** How well a provider does one kind of work: 0.0 (not at all) to 1.0. */
export const capabilityScoreSchema = z.object({ capability: modelCapabilitySchema, score: z.number().min(0).max(1) });
export type CapabilityScore = z.infer<typeof capabilityScoreSchema>;

/** Why a request ended. A response has one of the first four; a failure derives one of the last three from its failure kind. */
export const finishReasonSchema = z.enum(["stop", "length", "content_filter", "unknown", "timeout", "cancelled", "error"]);

export const providerHealthSchema = z.object({
  state: z.enum(["healthy", "degraded", "unavailable", "unknown"]),
  /** One sentence; empty when healthy. */
  reason: z.string(),
  latencyMs: z.number().min(0),
});
export type ProviderHealth = z.infer<typeof providerHealthSchema>;

/** Milliseconds, from 1. */
export const inferenceTimeoutSchema = z.int().min(1);

export const generationConfigSchema = z.object({
  temperature: z.number().min(0).max(2).exactOptional(),
  topP: z.number().min(0).max(1).exactOptional(),
  maxTokens: z.int().min(1).exactOptional(),
  stopSequences: z.array(z.string().min(1)).max(16).exactOptional(),
  seed: z.int().exactOptional(),
});

export const contextPackSchema = z.object({
  system: z.string(),
  user: z.string(),
  expect: z.object({ format: z.literal("json"), schema: z.record(z.string(), z.unknown()) }),
  /** What the text was made from, for the reader; no provider sees it. */
  sourceRefs: z.array(z.string()).exactOptional(),
});

export const inferenceRequestSchema = z.object({
  /** Made by the caller; every event and the response carry it. */
  requestId: z.string().min(1),
  sessionId: z.string().min(1),
  stageId: z.string().min(1),
  contextPack: contextPackSchema,
  generationConfig: generationConfigSchema,
  /** Milliseconds. The smaller of this and the profile's limit counts. */
  timeoutMs: inferenceTimeoutSchema.exactOptional(),
});
export type InferenceRequest = z.infer<typeof inferenceRequestSchema>;

export const inferenceResponseSchema = z.object({
  requestId: z.string().min(1),
  text: z.string(),
  finishReason: finishReasonSchema,
  tokensUsed: tokenUsageSchema,
  latencyMs: z.number().min(0),
  servedModel: z.string().exactOptional(),
  servedProvider: z.string().exactOptional(),
  firstTokenMs: z.number().min(0).exactOptional(),
});
export type InferenceResponse = z.infer<typeof inferenceResponseSchema>;

/** Derived, never stored. */
export function totalTokens(usage: TokenUsage): number {
  return usage.promptTokens + usage.completionTokens;
}
