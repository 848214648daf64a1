"use client";

import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";

/** So near to the end counts as at the end. */
const AT_END_PX = 24;

interface ScrollHold {
  /** The list's items; a new array after every change. */
  items: readonly { seq: number }[];
  /** Whether a list at its end stays there. */
  follow: boolean;
  /** The row to bring into view when it changes; the next one where it is not in the list. */
  marked: number | null;
}

export const eventRowId = (seq: number) => `event-${seq}`;

/**
 * Keeps the row that is read where it is while rows come and go above it, and the end in sight while it is followed. The
 * browser's own anchoring does not do it at the very top, and not everywhere. Returns what to call when the list is scrolled.
 */
export function useScrollHold(scroller: RefObject<HTMLElement | null>, { items, follow, marked }: ScrollHold): () => void {
  const held = useRef<{ id: string; fromTop: number } | null>(null);
  const isAtEnd = useRef(true);
  const broughtIn = useRef<number | null>(null);

  const remember = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight <= AT_END_PX;
    const rows = element.querySelector("ol")?.children ?? [];
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = rows[middle];
      if (row instanceof HTMLElement && row.offsetTop < element.scrollTop) low = middle + 1;
      else high = middle;
    }
    const first = rows[low];
    held.current = first instanceof HTMLElement ? { id: first.id, fromTop: first.offsetTop - element.scrollTop } : null;
  }, [scroller]);

  // Where things stand after a change is known only when it is in the document, and must be put right before it is seen.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || items.length === 0) return;
    const target = marked === null ? undefined : items.find((item) => item.seq >= marked);
    const row = target === undefined ? null : document.getElementById(eventRowId(target.seq));
    const anchor = held.current === null ? null : document.getElementById(held.current.id);
    if (row !== null && broughtIn.current !== marked) {
      element.scrollTop = Math.max(0, row.offsetTop - element.clientHeight / 3);
      broughtIn.current = marked;
    } else if (anchor !== null && held.current !== null && !(follow && isAtEnd.current))
      element.scrollTop = anchor.offsetTop - held.current.fromTop;
    else if (marked === null) element.scrollTop = element.scrollHeight;
    if (marked === null) broughtIn.current = null;
    remember();
  }, [scroller, remember, items, follow, marked]);

  return remember;
}
