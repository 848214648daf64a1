/** What is read of the OpenAI chat protocol and its dialects. Lenient: only the fields we use, all of them optional, everything else ignored. */
import { z } from "zod";

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

/** Counts that are no whole numbers count as not reported. */
export const usageSchema = z.object({ prompt_tokens: countSchema, completion_tokens: countSchema });

/** `{ error: { code, type, message } }`, or a plain sentence. */
export const providerErrorSchema = z.union([
  z.string(),
  z.object({ code: z.union([z.string(), z.number()]).nullish(), type: z.string().nullish(), message: z.string().nullish() }),
]);
export type ProviderError = z.infer<typeof providerErrorSchema>;

/** MiniMax: a status of its own inside HTTP 200. */
export const baseResponseSchema = z.object({ status_code: z.number(), status_msg: z.string().nullish() });

/** A piece of a stream and a single answer alike. */
export const chatPieceSchema = z.object({
  model: z.string().nullish(),
  choices: z.array(choiceSchema).nullish(),
  usage: usageSchema.nullish().catch(null),
  error: providerErrorSchema.nullish(),
  base_resp: baseResponseSchema.nullish().catch(null),
});
export type ChatPiece = z.infer<typeof chatPieceSchema>;

/** Bodies of answers with an error status: the places where servers put their sentence. */
export const errorBodySchema = z.object({
  error: providerErrorSchema.nullish().catch(null),
  base_resp: baseResponseSchema.nullish().catch(null),
  message: z.string().nullish().catch(null),
  detail: z
    .union([z.string(), z.array(z.object({ msg: z.string().nullish() }))])
    .nullish()
    .catch(null),
});

/** `GET /models`. */
export const modelListSchema = z.object({ data: z.array(z.object({ id: z.string().min(1).max(300) })).max(20_000) });
