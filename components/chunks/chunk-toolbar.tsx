"use client";

import { RefreshCw, RotateCw, X } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { ANSWER_MARK_STYLE } from "@/components/status/answer-marks";
import { CHUNK_STATUS_STYLE } from "@/components/status/status-table";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { TONE_CLASS } from "@/components/ui/tone";
import { ANSWER_MARKS } from "@/server/runs/run.rules";
import type { RunDetail } from "@/server/runs/run.schema";
import { CHUNK_STATUSES } from "@/server/runs/run-state.rules";
import { type ChunkFilter, countOf, isAnswerMark } from "./chunk-filter";
import { GoToChunk } from "./go-to-chunk";

interface ChunkToolbarProps {
  run: Pick<RunDetail, "counts" | "marks">;
  status: ChunkFilter | null;
  onStatus: (status: ChunkFilter | null) => void;
  onGoTo: (index: number) => void;
  /** The filtered list does not show the newest changes yet. */
  isBehind: boolean;
  onRefresh: () => void;
  selected: number;
  onClear: () => void;
  onRetry: () => void;
  onRetryWith: () => void;
  retrying: boolean;
  retryRefusal: string | null;
}

/** Filter by status, and what can be done with the selected rows. */
export function ChunkToolbar(props: ChunkToolbarProps) {
  const { t } = useI18n();
  const { run, status, onStatus, selected } = props;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{t("chunks.filter")}</legend>
        {[null, ...CHUNK_STATUSES, ...ANSWER_MARKS].map((each) => (
          <StatusToggle
            key={each ?? "all"}
            status={each}
            count={countOf(run, each)}
            pressed={each === status}
            onPress={() => onStatus(each)}
          />
        ))}
      </fieldset>
      <GoToChunk total={run.counts.total} onGo={props.onGoTo} />
      {props.isBehind && (
        <Button variant="ghost" size="sm" icon={<RefreshCw aria-hidden className="size-3.5" />} onClick={props.onRefresh}>
          {t("chunks.changed")}
        </Button>
      )}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <span role="status" className="text-ink-soft text-xs tabular-nums">
          {t("chunks.selected", { count: selected })}
        </span>
        {selected > 0 && (
          <Button variant="ghost" size="sm" icon={<X aria-hidden className="size-3.5" />} onClick={props.onClear}>
            {t("chunks.clear")}
          </Button>
        )}
        <Button
          size="sm"
          variant={selected > 0 ? "primary" : "secondary"}
          icon={<RotateCw aria-hidden className="size-3.5" />}
          pending={props.retrying}
          disabledReason={props.retryRefusal}
          onClick={props.onRetry}
        >
          {t("chunks.retrySelected")}
        </Button>
        <Button size="sm" disabledReason={props.retryRefusal} onClick={props.onRetryWith}>
          {t("modelChoice.retryWith")}
        </Button>
      </div>
    </div>
  );
}

interface StatusToggleProps {
  status: ChunkFilter | null;
  count: number;
  pressed: boolean;
  onPress: () => void;
}

function StatusToggle({ status, count, pressed, onPress }: StatusToggleProps) {
  const { t, formatNumber } = useI18n();
  const style = status === null ? null : isAnswerMark(status) ? ANSWER_MARK_STYLE[status] : CHUNK_STATUS_STYLE[status];
  const word = status === null ? "" : isAnswerMark(status) ? t(`answer.${status}`) : t(CHUNK_STATUS_STYLE[status].word);
  const shown = formatNumber(count);
  return (
    <button
      type="button"
      aria-pressed={pressed}
      // "/" brings the focus to the filter that is on.
      data-filter-input={pressed || undefined}
      onClick={onPress}
      className={classNames(
        "inline-flex h-7 items-center gap-1 rounded-full border px-2.5 font-medium text-xs tabular-nums touch:h-9",
        TONE_CLASS[style?.tone ?? "neutral"],
        pressed ? "border-tone-mark bg-tone-soft text-tone" : "border-line text-ink-soft hover:border-line-strong hover:text-ink",
      )}
    >
      {style !== null && <style.icon aria-hidden className="size-3.5 text-tone" />}
      {style === null ? t("chunks.filterAll", { count: shown }) : t("chunks.filterOne", { status: word, count: shown })}
    </button>
  );
}
