"use client";

import { useMemo } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { inFlight, inFlightColumns } from "./density";
import type { Interval, TimeMap } from "./time-map";
import type { TimelineRow } from "./timeline-row";

const COLUMNS = 120;

interface SlotsLaneProps {
  rows: readonly TimelineRow[];
  map: TimeMap;
  view: Interval;
  now: number;
}

/** Requests in flight over time, so that "waiting because busy" is seen. */
export function SlotsLane({ rows, map, view, now }: SlotsLaneProps) {
  const { t, formatNumber } = useI18n();
  const steps = useMemo(() => inFlight(rows, now), [rows, now]);
  const columns = inFlightColumns(steps, view, COLUMNS, map);
  return (
    <div role="img" aria-label={t("timeline.slotsText", { peak: formatNumber(steps.peak) })} className="flex h-8 items-stretch">
      <span aria-hidden className="flex w-18 shrink-0 items-center px-2 text-2xs text-ink-faint max-[480px]:hidden">
        {t("timeline.slots")}
      </span>
      <svg aria-hidden viewBox={`0 0 ${COLUMNS} 100`} preserveAspectRatio="none" className="tone-active h-full w-full min-w-0">
        {columns.map((count, at) => {
          const height = steps.peak === 0 ? 0 : (count / steps.peak) * 90;
          // biome-ignore lint/suspicious/noArrayIndexKey: columns are places.
          return <rect key={at} x={at} width={1} y={100 - height} height={height} fill="var(--tone-mark)" opacity={0.55} />;
        })}
      </svg>
    </div>
  );
}
