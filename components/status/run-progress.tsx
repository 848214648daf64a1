"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { ProgressBar } from "@/components/ui/progress-bar";
import type { Counts } from "@/server/runs/run-state.rules";
import { CHUNK_STATUS_STYLE } from "./status-table";

const ORDER = ["succeeded", "failed", "cancelled", "running", "queued"] as const;

/** Chunks with an accepted result, of all: 100 % means that nothing is missing. No chunks at all count as whole. */
export function doneFraction(counts: Counts): number {
  return counts.total === 0 ? 1 : counts.succeeded / counts.total;
}

/** The chunks of a run by state, as one bar that says the same in words. */
export function RunProgress({ counts, className }: { counts: Counts; className?: string }) {
  const { t, formatPercent, formatNumber } = useI18n();
  const shown = ORDER.filter((status) => counts[status] > 0);
  const parts = shown.map((status) => t(`status.count.${status}`, { count: counts[status] })).join(", ");
  const valueText =
    counts.total === 0
      ? t("status.progressEmpty")
      : t("status.progressText", { percent: formatPercent(doneFraction(counts)), total: formatNumber(counts.total), parts });
  return (
    <ProgressBar
      label={t("status.progress")}
      valueText={valueText}
      total={counts.total}
      done={counts.succeeded}
      segments={shown
        .filter((status) => status !== "queued")
        .map((status) => ({ key: status, label: t(CHUNK_STATUS_STYLE[status].word), value: counts[status], ...styleOf(status) }))}
      {...(className === undefined ? {} : { className })}
    />
  );
}

function styleOf(status: (typeof ORDER)[number]) {
  const { tone, pattern, moving } = CHUNK_STATUS_STYLE[status];
  return { tone, pattern, moving };
}
