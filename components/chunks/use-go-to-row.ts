"use client";

import { type RefObject, useEffect, useEffectEvent } from "react";
import { focusRow } from "./use-row-keys";

/** The chunk to go to; a new object for every wish, so that the same chunk can be wished for again. */
export interface GoToTarget {
  index: number;
}

/** Frames that the page of a row far away may take to be read: some seconds. */
const READ_FRAMES = 300;

/** Brings the wished chunk of the unfiltered list into the middle and puts the focus on its link. */
export function useGoToRow(
  list: RefObject<HTMLElement | null>,
  target: GoToTarget | null,
  scrollTo: (position: number, align: "center") => void,
): void {
  const go = useEffectEvent((position: number) => {
    scrollTo(position, "center");
    focusRow(list, position, READ_FRAMES);
  });
  // Scrolling and focus are the browser's. In a frame: a list that was just mounted does not know yet where it stands.
  useEffect(() => {
    if (target === null) return;
    const frame = requestAnimationFrame(() => go(target.index - 1));
    return () => cancelAnimationFrame(frame);
  }, [target]);
}
