"use client";

import { Ban, CheckCheck, type LucideIcon, Pause, Play, RotateCw } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { paths } from "@/components/paths";
import { RunActionDialog } from "@/components/run-actions/run-action-dialog";
import { refusalSentence } from "@/components/status/action-refusal";
import { RunProgress } from "@/components/status/run-progress";
import { GapsBadge, RunStatusBadge } from "@/components/status/run-status-badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { PoliteStatus } from "@/components/ui/polite-status";
import type { RunSummary } from "@/server/runs/run.schema";
import type { RunAction, RunStatus } from "@/server/runs/run-state.schema";
import { statusSentence } from "./status-sentence";

const ICONS = { retry: RotateCw, pause: Pause, resume: Play, finish: CheckCheck, cancel: Ban } as const satisfies Record<
  RunAction,
  LucideIcon
>;
const REFRESH_MS = 1_000;

/** Pause and resume share a place: only one of them can ever be possible. */
function actionsFor(status: RunStatus): RunAction[] {
  return ["retry", status === "paused" ? "resume" : "pause", "finish", "cancel"];
}

export function RunHeader({ run }: { run: RunSummary }) {
  const i18n = useI18n();
  const { t } = i18n;
  const now = useNow(REFRESH_MS);
  const sentence = statusSentence(i18n, run, now);
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
            <span>
              {run.backend} · {run.model}
            </span>
            <span className="inline-flex min-w-0 items-center gap-1">
              <span className="truncate font-mono" title={run.id}>
                {run.id}
              </span>
              <CopyButton value={run.id} label={t("common.copyId")} className="h-5! w-5! touch:h-9! touch:w-9!" />
            </span>
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

function RunActions({ run }: { run: RunSummary }) {
  const { t } = useI18n();
  const [action, setAction] = useState<RunAction | null>(null);
  return (
    <fieldset aria-label={t("runDetail.actions")} className="flex flex-wrap gap-2">
      {actionsFor(run.status).map((each) => {
        const Icon = ICONS[each];
        return (
          <Button
            key={each}
            size="sm"
            variant={each === "retry" && run.counts.failed > 0 ? "primary" : "secondary"}
            icon={<Icon aria-hidden className="size-3.5" />}
            disabledReason={refusalSentence(t, each, run)}
            onClick={() => setAction(each)}
          >
            {t(`action.${each}`)}
          </Button>
        );
      })}
      {action !== null && <RunActionDialog action={action} run={run} open onOpenChange={(open) => !open && setAction(null)} />}
    </fieldset>
  );
}
