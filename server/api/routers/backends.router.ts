import { procedure, router } from "../trpc";

export const backendsRouter = router({
  list: procedure.query(({ ctx }) => ctx.runs.backends()),
});
