"use client";

import { CircleCheck, RotateCw } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { paths } from "@/components/paths";
import { RetryWithDialog } from "@/components/run-actions/retry-with-dialog";
import { refusalSentence } from "@/components/status/action-refusal";
import { RawMessage } from "@/components/status/raw-message";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import type { ErrorGroup, RunDetail } from "@/server/runs/run.schema";
import { useRetryGroup } from "./use-retry-group";

/** Links to this many chunks of a group; the rest is on the chunks tab. */
const SAMPLES = 8;

/** What went wrong, grouped by cause, each group with its advice and its own retry. */
export function ErrorGroups({ run }: { run: RunDetail }) {
  const { t } = useI18n();
  if (run.errorGroups.length === 0) {
    // While chunks wait after a failed attempt, that is the news: nothing is well yet, and nothing is given up.
    if (run.waiting.backoff > 0) return null;
    return (
      <p className="flex items-center gap-2 rounded-lg border border-line bg-surface px-4 py-3 text-ink-soft">
        <CircleCheck aria-hidden className="tone-success size-4 text-tone" />
        {t("runDetail.noErrors")}
      </p>
    );
  }
  return (
    <Panel title={t("runDetail.errors")} hint={t("runDetail.errorsHint", { count: run.counts.failed })} flush>
      <ul className="divide-y divide-line">
        {run.errorGroups.map((group) => (
          <ErrorGroupRow key={`${group.failureKind} ${group.message}`} run={run} group={group} />
        ))}
      </ul>
    </Panel>
  );
}

function ErrorGroupRow({ run, group }: { run: RunDetail; group: ErrorGroup }) {
  const { t, formatNumber } = useI18n();
  const retry = useRetryGroup(run.id);
  const [choosing, setChoosing] = useState(false);
  const refusal = refusalSentence(t, "retry", run);
  const shown = group.chunks.slice(0, SAMPLES);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-80 space-y-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {t(`failure.title.${group.failureKind}`)}
          <Badge tone="danger">{t("runDetail.group.count", { count: group.count })}</Badge>
          <code className="font-mono text-ink-faint text-xs">{group.failureKind}</code>
        </p>
        {group.message !== "" && (
          <p>
            <span className="text-ink-faint text-xs">{t("runDetail.group.said")}</span> <RawMessage text={group.message} />
          </p>
        )}
        <p className="text-ink-faint text-xs">{t(`failure.advice.${group.failureKind}`)}</p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-faint text-xs">
          <span>
            {t("runDetail.group.first")} <RelativeTime value={group.firstAt} /> · {t("runDetail.group.last")}{" "}
            <RelativeTime value={group.lastAt} />
          </span>
          <span>{t("runDetail.group.samples")}:</span>
          {shown.map((index) => (
            <Link
              key={index}
              href={paths.chunk(run.id, index)}
              aria-label={t("runDetail.group.openChunk", { index })}
              className="inline-flex min-w-6 justify-center rounded-sm font-mono text-ink-soft underline touch:min-h-9 touch:items-center"
            >
              {index}
            </Link>
          ))}
          {group.count > shown.length && (
            <Link
              href={paths.run(run.id, "chunks", { status: "failed" })}
              className="inline-flex rounded-sm text-ink-soft underline touch:min-h-9 touch:items-center"
            >
              {t("runDetail.group.more", { count: formatNumber(group.count - shown.length) })}
            </Link>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          icon={<RotateCw aria-hidden className="size-3.5" />}
          pending={retry.isPending}
          disabledReason={refusal}
          onClick={() => retry.mutate({ group })}
        >
          {t("runDetail.group.retry", { count: group.count })}
        </Button>
        <Button size="sm" disabledReason={refusal} onClick={() => setChoosing(true)}>
          {t("modelChoice.retryWith")}
        </Button>
      </div>
      {choosing && (
        <RetryWithDialog
          open
          onOpenChange={setChoosing}
          count={group.count}
          pending={retry.isPending}
          onConfirm={(choice) => retry.mutate({ group, with: choice }, { onSuccess: () => setChoosing(false) })}
        />
      )}
    </li>
  );
}
