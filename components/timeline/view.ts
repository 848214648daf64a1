import type { Interval } from "./time-map";

/** Nothing shorter is ever shown: below it a millisecond would be wider than a finger. */
export const SHORTEST_VIEW_MS = 20;
/** How much of the window one press of a or d moves. */
export const PAN_STEP = 0.2;
export const ZOOM_STEP = 1.5;
const FIT_AIR = 0.08;
/** Of the window, not of the run: the air of a long run is longer than a window. */
const FOLLOW_AIR = 0.05;
/** Two fingers nearer than this share of the width count as this far apart: a pinch never divides by nothing. */
const LEAST_SPREAD = 0.02;

/** The whole domain with a little air at the end for the caps; never empty. */
export function wholeView(domain: Interval): Interval {
  const length = Math.max(domain.to - domain.from, SHORTEST_VIEW_MS);
  return { from: domain.from, to: domain.from + length * 1.03 };
}

/** Keeps a view inside the whole of `domain` and at least the shortest length; the wished length is kept where it fits. */
export function clampView(view: Interval, domain: Interval): Interval {
  const whole = wholeView(domain);
  const wholeLength = whole.to - whole.from;
  const length = Math.min(Math.max(view.to - view.from, SHORTEST_VIEW_MS), wholeLength);
  const from = Math.min(Math.max(view.from, whole.from), whole.to - length);
  return { from, to: from + length };
}

/** Zooms by `factor` (> 1 is closer) so that the time at `anchor` (0..1 of the width) stays where it is. */
export function zoomView(view: Interval, factor: number, anchor: number, domain: Interval): Interval {
  const length = view.to - view.from;
  const whole = wholeView(domain);
  const next = Math.min(Math.max(length / factor, SHORTEST_VIEW_MS), whole.to - whole.from);
  const fixed = view.from + length * anchor;
  return clampView({ from: fixed - next * anchor, to: fixed + next * (1 - anchor) }, domain);
}

/** Moves by `share` of the window; positive is later. */
export function panView(view: Interval, share: number, domain: Interval): Interval {
  const move = (view.to - view.from) * share;
  return clampView({ from: view.from + move, to: view.to + move }, domain);
}

/** The window of a run that is followed: `length` long, with now near its right edge. */
export function followView(domain: Interval, length: number): Interval {
  const to = Math.min(domain.to + length * FOLLOW_AIR, wholeView(domain).to);
  return clampView({ from: to - length, to }, domain);
}

/** A view of just `extent`, with a little air on both sides for the caps and their words. */
export function fitView(extent: Interval, domain: Interval): Interval {
  const air = (extent.to - extent.from) * FIT_AIR;
  return clampView({ from: extent.from - air, to: extent.to + air }, domain);
}

/**
 * Keeps what was under the fingers under them: `before` and `after` are where one or two pointers stood and stand, as shares of
 * the width. One pointer moves the view, two also zoom it.
 */
export function dragView(view: Interval, before: readonly number[], after: readonly number[], domain: Interval): Interval {
  const [first = 0, second] = before;
  const [nowFirst = 0, nowSecond] = after;
  const length = view.to - view.from;
  if (second === undefined || nowSecond === undefined) {
    const move = (first - nowFirst) * length;
    return clampView({ from: view.from + move, to: view.to + move }, domain);
  }
  const whole = wholeView(domain);
  const spread = Math.max(Math.abs(nowSecond - nowFirst), LEAST_SPREAD);
  const wished = (length * Math.max(Math.abs(second - first), LEAST_SPREAD)) / spread;
  const next = Math.min(Math.max(wished, SHORTEST_VIEW_MS), whole.to - whole.from);
  const held = view.from + length * ((first + second) / 2);
  const from = held - next * ((nowFirst + nowSecond) / 2);
  return clampView({ from, to: from + next }, domain);
}
