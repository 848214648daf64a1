import type { TimelineRow } from "./timeline-row";

/** A stretch of time, epoch milliseconds, `from <= to`. */
export interface Interval {
  from: number;
  to: number;
}

/**
 * Between real time and drawn time. Views and pans are in drawn milliseconds; without compression both are the same.
 * Both directions rise strictly, so a position can be turned back into a time.
 */
export interface TimeMap {
  toDrawn(time: number): number;
  toReal(drawn: number): number;
  /** The stretches that were shortened, in real time; empty without compression. */
  gaps: readonly Interval[];
}

export const REAL_TIME: TimeMap = { toDrawn: (time) => time, toReal: (drawn) => drawn, gaps: [] };

/** Merges the stretches in which an attempt was with a worker; sorted, without overlap. */
export function busyIntervals(rows: readonly TimelineRow[], now: number): Interval[] {
  const all: Interval[] = [];
  for (const row of rows) {
    for (const attempt of row.attempts)
      all.push({ from: attempt.claimedAt, to: attempt.endedAt ?? Math.max(now, attempt.claimedAt) });
  }
  all.sort((a, b) => a.from - b.from);
  const merged: Interval[] = [];
  for (const interval of all) {
    const last = merged.at(-1);
    if (last && interval.from <= last.to) last.to = Math.max(last.to, interval.to);
    else merged.push({ ...interval });
  }
  return merged;
}

/** The part of `domain` in which nothing ran, 0..1. */
export function idleShare(busy: readonly Interval[], domain: Interval): number {
  const length = domain.to - domain.from;
  if (length <= 0) return 0;
  const used = busy.reduce((sum, each) => sum + Math.max(0, Math.min(each.to, domain.to) - Math.max(each.from, domain.from)), 0);
  return Math.min(1, Math.max(0, 1 - used / length));
}

/** Idle time of less than this, or of a smaller part of the run, is not worth a control. */
const LEAST_IDLE_MS = 10_000;
const LEAST_IDLE_SHARE = 0.2;

/** The idle time of `domain` where leaving it out makes a difference; null where it makes none. */
export function idleWorthLeaving(busy: readonly Interval[], domain: Interval): { share: number; lengthMs: number } | null {
  const share = idleShare(busy, domain);
  const lengthMs = share * (domain.to - domain.from);
  return lengthMs >= LEAST_IDLE_MS && share >= LEAST_IDLE_SHARE ? { share, lengthMs } : null;
}

/** A compressed gap is drawn as long as this part of all busy time, so that it is seen but costs little. */
const GAP_SHARE = 0.03;

/** Shortens every idle stretch of `domain` that is longer than its short form would be. */
export function compressIdle(busy: readonly Interval[], domain: Interval): TimeMap {
  const busyLength = busy.reduce((sum, each) => sum + (each.to - each.from), 0);
  const short = Math.max(1, busyLength * GAP_SHARE);
  const gaps: Interval[] = [];
  let edge = domain.from;
  for (const each of [...busy, { from: domain.to, to: domain.to }]) {
    if (each.from - edge > short) gaps.push({ from: edge, to: each.from });
    edge = Math.max(edge, each.to);
  }
  if (gaps.length === 0) return REAL_TIME;

  // Anchors (real, drawn) at the edges of every gap; between two anchors the map is a straight line, outside it has slope 1.
  const real: number[] = [];
  const drawn: number[] = [];
  let saved = 0;
  for (const each of gaps) {
    real.push(each.from, each.to);
    drawn.push(each.from - saved, each.from - saved + short);
    saved += each.to - each.from - short;
  }
  return { toDrawn: (time) => interpolate(real, drawn, time), toReal: (position) => interpolate(drawn, real, position), gaps };
}

function interpolate(from: readonly number[], to: readonly number[], value: number): number {
  let low = 0;
  let high = from.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? Number.POSITIVE_INFINITY) <= value) low = middle + 1;
    else high = middle;
  }
  const leftFrom = from[low - 1];
  const leftTo = to[low - 1];
  const rightFrom = from[low];
  const rightTo = to[low];
  if (leftFrom === undefined || leftTo === undefined) return value + ((rightTo ?? 0) - (rightFrom ?? 0));
  if (rightFrom === undefined || rightTo === undefined) return leftTo + (value - leftFrom);
  return leftTo + ((value - leftFrom) / (rightFrom - leftFrom)) * (rightTo - leftTo);
}
