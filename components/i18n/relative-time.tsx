"use client";

import type { Moment } from "./formats";
import { useI18n } from "./i18n-provider";
import { useTextOfNow } from "./use-now";

/** The clock of the durations that stand beside it. */
const REFRESH_MS = 1_000;

/** "5 min ago"; the absolute time with its zone is the title, and is read aloud by the machine-readable date. */
export function RelativeTime({ value }: { value: Moment }) {
  const { formatRelative, formatTime } = useI18n();
  const text = useTextOfNow(REFRESH_MS, (now) => formatRelative(value, now));
  return (
    <time
      dateTime={new Date(value).toISOString()}
      title={formatTime(value)}
      className="whitespace-nowrap tabular-nums"
      suppressHydrationWarning
    >
      {text}
    </time>
  );
}
