"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { CopyButton } from "@/components/ui/copy-button";
import { Fact } from "@/components/ui/fact";
import { Panel } from "@/components/ui/panel";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";

/** Times, and what the policy says in numbers. */
export function AgentFacts({ run }: { run: AgentRunDetail }) {
  const { t, formatDuration } = useI18n();
  const { policy, threadId } = run;
  return (
    <Panel title={t("agentRun.facts")}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
        <Fact label={t("runDetail.created")}>
          <RelativeTime value={run.createdAt} />
        </Fact>
        <Fact label={t("runDetail.ended")}>{run.endedAt === null ? "–" : <RelativeTime value={run.endedAt} />}</Fact>
        <Fact label={t("agentRun.facts.timeout")}>{formatDuration(policy.timeoutMs)}</Fact>
        <Fact label={t("agentRun.facts.approvalTime")}>
          {policy.approval === "never" ? t("agentRun.approval.never") : formatDuration(policy.approvalMs)}
        </Fact>
        {threadId !== null && (
          <div className="col-span-2 min-w-0">
            <dt className="text-ink-faint text-xs">{t("agentRun.facts.thread")}</dt>
            <dd className="flex items-center gap-1">
              <span className="min-w-0 break-all font-mono text-xs">{threadId}</span>
              <CopyButton value={threadId} label={t("agentRun.facts.copyThread")} />
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}
