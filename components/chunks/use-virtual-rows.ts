"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type RefObject, useLayoutEffect, useState } from "react";

/** Rows kept ready above and below, so that fast scrolling shows no blanks. */
const OVERSCAN = 10;
const USUAL_FONT_SIZE = 16;

interface VirtualRowsOptions {
  list: RefObject<HTMLElement | null>;
  count: number;
  /** In rem, so that it grows with the reader's font size. */
  rowRems: number;
  /** Rows of different heights are measured as they come; equal rows are not. */
  measured: boolean;
  onRange: (first: number, last: number) => void;
}

/** Spread `properties` on the element of the row. */
export interface VirtualRow {
  position: number;
  properties: { ref: ((element: HTMLElement | null) => void) | undefined; "data-index": number; style: CSSProperties };
}

/** Pixels a rem; the usual ones where the browser tells no number. */
function rootFontSize(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Number.isFinite(size) ? size : USUAL_FONT_SIZE;
}

/** The rows to mount of a long list that scrolls with the window. */
export function useVirtualRows({ list, count, rowRems, measured, onRange }: VirtualRowsOptions): {
  height: number;
  rows: VirtualRow[];
  /** "center": wherever the row is now; else only as far as is needed to see it. */
  scrollTo: (position: number, align?: "center") => void;
} {
  const [rowHeight] = useState(() => rowRems * rootFontSize());
  const [scrollMargin, setScrollMargin] = useState(0);
  // The virtualiser counts from the top of the document; what stands above the list may grow and shrink.
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current) setScrollMargin(list.current.getBoundingClientRect().top + window.scrollY);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    measure();
    return () => observer.disconnect();
  }, [list]);

  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin,
    useFlushSync: false,
    onChange: (instance) => {
      const items = instance.getVirtualItems();
      const first = items[0];
      const last = items.at(-1);
      if (first !== undefined && last !== undefined) onRange(first.index, last.index);
    },
  });
  return {
    height: virtualizer.getTotalSize(),
    scrollTo: (position, align) => virtualizer.scrollToIndex(position, align === undefined ? {} : { align }),
    rows: virtualizer.getVirtualItems().map((item) => ({
      position: item.index,
      properties: {
        ref: measured ? virtualizer.measureElement : undefined,
        "data-index": item.index,
        style: { transform: `translateY(${item.start - scrollMargin}px)` },
      },
    })),
  };
}
