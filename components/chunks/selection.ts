import type { ChunkSummary } from "@/server/runs/run.schema";

/** Indexes of chunks to retry. Only failed chunks are ever put in; what is retried by someone else meanwhile the server skips. */
export type Selection = ReadonlySet<number>;

export const EMPTY_SELECTION: Selection = new Set();

export function canSelect(chunk: ChunkSummary): boolean {
  return chunk.status === "failed";
}

/** With the chunk added, or taken out. */
export function toggled(selection: Selection, index: number): Selection {
  const next = new Set(selection);
  if (!next.delete(index)) next.add(index);
  return next;
}

/** With every failed chunk of `rows` from `anchor` to `target`, both inclusive, in either order. */
export function extended(selection: Selection, rows: readonly ChunkSummary[], anchor: number, target: number): Selection {
  const from = Math.min(anchor, target);
  const to = Math.max(anchor, target);
  const inside = rows.filter((row) => row.index >= from && row.index <= to && canSelect(row));
  return new Set([...selection, ...inside.map((row) => row.index)]);
}

/** All failed chunks of `rows`, or none of them when all are selected already. */
export function allToggled(selection: Selection, rows: readonly ChunkSummary[]): Selection {
  const failed = rows.filter(canSelect).map((row) => row.index);
  const next = new Set(selection);
  if (failed.every((index) => next.has(index))) for (const index of failed) next.delete(index);
  else for (const index of failed) next.add(index);
  return next;
}

/** Whether the box over the rows is ticked, half ticked, or empty. */
export function allState(selection: Selection, rows: readonly ChunkSummary[]): "all" | "some" | "none" {
  const failed = rows.filter(canSelect);
  const chosen = failed.filter((row) => selection.has(row.index)).length;
  if (chosen === 0) return "none";
  return chosen === failed.length ? "all" : "some";
}
