import { z } from "zod";
import {
  configEditSchema,
  configNameSchema,
  configTextSchema,
  rollbackInputSchema,
  saveConfigInputSchema,
} from "@/server/runs/config-view.schema";
import { procedure, router } from "../trpc";

/** A draft's text, a revision, or (neither) the newest revision. */
const choice = { text: configTextSchema.optional(), revision: z.int().min(1).optional() };
const draft = z.strictObject({ text: configTextSchema });

/** Drafts are sent as bodies: they are too long for an address. */
export const configRouter = router({
  current: procedure.query(({ ctx }) => ctx.config.current()),
  /** The newest revision, looked at: what an order can name. */
  overview: procedure.query(({ ctx }) => ctx.config.evaluate({})),
  revisions: procedure
    .input(z.object({ cursor: z.int().min(1).nullish(), limit: z.int().min(1).max(200).default(50) }))
    .query(({ ctx, input }) => ctx.config.revisions({ before: input.cursor ?? undefined, limit: input.limit })),
  revision: procedure.input(z.object({ number: z.int().min(1) })).query(({ ctx, input }) => ctx.config.revision(input.number)),
  evaluate: procedure.input(z.strictObject(choice)).mutation(({ ctx, input }) => ctx.config.evaluate(input)),
  edit: procedure
    .input(draft.extend({ edits: z.array(configEditSchema).min(1).max(200) }))
    .mutation(({ ctx, input }) => ctx.config.edit(input.text, input.edits)),
  impact: procedure.input(draft).mutation(({ ctx, input }) => ctx.config.impact(input.text)),
  save: procedure.input(saveConfigInputSchema).mutation(({ ctx, input }) => ctx.config.save(input, "console")),
  rollback: procedure.input(rollbackInputSchema).mutation(({ ctx, input }) => ctx.config.rollback(input)),
  keepDocument: procedure.mutation(({ ctx }) => ctx.config.keepDocument()),
  availability: procedure
    .input(z.strictObject({ references: z.array(z.string().max(300)).max(100) }))
    .query(({ ctx, input }) => ctx.config.availability(input.references)),
  why: procedure
    .input(z.strictObject({ scene: configNameSchema, ...choice }))
    .mutation(({ ctx, input: { scene, ...which } }) => ctx.config.why(scene, which)),
  test: procedure
    .input(z.strictObject({ scene: configNameSchema.optional(), reference: z.string().max(300).optional(), ...choice }))
    .mutation(({ ctx, input: { scene, reference, ...which }, signal }) =>
      ctx.config.test(
        reference === undefined ? { scene: scene ?? "default" } : { reference },
        which,
        signal ?? new AbortController().signal,
      ),
    ),
  localServers: procedure.query(async ({ ctx, signal }) => ({
    items: await ctx.config.localServers(signal ?? new AbortController().signal),
  })),
  offeredModels: procedure
    .input(z.strictObject({ provider: configNameSchema, ...choice }))
    .mutation(({ ctx, input: { provider, ...which }, signal }) =>
      ctx.config.offeredModels(provider, which, signal ?? new AbortController().signal),
    ),
});
