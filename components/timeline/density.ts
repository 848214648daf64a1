import type { Interval, TimeMap } from "./time-map";
import type { TimelineRow } from "./timeline-row";

/** Attempts in flight as steps: from `times[i]` on, `counts[i]` requests were out. Sorted by time. */
export interface InFlight {
  times: readonly number[];
  counts: readonly number[];
  /** Highest count. */
  peak: number;
}

/** Counts requests that were sent and not answered (from startedAt; waiting for a slot is not in flight). */
export function inFlight(rows: readonly TimelineRow[], now: number): InFlight {
  const edges: [number, number][] = [];
  for (const row of rows) {
    for (const attempt of row.attempts) {
      if (attempt.startedAt === null) continue;
      const end = attempt.endedAt ?? now;
      // Of no length: never in flight with another, and its end would sort before its start.
      if (end <= attempt.startedAt) continue;
      edges.push([attempt.startedAt, 1], [end, -1]);
    }
  }
  // At the same instant an end comes first: a slot that is handed on is one slot.
  edges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const times: number[] = [];
  const counts: number[] = [];
  let current = 0;
  let peak = 0;
  for (const [time, change] of edges) {
    current += change;
    peak = Math.max(peak, current);
    if (times.at(-1) === time) counts[counts.length - 1] = current;
    else {
      times.push(time);
      counts.push(current);
    }
  }
  return { times, counts, peak };
}

/** The highest count in each of `columns` equal parts of the view. */
export function inFlightColumns(steps: InFlight, view: Interval, columns: number, map: TimeMap): number[] {
  const result = new Array<number>(Math.max(0, columns)).fill(0);
  const length = view.to - view.from;
  if (columns <= 0 || !(length > 0)) return result;
  for (let step = 0; step < steps.times.length; step++) {
    const count = steps.counts[step] ?? 0;
    if (count === 0) continue;
    const from = ((map.toDrawn(steps.times[step] ?? 0) - view.from) / length) * columns;
    const to = ((map.toDrawn(steps.times[step + 1] ?? steps.times[step] ?? 0) - view.from) / length) * columns;
    if (to <= 0) continue;
    if (from >= columns) break;
    // The end is exclusive: a step that ends on a column's edge is not in that column.
    const firstColumn = Math.max(0, Math.floor(from));
    const lastColumn = Math.min(columns - 1, Math.max(firstColumn, Math.ceil(to) - 1));
    for (let column = firstColumn; column <= lastColumn; column++) {
      result[column] = Math.max(result[column] ?? 0, count);
    }
  }
  return result;
}

export interface DensityBucket {
  from: number;
  to: number;
  /** Attempts that ended inside, by how. */
  succeeded: number;
  failed: number;
  other: number;
}

/** Ended attempts in `count` equal parts of the drawn domain: the minimap and its table. */
export function densityBuckets(rows: readonly TimelineRow[], domain: Interval, count: number, map: TimeMap): DensityBucket[] {
  const from = map.toDrawn(domain.from);
  const length = map.toDrawn(domain.to) - from;
  const buckets = Array.from({ length: Math.max(0, count) }, (_, place): DensityBucket => {
    return {
      from: map.toReal(from + (length * place) / count),
      to: map.toReal(from + (length * (place + 1)) / count),
      succeeded: 0,
      failed: 0,
      other: 0,
    };
  });
  if (!(length > 0)) return buckets;
  for (const row of rows) {
    for (const attempt of row.attempts) {
      if (attempt.endedAt === null) continue;
      const place = Math.floor(((map.toDrawn(attempt.endedAt) - from) / length) * count);
      const bucket = buckets[Math.min(Math.max(place, 0), count - 1)];
      if (!bucket) continue;
      if (attempt.status === "succeeded") bucket.succeeded += 1;
      else if (attempt.status === "failed" || attempt.status === "abandoned") bucket.failed += 1;
      else bucket.other += 1;
    }
  }
  return buckets;
}

/** From the first claim (or the run's start, which is earlier) to the last end or, while it runs, now. Never empty. */
export function timeDomain(
  rows: readonly TimelineRow[],
  run: { createdAt: number; endedAt: number | null; resting: boolean },
  now: number,
): Interval {
  let from = run.createdAt;
  let to = run.endedAt ?? run.createdAt;
  for (const row of rows) {
    const first = row.attempts[0];
    if (first) from = Math.min(from, first.claimedAt);
    const last = row.attempts.at(-1);
    if (last) to = Math.max(to, last.endedAt ?? last.claimedAt);
  }
  if (!run.resting) to = Math.max(to, now);
  return { from, to: Math.max(to, from + 1) };
}

/** From the first request to the last end of the given rows, without the wait before it; null when none was sent. */
export function workExtent(rows: readonly TimelineRow[], now: number): Interval | null {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    for (const attempt of row.attempts) {
      from = Math.min(from, attempt.startedAt ?? attempt.claimedAt);
      to = Math.max(to, attempt.endedAt ?? now);
    }
  }
  return to >= from ? { from, to } : null;
}
