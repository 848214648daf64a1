"use client";

import type { Moment } from "./formats";
import { useI18n } from "./i18n-provider";
import { useNow } from "./use-now";

const REFRESH_MS = 10_000;

/** "5 min ago"; the absolute time with its zone is the title, and is read aloud by the machine-readable date. */
export function RelativeTime({ value }: { value: Moment }) {
  const { formatRelative, formatTime } = useI18n();
  const now = useNow(REFRESH_MS);
  return (
    <time
      dateTime={new Date(value).toISOString()}
      title={formatTime(value)}
      className="whitespace-nowrap tabular-nums"
      suppressHydrationWarning
    >
      {now === null ? "" : formatRelative(value, now)}
    </time>
  );
}
