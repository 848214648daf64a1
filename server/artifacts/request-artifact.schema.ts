import { z } from "zod";
import { isSourceDate, SOURCE_DATE_FORM } from "./source-date.rules";

export const REQUEST_VERSION = "xkb.infer.v1";
export const DISTILL_TASK = "memory_distill_extract";

export const sourceDateSchema = z
  .string()
  .regex(SOURCE_DATE_FORM, "must be a date like 2026-04-19")
  .refine(isSourceDate, "is not a day of the calendar");

/**
 * The request artifact of the XKB specification (`xkb.infer.v1`), one a chunk. Unknown keys are kept and ignored,
 * so that files of other programs pass; `meta.runtime_dir` is untrusted when it comes from a file.
 */
export const requestArtifactSchema = z.looseObject({
  version: z.literal(REQUEST_VERSION),
  task: z.string().min(1).max(120),
  source_date: sourceDateSchema,
  chunk_index: z.int().min(1),
  input: z.looseObject({ system: z.string(), user: z.string() }),
  expect: z.looseObject({ format: z.literal("json"), schema: z.record(z.string(), z.unknown()) }),
  meta: z.looseObject({ runtime_dir: z.string(), created_at: z.string() }),
});

export type RequestArtifact = z.infer<typeof requestArtifactSchema>;
