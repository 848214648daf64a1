import { agentsRouter } from "./routers/agents.router";
import { backendsRouter } from "./routers/backends.router";
import { chunksRouter } from "./routers/chunks.router";
import { configRouter } from "./routers/config.router";
import { eventsRouter } from "./routers/events.router";
import { liveRouter } from "./routers/live.router";
import { runsRouter } from "./routers/runs.router";
import { createCallerFactory, router } from "./trpc";

export const appRouter = router({
  runs: runsRouter,
  agents: agentsRouter,
  chunks: chunksRouter,
  events: eventsRouter,
  backends: backendsRouter,
  config: configRouter,
  live: liveRouter,
});
export type AppRouter = typeof appRouter;
export const createCaller = createCallerFactory(appRouter);
