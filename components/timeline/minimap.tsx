"use client";

import { type PointerEvent, useEffect, useMemo, useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { densityBuckets } from "./density";
import { type MinimapColours, paintMinimap } from "./minimap-paint";
import type { Interval, TimeMap } from "./time-map";
import type { TimelineRow } from "./timeline-row";
import type { TimelineView } from "./use-timeline-view";
import { wholeView } from "./view";

const BUCKETS = 240;
const HEIGHT_PX = 36;
/** Less than this is a press, not a selection. */
const SELECT_PX = 4;

interface MinimapProps {
  rows: readonly TimelineRow[];
  /** In real time. */
  domain: Interval;
  map: TimeMap;
  view: TimelineView;
  width: number;
  inset: number;
}

/** What the pointer holds: the window by a point of it, or the place where a new window begins. Drawn time. */
type Grip = { kind: "window"; offset: number } | { kind: "selection"; from: number; x: number };

/** The whole run at once: ended attempts a bucket, failures on top, the window over it. Its table twin stands below the timeline. */
export function Minimap({ rows, domain, map, view, width, inset }: MinimapProps) {
  const { t } = useI18n();
  const canvas = useRef<HTMLCanvasElement>(null);
  const grip = useRef<Grip | null>(null);
  const whole = wholeView(view.domain);
  const length = whole.to - whole.from;
  const buckets = useMemo(() => densityBuckets(rows, domain, BUCKETS, map), [rows, domain, map]);
  const drawnShare = (view.domain.to - view.domain.from) / length;

  // A canvas is painted, not rendered; its colours follow the theme, which is a class on the document.
  useEffect(() => {
    const element = canvas.current;
    if (element === null || width === 0) return;
    const paint = () => paintMinimap(element, buckets, { width: width * drawnShare, height: HEIGHT_PX }, coloursOf(element));
    paint();
    const observer = new MutationObserver(paint);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["class", "style", "data-theme"] });
    return () => observer.disconnect();
  }, [buckets, width, drawnShare]);

  const timeAt = (event: PointerEvent<HTMLElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    return whole.from + ((event.clientX - left) / Math.max(1, width)) * length;
  };
  const moveWindow = (from: number) => view.setView({ from, to: from + view.view.to - view.view.from });
  const isWhole = view.view.to - view.view.from >= length * 0.999;
  const leftShare = ((view.view.from - whole.from) / length) * 100;
  const widthShare = ((view.view.to - view.view.from) / length) * 100;
  return (
    <div className="flex" aria-hidden>
      {inset > 0 && (
        <span className="flex shrink-0 items-center px-2 text-2xs text-ink-faint" style={{ width: inset }}>
          {t("timeline.overview")}
        </span>
      )}
      <div
        title={t("timeline.minimap")}
        className="relative cursor-crosshair touch-none select-none overflow-hidden"
        style={{ height: HEIGHT_PX, width }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const time = timeAt(event);
          const isInside = !isWhole && time >= view.view.from && time <= view.view.to;
          grip.current = isInside
            ? { kind: "window", offset: time - view.view.from }
            : { kind: "selection", from: time, x: event.clientX };
        }}
        onPointerMove={(event) => {
          const held = grip.current;
          if (held === null) return;
          const time = timeAt(event);
          if (held.kind === "window") moveWindow(time - held.offset);
          else if (Math.abs(event.clientX - held.x) >= SELECT_PX)
            view.setView({ from: Math.min(held.from, time), to: Math.max(held.from, time) });
        }}
        onPointerUp={(event) => {
          const held = grip.current;
          grip.current = null;
          if (held?.kind === "selection" && Math.abs(event.clientX - held.x) < SELECT_PX && !isWhole)
            moveWindow(held.from - (view.view.to - view.view.from) / 2);
        }}
        onPointerCancel={() => {
          grip.current = null;
        }}
      >
        <canvas ref={canvas} className="block" />
        {!isWhole && (
          <span
            className="absolute inset-y-0 min-w-1 cursor-grab border-accent border-x-2 bg-accent/15"
            style={{ left: `${leftShare}%`, width: `${widthShare}%` }}
          />
        )}
      </div>
    </div>
  );
}

function coloursOf(element: HTMLElement): MinimapColours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return { succeeded: colour("--success-mark"), other: colour("--cancelled-mark"), failed: colour("--danger-mark") };
}
