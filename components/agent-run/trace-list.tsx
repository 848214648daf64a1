"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type Ref, useCallback, useImperativeHandle, useRef, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import type { RowContext } from "./row-parts";
import type { TraceRow } from "./trace-row";
import { TraceRowView } from "./trace-row-view";
import { useStickToEnd } from "./use-stick-to-end";

/** Rows kept ready above and below, so that fast scrolling shows no blanks. */
const OVERSCAN = 8;
/** Frames that a row which was just scrolled to may take to be mounted and measured. */
const MOUNT_FRAMES = 20;
/** Of a usual row of the kind, in pixels; the true height is measured. */
const USUAL_PX = {
  turn: 96,
  end: 28,
  tool: 28,
  message: 52,
  diff: 28,
  error: 28,
  approval: 28,
  suppressed: 32,
  note: 28,
} as const satisfies Record<TraceRow["kind"], number>;

export interface TraceListHandle {
  /** Brings the row into view and gives it the focus. */
  goTo(index: number): void;
}

interface TraceListProps {
  rows: readonly TraceRow[];
  context: RowContext;
  isFollowing: boolean;
  isLive: boolean;
  onFollow: (isFollowing: boolean) => void;
  ref?: Ref<TraceListHandle>;
}

/** The conversation; only the rows on screen are mounted. */
export function TraceList({ rows, context, isFollowing, isLive, onFollow, ref }: TraceListProps) {
  const { t } = useI18n();
  const scroller = useRef<HTMLElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [marked, setMarked] = useState<string | null>(null);
  const toggle = useCallback(
    (key: string) => {
      // Whoever opens a row reads it: it must stay where it is.
      onFollow(false);
      setOpen((now) => {
        const next = new Set(now);
        if (!next.delete(key)) next.add(key);
        return next;
      });
    },
    [onFollow],
  );
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => USUAL_PX[rows[index]?.kind ?? "tool"],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  const height = virtualizer.getTotalSize();
  const onScroll = useStickToEnd(scroller, { isFollowing, isLive, onFollow, content: [rows, height] });
  useImperativeHandle(ref, () => ({
    goTo(index) {
      setMarked(rows[index]?.key ?? null);
      virtualizer.scrollToIndex(index, { align: "center" });
      focusRow(scroller.current, index, MOUNT_FRAMES);
    },
  }));
  return (
    <section
      ref={scroller}
      aria-label={t("trace.list")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard.
      tabIndex={0}
      onScroll={onScroll}
      className="max-h-[70vh] overflow-y-auto overflow-x-hidden -outline-offset-2 [overflow-anchor:none]"
    >
      <ol className="relative" style={{ height }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <li
              key={row.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              tabIndex={-1}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              aria-current={row.key === marked || undefined}
              className="absolute top-0 left-0 w-full -outline-offset-2 aria-current:bg-hover"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <TraceRowView row={row} context={context} isOpen={open.has(row.key)} onToggle={toggle} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function focusRow(list: HTMLElement | null, index: number, framesLeft: number): void {
  const row = list?.querySelector(`[data-index="${index}"]`);
  if (row instanceof HTMLElement) row.focus({ preventScroll: true });
  else if (framesLeft > 0) requestAnimationFrame(() => focusRow(list, index, framesLeft - 1));
}
