import { z } from "zod";

export const BACKEND_KINDS = ["extractive", "openai-chat", "mock"] as const;
export const backendKindSchema = z.enum(BACKEND_KINDS);
export type BackendKind = z.infer<typeof backendKindSchema>;

export const TOKENIZER_IDS = ["pieces", "o200k", "mock-4-chars"] as const;
export const tokenizerIdSchema = z.enum(TOKENIZER_IDS);
export type TokenizerId = z.infer<typeof tokenizerIdSchema>;

/** A named choice of a backend kind with its settings and secret references. Data: it holds names of secrets, never values. */
export const profileSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/),
  kind: backendKindSchema,
  /** What it is, in one sentence an operator understands. */
  description: z.string(),
  /** Used when a run names no model. */
  defaultModel: z.string().min(1),
  /** The base of an HTTP endpoint, up to `/v1`; absent for built-in kinds. */
  baseUrl: z.url().optional(),
  /** Secret references by the name the adapter asks for, e.g. `{ apiKey: "env:LLM_API_KEY" }`. */
  secretRefs: z.record(z.string(), z.string()),
  /** Requests at once over all runs of this process. */
  concurrency: z.int().min(1).max(1024),
  /** Milliseconds a turn may take when the run says nothing else. */
  timeoutMs: z.int().min(1),
  tokenizer: tokenizerIdSchema,
  /** True when the tokenizer is not the model's own, so that counts are estimates. */
  tokenizerIsEstimate: z.boolean(),
});
export type Profile = z.infer<typeof profileSchema>;
