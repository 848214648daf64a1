"use client";

import { CircleHelp } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { Badge } from "@/components/ui/badge";
import type { RunSummary } from "@/server/runs/run.schema";
import type { RunStatus } from "@/server/runs/run-state.rules";
import { StatusBadge } from "./status-badge";
import { RUN_STATUS_STYLE } from "./status-table";

interface RunStatusBadgeProps {
  status: RunStatus;
  /** Shown as the title. */
  reason?: string | null;
}

export function RunStatusBadge({ status, reason }: RunStatusBadgeProps) {
  const { t } = useI18n();
  return <StatusBadge style={RUN_STATUS_STYLE[status]} title={reason ? serverSentence(t, reason) : undefined} />;
}

/** A question of the agent waits for a person: beside the status until it is answered. */
export function WaitingBadge({ waitingFor }: Pick<RunSummary, "waitingFor">) {
  const { t } = useI18n();
  if (waitingFor === null) return null;
  return (
    <Badge tone="warning" title={t("agentRun.waitingTitle")} icon={<CircleHelp aria-hidden className="size-3" />}>
      {t("agentRun.waiting")}
    </Badge>
  );
}

/** Stands beside the status for ever once missing chunks were accepted. */
export function GapsBadge({ acceptedAt }: { acceptedAt: string | null }) {
  const { t, formatTime } = useI18n();
  if (acceptedAt === null) return null;
  return (
    <Badge tone="warning" title={t("status.gapsTitle", { time: formatTime(acceptedAt) })}>
      {t("status.gaps")}
    </Badge>
  );
}
