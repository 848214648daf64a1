"use client";

import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { CodeBlock } from "@/components/ui/code-block";
import { TONE_CLASS } from "@/components/ui/tone";
import { EVENT_PAYLOAD_LIMIT } from "@/server/events/event.rules";
import type { StoredEvent } from "@/server/events/event.schema";
import { EVENT_MARKS } from "./event-mark";
import { eventSummary } from "./event-summary";
import { eventRowId } from "./use-scroll-hold";

/** The columns, heads and rows alike; on a narrow screen the last two stand in a line of their own. */
const COLUMNS =
  "grid grid-cols-[3.5rem_4.5rem_minmax(0,1fr)] items-baseline gap-x-3 md:grid-cols-[4rem_5rem_13rem_6.5rem_minmax(0,1fr)]";

/** What the columns are; it stays in sight while the list scrolls. */
export function EventHeads() {
  const { t } = useI18n();
  return (
    <div className={`${COLUMNS} sticky top-0 z-10 border-line border-b bg-surface px-3 py-1.5 text-ink-faint text-xs`}>
      <span className="text-right">{t("events.head.seq")}</span>
      <span>{t("events.head.time")}</span>
      <span>{t("events.head.type")}</span>
      <span className="whitespace-nowrap max-md:col-span-2 max-md:text-right">{t("events.head.chunk")}</span>
      <span>{t("events.head.summary")}</span>
    </div>
  );
}

interface EventRowProps {
  runId: string;
  event: StoredEvent;
  /** The one that the address leads to. */
  isMarked: boolean;
}

/** One line of the trace; its payload opens below, as text. */
export function EventRow({ runId, event, isMarked }: EventRowProps) {
  const i18n = useI18n();
  const { t, formatClock, formatTime, formatBytes } = i18n;
  const { chunk, attempt } = event;
  const place =
    chunk === null ? undefined : attempt === null ? t("events.ofChunk", { chunk }) : t("events.ofAttempt", { chunk, attempt });
  return (
    <li
      id={eventRowId(event.seq)}
      aria-current={isMarked || undefined}
      className={`px-3 ${isMarked ? "bg-accent-soft" : "hover:bg-hover"}`}
    >
      <details>
        <summary className={`${COLUMNS} cursor-pointer rounded-sm py-1.5 text-xs touch:min-h-11`}>
          <span className="text-right text-ink-faint tabular-nums">{event.seq}</span>
          <time dateTime={event.ts} title={formatTime(event.ts)} className="text-ink-faint tabular-nums">
            {formatClock(event.ts)}
          </time>
          <span className="flex min-w-0 items-center gap-1.5">
            <Mark type={event.type} />
            <code className="truncate font-medium font-mono">{event.type}</code>
          </span>
          <span title={place} className="text-right text-ink-faint tabular-nums max-md:col-span-2 md:text-left">
            {event.chunk === null ? t("events.run") : `${event.chunk}${event.attempt === null ? "" : ` · ${event.attempt}`}`}
          </span>
          <span className="truncate text-ink-soft">{eventSummary(event, i18n)}</span>
        </summary>
        <div className="space-y-2 pb-3">
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
            {event.chunk !== null && (
              <Link
                href={paths.chunk(runId, event.chunk, event.attempt === null ? {} : { attempt: event.attempt })}
                className="rounded-sm underline"
              >
                {t("chunks.open", { index: event.chunk })}
              </Link>
            )}
            <Link href={paths.run(runId, "events", { seq: event.seq })} className="rounded-sm underline">
              {t("events.link")}
            </Link>
          </p>
          <CodeBlock
            text={JSON.stringify(event.payload, null, 2)}
            label={t("events.payload", { seq: event.seq })}
            copyLabel={t("events.copyPayload")}
          />
          {event.truncated && (
            <p className="text-ink-faint text-xs">
              {t("events.truncated", { limit: formatBytes(EVENT_PAYLOAD_LIMIT), bytes: formatBytes(event.bytes) })}{" "}
              {event.artifactId !== null && (
                <a href={paths.api.artifact(runId, event.artifactId)} download className="underline">
                  {t("events.whole")}
                </a>
              )}
            </p>
          )}
        </div>
      </details>
    </li>
  );
}

/** For the eye only: the name of the event says the same. Its place is kept where there is none, so that names stand in line. */
function Mark({ type }: Pick<StoredEvent, "type">) {
  const mark = EVENT_MARKS[type];
  if (mark === undefined) return <span aria-hidden className="w-3.5 shrink-0" />;
  return <mark.icon aria-hidden className={`size-3.5 shrink-0 text-tone ${TONE_CLASS[mark.tone]}`} />;
}
