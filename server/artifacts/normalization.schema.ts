import { z } from "zod";

/**
 * One line of a ledger. `detail` holds counts, positions (UTF-16 units in the text as it was at that step) and our own words,
 * never text of the model. Names are open: a newer Switchyard may know more steps.
 */
export const normalizationStepSchema = z.looseObject({
  step: z.string(),
  outcome: z.string(),
  detail: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
});
export type NormalizationStep = z.infer<typeof normalizationStepSchema>;

/** How a model's text became `output`, or why it did not. `version` rises when a reader must know. */
export const normalizationSchema = z.looseObject({
  version: z.literal(1),
  /** Something was guessed: the output is not word for word what the model wrote. */
  repaired: z.boolean(),
  /** The text ended before the answer did. Never true of an accepted one. */
  truncated: z.boolean(),
  steps: z.array(normalizationStepSchema),
  /** What does not fit, a sentence each; the first is the error's message. */
  errors: z.array(z.string()).optional(),
});
export type Normalization = z.infer<typeof normalizationSchema>;
