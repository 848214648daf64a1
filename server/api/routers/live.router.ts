import { setTimeout as delay } from "node:timers/promises";
import { tracked } from "@trpc/server";
import { z } from "zod";
import type { RunSummary } from "@/server/runs/run.schema";
import { linkSignals } from "@/server/shared/linked-signal";
import { procedure, router } from "../trpc";

/** How often the change feed looks at the database. A tail, not an emitter: it sees what any process wrote. */
const TAIL_INTERVAL_MS = 400;

export const liveRouter = router({
  /**
   * Runs that changed, as lists show them, one message a run; the id is the change cursor, so a reconnect misses nothing.
   * Who comes without a cursor first gets the one that the stream begins at, with null: what was read before that message
   * may be older than the stream, and is to be read again. The browser holds one of these for all its tabs.
   */
  runs: procedure.input(z.object({ lastEventId: z.string().max(32).nullish() }).optional()).subscription(async function* ({
    ctx,
    input,
    signal,
  }) {
    const resumeAt = Number(input?.lastEventId ?? Number.NaN);
    const resumes = Number.isSafeInteger(resumeAt);
    let cursor = resumes ? resumeAt : (await ctx.runs.changes(-1)).cursor;
    const stop = linkSignals(ctx.shutdown, ...(signal ? [signal] : []));
    try {
      if (!resumes) yield tracked<RunSummary | null>(String(cursor), null);
      while (!stop.signal.aborted && Date.now() < (ctx.sessionEndsAt ?? Number.POSITIVE_INFINITY)) {
        const page = await ctx.runs.changes(cursor);
        cursor = page.cursor;
        for (const { change, run } of page.runs) yield tracked<RunSummary | null>(String(change), run);
        await delay(TAIL_INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    } finally {
      stop.unlink();
    }
  }),
});
