/** What batch services write, as far as it is read. Lenient: services add fields, and leave others out. */
import { z } from "zod";

const count = z.number().nullish().catch(null);

export const providerErrorSchema = z.looseObject({
  type: z.string().nullish().catch(null),
  code: z.union([z.string(), z.number()]).nullish().catch(null),
  message: z.string().nullish().catch(null),
});

/** Chat completions. */
export const chatBodySchema = z.looseObject({
  model: z.string().nullish().catch(null),
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({
          content: z
            .union([z.string(), z.array(z.looseObject({ type: z.string().nullish(), text: z.string().nullish() }))])
            .nullish(),
          refusal: z.string().nullish().catch(null),
        }),
        finish_reason: z.string().nullish().catch(null),
      }),
    )
    .min(1),
  usage: z
    .looseObject({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish().catch(null),
      completion_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish().catch(null),
      cost: z.number().min(0).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

/** Responses. */
export const responsesBodySchema = z.looseObject({
  model: z.string().nullish().catch(null),
  status: z.string().nullish().catch(null),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish().catch(null),
  error: providerErrorSchema.nullish().catch(null),
  output: z.array(
    z.looseObject({
      type: z.string().nullish(),
      content: z
        .array(
          z.looseObject({
            type: z.string().nullish(),
            text: z.string().nullish().catch(null),
            refusal: z.string().nullish().catch(null),
          }),
        )
        .nullish()
        .catch(null),
    }),
  ),
  usage: z
    .looseObject({
      input_tokens: count,
      output_tokens: count,
      input_tokens_details: z.looseObject({ cached_tokens: count }).nullish().catch(null),
      output_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

/** Anthropic's Messages. */
export const messageBodySchema = z.looseObject({
  model: z.string().nullish().catch(null),
  content: z.array(z.looseObject({ type: z.string().nullish(), text: z.string().nullish().catch(null) })),
  stop_reason: z.string().nullish().catch(null),
  usage: z
    .looseObject({
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
    })
    .nullish()
    .catch(null),
});

/** A line of OpenAI's output or error file. */
export const openAiLineSchema = z.looseObject({
  response: z.looseObject({ status_code: z.number().nullish().catch(null), body: z.unknown().optional() }).nullish(),
  error: providerErrorSchema.nullish(),
});

/** A line of Anthropic's results. */
export const anthropicLineSchema = z.looseObject({
  result: z.looseObject({
    type: z.string(),
    message: z.unknown().optional(),
    /** `{type:"error", error:{type, message}}`, or the inner one alone. */
    error: z
      .looseObject({ ...providerErrorSchema.shape, error: providerErrorSchema.nullish().catch(null) })
      .nullish()
      .catch(null),
  }),
});
