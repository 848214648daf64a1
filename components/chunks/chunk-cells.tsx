"use client";

import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { useNow } from "@/components/i18n/use-now";
import { paths } from "@/components/paths";
import { AnswerMarks } from "@/components/status/answer-marks";
import { ChunkStatusBadge } from "@/components/status/chunk-status-badge";
import { RawMessage } from "@/components/status/raw-message";
import { WAITING_STYLE } from "@/components/status/status-table";
import { Checkbox } from "@/components/ui/checkbox";
import { TONE_CLASS } from "@/components/ui/tone";
import type { ChunkSummary } from "@/server/runs/run.schema";
import { durationOf, tokensOf } from "./chunk-times";
import { canSelect } from "./selection";

const REFRESH_MS = 1_000;

export interface SelectCellProps {
  chunk: ChunkSummary;
  selected: boolean;
  /** With `range`, everything from the box that was ticked before. */
  onSelect: (index: number, range: boolean) => void;
}

export function SelectCell({ chunk, selected, onSelect }: SelectCellProps) {
  const { t } = useI18n();
  const possible = canSelect(chunk);
  return (
    <span title={possible ? undefined : t("chunks.onlyFailed")} className="flex">
      <Checkbox
        label={t("chunks.select", { index: chunk.index })}
        labelHidden
        // A chunk that was selected while it was failed can be taken out again.
        disabled={!possible && !selected}
        checked={selected}
        onChange={() => {}}
        onClick={(event) => onSelect(chunk.index, event.shiftKey)}
      />
    </span>
  );
}

export function IndexCell({ runId, chunk }: { runId: string; chunk: ChunkSummary }) {
  const { t } = useI18n();
  return (
    <Link
      href={paths.chunk(runId, chunk.index)}
      prefetch={false}
      data-row-link
      aria-label={t("chunks.open", { index: chunk.index })}
      className="inline-flex min-w-8 rounded-sm font-medium font-mono text-ink hover:underline touch:min-h-9 touch:items-center"
    >
      {chunk.index}
    </Link>
  );
}

export function StatusCell({ chunk }: { chunk: ChunkSummary }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <ChunkStatusBadge status={chunk.status} />
      <AnswerMarks answer={chunk} />
      {chunk.dueAt !== null && <RetryIn dueAt={chunk.dueAt} />}
    </span>
  );
}

function RetryIn({ dueAt }: { dueAt: string }) {
  const { t, formatDuration, formatTime } = useI18n();
  const now = useNow(REFRESH_MS);
  const { icon: Icon, tone } = WAITING_STYLE.backoff;
  const left = now === null ? null : Date.parse(dueAt) - now;
  return (
    <span
      title={formatTime(dueAt)}
      className={`inline-flex items-center gap-1 whitespace-nowrap text-tone text-xs tabular-nums ${TONE_CLASS[tone]}`}
    >
      <Icon aria-hidden className="size-3" />
      {left === null ? "" : left <= 0 ? t("chunks.waitsForSlot") : t("chunks.retryIn", { duration: formatDuration(left) })}
    </span>
  );
}

export function AttemptsCell({ chunk }: { chunk: ChunkSummary }) {
  const { t, formatNumber } = useI18n();
  const count = chunk.attempts.length;
  return (
    <span
      title={t("chunks.attemptsTitle", { count })}
      className={`tabular-nums ${count > 1 ? "tone-retry font-medium text-tone" : count === 0 ? "text-ink-faint" : ""}`}
    >
      {formatNumber(count)}
    </span>
  );
}

export function TokensCell({ chunk }: { chunk: ChunkSummary }) {
  const { t, formatNumber } = useI18n();
  const used = tokensOf(chunk);
  const text = formatNumber(chunk.tokens);
  if (used === null) {
    return (
      <span title={t("chunks.textTokens", { text })} className="text-ink-faint">
        –
      </span>
    );
  }
  const title = t("chunks.tokensTitle", { prompt: formatNumber(used.prompt), completion: formatNumber(used.completion), text });
  return (
    <span title={title} className="whitespace-nowrap tabular-nums">
      {used.estimated ? "≈ " : ""}
      {formatNumber(used.prompt + used.completion)}
    </span>
  );
}

export function InsightsCell({ chunk }: { chunk: ChunkSummary }) {
  const { formatNumber } = useI18n();
  return (
    <span className={`tabular-nums ${chunk.insights === null || chunk.insights === 0 ? "text-ink-faint" : ""}`}>
      {chunk.insights === null ? "–" : formatNumber(chunk.insights)}
    </span>
  );
}

/** The name of the failure over what was said. An open failure of a chunk that goes on is quiet. */
export function FailureCell({ chunk }: { chunk: ChunkSummary }) {
  const { t } = useI18n();
  if (chunk.failureKind === null) return <span className="text-ink-faint">–</span>;
  const loud = chunk.status === "failed";
  return (
    <div className="min-w-0 text-xs" title={chunk.errorMessage === null ? undefined : serverSentence(t, chunk.errorMessage)}>
      <span className={`block truncate text-sm ${loud ? "tone-danger text-tone" : "text-ink-soft"}`}>
        {t(`failure.title.${chunk.failureKind}`)}
      </span>
      {chunk.errorMessage !== null && <RawMessage text={chunk.errorMessage} className="block truncate text-ink-faint!" />}
    </div>
  );
}

export function DurationCell({ chunk }: { chunk: ChunkSummary }) {
  if (chunk.attempts.length === 0) return <span className="text-ink-faint">–</span>;
  // A chunk that waits for its next attempt is not done: its time goes on.
  return chunk.endedAt === null ? <RunningDuration chunk={chunk} /> : <FixedDuration milliseconds={durationOf(chunk, 0)} />;
}

function RunningDuration({ chunk }: { chunk: ChunkSummary }) {
  const now = useNow(REFRESH_MS);
  return now === null ? null : <FixedDuration milliseconds={durationOf(chunk, now)} />;
}

function FixedDuration({ milliseconds }: { milliseconds: number | null }) {
  const { formatDuration } = useI18n();
  return <span className="whitespace-nowrap tabular-nums">{milliseconds === null ? "–" : formatDuration(milliseconds)}</span>;
}
