import type { Interval, TimeMap } from "./time-map";

export interface AxisTick {
  x: number;
  /** Milliseconds since the run's origin. */
  offsetMs: number;
}

/** A shortened idle stretch on the axis. */
export interface AxisGap {
  x: number;
  width: number;
  skippedMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Room for the words of a tick. */
export const LEAST_TICK_PX = 90;
/** Steps that people read without counting. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * DAY),
];

/** The step between two ticks that leaves at least `leastPx` between them. */
export function tickStep(lengthMs: number, width: number, leastPx: number): number {
  const wanted = (lengthMs / Math.max(width, 1)) * leastPx;
  return STEPS.find((step) => step >= wanted) ?? Math.ceil(wanted / DAY) * DAY;
}

/** Ticks inside the box, at round offsets from `origin`; inside a shortened gap there are none. */
export function axisTicks(view: Interval, width: number, origin: number, map: TimeMap, leastPx = LEAST_TICK_PX): AxisTick[] {
  const length = view.to - view.from;
  if (!(length > 0) || !(width > 0)) return [];
  const step = tickStep(length, width, leastPx);
  const ticks: AxisTick[] = [];
  let skipTo = Number.NEGATIVE_INFINITY;
  const lastReal = map.toReal(view.to);
  let offset = Math.ceil((map.toReal(view.from) - origin) / step) * step;
  while (origin + offset <= lastReal) {
    const time = origin + offset;
    const gap = map.gaps.find((each) => time > each.from && time < each.to);
    if (gap) {
      offset = Math.max(offset + step, Math.ceil((gap.to - origin) / step) * step);
      continue;
    }
    const x = ((map.toDrawn(time) - view.from) / length) * width;
    if (x >= skipTo && x <= width) {
      ticks.push({ x, offsetMs: offset });
      skipTo = x + leastPx * 0.8;
    }
    offset += step;
  }
  return ticks;
}

/** The shortened gaps that are in view, with how much time each leaves out. */
export function axisGaps(view: Interval, width: number, map: TimeMap): AxisGap[] {
  const length = view.to - view.from;
  if (!(length > 0) || !(width > 0)) return [];
  return map.gaps.flatMap((each) => {
    const left = Math.max(0, ((map.toDrawn(each.from) - view.from) / length) * width);
    const right = Math.min(width, ((map.toDrawn(each.to) - view.from) / length) * width);
    return right > left ? [{ x: left, width: right - left, skippedMs: each.to - each.from }] : [];
  });
}

/**
 * What stands at a tick. `formatDuration` drops what is small beside the rest; where neighbours would then read the same, a tick
 * says what it adds ("+850 ms") and the first one in view also to what.
 */
export function tickLabel(
  offsetMs: number,
  stepMs: number,
  isFirst: boolean,
  formatDuration: (milliseconds: number) => string,
): string {
  const base = labelBase(offsetMs, stepMs);
  const rest = base === 0 ? 0 : offsetMs % base;
  if (rest === 0 || offsetMs < base) return formatDuration(offsetMs);
  const added = `+${formatDuration(rest)}`;
  if (!isFirst) return added;
  const whole = offsetMs - rest;
  if (base !== SECOND || whole < HOUR) return `${formatDuration(whole)} ${added}`;
  return `${formatDuration(whole - (whole % MINUTE))} ${formatDuration(whole % MINUTE)} ${added}`;
}

/** The unit that a duration's words still name at this length, where the step is smaller than it; 0 where they name the step. */
function labelBase(offsetMs: number, stepMs: number): number {
  if (stepMs < SECOND) return SECOND;
  if (stepMs < MINUTE && offsetMs >= HOUR) return MINUTE;
  return stepMs < HOUR && offsetMs >= DAY ? HOUR : 0;
}
