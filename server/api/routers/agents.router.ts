import { z } from "zod";
import { agentCommandOrderSchema, approvalDecisionSchema, createAgentRunSchema } from "@/server/runs/agent-run.schema";
import { procedure, router } from "../trpc";

const byId = z.object({ id: z.string().min(1).max(64) });

export const agentsRouter = router({
  create: procedure.input(createAgentRunSchema).mutation(({ ctx, input }) => ctx.agents.create(input)),
  get: procedure.input(byId).query(({ ctx, input }) => ctx.agents.get(input.id)),
  writing: procedure.input(byId).query(({ ctx, input }) => ({ text: ctx.agents.writing(input.id) })),
  command: procedure
    .input(byId.extend({ order: agentCommandOrderSchema }))
    .mutation(({ ctx, input }) => ctx.agents.command(input.id, input.order)),
  decide: procedure
    .input(byId.extend({ approvalId: z.string().min(1).max(64), ...approvalDecisionSchema.shape }))
    .mutation(({ ctx, input: { id, approvalId, ...order } }) => ctx.agents.decide(id, approvalId, order)),
});
