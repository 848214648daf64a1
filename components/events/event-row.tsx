"use client";

import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { CodeBlock } from "@/components/ui/code-block";
import { EVENT_PAYLOAD_LIMIT, type StoredEvent } from "@/server/events/event.schema";
import { eventSummary } from "./event-summary";
import { eventRowId } from "./use-scroll-hold";

interface EventRowProps {
  runId: string;
  event: StoredEvent;
  /** The one that the address leads to. */
  isMarked: boolean;
}

/** One line of the trace; its payload opens below, as text. */
export function EventRow({ runId, event, isMarked }: EventRowProps) {
  const { t, formatClock, formatTime, formatBytes } = useI18n();
  return (
    <li
      id={eventRowId(event.seq)}
      aria-current={isMarked || undefined}
      className={`px-3 ${isMarked ? "bg-accent-soft" : "hover:bg-hover"}`}
    >
      <details>
        <summary className="grid cursor-pointer grid-cols-[3.5rem_4.5rem_minmax(0,1fr)] items-baseline gap-x-3 rounded-sm py-1.5 text-xs touch:min-h-11 md:grid-cols-[4rem_5rem_12rem_5rem_minmax(0,1fr)]">
          <span className="text-right text-ink-faint tabular-nums">{event.seq}</span>
          <time dateTime={event.ts} title={formatTime(event.ts)} className="text-ink-faint tabular-nums">
            {formatClock(event.ts)}
          </time>
          <code className="truncate font-medium font-mono">{event.type}</code>
          <span className="text-right text-ink-faint tabular-nums md:text-left">
            {event.chunk === null ? t("events.run") : `${event.chunk}${event.attempt === null ? "" : ` · ${event.attempt}`}`}
          </span>
          <span className="col-span-2 truncate text-ink-soft md:col-span-1">{eventSummary(event)}</span>
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
