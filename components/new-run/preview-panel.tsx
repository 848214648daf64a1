"use client";

import { ShieldCheck } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { secretKindWord } from "@/components/i18n/server-words";
import { useErrorText } from "@/components/trpc/use-error-text";
import { ErrorState } from "@/components/ui/error-state";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";
import type { Preview } from "@/server/runs/run.schema";
import type { WrongField } from "./order";
import { type PreviewTotals, previewTotals } from "./preview-totals";
import type { usePreview } from "./use-preview";

interface PreviewPanelProps {
  query: ReturnType<typeof usePreview>;
  /** The draft has text to preview. */
  hasText: boolean;
  /** Fields that keep the draft from being an order: nothing can be previewed. */
  wrong: readonly WrongField[];
  /** What is shown belongs to an older state of the draft. */
  outdated: boolean;
}

export function PreviewPanel({ query, hasText, wrong, outdated }: PreviewPanelProps) {
  const { t } = useI18n();
  const updating = hasText && wrong.length === 0 && (outdated || query.isFetching);
  return (
    <Panel title={t("newRun.preview")} hint={<span role="status">{updating ? t("newRun.previewUpdating") : ""}</span>}>
      <div className="min-h-44">
        {hasText && wrong.length > 0 ? (
          <InvalidOrder wrong={wrong} />
        ) : (
          <PreviewBody query={query} hasText={hasText} dimmed={updating} />
        )}
      </div>
    </Panel>
  );
}

function InvalidOrder({ wrong }: { wrong: readonly WrongField[] }) {
  const { t, formatNumber } = useI18n();
  return (
    <div role="status" className="tone-warning rounded bg-tone-soft px-2.5 py-1.5 text-tone">
      <p>{t("newRun.invalid")}</p>
      <ul className="list-disc pl-5">
        {wrong.map(({ word, range }) => (
          <li key={word}>
            {t("newRun.invalidField", {
              field: t(word),
              rule:
                range === null
                  ? t("newRun.invalidDate")
                  : t("newRun.optionRange", { min: formatNumber(range.min), max: formatNumber(range.max) }),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}

function PreviewBody({ query, hasText, dimmed }: { query: PreviewPanelProps["query"]; hasText: boolean; dimmed: boolean }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  if (!hasText) return <p className="text-ink-soft">{t("newRun.previewEmpty")}</p>;
  if (query.isError) {
    const { title, detail } = errorText(query.error);
    return (
      <ErrorState
        title={t("newRun.previewFailed")}
        message={`${title} ${detail}`}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (!query.data) {
    return (
      <div className="space-y-3">
        <Skeleton className="h-5 w-3/4" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-1/2" />
      </div>
    );
  }
  return (
    <div className={dimmed ? "opacity-60" : ""}>
      <PreviewFacts preview={query.data} />
    </div>
  );
}

function PreviewFacts({ preview }: { preview: Preview }) {
  const { t, formatNumber } = useI18n();
  const totals = previewTotals(preview);
  const approximately = totals.tokensEstimated ? "≈ " : "";
  return (
    <div className="space-y-4">
      <div>
        <p className="font-semibold text-base tabular-nums">
          {t("newRun.total", {
            runs: t("newRun.runs", { count: preview.runs.length }),
            chunks: t("common.chunks", { count: totals.chunks }),
            tokens: `${approximately}${t("common.tokens", { count: totals.tokens })}`,
          })}
        </p>
        <p className="text-ink-faint text-xs">
          {preview.backend} · {preview.model}
          {totals.tokensEstimated && <> · {t("newRun.estimatedTokens", { tokenizer: totals.tokenizer })}</>}
        </p>
        {totals.chunks === 0 && (
          <p className="tone-warning mt-2 rounded bg-tone-soft px-2.5 py-1.5 text-tone">{t("newRun.noChunks")}</p>
        )}
      </div>
      {preview.runs.length > 1 && (
        <ul className="max-h-48 divide-y divide-line overflow-y-auto rounded-md border border-line">
          {preview.runs.map(({ sourceDate, report }) => (
            <li key={sourceDate} className="flex justify-between gap-3 px-3 py-1.5 tabular-nums">
              <span className="font-medium">{sourceDate}</span>
              <span className="text-ink-soft">
                {t("common.chunks", { count: report.chunks })} · {approximately}
                {formatNumber(report.tokens)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <MaskedSecrets totals={totals} />
      <DroppedLines totals={totals} />
    </div>
  );
}

function MaskedSecrets({ totals }: { totals: PreviewTotals }) {
  const { t, formatList, formatNumber } = useI18n();
  const total = t("newRun.masked", { count: totals.maskedTotal });
  const list = formatList(totals.masked.map(({ kind, count }) => `${formatNumber(count)} × ${secretKindWord(t, kind)}`));
  return (
    <div className="flex gap-2">
      <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
      <div>
        <p className={totals.maskedTotal > 0 ? "font-medium" : "text-ink-soft"}>
          {totals.maskedTotal > 0 ? t("newRun.maskedList", { total, list }) : total}
        </p>
        {totals.maskedTotal > 0 && <p className="text-ink-faint text-xs">{t("newRun.maskedHint")}</p>}
      </div>
    </div>
  );
}

function DroppedLines({ totals }: { totals: PreviewTotals }) {
  const { t } = useI18n();
  return (
    <div>
      <p className={totals.droppedTotal > 0 ? "font-medium" : "text-ink-soft"}>
        {t("newRun.dropped", { count: totals.droppedTotal })}
      </p>
      {totals.dropped.map(({ reason, lines, samples }) => (
        <details key={reason} className="mt-1 text-xs">
          <summary className="cursor-pointer rounded">
            {t(`drop.${reason}`)}: {t("common.lines", { count: lines })}
          </summary>
          <ul
            aria-label={t("newRun.droppedSamples")}
            className="mt-1 space-y-0.5 rounded bg-sunken p-2 font-mono text-2xs text-ink-soft"
          >
            {samples.map((sample, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: samples may be alike, and the list is drawn whole.
              <li key={index} className="min-h-4 break-all">
                {sample}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}
