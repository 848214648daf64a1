import type { RunSummary } from "./run.schema";
import type { ComparedRun, StretchCursor, StretchPage } from "./run-comparison.schema";

/** The part of the run service that puts runs side by side. */
export interface RunComparisons {
  /** The runs in the given order, with figures. An unknown run is `not_found`, an agent run `invalid_input`. */
  compare(ids: readonly string[]): Promise<ComparedRun[]>;
  /** A page of the runs' texts, stretch by stretch. Errors as above. */
  comparedChunks(
    ids: readonly string[],
    query: { after?: StretchCursor | undefined; limit: number; differing: boolean },
  ): Promise<StretchPage>;
  /** Other runs that share a text with this one, newest first. */
  runsOfSameText(id: string): Promise<RunSummary[]>;
}
