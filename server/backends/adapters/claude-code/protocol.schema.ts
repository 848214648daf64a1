/** Lines of `claude --print --output-format stream-json`, as far as they are read: whatever else stands in them is let through. Measured with 2.1.332. */
import { z } from "zod";

const countSchema = z.number().nonnegative().catch(0);

const usageSchema = z.looseObject({
  input_tokens: countSchema.nullish(),
  output_tokens: countSchema.nullish(),
  cache_creation_input_tokens: countSchema.nullish(),
  cache_read_input_tokens: countSchema.nullish(),
  output_tokens_details: z.looseObject({ thinking_tokens: countSchema.nullish() }).nullish().catch(null),
});
export type NativeUsage = z.infer<typeof usageSchema>;

/** Says what kind of line it is. `type` may stand anywhere in it. */
export const anyLineSchema = z.looseObject({ type: z.string() });

/** The events of the Messages API as `--include-partial-messages` passes them on. */
export const streamEventLineSchema = z.looseObject({
  event: z.looseObject({
    type: z.string(),
    message: z.looseObject({ id: z.string().nullish(), model: z.string().nullish(), usage: usageSchema.nullish() }).nullish(),
    delta: z
      .looseObject({
        type: z.string().nullish(),
        text: z.string().nullish(),
        partial_json: z.string().nullish(),
        stop_reason: z.string().nullish(),
      })
      .nullish(),
    usage: usageSchema.nullish(),
  }),
});
export type StreamEvent = z.infer<typeof streamEventLineSchema>["event"];

export const assistantLineSchema = z.looseObject({
  message: z.looseObject({
    id: z.string().nullish(),
    model: z.string().nullish(),
    content: z.array(z.looseObject({ type: z.string(), text: z.string().nullish(), input: z.unknown().optional() })),
  }),
  /** Words of the program itself, in the place of an answer. */
  is_api_error_message: z.boolean().nullish(),
});

/** The last line. `subtype` is "success" in refusals too, so nothing is read from it alone. */
export const resultLineSchema = z.looseObject({
  is_error: z.boolean(),
  num_turns: z.number().nullish(),
  subtype: z.string().nullish(),
  api_error_status: z.number().nullish(),
  api_error: z.string().nullish(),
  terminal_reason: z.string().nullish(),
  stop_reason: z.string().nullish(),
  result: z.string().nullish(),
  structured_output: z.unknown().optional(),
  errors: z.array(z.string()).nullish().catch(null),
  usage: usageSchema.nullish().catch(null),
  /** US dollars, by the program's own list of prices. */
  total_cost_usd: z.number().nonnegative().nullish().catch(null),
  modelUsage: z
    .record(z.string(), z.looseObject({ outputTokens: countSchema.nullish() }))
    .nullish()
    .catch(null),
});
export type ResultLine = z.infer<typeof resultLineSchema>;
