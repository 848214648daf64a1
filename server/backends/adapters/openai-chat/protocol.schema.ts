/** What is read of the OpenAI chat protocol and its dialects. Lenient: only the fields we use, all of them optional, everything else ignored. */
import { z } from "zod";
import { baseResponseSchema, providerErrorSchema } from "@/server/backends/http/error-body.schema";

/** A text, or the parts that some servers send in its place. */
const contentSchema = z.union([z.string(), z.array(z.object({ type: z.string().nullish(), text: z.string().nullish() }))]);

const messageSchema = z.object({ content: contentSchema.nullish(), refusal: z.string().nullish() });

const choiceSchema = z.object({
  index: z.number().nullish(),
  /** In a stream. */
  delta: messageSchema.nullish(),
  /** In a single answer; MiniMax repeats the whole text so in the last piece of a stream. */
  message: messageSchema.nullish(),
  finish_reason: z.string().nullish(),
});

const countSchema = z.int().min(0).nullish().catch(null);

const amountSchema = z.number().min(0);

/** Counts that are no whole numbers count as not reported. */
export const usageSchema = z.object({
  prompt_tokens: countSchema,
  completion_tokens: countSchema,
  total_tokens: countSchema,
  prompt_tokens_details: z.object({ cached_tokens: countSchema, cache_write_tokens: countSchema }).nullish().catch(null),
  completion_tokens_details: z.object({ reasoning_tokens: countSchema }).nullish().catch(null),
  /** DeepSeek's name for what its cache held. */
  prompt_cache_hit_tokens: countSchema,
  /** US dollars: a sum (OpenRouter), or the sum among its parts (Perplexity). */
  cost: z
    .union([amountSchema, z.object({ total_cost: amountSchema })])
    .nullish()
    .catch(null),
  is_byok: z.boolean().nullish().catch(null),
  cost_details: z.object({ upstream_inference_cost: amountSchema.nullish() }).nullish().catch(null),
});

/** A piece of a stream and a single answer alike. */
export const chatPieceSchema = z.object({
  model: z.string().nullish(),
  /** OpenRouter: who serves it. Others may mean something else by the word, in another form. */
  provider: z.string().nullish().catch(undefined),
  choices: z.array(choiceSchema).nullish(),
  usage: usageSchema.nullish().catch(null),
  error: providerErrorSchema.nullish(),
  base_resp: baseResponseSchema.nullish().catch(null),
});
export type ChatPiece = z.infer<typeof chatPieceSchema>;

/** An error of vLLM in place of a piece: its fields stand beside its name. */
export const bareErrorSchema = z.object({
  object: z.literal("error"),
  code: z.union([z.string(), z.number()]).nullish(),
  message: z.string().nullish(),
});
