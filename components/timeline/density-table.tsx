"use client";

import { useState } from "react";
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

/** What the overview and the lane draw, in numbers; counted only while it is open. */
export function DensityTable(props: DensityTableProps) {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="text-xs" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm text-ink-soft touch:py-3">{t("timeline.table")}</summary>
      {isOpen && <BucketTable {...props} />}
    </details>
  );
}

function BucketTable({ rows, domain, map, now }: DensityTableProps) {
  const { t, formatClock, formatNumber } = useI18n();
  const buckets = densityBuckets(rows, domain, ROWS, map);
  const drawn = { from: map.toDrawn(domain.from), to: map.toDrawn(domain.to) };
  const flight = inFlightColumns(inFlight(rows, now), drawn, ROWS, map);
  const head = "px-3 py-1 font-normal";
  const cell = "px-3 py-1 text-right tabular-nums";
  return (
    <div className="mt-2 overflow-x-auto">
      <table className="rounded-md border border-line bg-surface">
        <caption className="sr-only">{t("timeline.table")}</caption>
        <thead className="text-ink-faint">
          <tr>
            <th scope="col" className={`${head} text-left`}>
              {t("timeline.table.time")}
            </th>
            {(["succeeded", "failed", "other", "inFlight"] as const).map((column) => (
              <th key={column} scope="col" className={head}>
                {t(`timeline.table.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket, place) => (
            <tr key={bucket.from} className="border-line border-t">
              <th scope="row" className={`${head} text-left tabular-nums`}>
                {t("timeline.window", { from: formatClock(bucket.from), to: formatClock(bucket.to) })}
              </th>
              <td className={cell}>{formatNumber(bucket.succeeded)}</td>
              <td className={cell}>{formatNumber(bucket.failed)}</td>
              <td className={cell}>{formatNumber(bucket.other)}</td>
              <td className={cell}>{formatNumber(flight[place] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
