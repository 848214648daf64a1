import { parseAsStringLiteral } from "nuqs";
import { CHUNK_STATUSES, type ChunkStatus, type Counts } from "@/server/runs/run-state.rules";

/** The status in the address; null shows every chunk. */
export const CHUNK_FILTER_PARSER = parseAsStringLiteral(CHUNK_STATUSES);

/** How many chunks of the run have the status; null counts all. */
export function countOf(counts: Counts, status: ChunkStatus | null): number {
  return counts[status ?? "total"];
}
