"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { isShortcutBlocked } from "@/components/ui/shortcut";
import type { Interval } from "./time-map";
import { clampView, followView, PAN_STEP, panView, wholeView, ZOOM_STEP, zoomView } from "./view";

export interface TimelineView {
  /** In drawn time, like `domain`. */
  view: Interval;
  domain: Interval;
  following: boolean;
  /** Chooses a window; what was followed is no longer. */
  setView(view: Interval): void;
  toggleFollowing(): void;
  zoom(factor: number, anchor?: number): void;
  pan(share: number): void;
  whole(): void;
}

/** The window over the drawn time. Untouched it shows the whole run and grows with it; followed it keeps its length and the end in sight. */
export function useTimelineView(domain: Interval, isLive: boolean): TimelineView {
  const [chosen, setChosen] = useState<Interval | null>(null);
  const [isFollowing, setFollowing] = useState(false);
  const following = isFollowing && isLive;
  const view = viewOf(chosen, following, domain);

  const setView = (next: Interval) => {
    setFollowing(false);
    setChosen(clampView(next, domain));
  };
  return {
    view,
    domain,
    following,
    setView,
    toggleFollowing: () => {
      setChosen(view);
      setFollowing(isLive && !following);
    },
    // While the end is followed, zooming keeps it in sight.
    zoom: (factor, anchor = following ? 1 : 0.5) =>
      setChosen((now) => zoomView(viewOf(now, following, domain), factor, anchor, domain)),
    pan: (share) => {
      setFollowing(false);
      setChosen((now) => panView(viewOf(now, following, domain), share, domain));
    },
    whole: () => {
      setFollowing(false);
      setChosen(null);
    },
  };
}

function viewOf(chosen: Interval | null, following: boolean, domain: Interval): Interval {
  if (chosen === null) return wholeView(domain);
  return following ? followView(domain, chosen.to - chosen.from) : clampView(chosen, domain);
}

interface KeyActions {
  onFit: () => void;
  onErrors: () => void;
  onWaiting: () => void;
}

/** The timeline's keys, anywhere on the page while nobody types. */
export function useTimelineKeys(view: TimelineView, { onFit, onErrors, onWaiting }: KeyActions): void {
  const press = useEffectEvent((key: string) => {
    const actions: Record<string, () => void> = {
      w: () => view.zoom(ZOOM_STEP),
      s: () => view.zoom(1 / ZOOM_STEP),
      a: () => view.pan(-PAN_STEP),
      d: () => view.pan(PAN_STEP),
      f: onFit,
      "0": view.whole,
      l: view.toggleFollowing,
      e: onErrors,
      q: onWaiting,
    };
    actions[key]?.();
  });
  // The keyboard is outside React.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcutBlocked(event)) press(event.key);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
