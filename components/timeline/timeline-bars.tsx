"use client";

import { memo } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { CHUNK_STATUS_STYLE } from "@/components/status/status-table";
import { CAP_STYLE, SPAN_STYLE } from "./bar-style";
import type { LaidRow, LaidSegment } from "./layout";

/** A failure's name is written where it has at least this much room. */
const LABEL_PX = 48;
const CAP_PX = 14;

interface TimelineBarsProps {
  laid: LaidRow;
  place: number;
  top: number;
  height: number;
  nameWidth: number;
  focusable: boolean;
  now: number;
  onFocus: () => void;
  onOpen: () => void;
}

function toneOf(segment: LaidSegment): string {
  if (segment.kind === "waiting" || segment.kind === "backoff") return "";
  return `tone-${CAP_STYLE[segment.outcome ?? "running"].tone}`;
}

/** One chunk: a row that is a real button, with its attempts as bars. */
export const TimelineBars = memo(function TimelineBars({
  laid,
  place,
  top,
  height,
  nameWidth,
  focusable,
  now,
  onFocus,
  onOpen,
}: TimelineBarsProps) {
  const { t, formatDuration } = useI18n();
  const { row, segments, caps, countdown } = laid;
  const failure = row.attempts.findLast((attempt) => attempt.failureKind !== null)?.failureKind ?? null;
  const status = CHUNK_STATUS_STYLE[row.status];
  const total = segments.reduce((sum, segment) => sum + segment.durationMs, 0);
  const name = t("timeline.row", {
    index: row.index,
    status: t(status.word),
    attempts: t("timeline.attempts", { count: row.attempts.length }),
    failure: failure === null ? "" : t("timeline.rowFailure", { failure: t(`failure.title.${failure}`) }),
    duration: formatDuration(total),
  });
  const stacked = nameWidth === 0;
  return (
    <div
      role="row"
      aria-rowindex={place + 1}
      className="absolute inset-x-0 top-0 border-line border-b"
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <div role="gridcell" className="h-full">
        <button
          type="button"
          data-row={place}
          tabIndex={focusable ? 0 : -1}
          aria-label={name}
          title={name}
          onFocus={onFocus}
          onClick={onOpen}
          className="absolute inset-0 block w-full text-left -outline-offset-2 hover:bg-hover"
        >
          <span
            className={
              stacked
                ? "absolute top-0.5 left-1 flex items-center gap-1 text-2xs"
                : "absolute inset-y-0 left-0 flex items-center gap-1.5 px-2 text-xs"
            }
            style={stacked ? {} : { width: nameWidth }}
          >
            <status.icon aria-hidden className={`tone-${status.tone} size-3 shrink-0 text-tone`} />
            <span className="tabular-nums">{row.index}</span>
          </span>
          <span className="absolute right-0 bottom-0" style={{ left: nameWidth, top: stacked ? 14 : 0 }}>
            {segments.map((segment) => (
              <span
                key={segment.key}
                className={`absolute top-1/2 -translate-y-1/2 rounded-[2px] ${SPAN_STYLE[segment.kind].className} ${toneOf(segment)} ${segment.open ? "rounded-r-none opacity-80" : ""}`}
                style={{ left: segment.x, width: segment.width }}
              />
            ))}
            {caps.map((cap) => {
              const { icon: Icon, tone } = CAP_STYLE[cap.outcome];
              return (
                <span
                  key={cap.attempt}
                  className={`tone-${tone} absolute top-1/2 flex -translate-y-1/2 items-center overflow-hidden whitespace-nowrap text-2xs text-tone`}
                  style={{ left: Math.max(0, cap.x - CAP_PX / 2), maxWidth: cap.room + CAP_PX }}
                >
                  <Icon aria-hidden className="size-3 shrink-0 rounded-full bg-surface" />
                  {cap.failureKind !== null && cap.room >= LABEL_PX && <span className="ml-0.5 truncate">{cap.failureKind}</span>}
                </span>
              );
            })}
            {countdown !== null && countdown.dueAt > now && (
              <span
                className="tone-retry absolute top-1/2 -translate-y-1/2 whitespace-nowrap rounded-sm bg-surface px-0.5 text-2xs text-tone"
                style={{ left: countdown.x + 4 }}
              >
                {t("timeline.retryIn", { duration: formatDuration(countdown.dueAt - now) })}
              </span>
            )}
          </span>
        </button>
      </div>
    </div>
  );
});
