import { z } from "zod";
import { eventTypeSchema } from "@/server/events/event.schema";
import { procedure, router } from "../trpc";

export const eventsRouter = router({
  list: procedure
    .input(
      z.object({
        runId: z.string().min(1).max(64),
        afterSeq: z.int().min(0).optional(),
        beforeSeq: z.int().min(1).optional(),
        limit: z.int().min(1).max(500).default(100),
        types: z.array(eventTypeSchema).max(40).optional(),
        chunk: z.int().min(1).optional(),
        attempt: z.int().min(1).optional(),
      }),
    )
    .query(({ ctx, input }) => ctx.runs.events(input.runId, input)),
  counts: procedure
    .input(z.object({ runId: z.string().min(1).max(64) }))
    .query(({ ctx, input }) => ctx.runs.eventCounts(input.runId)),
});
