"use client";

import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { layoutRows } from "./layout";
import type { TimeMap } from "./time-map";
import { TimelineBars } from "./timeline-bars";
import type { TimelineRow } from "./timeline-row";
import { useBarGestures } from "./use-bar-gestures";
import type { TimelineView } from "./use-timeline-view";

const OVERSCAN = 6;
const PAGE_OF_ROWS = 10;

/** What the grid shows now; "fit" asks for it. */
export interface ShownRows {
  onScreen: readonly TimelineRow[];
  current: TimelineRow | null;
}

export interface BarColumn {
  /** Height of a row. */
  rowPx: number;
  /** Width of the names' column; 0: names stand above the bars. */
  namePx: number;
  /** Measured width of the bars' column. */
  width: number;
}

interface TimelineGridProps {
  runId: string;
  rows: readonly TimelineRow[];
  view: TimelineView;
  map: TimeMap;
  now: number;
  showWaiting: boolean;
  isLive: boolean;
  column: BarColumn;
  /** The inside of the scroll element is what bars are laid out in: borders and the scrollbar are not part of it. */
  onWidth: (width: number) => void;
  shown: RefObject<ShownRows>;
}

/** Rows over time. Only rows on the screen are laid out and mounted, and the one that has the focus. */
export function TimelineGrid({ runId, rows, view, map, now, showWaiting, isLive, column, onWidth, shown }: TimelineGridProps) {
  const { t } = useI18n();
  const router = useRouter();
  const { rowPx, namePx, width } = column;
  const scroller = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState(0);
  const current = Math.min(wanted, Math.max(0, rows.length - 1));
  const isFocusDue = useRef(false);

  // The scroll element's inner size is known to the browser alone.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => onWidth(Math.max(0, element.clientWidth - namePx));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [namePx, onWidth]);

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    useFlushSync: false,
    // The row with the focus stays mounted when it is scrolled away: focus is never lost, and Tab always finds a row.
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), current])].filter((place) => place < range.count).sort((a, b) => a - b),
  });
  // The library keeps row heights; another pointer or width changes them.
  useLayoutEffect(() => {
    if (rowPx > 0) virtual.measure();
  }, [virtual, rowPx]);

  const items = virtual.getVirtualItems();
  const mounted = items.flatMap((item) => rows[item.index] ?? []);
  const laid = layoutRows({ rows: mounted, view: view.view, box: { width }, map, now, showWaiting });
  const nowX = ((map.toDrawn(now) - view.view.from) / (view.view.to - view.view.from)) * width;
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: -1 };
  // Read by the keys of the page, when they are pressed.
  useEffect(() => {
    shown.current = { onScreen: rows.slice(startIndex, endIndex + 1), current: rows[current] ?? null };
  }, [shown, rows, startIndex, endIndex, current]);

  const focusRow = (place: number) => {
    const target = Math.min(Math.max(place, 0), rows.length - 1);
    isFocusDue.current = true;
    setWanted(target);
    virtual.scrollToIndex(target);
    if (target === current) takeFocus(scroller.current, isFocusDue, target);
  };
  // Focus can move only once the row is in the document.
  useEffect(() => takeFocus(scroller.current, isFocusDue, current), [current]);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = keyTarget(event.key, current, rows.length);
    if (target === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    focusRow(target);
  };
  const gestures = useBarGestures(scroller, { inset: namePx, width, view });
  return (
    <div ref={scroller} className="relative max-h-[60vh] min-h-24 touch-pan-y overflow-y-auto overflow-x-hidden" {...gestures}>
      {rows.length === 0 ? (
        <p className="px-4 py-6 text-ink-soft">{t("timeline.noErrors")}</p>
      ) : (
        <div role="grid" aria-label={t("timeline.grid")} aria-rowcount={rows.length} onKeyDown={onKeyDown}>
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
                  isTabStop={item.index === current}
                  now={now}
                  onFocus={() => setWanted(item.index)}
                  onOpen={() => router.push(paths.chunk(runId, row.row.index))}
                />
              );
            })}
            {isLive && nowX >= 0 && nowX <= width && (
              <span
                aria-hidden
                className="tone-active pointer-events-none absolute inset-y-0 w-px bg-tone-mark"
                style={{ left: namePx + nowX }}
              />
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** The row that a key leads to; null for a key that is not about rows. */
function keyTarget(key: string, current: number, count: number): number | null {
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: PAGE_OF_ROWS, PageUp: -PAGE_OF_ROWS };
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[key];
  return step === undefined ? null : current + step;
}

function takeFocus(scroller: HTMLElement | null, isDue: RefObject<boolean>, place: number): void {
  if (!isDue.current) return;
  isDue.current = false;
  scroller?.querySelector<HTMLElement>(`[data-row="${place}"]`)?.focus({ preventScroll: true });
}
