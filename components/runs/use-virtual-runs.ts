"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useRouter } from "next/navigation";
import { type CSSProperties, type MouseEvent, type RefObject, useLayoutEffect, useState } from "react";
import { paths } from "@/components/paths";
import type { RunSummary } from "@/server/runs/run.schema";
import { useRowKeys } from "./use-row-keys";

/** Rows kept ready above and below, so that fast scrolling shows no blanks. */
const OVERSCAN = 10;
/** Rows before the end at which the next page is asked for. */
const FETCH_AHEAD = 30;

export interface RunListProps {
  runs: readonly RunSummary[];
  hasMore: boolean;
  onNearEnd: () => void;
}

interface VirtualRunsOptions extends RunListProps {
  list: RefObject<HTMLElement | null>;
  /** In rem, so that it grows with the reader's font size. */
  rowRems: number;
  /** Rows of different heights are measured as they come; reading the layout is dear, so equal rows are not. */
  measured: boolean;
}

/** Spread on the element of one row, with its run. */
interface VirtualRow {
  run: RunSummary;
  index: number;
  properties: {
    ref: ((element: HTMLElement | null) => void) | undefined;
    "data-index": number;
    style: CSSProperties;
    onClick: (event: MouseEvent<HTMLElement>) => void;
  };
}

const USUAL_FONT_SIZE = 16;

/** Pixels a rem; the usual ones where the browser tells no number. */
function rootFontSize(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Number.isFinite(size) ? size : USUAL_FONT_SIZE;
}

/** The rows to mount of a long list that scrolls with the window, j/k between them, and a click on a row opens it. */
export function useVirtualRuns({ runs, hasMore, onNearEnd, list, rowRems, measured }: VirtualRunsOptions): {
  height: number;
  rows: VirtualRow[];
} {
  const router = useRouter();
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
    count: runs.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => runs[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin,
    useFlushSync: false,
    onChange: (instance) => {
      const last = instance.getVirtualItems().at(-1);
      if (hasMore && last !== undefined && last.index >= runs.length - FETCH_AHEAD) onNearEnd();
    },
  });
  useRowKeys(runs.length, list, (index) => virtualizer.scrollToIndex(index));

  const open = (event: MouseEvent<HTMLElement>, run: RunSummary) => {
    const { target } = event;
    // React also bubbles clicks out of portals (menus, dialogs); those are not on the row.
    if (!(target instanceof Element) || !event.currentTarget.contains(target)) return;
    if (target.closest("a, button") !== null || window.getSelection()?.type === "Range") return;
    router.push(paths.run(run.id));
  };

  const rows = virtualizer.getVirtualItems().flatMap((item): VirtualRow[] => {
    const run = runs[item.index];
    if (run === undefined) return [];
    return [
      {
        run,
        index: item.index,
        properties: {
          ref: measured ? virtualizer.measureElement : undefined,
          "data-index": item.index,
          style: { transform: `translateY(${item.start - scrollMargin}px)` },
          onClick: (event) => open(event, run),
        },
      },
    ];
  });
  return { height: virtualizer.getTotalSize(), rows };
}
