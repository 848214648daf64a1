"use client";

import { Ban, Bot, CircleHelp, CircleStop } from "lucide-react";
import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { paths } from "@/components/paths";
import { useRunActions } from "@/components/run-actions/use-run-actions";
import { HeaderCost } from "@/components/status/cost-text";
import { RunStatusBadge, WaitingBadge } from "@/components/status/run-status-badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { PoliteStatus } from "@/components/ui/polite-status";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";
import { actionRefusal } from "@/server/runs/run-state.rules";
import { agentSentence, isBeingInterrupted, turnUnderWay, workedMs } from "./agent-sentence";
import { PolicyChips } from "./policy-chips";
import { useAgentCommand } from "./use-agent-command";

const REFRESH_MS = 1_000;

/** What the run is, what it may do, what it is doing, and how to stop it. */
export function AgentHeader({ run }: { run: AgentRunDetail }) {
  const i18n = useI18n();
  const { t, formatNumber } = i18n;
  const sentence = agentSentence(i18n, run);
  return (
    <header className="space-y-2.5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <p className="text-ink-faint text-xs">
            <Link href={paths.runs()} className="rounded-sm hover:underline">
              {t("runDetail.allRuns")}
            </Link>
          </p>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="flex min-w-0 items-center gap-2 font-semibold text-xl tracking-tight">
              <Bot aria-hidden className="size-5 shrink-0 text-ink-faint" />
              <span className="min-w-0 break-words">
                <span className="sr-only">{`${t("agentRun.kind")}: `}</span>
                {run.name}
              </span>
            </h1>
            <RunStatusBadge status={run.status} reason={run.statusReason} />
            <WaitingBadge waitingFor={run.waitingFor} />
          </div>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-ink-faint text-xs">
            <span>
              {run.backend} · {run.model}
            </span>
            <span className="inline-flex min-w-0 items-center gap-1">
              <span className="truncate font-mono" title={run.id}>
                {run.id}
              </span>
              <CopyButton value={run.id} label={t("common.copyId")} className="h-5! w-5! touch:h-9! touch:w-9!" />
            </span>
            <span className="tabular-nums">{t("agentRun.turns", { count: run.turns ?? 0 })}</span>
            {run.tokens.prompt + run.tokens.completion > 0 && (
              <span className="tabular-nums">
                {t("agentRun.tokens", {
                  prompt: formatNumber(run.tokens.prompt),
                  completion: formatNumber(run.tokens.completion),
                })}
              </span>
            )}
            <HeaderCost cost={run.cost} />
            <RunDuration run={run} />
          </p>
          <p className="text-ink-faint text-xs">
            {t("agentRun.workspace")}: <code className="break-all font-mono text-ink-soft">{run.policy.workspace}</code>
          </p>
        </div>
        <AgentActions run={run} />
      </div>
      <PolicyChips policy={run.policy} />
      <p className="flex items-center gap-1.5 text-ink">
        {run.waitingFor !== null && <CircleHelp aria-hidden className="tone-warning size-4 shrink-0 text-tone" />}
        {sentence}
      </p>
      <PoliteStatus text={sentence} />
    </header>
  );
}

/** What its turns took together; the days between two orders are no work. */
function RunDuration({ run }: { run: AgentRunDetail }) {
  const { t, formatDuration } = useI18n();
  const now = useNow(REFRESH_MS);
  const worked = workedMs(run, now);
  if (worked === null) return null;
  return (
    <span title={t("agentRun.duration")} className="tabular-nums">
      {formatDuration(worked)}
    </span>
  );
}

function AgentActions({ run }: { run: AgentRunDetail }) {
  const { t } = useI18n();
  const { ask, dialog } = useRunActions(run);
  const interrupt = useAgentCommand(run.id);
  const isUnderWay = turnUnderWay(run) !== null;
  return (
    <>
      {(isUnderWay || actionRefusal("cancel", run) === null) && (
        <fieldset aria-label={t("runDetail.actions")} className="flex flex-wrap gap-2">
          {isUnderWay && (
            <Button
              size="sm"
              icon={<CircleStop aria-hidden className="size-3.5" />}
              pending={interrupt.isPending}
              disabledReason={isBeingInterrupted(run) ? t("agentRun.interrupted") : null}
              onClick={() => interrupt.mutate({ id: run.id, order: { type: "interrupt" } })}
            >
              {t("agentRun.interrupt")}
            </Button>
          )}
          {actionRefusal("cancel", run) === null && (
            <Button size="sm" icon={<Ban aria-hidden className="size-3.5" />} onClick={() => ask("cancel")}>
              {t("action.cancel")}
            </Button>
          )}
        </fieldset>
      )}
      {dialog}
    </>
  );
}
