/** The words of a ledger: what was done to a model's text on its way to `output`, in the order in which it can happen. */
export const NORMALIZATION_STEPS = [
  "received",
  "thinking",
  "residue",
  "parse",
  "fence",
  "decode",
  "extract",
  "repair",
  "wrap",
  "keys",
  "schema",
] as const;
export type NormalizationStepName = (typeof NORMALIZATION_STEPS)[number];

/** `passed`: looked at and in order. `changed`: the text is another one from here on. `failed`: it went no further this way. */
export const NORMALIZATION_OUTCOMES = ["passed", "changed", "failed"] as const;
export type NormalizationOutcome = (typeof NORMALIZATION_OUTCOMES)[number];

/** Lines of a ledger, and sentences of what does not fit: bounds of what is stored. */
export const LONGEST_LEDGER = 24;
export const MOST_SCHEMA_ERRORS = 20;
