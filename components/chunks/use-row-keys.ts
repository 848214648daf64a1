"use client";

import { type RefObject, useEffect, useEffectEvent } from "react";
import { isShortcutBlocked } from "@/components/ui/shortcut";

/** Frames that a row which was just scrolled to may take to be mounted. */
const MOUNT_FRAMES = 10;

interface RowKeysOptions {
  count: number;
  list: RefObject<HTMLElement | null>;
  scrollTo: (position: number) => void;
  /** x was pressed on the row; with shift the range from the last one. */
  onSelect: (position: number, range: boolean) => void;
}

/** j and k move the focus between the rows' links, x selects; enter is the link's own. Rows carry `data-index`, links `data-row-link`. */
export function useRowKeys({ count, list, scrollTo, onSelect }: RowKeysOptions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if ((key !== "j" && key !== "k" && key !== "x") || count === 0 || isShortcutBlocked(event)) return;
    const focused = document.activeElement?.closest("[data-index]");
    const present =
      list.current?.contains(focused ?? null) && focused instanceof HTMLElement ? Number(focused.dataset.index) : null;
    if (key === "x") {
      if (present === null) return;
      event.preventDefault();
      onSelect(present, event.shiftKey);
      return;
    }
    event.preventDefault();
    const next = present === null ? 0 : Math.min(Math.max(present + (key === "j" ? 1 : -1), 0), count - 1);
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

/** Puts the focus on the row's link, as soon as it is there. */
export function focusRow(list: RefObject<HTMLElement | null>, position: number, framesLeft: number): void {
  const link = list.current?.querySelector(`[data-index="${position}"] [data-row-link]`);
  if (link instanceof HTMLElement) link.focus({ preventScroll: true });
  else if (framesLeft > 0) requestAnimationFrame(() => focusRow(list, position, framesLeft - 1));
}
