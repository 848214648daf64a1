import { parseAsStringLiteral } from "nuqs";
import { ANSWER_MARKS, type AnswerMark } from "@/server/runs/run.rules";
import type { RunDetail } from "@/server/runs/run.schema";
import { CHUNK_STATUSES, type ChunkStatus } from "@/server/runs/run-state.rules";

/** A status, or a mark of the newest answer. */
export type ChunkFilter = ChunkStatus | AnswerMark;

/** The filter in the address; null shows every chunk. */
export const CHUNK_FILTER_PARSER = parseAsStringLiteral([...CHUNK_STATUSES, ...ANSWER_MARKS]);

export function isAnswerMark(filter: ChunkFilter): filter is AnswerMark {
  return filter === "repaired" || filter === "truncated";
}

/** How many chunks of the run the filter shows; null counts all. */
export function countOf({ counts, marks }: Pick<RunDetail, "counts" | "marks">, filter: ChunkFilter | null): number {
  if (filter === null) return counts.total;
  return isAnswerMark(filter) ? marks[filter] : counts[filter];
}
