import type { TimelineRow } from "./timeline-row";

/**
 * Whether a page of chunks may have changed since it was read. Chunks are claimed in order of index, so a page of chunks that
 * nobody has touched changes only after the page before it holds no such chunk any more; settled ones change only by a retry.
 *
 * `before`: the page before it, already read again; undefined for the first. `failedLeft`: failed chunks were queued again.
 */
export function mayHaveChanged(
  page: readonly TimelineRow[],
  before: readonly TimelineRow[] | undefined,
  failedLeft: boolean,
): boolean {
  if (page.every(isUntouched)) return page.length > 0 && (before === undefined || !before.some(isUntouched));
  return page.some((row) => row.status === "queued" || row.status === "running" || (failedLeft && row.status === "failed"));
}

function isUntouched(row: TimelineRow): boolean {
  return row.status === "queued" && row.attempts.length === 0;
}
