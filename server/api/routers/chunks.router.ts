import { z } from "zod";
import { answerMarkSchema, chooseAnswerSchema } from "@/server/runs/run.schema";
import { chunkStatusSchema } from "@/server/runs/run-state.schema";
import { procedure, router } from "../trpc";

export const chunksRouter = router({
  /** Chunks with their attempts, in order of index; the timeline reads pages of 1,000. */
  list: procedure
    .input(
      z.object({
        runId: z.string().min(1).max(64),
        afterIndex: z.int().min(0).default(0),
        /** The same, as an infinite query passes it. */
        cursor: z.int().min(0).nullish(),
        limit: z.int().min(1).max(1_000).default(200),
        status: z.array(chunkStatusSchema).max(5).optional(),
        mark: z.array(answerMarkSchema).max(2).optional(),
      }),
    )
    .query(({ ctx, input }) =>
      ctx.runs.chunks(input.runId, {
        afterIndex: input.cursor ?? input.afterIndex,
        limit: input.limit,
        status: input.status,
        mark: input.mark,
      }),
    ),
  get: procedure
    .input(z.object({ runId: z.string().min(1).max(64), index: z.int().min(1) }))
    .query(({ ctx, input }) => ctx.runs.chunk(input.runId, input.index)),
  /** Which of its answers counts. */
  choose: procedure
    .input(z.object({ runId: z.string().min(1).max(64), index: z.int().min(1), ...chooseAnswerSchema.shape }))
    .mutation(({ ctx, input }) => ctx.runs.choose(input.runId, input.index, input.attempt)),
});
