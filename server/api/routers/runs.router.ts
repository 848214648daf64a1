import { z } from "zod";
import { distillOrderSchema, reasonInputSchema, rerunInputSchema, retryInputSchema, runIdSchema } from "@/server/runs/run.schema";
import { comparedRunIdsSchema, stretchCursorSchema } from "@/server/runs/run-comparison.schema";
import { runStatusSchema } from "@/server/runs/run-state.schema";
import { procedure, router } from "../trpc";

const byId = z.object({ id: z.string().min(1).max(64) });
const byIdWithReason = byId.extend(reasonInputSchema.shape);

export const runsRouter = router({
  list: procedure
    .input(
      z.object({
        cursor: runIdSchema.nullish(),
        limit: z.int().min(1).max(200).default(50),
        status: z.array(runStatusSchema).max(8).optional(),
        backend: z.string().max(64).optional(),
        search: z.string().trim().max(200).optional(),
      }),
    )
    .query(({ ctx, input }) => ctx.runs.list({ ...input, cursor: input.cursor ?? undefined })),
  get: procedure.input(byId).query(({ ctx, input }) => ctx.runs.get(input.id)),
  preview: procedure.input(distillOrderSchema).mutation(({ ctx, input }) => ctx.runs.preview(input)),
  start: procedure.input(distillOrderSchema).mutation(({ ctx, input }) => ctx.runs.start(input)),
  startSample: procedure.mutation(({ ctx }) => ctx.runs.startSample()),
  retry: procedure.input(byId.extend(retryInputSchema.shape)).mutation(({ ctx, input }) => ctx.runs.retry(input.id, input)),
  rerun: procedure
    .input(byId.extend(rerunInputSchema.shape))
    .mutation(({ ctx, input: { id, ...order } }) => ctx.runs.rerun(id, order)),
  cancel: procedure.input(byIdWithReason).mutation(({ ctx, input }) => ctx.runs.cancel(input.id, input.reason)),
  pause: procedure.input(byIdWithReason).mutation(({ ctx, input }) => ctx.runs.pause(input.id, input.reason)),
  resume: procedure.input(byIdWithReason).mutation(({ ctx, input }) => ctx.runs.resume(input.id, input.reason)),
  finish: procedure.input(byIdWithReason).mutation(({ ctx, input }) => ctx.runs.finish(input.id, input.reason)),
  compare: procedure.input(z.object({ ids: comparedRunIdsSchema })).query(({ ctx, input }) => ctx.runs.compare(input.ids)),
  comparedChunks: procedure
    .input(
      z.object({
        ids: comparedRunIdsSchema,
        cursor: stretchCursorSchema.nullish(),
        limit: z.int().min(1).max(200).default(100),
        differing: z.boolean().default(false),
      }),
    )
    .query(({ ctx, input: { ids, cursor, ...query } }) => ctx.runs.comparedChunks(ids, { ...query, after: cursor ?? undefined })),
  ofSameText: procedure.input(byId).query(({ ctx, input }) => ctx.runs.runsOfSameText(input.id)),
  insights: procedure.input(byId).query(({ ctx, input }) => ctx.runs.insights(input.id)),
});
