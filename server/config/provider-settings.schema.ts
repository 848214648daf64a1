import { z } from "zod";
import { backendKindSchema, capabilityScoresSchema, tokenizerIdSchema } from "./config-document.schema";

/**
 * Everything a backend is made from: an entry of `providers` over its profile. Runs pin it, so it holds references as they were
 * written and never a value.
 */
export const providerSettingsSchema = z.object({
  /** The provider's name. */
  name: z.string().min(1),
  profile: z.string().min(1),
  kind: backendKindSchema,
  description: z.string(),
  /** As written, `${VAR}` unread; null for kinds that need none. */
  baseUrl: z.string().nullable(),
  /** Secret references by the name the adapter asks for, e.g. `{ apiKey: "env:LLM_API_KEY" }`. */
  secretRefs: z.record(z.string(), z.string()),
  /** Requests at once over all runs of this process. */
  concurrency: z.int().min(1).max(1024),
  /** Milliseconds a request may take when the run says nothing shorter. */
  timeoutMs: z.int().min(1),
  idleMs: z.int().min(1),
  connectMs: z.int().min(1),
  tokenizer: tokenizerIdSchema,
  /** True when the tokenizer is not the model's own, so that counts are estimates. */
  tokenizerIsEstimate: z.boolean(),
  scores: capabilityScoresSchema,
  /** Tokens the model can hold, where the profile says it. Absent in what older runs pinned. */
  contextWindow: z.int().min(1).optional(),
  /** It takes batches. Absent = it does not. */
  batch: z.literal(true).optional(),
});
export type ProviderSettings = z.infer<typeof providerSettingsSchema>;
