"use client";

import { useMemo } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { inFlight, inFlightColumns } from "./density";
import type { Interval, TimeMap } from "./time-map";
import type { TimelineRow } from "./timeline-row";

const COLUMNS = 120;
/** The tallest step leaves a little air below the strip's upper edge. */
const TALLEST = 90;

interface SlotsLaneProps {
  rows: readonly TimelineRow[];
  map: TimeMap;
  view: Interval;
  now: number;
  width: number;
  inset: number;
}

/** Requests in flight over time, so that "waiting because busy" is seen. */
export function SlotsLane({ rows, map, view, now, width, inset }: SlotsLaneProps) {
  const { t, formatNumber } = useI18n();
  const steps = useMemo(() => inFlight(rows, now), [rows, now]);
  const columns = useMemo(() => inFlightColumns(steps, view, COLUMNS, map), [steps, view, map]);
  const most = t("timeline.slotsMost", { peak: formatNumber(steps.peak) });
  return (
    <div
      role="img"
      aria-label={t("timeline.slotsText", { peak: formatNumber(steps.peak) })}
      className="relative flex h-8 border-line border-t"
    >
      {inset > 0 && (
        <span
          aria-hidden
          className="flex shrink-0 flex-col justify-center px-2 text-2xs text-ink-faint leading-3"
          style={{ width: inset }}
        >
          <span>{t("timeline.slots")}</span>
          <span className="tabular-nums">{most}</span>
        </span>
      )}
      <svg aria-hidden viewBox={`0 0 ${COLUMNS} 100`} preserveAspectRatio="none" className="tone-active h-full" style={{ width }}>
        <path d={stepsPath(columns, steps.peak)} fill="var(--tone-mark)" opacity={0.6} />
      </svg>
      {inset === 0 && (
        <span aria-hidden className="absolute top-0.5 left-1 rounded-sm bg-surface/80 px-1 text-2xs text-ink-soft tabular-nums">
          {t("timeline.slots")} · {most}
        </span>
      )}
    </div>
  );
}

/** One closed shape under the steps: single columns would show seams between them. */
function stepsPath(columns: readonly number[], peak: number): string {
  if (peak === 0) return "";
  const tops = columns.map((count, place) => {
    const y = 100 - (count / peak) * TALLEST;
    return `L${place} ${y}L${place + 1} ${y}`;
  });
  return `M0 100${tops.join("")}L${columns.length} 100Z`;
}
