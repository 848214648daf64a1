"use client";

import { useEffect, useMemo, useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { densityBuckets } from "./density";
import type { Interval, TimeMap } from "./time-map";
import type { TimelineRow } from "./timeline-row";

const BUCKETS = 200;
const HEIGHT_PX = 36;

interface MinimapProps {
  rows: readonly TimelineRow[];
  domain: Interval;
  map: TimeMap;
  view: Interval;
  /** The drawn domain. */
  whole: Interval;
  onView: (view: Interval) => void;
}

/** The whole run at once: ended attempts a bucket, failures on top, the window over it. Its table twin stands below the timeline. */
export function Minimap({ rows, domain, map, view, whole, onView }: MinimapProps) {
  const { t } = useI18n();
  const canvas = useRef<HTMLCanvasElement>(null);
  const buckets = useMemo(() => densityBuckets(rows, domain, BUCKETS, map), [rows, domain, map]);
  // A canvas is painted, not rendered.
  useEffect(() => {
    const element = canvas.current;
    const paint = element?.getContext("2d");
    if (!element || !paint) return;
    const style = getComputedStyle(element);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const ratio = window.devicePixelRatio || 1;
    element.width = element.clientWidth * ratio;
    element.height = HEIGHT_PX * ratio;
    const highest = Math.max(1, ...buckets.map((bucket) => bucket.succeeded + bucket.failed + bucket.other));
    const step = element.width / BUCKETS;
    buckets.forEach((bucket, at) => {
      let bottom = element.height;
      for (const [count, name] of [
        [bucket.succeeded, "--success-mark"],
        [bucket.other, "--cancelled-mark"],
        [bucket.failed, "--danger-mark"],
      ] as const) {
        // Nothing that happened is invisible.
        const height = count === 0 ? 0 : Math.max(2 * ratio, (count / highest) * element.height);
        paint.fillStyle = colour(name);
        paint.fillRect(at * step, bottom - height, Math.max(1, step - 1), height);
        bottom -= height;
      }
    });
  }, [buckets]);
  const length = Math.max(1, whole.to - whole.from);
  const left = Math.max(0, ((view.from - whole.from) / length) * 100);
  const right = Math.min(100, ((view.to - whole.from) / length) * 100);
  const move = (clientX: number, element: HTMLElement) => {
    const bounds = element.getBoundingClientRect();
    const centre = whole.from + ((clientX - bounds.left) / Math.max(1, bounds.width)) * length;
    const half = (view.to - view.from) / 2;
    onView({ from: centre - half, to: centre + half });
  };
  return (
    <div
      title={t("timeline.minimap")}
      aria-hidden
      className="relative cursor-grab touch-none select-none"
      style={{ height: HEIGHT_PX }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        move(event.clientX, event.currentTarget);
      }}
      onPointerMove={(event) => event.buttons > 0 && move(event.clientX, event.currentTarget)}
    >
      <canvas ref={canvas} className="block h-full w-full" />
      <span
        className="pointer-events-none absolute inset-y-0 border-accent border-x-2 bg-accent-soft opacity-50"
        style={{ left: `${left}%`, width: `${Math.max(0.5, right - left)}%` }}
      />
    </div>
  );
}
