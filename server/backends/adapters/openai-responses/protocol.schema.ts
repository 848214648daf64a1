/** What is read of the Responses protocol. Lenient: only the fields we use, everything else ignored. */
import { z } from "zod";
import { baseResponseSchema, providerErrorSchema } from "@/server/backends/http/error-body.schema";

const countSchema = z.int().min(0).nullish().catch(null);

const usageSchema = z.object({
  input_tokens: countSchema,
  input_tokens_details: z.object({ cached_tokens: countSchema, cache_write_tokens: countSchema }).nullish().catch(null),
  output_tokens: countSchema,
  output_tokens_details: z.object({ reasoning_tokens: countSchema }).nullish().catch(null),
});
export type ResponseUsage = z.infer<typeof usageSchema>;

/** A message has content; reasoning and calls of tools, which are no text, may have content of other forms. */
const itemSchema = z.object({
  type: z.string().nullish(),
  content: z
    .array(z.object({ type: z.string().nullish(), text: z.string().nullish(), refusal: z.string().nullish() }))
    .nullish()
    .catch(null),
});
export type OutputItem = z.infer<typeof itemSchema>;

export const responseSchema = z.object({
  status: z.string().nullish(),
  model: z.string().nullish(),
  output: z.array(itemSchema).nullish(),
  error: providerErrorSchema.nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish().catch(null),
  usage: usageSchema.nullish().catch(null),
});
export type Response = z.infer<typeof responseSchema>;

export const responseEventSchema = z.object({ response: responseSchema });
export const itemEventSchema = z.object({ item: itemSchema });
export const deltaEventSchema = z.object({ delta: z.string() });

/** The fields of an error stand in the event itself, or in an object of it. */
export const errorEventSchema = z.object({
  error: providerErrorSchema.nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  message: z.string().nullish(),
  base_resp: baseResponseSchema.nullish().catch(null),
});
