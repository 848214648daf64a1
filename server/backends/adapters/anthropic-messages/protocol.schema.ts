/** What is read of the Messages protocol. Lenient: only the fields we use, everything else ignored. */
import { z } from "zod";
import { baseResponseSchema, providerErrorSchema } from "@/server/backends/http/error-body.schema";

const countSchema = z.int().min(0).nullish().catch(null);

/** Input tokens without those that the cache held or was given; what an event does not tell stays as the last one told it. */
const usageSchema = z.object({
  input_tokens: countSchema,
  cache_read_input_tokens: countSchema,
  cache_creation_input_tokens: countSchema,
  output_tokens: countSchema,
  output_tokens_details: z.object({ thinking_tokens: countSchema }).nullish().catch(null),
});
export type MessageUsage = z.infer<typeof usageSchema>;

const blockSchema = z.object({ type: z.string(), text: z.string().nullish() });
const stopDetailsSchema = z.object({ explanation: z.string().nullish() }).nullish().catch(null);

/** `message_start`, and the whole answer of a server that does not stream. */
export const messageSchema = z.object({
  model: z.string().nullish(),
  content: z.array(blockSchema).nullish(),
  stop_reason: z.string().nullish(),
  stop_details: stopDetailsSchema,
  usage: usageSchema.nullish().catch(null),
});

export const messageStartSchema = z.object({ message: messageSchema });
export const blockStartSchema = z.object({ content_block: blockSchema });
export const blockDeltaSchema = z.object({ delta: z.object({ type: z.string(), text: z.string().nullish() }) });
export const messageDeltaSchema = z.object({
  delta: z.object({ stop_reason: z.string().nullish(), stop_details: stopDetailsSchema }),
  usage: usageSchema.nullish().catch(null),
});

/** An error in place of an event, with or without its type. */
export const errorEventSchema = z.object({
  error: providerErrorSchema.nullish(),
  base_resp: baseResponseSchema.nullish().catch(null),
});
