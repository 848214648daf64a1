import { z } from "zod";
import { RUN_OPTION_DEFAULTS, type RunOptions } from "@/server/runs/run.schema";

export const OPTION_NAMES = [
  "chunkTokens",
  "concurrency",
  "maxAttempts",
  "timeoutMs",
  "backoffMs",
  "maxBackoffMs",
] as const satisfies readonly (keyof RunOptions)[];
export type OptionName = (typeof OPTION_NAMES)[number];

const draftDocumentSchema = z.object({
  /** Only for lists of this page. */
  key: z.string(),
  name: z.string(),
  text: z.string(),
  /** Of the file, UTF-8. */
  bytes: z.int(),
  /** The operator's date; empty = the one in the name. */
  date: z.string(),
});
export type DraftDocument = z.infer<typeof draftDocumentSchema>;

/** All that the operator has entered, as entered: numbers are still text. Empty means "the usual". */
export const draftSchema = z.object({
  text: z.string(),
  documents: z.array(draftDocumentSchema),
  name: z.string(),
  date: z.string(),
  backend: z.string(),
  model: z.string(),
  options: z.record(z.enum(OPTION_NAMES), z.string()),
});
export type Draft = z.infer<typeof draftSchema>;

export const EMPTY_DRAFT: Draft = {
  text: "",
  documents: [],
  name: "",
  date: "",
  backend: "",
  model: "",
  options: { chunkTokens: "", concurrency: "", maxAttempts: "", timeoutMs: "", backoffMs: "", maxBackoffMs: "" },
};

/** Options that differ from the product's. */
export function changedOptions(draft: Draft): OptionName[] {
  return OPTION_NAMES.filter((name) => {
    const entered = draft.options[name].trim();
    return entered !== "" && entered !== String(RUN_OPTION_DEFAULTS[name]);
  });
}
