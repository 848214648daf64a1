"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { useTextOfNow } from "@/components/i18n/use-now";
import { StatusBadge } from "@/components/status/status-badge";
import { AVAILABILITY_STYLE } from "@/components/status/status-table";
import type { ModelAvailability } from "@/server/runs/model-availability.schema";

const TICK_MS = 1_000;

/** Whether a model would be asked now, and how long it is left alone. */
export function AvailabilityBadge({ availability }: { availability: ModelAvailability }) {
  return (
    <>
      <StatusBadge style={AVAILABILITY_STYLE[availability.state]} />
      {availability.coolsUntil !== null && <TimeLeft until={availability.coolsUntil} />}
    </>
  );
}

function TimeLeft({ until }: { until: string }) {
  const { t, formatDuration } = useI18n();
  const left = useTextOfNow(TICK_MS, (now) => {
    const milliseconds = Math.max(0, Date.parse(until) - now);
    return t("modelChoice.coolsFor", { duration: formatDuration(Math.ceil(milliseconds / TICK_MS) * TICK_MS) });
  });
  return (
    // It changes each second; the list around it is read out when the choice changes.
    <span aria-live="off" className="text-ink-faint tabular-nums" suppressHydrationWarning>
      {left}
    </span>
  );
}
