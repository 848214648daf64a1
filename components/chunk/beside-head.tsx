"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { AnswerMarks } from "@/components/status/answer-marks";
import { AttemptStatusBadge } from "@/components/status/chunk-status-badge";
import { RUN_STATUS_STYLE } from "@/components/status/status-table";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { NativeSelect } from "@/components/ui/input";
import type { ChunkDetail, RunSummary } from "@/server/runs/run.schema";
import { insightsIn } from "./artifact-text";

type Attempt = ChunkDetail["attempts"][number];

interface BesideHeadProps {
  side: "old" | "fresh";
  attempt: Attempt;
  attempts: readonly Attempt[];
  chunk: ChunkDetail;
  run: RunSummary | undefined;
  pending: boolean;
  onShow: (number: number) => void;
  onChoose: (number: number) => void;
  /** The attempt failed: that it counts is asked for first. */
  onReject: (number: number) => void;
}

/** Who gave the answer, what it cost, and the word that makes it count. */
export function BesideHead({ side, attempt, attempts, chunk, run, pending, onShow, onChoose, onReject }: BesideHeadProps) {
  const { t, formatDuration, formatNumber } = useI18n();
  const { number, startedAt, endedAt, promptTokens, completionTokens } = attempt;
  const insights = attempt.result === null ? null : insightsIn(attempt.result.body);
  const facts = [
    ...(startedAt === null || endedAt === null ? [] : [formatDuration(Date.parse(endedAt) - Date.parse(startedAt))]),
    ...(promptTokens === null || completionTokens === null
      ? []
      : [t("chunk.tokensText", { prompt: formatNumber(promptTokens), completion: formatNumber(completionTokens) })]),
    ...(insights === null ? [] : [t("chunk.insights", { count: insights })]),
  ];
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-40">
          <NativeSelect
            aria-label={t(side === "old" ? "beside.chooseOld" : "beside.chooseNew")}
            value={String(number)}
            onChange={(event) => onShow(Number(event.target.value))}
          >
            {attempts.map((each) => (
              <option key={each.number} value={String(each.number)}>
                {t("chunk.attempt", { number: each.number })}
              </option>
            ))}
          </NativeSelect>
        </span>
        <AttemptStatusBadge status={attempt.status} />
        <AnswerMarks answer={attempt} />
      </div>
      <p className="break-words">
        {attempt.backend}/{attempt.model}
      </p>
      <p className="text-ink-faint text-xs tabular-nums">{facts.join(" · ")}</p>
      {attempt.failureKind !== null && <p className="text-danger text-xs">{t(`failure.title.${attempt.failureKind}`)}</p>}
      {number === chunk.acceptedAttempt ? (
        <Badge tone="success">{t("beside.counts")}</Badge>
      ) : (
        <ChooseButton {...{ attempt, chunk, run, pending, side, onChoose, onReject }} />
      )}
    </div>
  );
}

type ChooseButtonProps = Pick<BesideHeadProps, "attempt" | "chunk" | "run" | "pending" | "side" | "onChoose" | "onReject">;

/** Nothing for a failed answer of a chunk that has failed: there is nothing to choose. */
function ChooseButton({ attempt, chunk, run, pending, side, onChoose, onReject }: ChooseButtonProps) {
  const { t } = useI18n();
  const hasFailed = attempt.failureKind !== null;
  if (hasFailed && chunk.acceptedAttempt === null) return null;
  const isOpen = chunk.status !== "succeeded" && chunk.status !== "failed";
  const isStopped = run !== undefined && (run.status === "cancelled" || run.status === "blocked");
  const refusal = isOpen
    ? t("beside.refusedOpen")
    : isStopped
      ? t("beside.refusedRun", { status: t(RUN_STATUS_STYLE[run.status].word) })
      : null;
  return (
    <Button
      size="sm"
      pending={pending}
      disabledReason={refusal}
      onClick={() => (hasFailed ? onReject(attempt.number) : onChoose(attempt.number))}
    >
      {hasFailed ? t("beside.keepFailure") : t(side === "old" ? "beside.keepOld" : "beside.useNew")}
    </Button>
  );
}
