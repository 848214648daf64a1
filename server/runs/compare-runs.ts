import type { Database } from "@/server/db/client";
import { AppError } from "@/server/shared/app-error";
import { ChunksStore } from "./chunks.store";
import type { Prices } from "./cost";
import { costOfRun } from "./cost.store";
import type { RunSummary } from "./run.schema";
import type { ComparedRun } from "./run-comparison.schema";
import { RunComparisonStore } from "./run-comparison.store";
import type { RunComparisons } from "./run-comparisons";
import { RunsStore } from "./runs.store";

/** How many runs of the same text are offered. */
const MOST_OFFERED = 50;

/** Runs side by side, over the database of this process; their costs are told by one price table, that of now. */
export function createRunComparisons(database: Database, prices: () => Promise<Prices>): RunComparisons {
  const runs = new RunsStore(database);
  const chunks = new ChunksStore(database);
  const comparison = new RunComparisonStore(database);

  async function ofChunks(id: string): Promise<RunSummary> {
    const run = await runs.summary(id);
    if (run.kind === "thread")
      throw new AppError("invalid_input", `Run ${id} is an agent run; only runs of chunks can be compared.`, {
        details: { run: id },
      });
    return run;
  }

  async function figures(id: string): Promise<ComparedRun> {
    const run = await ofChunks(id);
    const [timing, marks, asked, cost] = await Promise.all([
      comparison.timing(id),
      chunks.marks(id),
      chunks.asked(id),
      prices().then((table) => costOfRun(database, id, table)),
    ]);
    return {
      run,
      ...timing,
      marks,
      cost,
      answeredBy: asked.filter(({ succeeded }) => succeeded > 0).map(({ reference }) => reference),
    };
  }

  return {
    compare: (ids) => Promise.all(ids.map(figures)),
    async comparedChunks(ids, query) {
      await Promise.all(ids.map(ofChunks));
      return comparison.stretches(ids, query);
    },
    async runsOfSameText(id) {
      await ofChunks(id);
      return Promise.all((await comparison.ofSameText(id, MOST_OFFERED)).map((other) => runs.summary(other)));
    },
  };
}
