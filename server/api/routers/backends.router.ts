import { z } from "zod";
import { checkOrderSchema } from "@/server/runs/backend-view.schema";
import { configNameSchema } from "@/server/runs/config-view.schema";
import { procedure, router } from "../trpc";

export const backendsRouter = router({
  list: procedure.query(({ ctx }) => ctx.backends.list()),
  get: procedure.input(z.object({ profile: configNameSchema })).query(({ ctx, input }) => ctx.backends.get(input.profile)),
  check: procedure
    .input(checkOrderSchema.extend({ provider: configNameSchema }))
    .mutation(({ ctx, input: { provider, ...order } }) => ctx.backends.check(provider, order)),
  clearCooldown: procedure
    .input(z.strictObject({ provider: configNameSchema, model: z.string().min(1).max(300) }))
    .mutation(({ ctx, input }) => ctx.backends.clearCooldown(input.provider, input.model)),
});
