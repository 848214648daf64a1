"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { Tooltip } from "@/components/ui/tooltip";

const TICK_MS = 1_000;

/** The time in the zone that all times are shown in; pressing it changes between the reader's zone and UTC. */
export function ZoneClock() {
  const { t, zone, setZone, formatClock, formatZone } = useI18n();
  const now = useNow(TICK_MS);
  const zoneName = now === null ? "" : formatZone(now);
  const label = zone === "utc" ? t("shell.clockToLocal") : t("shell.clockToUtc", { zone: zoneName });
  return (
    <Tooltip content={label} side="bottom">
      <button
        type="button"
        aria-label={label}
        onClick={() => setZone(zone === "utc" ? "local" : "utc")}
        className="h-9 w-19 rounded-md px-1 text-left font-mono text-ink-soft text-xs tabular-nums leading-tight hover:bg-hover hover:text-ink touch:h-11"
      >
        <span aria-hidden className="block">
          {now === null ? "" : formatClock(now)}
        </span>
        <span aria-hidden className="block text-2xs text-ink-faint">
          {zoneName}
        </span>
      </button>
    </Tooltip>
  );
}
