"use client";

import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from "react";
import type { Interval } from "./time-map";
import type { TimelineView } from "./use-timeline-view";
import { dragView, ZOOM_STEP } from "./view";

/** Less than this is a press, not a drag. */
const DRAG_PX = 4;

interface Bars {
  /** Pixels of the names' column left of the bars. */
  inset: number;
  /** Pixels of the bars' column. */
  width: number;
  view: TimelineView;
}

interface Grip {
  view: Interval;
  shares: number[];
}

/** Dragging moves the view, two fingers and ctrl-wheel zoom it, a sideways wheel moves it; a drag that ends on a row does not open it. */
export function useBarGestures(scroller: RefObject<HTMLElement | null>, { inset, width, view }: Bars) {
  const pointers = useRef(new Map<number, number>());
  const grip = useRef<Grip | null>(null);
  const isDragged = useRef(false);
  const shareOf = (clientX: number) => {
    const left = (scroller.current?.getBoundingClientRect().left ?? 0) + inset;
    return (clientX - left) / Math.max(1, width);
  };
  const takeGrip = () => {
    grip.current = pointers.current.size === 0 ? null : { view: view.view, shares: [...pointers.current.values()] };
  };

  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      view.zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, Math.min(1, Math.max(0, shareOf(event.clientX))));
      return;
    }
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (Math.abs(sideways) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
    event.preventDefault();
    view.pan(sideways / Math.max(1, width));
  });
  // React's wheel listeners are passive; this one keeps the page from zooming and the browser from going back.
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const listener = (event: WheelEvent) => onWheel(event);
    element.addEventListener("wheel", listener, { passive: false });
    return () => element.removeEventListener("wheel", listener);
  }, [scroller]);

  const release = (event: PointerEvent<HTMLElement>) => {
    pointers.current.delete(event.pointerId);
    takeGrip();
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType === "mouse" && event.button !== 0) return;
      if (pointers.current.size === 0) isDragged.current = false;
      pointers.current.set(event.pointerId, shareOf(event.clientX));
      takeGrip();
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const held = grip.current;
      if (held === null || !pointers.current.has(event.pointerId)) return;
      pointers.current.set(event.pointerId, shareOf(event.clientX));
      const shares = [...pointers.current.values()];
      const movedPx = Math.abs((shares[0] ?? 0) - (held.shares[0] ?? 0)) * width;
      if (!isDragged.current) {
        if (shares.length === 1 && movedPx < DRAG_PX) return;
        isDragged.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      view.setView(dragView(held.view, held.shares, shares, view.domain));
    },
    onPointerUp: release,
    onPointerCancel: release,
    onClickCapture: (event: MouseEvent<HTMLElement>) => {
      if (!isDragged.current) return;
      isDragged.current = false;
      event.stopPropagation();
      event.preventDefault();
    },
  };
}
