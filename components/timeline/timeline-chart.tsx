"use client";

import { parseAsBoolean, useQueryStates } from "nuqs";
import { useMemo, useRef, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { useMediaQuery } from "@/components/ui/use-media-query";
import type { RunSummary } from "@/server/runs/run.schema";
import { isResting } from "@/server/runs/run-state.rules";
import { timeDomain, workExtent } from "./density";
import { DensityTable } from "./density-table";
import { Minimap } from "./minimap";
import { SlotsLane } from "./slots-lane";
import { TimeAxis } from "./time-axis";
import { busyIntervals, compressIdle, type Interval, idleShare, idleWorthLeaving, REAL_TIME } from "./time-map";
import { type ShownRows, TimelineGrid } from "./timeline-grid";
import { TimelineLegend } from "./timeline-legend";
import { hasFailure, type TimelineRow } from "./timeline-row";
import { TimelineToolbar } from "./timeline-toolbar";
import { useTimelineKeys, useTimelineView } from "./use-timeline-view";
import { fitView } from "./view";

const TICK_MS = 1_000;
const MOUSE_ROW_PX = 26;
const TOUCH_ROW_PX = 44;
const NAME_PX = 72;
/** Below this the name stands above the bar. */
const STACKED = "(max-width: 480px)";

const TOGGLES = {
  errors: parseAsBoolean.withDefault(false),
  waiting: parseAsBoolean.withDefault(true),
  compress: parseAsBoolean.withDefault(false),
};

interface TimelineChartProps {
  run: RunSummary;
  /** The chunks that are loaded, in order of index. */
  rows: readonly TimelineRow[];
}

export function TimelineChart({ run, rows }: TimelineChartProps) {
  const { t, formatNumber } = useI18n();
  const resting = isResting(run.status);
  const ticking = useNow(TICK_MS);
  const endedAt = run.endedAt === null ? null : Date.parse(run.endedAt);
  const settledAt = endedAt ?? Date.parse(run.updatedAt);
  // A run at rest does not move: its time stands still, and nothing is laid out again.
  const now = resting ? settledAt : Math.max(ticking ?? settledAt, settledAt);
  const createdAt = Date.parse(run.createdAt);
  const [toggles, setToggles] = useQueryStates(TOGGLES, { history: "replace" });
  const [width, setWidth] = useState(0);
  const isStacked = useMediaQuery(STACKED);
  const isTouch = useMediaQuery("(pointer: coarse)");
  const column = { rowPx: isStacked || isTouch ? TOUCH_ROW_PX : MOUSE_ROW_PX, namePx: isStacked ? 0 : NAME_PX, width };

  const domain = useMemo<Interval>(
    () => timeDomain(rows, { createdAt, endedAt, resting }, now),
    [rows, createdAt, endedAt, resting, now],
  );
  const busy = useMemo(() => busyIntervals(rows, now), [rows, now]);
  const map = useMemo(() => (toggles.compress ? compressIdle(busy, domain) : REAL_TIME), [toggles.compress, busy, domain]);
  const drawn = useMemo<Interval>(() => ({ from: map.toDrawn(domain.from), to: map.toDrawn(domain.to) }), [map, domain]);
  const filtered = useMemo(() => (toggles.errors ? rows.filter(hasFailure) : rows), [rows, toggles.errors]);

  const view = useTimelineView(drawn, !resting);
  const shown = useRef<ShownRows>({ onScreen: [], current: null });
  /** The rows on the screen; where they already fill the view, the row that has the focus. */
  const fit = () => {
    const { onScreen, current } = shown.current;
    const viewOf = (some: readonly TimelineRow[]) => {
      const extent = workExtent(some, now);
      return extent && fitView({ from: map.toDrawn(extent.from), to: map.toDrawn(extent.to) }, drawn);
    };
    const all = viewOf(onScreen);
    const isFitted = all !== null && all.from === view.view.from && all.to === view.view.to;
    const next = isFitted && current !== null ? viewOf([current]) : all;
    if (next !== null) view.setView(next);
  };
  useTimelineKeys(view, {
    onFit: fit,
    onErrors: () => void setToggles({ errors: !toggles.errors }),
    onWaiting: () => void setToggles({ waiting: !toggles.waiting }),
  });
  const share = idleShare(busy, domain);
  // What is on can always be switched off.
  const idle =
    idleWorthLeaving(busy, domain) ?? (toggles.compress ? { share, lengthMs: share * (domain.to - domain.from) } : null);
  const strip = { width, inset: column.namePx };
  const counts = { loaded: formatNumber(rows.length), total: formatNumber(run.counts.total) };
  return (
    <>
      <TimelineToolbar
        view={view}
        isResting={resting}
        toggles={toggles}
        onToggle={(next) => void setToggles(next)}
        onFit={fit}
        idle={idle}
      >
        {rows.length < run.counts.total
          ? t("timeline.loaded", counts)
          : t("timeline.shown", { shown: formatNumber(filtered.length), total: counts.total })}
      </TimelineToolbar>
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-panel">
        <Minimap rows={rows} domain={domain} map={map} view={view} {...strip} />
        <SlotsLane rows={rows} map={map} view={view.view} now={now} {...strip} />
        <TimeAxis view={view.view} map={map} origin={createdAt} {...strip} />
        <TimelineGrid
          runId={run.id}
          rows={filtered}
          view={view}
          map={map}
          now={now}
          showWaiting={toggles.waiting}
          isLive={!resting}
          column={column}
          onWidth={setWidth}
          shown={shown}
        />
      </div>
      <TimelineLegend />
      <DensityTable rows={rows} domain={domain} map={map} now={now} />
    </>
  );
}
