"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { axisGaps, axisTicks, LEAST_TICK_PX, tickLabel, tickStep } from "./axis";
import type { Interval, TimeMap } from "./time-map";

/** A tick nearer to the right edge has no room for its words. */
const LABEL_PX = 44;

interface TimeAxisProps {
  view: Interval;
  map: TimeMap;
  /** The run's beginning: offsets count from here. */
  origin: number;
  width: number;
  inset: number;
}

/** Time since the run's start. Decoration for the eye: rows say their durations, the table its times. */
export function TimeAxis({ view, map, origin, width, inset }: TimeAxisProps) {
  const { t, formatDuration } = useI18n();
  const step = tickStep(view.to - view.from, width, LEAST_TICK_PX);
  return (
    <div aria-hidden className="border-line border-y">
      <div className="relative h-6 overflow-hidden text-2xs text-ink-faint" style={{ marginLeft: inset, width }}>
        {axisGaps(view, width, map).map((gap) => (
          <span
            key={gap.x}
            title={t("timeline.skipped", { duration: formatDuration(gap.skippedMs) })}
            className="tone-neutral pattern-dotted absolute inset-y-0"
            style={{ left: gap.x, width: Math.max(2, gap.width) }}
          />
        ))}
        {axisTicks(view, width, origin, map).map((tick, place) => (
          <span
            key={tick.offsetMs}
            className="absolute inset-y-0 flex items-center whitespace-nowrap border-line-strong border-l pl-1 tabular-nums"
            style={{ left: tick.x }}
          >
            {tick.x <= width - LABEL_PX && tickLabel(tick.offsetMs, step, place === 0, formatDuration)}
          </span>
        ))}
      </div>
    </div>
  );
}
