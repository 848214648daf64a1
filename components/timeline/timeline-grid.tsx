"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useMediaQuery } from "@/components/ui/use-media-query";
import { axisGaps, axisTicks } from "./axis";
import { layoutRows } from "./layout";
import type { TimeMap } from "./time-map";
import { TimelineBars } from "./timeline-bars";
import type { TimelineRow } from "./timeline-row";
import type { TimelineView } from "./use-timeline-view";
import { ZOOM_STEP } from "./view";

const MOUSE_ROW_PX = 26;
const TOUCH_ROW_PX = 44;
const OVERSCAN = 8;
const NAME_PX = 72;
/** Below this the name stands above the bar. */
const STACKED = "(max-width: 480px)";

interface TimelineGridProps {
  runId: string;
  rows: readonly TimelineRow[];
  view: TimelineView;
  map: TimeMap;
  /** The run's beginning: offsets on the axis count from here. */
  origin: number;
  now: number;
  showWaiting: boolean;
  live: boolean;
}

/** Rows over time. Only rows on the screen are laid out and mounted; the bars' column is measured, not guessed. */
export function TimelineGrid({ runId, rows, view, map, origin, now, showWaiting, live }: TimelineGridProps) {
  const { t, formatDuration } = useI18n();
  const router = useRouter();
  const scroller = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [current, setCurrent] = useState(0);
  const stacked = useMediaQuery(STACKED);
  const touch = useMediaQuery("(pointer: coarse)");
  const rowPx = stacked || touch ? TOUCH_ROW_PX : MOUSE_ROW_PX;
  const namePx = stacked ? 0 : NAME_PX;
  // The inside of the scroll element is what bars are laid out in: borders and the scrollbar are not part of it.
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(0, element.clientWidth - namePx)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [namePx]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const visible = items.flatMap((item) => rows[item.index] ?? []);
  const box = { width };
  const laid = layoutRows({ rows: visible, view: view.view, box, map, now, showWaiting });
  const length = view.view.to - view.view.from;
  const nowX = live ? ((map.toDrawn(now) - view.view.from) / length) * width : null;

  // React's wheel listeners are passive: zooming has to keep the page from zooming.
  const zoom = view.zoom;
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const left = element.getBoundingClientRect().left + namePx;
      zoom(
        event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP,
        Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, element.clientWidth - namePx))),
      );
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [zoom, namePx]);

  const focusRow = (index: number) => {
    const target = Math.min(Math.max(index, 0), rows.length - 1);
    setCurrent(target);
    virtual.scrollToIndex(target);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${target}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      focusRow(current + step);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      focusRow(event.key === "Home" ? 0 : rows.length - 1);
    }
  };
  const drag = useRef<{ x: number; from: number } | null>(null);
  return (
    <div>
      <div
        aria-hidden
        className="relative h-6 overflow-hidden border-line border-y text-2xs text-ink-faint"
        style={{ marginLeft: namePx }}
      >
        {axisGaps(view.view, width, map).map((gap) => (
          <span
            key={gap.x}
            title={t("timeline.skipped", { duration: formatDuration(gap.skippedMs) })}
            className="pattern-dotted tone-neutral absolute inset-y-0"
            style={{ left: gap.x, width: Math.max(2, gap.width) }}
          />
        ))}
        {axisTicks(view.view, width, origin, map).map((tick) => (
          <span
            key={tick.offsetMs}
            className="absolute inset-y-0 border-line border-l pl-1 tabular-nums"
            style={{ left: tick.x }}
          >
            {formatDuration(tick.offsetMs)}
          </span>
        ))}
      </div>
      <div
        ref={scroller}
        role="grid"
        aria-label={t("timeline.grid")}
        aria-rowcount={rows.length}
        className="relative max-h-[60vh] overflow-y-auto overflow-x-hidden"
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.pointerType === "mouse" && event.button === 0) drag.current = { x: event.clientX, from: view.view.from };
        }}
        onPointerMove={(event) => {
          if (drag.current === null || event.buttons === 0) return;
          const moved = ((drag.current.x - event.clientX) / Math.max(1, width)) * length;
          if (moved !== 0) view.setView({ from: drag.current.from + moved, to: drag.current.from + moved + length });
        }}
        onPointerUp={() => {
          drag.current = null;
        }}
      >
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map((item, at) => {
            const row = laid[at];
            if (row === undefined) return null;
            return (
              <TimelineBars
                key={row.row.index}
                laid={row}
                place={item.index}
                top={item.start}
                height={rowPx}
                nameWidth={namePx}
                focusable={item.index === current}
                now={now}
                onFocus={() => setCurrent(item.index)}
                onOpen={() => router.push(paths.chunk(runId, row.row.index))}
              />
            );
          })}
          {nowX !== null && nowX >= 0 && nowX <= width && (
            <span
              aria-hidden
              className="tone-active pointer-events-none absolute inset-y-0 w-px bg-tone-mark"
              style={{ left: namePx + nowX }}
            />
          )}
        </div>
      </div>
    </div>
  );
}
