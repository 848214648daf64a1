import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { AttemptStatus } from "@/server/runs/run-state.rules";
import { type Span, type SpanKind, spansOf } from "./spans";
import type { Interval, TimeMap } from "./time-map";
import type { TimelineRow } from "./timeline-row";

/** A span that is shorter than this on the screen is drawn this wide: nothing that happened is invisible. */
export const SHORTEST_BAR_PX = 2;

/** The measured inside of the scroll element's bar column. */
export interface Box {
  width: number;
}

export interface LaidSegment {
  key: string;
  kind: SpanKind;
  outcome: AttemptStatus | null;
  attempt: number | null;
  /** Pixels from the left of the box; `x >= 0` and `x + width <= box.width`. */
  x: number;
  width: number;
  open: boolean;
  /** Real length, for the tooltip. */
  durationMs: number;
}

export interface LaidCap {
  attempt: number;
  outcome: AttemptStatus;
  failureKind: FailureKind | null;
  /** Where the bar ends. */
  x: number;
  /** Free pixels to the right of `x` until the next attempt or the edge: the label of a failure gets no more. */
  room: number;
}

/** A countdown: the backoff of a queued chunk that has not run out. */
export interface LaidCountdown {
  x: number;
  width: number;
  dueAt: number;
}

export interface LaidRow {
  row: TimelineRow;
  segments: LaidSegment[];
  caps: LaidCap[];
  countdown: LaidCountdown | null;
}

export interface LayoutInput {
  rows: readonly TimelineRow[];
  /** In drawn time. */
  view: Interval;
  box: Box;
  map: TimeMap;
  now: number;
  showWaiting: boolean;
}

/**
 * Places the spans of the given rows (those on the screen, never all) in the box. Pure and total: everything is inside
 * the box, nothing is NaN, an empty box or view gives rows without segments.
 */
export function layoutRows(input: LayoutInput): LaidRow[] {
  return input.rows.map((row) => layoutRow(row, input));
}

function layoutRow(row: TimelineRow, { view, box, map, now, showWaiting }: LayoutInput): LaidRow {
  const laid: LaidRow = { row, segments: [], caps: [], countdown: null };
  const length = view.to - view.from;
  if (!(length > 0) || !(box.width > 0)) return laid;
  const xOf = (time: number) => ((map.toDrawn(time) - view.from) / length) * box.width;
  const spans = mergeWaiting(spansOf(row, now));

  spans.forEach((span, position) => {
    const from = xOf(span.from);
    const to = xOf(span.to);
    if (to < 0 || from > box.width) return;
    if (showWaiting || span.kind !== "waiting") laid.segments.push(place(span, position, from, to, box.width));
    if (span.cap && span.attempt !== null && span.outcome !== null && to <= box.width) {
      laid.caps.push({
        attempt: span.attempt,
        outcome: span.outcome,
        failureKind: span.failureKind,
        x: to,
        room: roomAfter(spans, position, to, xOf, box.width),
      });
    }
    if (span.kind === "backoff" && span.open && row.dueAt !== null) {
      const x = Math.max(0, from);
      laid.countdown = { x, width: Math.min(box.width, to) - x, dueAt: row.dueAt };
    }
  });
  return laid;
}

/** Waiting to be claimed and waiting for a slot are one wait to the eye: one bar. */
function mergeWaiting(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (span.kind === "waiting" && last?.kind === "waiting" && last.to === span.from)
      merged[merged.length - 1] = { ...span, from: last.from };
    else merged.push(span);
  }
  return merged;
}

function place(span: Span, position: number, from: number, to: number, width: number): LaidSegment {
  const least = Math.min(SHORTEST_BAR_PX, width);
  const x = Math.min(Math.max(from, 0), width - least);
  const right = Math.min(Math.max(to, x + least), width);
  return {
    key: `${span.attempt ?? "gap"}-${span.kind}-${position}`,
    kind: span.kind,
    outcome: span.outcome,
    attempt: span.attempt,
    x,
    width: right - x,
    open: span.open,
    durationMs: span.to - span.from,
  };
}

/** A backoff after a failure is thin and may be written over; the next attempt's own bars may not. */
function roomAfter(spans: readonly Span[], position: number, x: number, xOf: (time: number) => number, width: number): number {
  const next = spans.slice(position + 1).find((span) => span.attempt !== null);
  return Math.max(0, Math.min(next ? xOf(next.from) : width, width) - x);
}
