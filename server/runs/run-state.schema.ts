import { z } from "zod";
import { ATTEMPT_STATUSES, CHUNK_STATUSES, type Counts, RUN_STATUSES } from "./run-state.rules";

export const runStatusSchema = z.enum(RUN_STATUSES);
export const chunkStatusSchema = z.enum(CHUNK_STATUSES);
export const attemptStatusSchema = z.enum(ATTEMPT_STATUSES);

export const countsSchema = z.object({
  total: z.int(),
  queued: z.int(),
  running: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  cancelled: z.int(),
}) satisfies z.ZodType<Counts>;
