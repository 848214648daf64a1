/** What the address of a page leads to, decided on the server: a page that asked from the browser would put a 404 into its console. */
import { processContainer } from "@/server/boot";
import type { RunKind } from "@/server/runs/run.schema";
import { MOST_COMPARED } from "@/server/runs/run-comparison.rules";
import { isAppError } from "@/server/shared/app-error";

function isNotFound(error: unknown): boolean {
  return isAppError(error) && error.code === "not_found";
}

/** Null only when there is certainly no such run. What else goes wrong here goes wrong for the usual page too, which says it. */
export async function kindOfRun(runId: string): Promise<RunKind | null> {
  const { runs } = await processContainer();
  return runs.summary(runId).then(
    ({ kind }) => kind,
    (error: unknown) => (isNotFound(error) ? null : "distill"),
  );
}

/** Which of the runs that an address names cannot be compared: those that certainly are not there, and agent runs. */
export async function comparedRuns(named: readonly string[]): Promise<{ unknown: string[]; agentRuns: string[] }> {
  const ids = [...new Set(named.filter((id) => id !== ""))].slice(0, MOST_COMPARED);
  const kinds = await Promise.all(ids.map(kindOfRun));
  return {
    unknown: ids.filter((_, at) => kinds[at] === null),
    agentRuns: ids.filter((_, at) => kinds[at] === "thread"),
  };
}

/** False only when there is certainly no profile of that name. */
export async function hasBackend(profile: string): Promise<boolean> {
  const { backends } = await processContainer();
  return backends.get(profile).then(
    () => true,
    (error: unknown) => !isNotFound(error),
  );
}

export type ChunkLookup = { found: "chunk" | "nothing" } | { found: "run"; chunks: number };

/** Whether the run has a chunk of that index (null: one that no chunk can have); "run": it has not, but so many others; "nothing": no such run. */
export async function findChunk(runId: string, index: number | null): Promise<ChunkLookup> {
  const { runs } = await processContainer();
  try {
    if (index !== null) {
      const { items } = await runs.chunks(runId, { afterIndex: index - 1, limit: 1 });
      if (items[0]?.index === index) return { found: "chunk" };
    }
    return { found: "run", chunks: (await runs.get(runId)).counts.total };
  } catch (error) {
    return { found: isNotFound(error) || index === null ? "nothing" : "chunk" };
  }
}
