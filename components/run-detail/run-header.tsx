"use client";

import { Ban, CheckCheck, Columns3, CopyPlus, type LucideIcon, Pause, Play, RotateCw } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { paths } from "@/components/paths";
import { RerunDialog } from "@/components/run-actions/rerun-dialog";
import { useRunActions } from "@/components/run-actions/use-run-actions";
import { HeaderCost } from "@/components/status/cost-text";
import { RunProgress } from "@/components/status/run-progress";
import { GapsBadge, RunStatusBadge } from "@/components/status/run-status-badge";
import { Button, ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { PoliteStatus } from "@/components/ui/polite-status";
import type { RunDetail, RunSummary } from "@/server/runs/run.schema";
import { actionRefusal, type RunAction } from "@/server/runs/run-state.rules";
import { HeaderModels } from "./header-models";
import { millisecondsLeft, observed, type Progress } from "./speed";
import { statusSentence } from "./status-sentence";

const ICONS = { retry: RotateCw, pause: Pause, resume: Play, finish: CheckCheck, cancel: Ban } as const satisfies Record<
  RunAction,
  LucideIcon
>;
const REFRESH_MS = 1_000;

const ORDER = ["retry", "pause", "resume", "finish", "cancel"] as const satisfies readonly RunAction[];

/** Milliseconds until the run is done, from what this page has seen of it. */
function useMillisecondsLeft(run: RunSummary): number | null {
  const now = useNow(REFRESH_MS);
  const [progress, setProgress] = useState<readonly Progress[]>([]);
  const next = observed(progress, run);
  if (next !== progress) setProgress(next);
  return now === null ? null : millisecondsLeft(next, run, now);
}

export function RunHeader({ run }: { run: RunDetail }) {
  const i18n = useI18n();
  const { t } = i18n;
  const sentence = statusSentence(i18n, run, { left: useMillisecondsLeft(run), waiting: run.waiting });
  return (
    <header className="space-y-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <p className="text-ink-faint text-xs">
            <Link href={paths.runs()} className="rounded-sm hover:underline">
              {t("runDetail.allRuns")}
            </Link>
          </p>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 break-words font-semibold text-xl tracking-tight">{run.name}</h1>
            <RunStatusBadge status={run.status} reason={run.statusReason} />
            <GapsBadge acceptedAt={run.gapsAcceptedAt} />
          </div>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-ink-faint text-xs">
            <span title={t("runDetail.date")} className="tabular-nums">
              {run.sourceDate}
            </span>
            <HeaderModels run={run} />
            <span className="inline-flex min-w-0 items-center gap-1">
              <span className="truncate font-mono" title={run.id}>
                {run.id}
              </span>
              <CopyButton value={run.id} label={t("common.copyId")} className="h-5! w-5! touch:h-9! touch:w-9!" />
            </span>
            <HeaderCost cost={run.cost} />
          </p>
        </div>
        <RunActions run={run} />
      </div>
      <p className="text-ink">{sentence}</p>
      <RunProgress counts={run.counts} />
      <PoliteStatus text={sentence} />
    </header>
  );
}

/** What can be done with the run as it is; the menu of its row in the list also says why the rest cannot. */
function RunActions({ run }: { run: RunSummary }) {
  const { t } = useI18n();
  const { ask, isPending, dialog } = useRunActions(run);
  const [isRerunning, setRerunning] = useState(false);
  const possible = ORDER.filter((action) => actionRefusal(action, run) === null);
  return (
    <>
      <ButtonLink href={paths.compare([run.id])} variant="ghost" size="sm" icon={<Columns3 aria-hidden className="size-3.5" />}>
        {t("compare.open")}
      </ButtonLink>
      <Button variant="ghost" size="sm" icon={<CopyPlus aria-hidden className="size-3.5" />} onClick={() => setRerunning(true)}>
        {t("rerun.open")}
      </Button>
      {possible.length > 0 && (
        <fieldset aria-label={t("runDetail.actions")} className="flex flex-wrap gap-2">
          {possible.map((action) => {
            const Icon = ICONS[action];
            return (
              <Button
                key={action}
                size="sm"
                variant={action === "retry" || action === "resume" ? "primary" : "secondary"}
                icon={<Icon aria-hidden className="size-3.5" />}
                pending={action === "resume" && isPending}
                onClick={() => ask(action)}
              >
                {t(`action.${action}`)}
              </Button>
            );
          })}
        </fieldset>
      )}
      {dialog}
      {isRerunning && <RerunDialog run={run} open onOpenChange={setRerunning} />}
    </>
  );
}
