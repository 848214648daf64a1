"use client";

import { type I18n, useI18n } from "@/components/i18n/i18n-provider";
import { CHUNK_STATUS_STYLE } from "@/components/status/status-table";
import { classNames } from "@/components/ui/class-names";
import { TONE_CLASS } from "@/components/ui/tone";
import { SPAN_STYLE, spanClass } from "./bar-style";
import { EndCap } from "./end-cap";
import type { LaidCap, LaidCountdown, LaidRow, LaidSegment } from "./layout";
import { rowDuration, type TimelineRow } from "./timeline-row";

/** A failure's name is written where it has at least this much room. */
const LABEL_PX = 48;
const CAP_PX = 12;
/** The countdown stands at the end of its bar, and has at most this much room. */
const COUNTDOWN_PX = 104;
/** Where the name stands above the bar, it takes this much of the row. */
const STACKED_NAME_PX = 14;

interface TimelineBarsProps {
  laid: LaidRow;
  /** From 0, among the rows that are shown. */
  place: number;
  top: number;
  height: number;
  /** Pixels of the names' column; 0: the name stands above the bar. */
  nameWidth: number;
  isTabStop: boolean;
  now: number;
  onFocus: () => void;
  onOpen: () => void;
}

/** One chunk: a row that is a real button, with its attempts as bars. */
export function TimelineBars({ laid, place, top, height, nameWidth, isTabStop, now, onFocus, onOpen }: TimelineBarsProps) {
  const i18n = useI18n();
  const { row, segments, caps, countdown } = laid;
  const status = CHUNK_STATUS_STYLE[row.status];
  const isStacked = nameWidth === 0;
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
          tabIndex={isTabStop ? 0 : -1}
          aria-label={rowName(row, now, i18n)}
          onFocus={onFocus}
          onClick={onOpen}
          className="absolute inset-0 block w-full text-left -outline-offset-2 hover:bg-hover"
        >
          <span
            className={
              isStacked
                ? "absolute top-1 left-1.5 flex items-center gap-1 text-2xs"
                : "absolute inset-y-0 left-0 flex items-center gap-1.5 px-2 text-xs"
            }
            style={isStacked ? {} : { width: nameWidth }}
          >
            <status.icon aria-hidden className={`${TONE_CLASS[status.tone]} size-3 shrink-0 text-tone`} />
            <span className="tabular-nums">{row.index}</span>
          </span>
          <span className="absolute right-0 bottom-0" style={{ left: nameWidth, top: isStacked ? STACKED_NAME_PX : 0 }}>
            {segments.map((segment) => (
              <Segment key={segment.key} segment={segment} />
            ))}
            {caps.map((cap) => (
              <Cap key={cap.attempt} cap={cap} />
            ))}
            {countdown !== null && countdown.dueAt > now && <Countdown countdown={countdown} now={now} />}
          </span>
        </button>
      </div>
    </div>
  );
}

function rowName(row: TimelineRow, now: number, { t, formatDuration }: I18n): string {
  const failure = row.attempts.findLast((attempt) => attempt.failureKind !== null)?.failureKind ?? null;
  return t("timeline.row", {
    index: row.index,
    status: t(CHUNK_STATUS_STYLE[row.status].word),
    attempts: t("timeline.attempts", { count: row.attempts.length }),
    failure: failure === null ? "" : t("timeline.rowFailure", { failure: t(`failure.title.${failure}`) }),
    duration: formatDuration(rowDuration(row, now)),
  });
}

function Segment({ segment }: { segment: LaidSegment }) {
  const { t, formatDuration } = useI18n();
  const words = { kind: t(SPAN_STYLE[segment.kind].word), duration: formatDuration(segment.durationMs) };
  const isGrowing = segment.open && segment.kind !== "backoff";
  return (
    <span
      title={
        segment.attempt === null ? t("timeline.segmentGap", words) : t("timeline.segment", { ...words, attempt: segment.attempt })
      }
      className={classNames(
        "absolute rounded-[2px]",
        // The failure before it is written above it.
        segment.kind === "backoff" ? "bottom-1" : "top-1/2 -translate-y-1/2",
        spanClass(segment.kind, segment.outcome),
        isGrowing && "rounded-r-none opacity-80",
      )}
      style={{ left: segment.x, width: segment.width }}
    />
  );
}

function Cap({ cap }: { cap: LaidCap }) {
  const { t } = useI18n();
  const failure = cap.failureKind === null ? null : t(`failure.title.${cap.failureKind}`);
  return (
    <span
      title={failure ?? undefined}
      className="absolute top-1/2 flex -translate-y-1/2 items-center gap-1 whitespace-nowrap text-2xs"
      style={{ left: Math.max(0, cap.x - CAP_PX / 2), maxWidth: cap.room + CAP_PX / 2 }}
    >
      <EndCap outcome={cap.outcome} className="ring-1 ring-surface" />
      {failure !== null && cap.room >= LABEL_PX && (
        <span className="tone-danger -translate-y-0.5 truncate text-tone leading-none">{failure}</span>
      )}
    </span>
  );
}

function Countdown({ countdown, now }: { countdown: LaidCountdown; now: number }) {
  const { t, formatDuration } = useI18n();
  return (
    <span
      className="tone-retry absolute top-1/2 flex -translate-y-1/2 justify-end whitespace-nowrap text-2xs text-tone"
      style={{ left: Math.max(0, countdown.x + countdown.width - COUNTDOWN_PX), width: COUNTDOWN_PX }}
    >
      <span className="rounded-sm bg-surface px-0.5">
        {t("timeline.retryIn", { duration: formatDuration(countdown.dueAt - now) })}
      </span>
    </span>
  );
}
