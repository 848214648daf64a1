"use client";

import { type RefObject, useEffect, useEffectEvent } from "react";
import { isShortcutBlocked } from "@/components/ui/shortcut";

/** Frames that a row which was just scrolled to may take to be mounted. */
const MOUNT_FRAMES = 10;

/** j and k move the focus between the rows' links; enter is then the link's own. Rows carry `data-index`, links `data-row-link`. */
export function useRowKeys(count: number, list: RefObject<HTMLElement | null>, scrollTo: (index: number) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if ((event.key !== "j" && event.key !== "k") || count === 0 || isShortcutBlocked(event)) return;
    event.preventDefault();
    const focused = document.activeElement?.closest("[data-index]");
    const present =
      list.current?.contains(focused ?? null) && focused instanceof HTMLElement ? Number(focused.dataset.index) : null;
    const next = present === null ? 0 : Math.min(Math.max(present + (event.key === "j" ? 1 : -1), 0), count - 1);
    scrollTo(next);
    focusRow(list, next, MOUNT_FRAMES);
  });
  // Keys come from the document.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

function focusRow(list: RefObject<HTMLElement | null>, index: number, framesLeft: number): void {
  const link = list.current?.querySelector(`[data-index="${index}"] [data-row-link]`);
  if (link instanceof HTMLElement) link.focus({ preventScroll: true });
  else if (framesLeft > 0) requestAnimationFrame(() => focusRow(list, index, framesLeft - 1));
}
