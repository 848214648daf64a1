"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { isShortcutBlocked } from "@/components/ui/shortcut";
import type { Interval } from "./time-map";
import { clampView, followView, PAN_STEP, panView, wholeView, ZOOM_STEP, zoomView } from "./view";

export interface TimelineView {
  view: Interval;
  setView(view: Interval): void;
  following: boolean;
  setFollowing(following: boolean): void;
  zoom(factor: number, anchor?: number): void;
  pan(share: number): void;
  whole(): void;
}

interface Keys {
  onErrors(): void;
  onWaiting(): void;
}

/** The window over the drawn time. Untouched it shows the whole run and grows with it; followed it keeps its length and the end in sight. */
export function useTimelineView(domain: Interval, live: boolean, keys: Keys): TimelineView {
  const [chosen, setChosen] = useState<Interval | null>(null);
  const [following, setFollowing] = useState(false);
  const view =
    chosen === null
      ? wholeView(domain)
      : following && live
        ? followView(domain, chosen.to - chosen.from)
        : clampView(chosen, domain);
  const now = useRef({ view, domain });
  now.current = { view, domain };
  const zoom = useCallback(
    (factor: number, anchor = 0.5) => setChosen(zoomView(now.current.view, factor, anchor, now.current.domain)),
    [],
  );
  const pan = useCallback((share: number) => {
    setFollowing(false);
    setChosen(panView(now.current.view, share, now.current.domain));
  }, []);
  const whole = useCallback(() => {
    setFollowing(false);
    setChosen(null);
  }, []);
  const { onErrors, onWaiting } = keys;
  // Keys of the page, while nobody types.
  useEffect(() => {
    const actions: Record<string, () => void> = {
      w: () => zoom(ZOOM_STEP),
      s: () => zoom(1 / ZOOM_STEP),
      a: () => pan(-PAN_STEP),
      d: () => pan(PAN_STEP),
      f: whole,
      "0": whole,
      l: () => {
        setChosen((view) => view ?? now.current.view);
        setFollowing((on) => !on);
      },
      e: onErrors,
      q: onWaiting,
    };
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcutBlocked(event)) actions[event.key]?.();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [zoom, pan, whole, onErrors, onWaiting]);
  return {
    view,
    setView: (next) => setChosen(clampView(next, domain)),
    following: following && live,
    setFollowing,
    zoom,
    pan,
    whole,
  };
}
