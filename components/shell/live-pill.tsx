"use client";

import { CircleDashed, CloudOff, LockKeyhole, type LucideIcon, Radio, RefreshCw, TriangleAlert } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useLiveStatus } from "@/components/trpc/live-provider";
import type { LiveStatus } from "@/components/trpc/live-status";
import { Badge } from "@/components/ui/badge";
import type { Tone } from "@/components/ui/tone";

const MILLISECONDS = 1_000;

const LOOKS = {
  connecting: { tone: "neutral", icon: CircleDashed },
  live: { tone: "success", icon: Radio },
  polling: { tone: "waiting", icon: RefreshCw },
  stale: { tone: "warning", icon: TriangleAlert },
  offline: { tone: "danger", icon: CloudOff },
  signedOut: { tone: "warning", icon: LockKeyhole },
} as const satisfies Record<LiveStatus["kind"], { tone: Tone; icon: LucideIcon }>;

/** How fresh the page is. Read aloud when the kind changes, not each second. */
export function LivePill() {
  const { t, formatDuration } = useI18n();
  const status = useLiveStatus();
  const { tone, icon: Icon } = LOOKS[status.kind];
  const words =
    status.kind === "stale"
      ? t("live.staleFor", { age: formatDuration(status.seconds * MILLISECONDS) })
      : t(`live.${status.kind}`);
  return (
    <>
      <span aria-hidden="true">
        <Badge
          tone={tone}
          icon={<Icon className="size-3.5" />}
          title={t(`live.${status.kind}Title`)}
          className="min-w-18 justify-center tabular-nums"
        >
          {words}
        </Badge>
      </span>
      <span role="status" className="sr-only">
        {t(`live.${status.kind}`)}: {t(`live.${status.kind}Title`)}
      </span>
    </>
  );
}
