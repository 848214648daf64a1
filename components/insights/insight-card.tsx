"use client";

import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { scorePartWord, sectionWord } from "@/components/i18n/server-words";
import { paths } from "@/components/paths";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import type { InsightSource, StagedInsight } from "@/server/pipeline/pipeline.schema";

const CONFIDENCE_TONE = { high: "success", medium: "waiting", low: "neutral" } as const;

interface InsightCardProps {
  runId: string;
  insight: StagedInsight;
  /** Names of the run's documents, by index. */
  documents: readonly string[];
}

/** One statement, always as plain text, with every place it rests on. */
export function InsightCard({ runId, insight, documents }: InsightCardProps) {
  const { t, formatNumber } = useI18n();
  return (
    <li className="flex gap-3 px-4 py-3">
      <span
        title={t("insights.rank", { rank: insight.rank })}
        className="w-8 shrink-0 pt-0.5 text-right text-ink-faint text-xs tabular-nums"
      >
        {insight.rank}
      </span>
      <div className="min-w-0 flex-1 space-y-1.5">
        <p className="max-w-prose whitespace-pre-wrap break-words">{insight.content}</p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-faint text-xs">
          <Badge tone={CONFIDENCE_TONE[insight.confidence]}>{t(`insights.confidence.${insight.confidence}`)}</Badge>
          {insight.section !== "" && <span className="break-words">{sectionWord(t, insight.section)}</span>}
          {insight.topic !== "" && <span className="break-words">{insight.topic}</span>}
          <span className="tabular-nums">{insight.date}</span>
        </p>
        <details className="text-xs">
          <summary className="w-fit cursor-pointer rounded-sm text-ink-soft touch:min-h-9">
            {t("insights.sources", { count: insight.sources.length })} ·{" "}
            {t("insights.score", { score: formatNumber(insight.score) })}
          </summary>
          <ul className="mt-2 space-y-2 border-line border-l-2 pl-3">
            {insight.sources.map((source) => (
              <Source
                key={`${source.chunk} ${source.start} ${source.end} ${source.quote}`}
                runId={runId}
                source={source}
                document={documents[source.document] ?? ""}
              />
            ))}
          </ul>
          <p className="mt-2 text-ink-faint">
            {t("insights.scoreParts")}:{" "}
            {Object.entries(insight.scoreParts)
              .map(([part, value]) => `${scorePartWord(t, part)} ${formatNumber(value)}`)
              .join(" + ")}
          </p>
        </details>
      </div>
      <CopyButton value={insight.content} label={t("insights.copy", { rank: insight.rank })} />
    </li>
  );
}

function Source({ runId, source, document }: { runId: string; source: InsightSource; document: string }) {
  const { t } = useI18n();
  const { chunk, attempt, start, end, cleanedStart, cleanedEnd } = source;
  return (
    <li>
      <Link href={paths.chunk(runId, chunk, { attempt, at: `${cleanedStart}-${cleanedEnd}` })} className="rounded-sm underline">
        {t("insights.source", { chunk, attempt, document, start, end })}
      </Link>
      {!source.exact && <span className="text-ink-faint"> · {t("insights.inexact")}</span>}
      {source.quote !== "" && (
        <blockquote className="max-w-prose whitespace-pre-wrap break-words text-ink-soft">{source.quote}</blockquote>
      )}
    </li>
  );
}
