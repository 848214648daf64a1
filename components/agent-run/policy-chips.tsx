"use client";

import { Eye, FolderPen, type LucideIcon, MessageCircleQuestion, ShieldOff, Timer, Wifi, WifiOff } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Badge } from "@/components/ui/badge";
import type { Tone } from "@/components/ui/tone";
import type { AgentSandbox } from "@/server/config/execution-policy.rules";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";

const SANDBOX_LOOKS = {
  "read-only": { icon: Eye, tone: "neutral" },
  "workspace-write": { icon: FolderPen, tone: "neutral" },
  "danger-full-access": { icon: ShieldOff, tone: "danger" },
} as const satisfies Record<AgentSandbox, { icon: LucideIcon; tone: Tone }>;

/** What the run may do, a chip each; what is dangerous is loud. */
export function PolicyChips({ policy }: Pick<AgentRunDetail, "policy">) {
  const { t, formatDuration } = useI18n();
  const { sandbox, network, approval, timeoutMs } = policy;
  const look = SANDBOX_LOOKS[sandbox];
  return (
    <ul aria-label={t("agentRun.policy")} className="flex flex-wrap gap-1.5">
      <Chip icon={look.icon} tone={look.tone} title={t("agentRun.sandbox")}>
        {t(`agentRun.sandbox.${sandbox}`)}
      </Chip>
      <Chip icon={network ? Wifi : WifiOff} tone={network ? "warning" : "neutral"} title={t("agentRun.network")}>
        {t(network ? "agentRun.network.yes" : "agentRun.network.no")}
      </Chip>
      <Chip icon={MessageCircleQuestion} title={t("agentRun.approval")}>
        {t(`agentRun.approval.${approval}`)}
      </Chip>
      <Chip icon={Timer} title={t("agentRun.timeLimitTitle")}>
        {t("agentRun.timeLimit", { duration: formatDuration(timeoutMs) })}
      </Chip>
    </ul>
  );
}

interface ChipProps {
  icon: LucideIcon;
  tone?: Tone;
  title: string;
  children: string;
}

function Chip({ icon: Icon, tone = "neutral", title, children }: ChipProps) {
  return (
    <li>
      <Badge tone={tone} title={title} icon={<Icon aria-hidden className="size-3" />}>
        {children}
      </Badge>
    </li>
  );
}
