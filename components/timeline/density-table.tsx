"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { densityBuckets, inFlight, inFlightColumns } from "./density";
import type { Interval, TimeMap } from "./time-map";
import type { TimelineRow } from "./timeline-row";

const ROWS = 12;

interface DensityTableProps {
  rows: readonly TimelineRow[];
  domain: Interval;
  map: TimeMap;
  now: number;
}

/** What the overview and the lane draw, in numbers. */
export function DensityTable({ rows, domain, map, now }: DensityTableProps) {
  const { t, formatClock, formatNumber } = useI18n();
  const buckets = densityBuckets(rows, domain, ROWS, map);
  const drawn = { from: map.toDrawn(domain.from), to: map.toDrawn(domain.to) };
  const flight = inFlightColumns(inFlight(rows, now), drawn, ROWS, map);
  const cell = "px-3 py-1 text-right tabular-nums";
  return (
    <details className="text-xs">
      <summary className="w-fit cursor-pointer rounded-sm text-ink-soft">{t("timeline.table")}</summary>
      <table className="mt-2 rounded-md border border-line bg-surface">
        <thead className="text-ink-faint">
          <tr>
            <th className="px-3 py-1 text-left font-normal">{t("timeline.table.time")}</th>
            <th className="px-3 py-1 font-normal">{t("timeline.table.succeeded")}</th>
            <th className="px-3 py-1 font-normal">{t("timeline.table.failed")}</th>
            <th className="px-3 py-1 font-normal">{t("timeline.table.other")}</th>
            <th className="px-3 py-1 font-normal">{t("timeline.table.inFlight")}</th>
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket, at) => (
            <tr key={bucket.from} className="border-line border-t">
              <td className="px-3 py-1 tabular-nums">
                {t("timeline.window", { from: formatClock(bucket.from), to: formatClock(bucket.to) })}
              </td>
              <td className={cell}>{formatNumber(bucket.succeeded)}</td>
              <td className={cell}>{formatNumber(bucket.failed)}</td>
              <td className={cell}>{formatNumber(bucket.other)}</td>
              <td className={cell}>{formatNumber(flight[at] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
