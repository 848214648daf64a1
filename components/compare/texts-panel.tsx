"use client";

import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { AnswerMarks } from "@/components/status/answer-marks";
import { ChunkStatusBadge } from "@/components/status/chunk-status-badge";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";
import type { RunSummary } from "@/server/runs/run.schema";
import type { ComparedChunk, ComparedStretch } from "@/server/runs/run-comparison.schema";
import { RunLetter } from "./run-letter";
import type { useComparison } from "./use-comparison";

interface TextsPanelProps {
  runs: readonly RunSummary[];
  query: ReturnType<typeof useComparison>["texts"];
  differing: boolean;
  onDiffering: (only: boolean) => void;
}

/** What became of the same stretch of text in each run. */
export function TextsPanel({ runs, query, differing, onDiffering }: TextsPanelProps) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const stretches = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const problem = query.error === null ? null : errorText(query.error);
  return (
    <Panel
      title={t("compare.texts")}
      hint={t("compare.textsHint")}
      flush
      actions={
        <Checkbox label={t("compare.differing")} checked={differing} onChange={({ target }) => onDiffering(target.checked)} />
      }
    >
      {problem !== null && (
        <ErrorState
          title={t("compare.textsFailed")}
          message={`${problem.title} ${problem.detail}`.trim()}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data === undefined ? (
        problem === null && (
          <div role="status" aria-label={t("common.loading")} className="p-4">
            <Skeleton className="h-24" />
          </div>
        )
      ) : stretches.length === 0 ? (
        <EmptyState title={t(differing ? "compare.allAlike" : "compare.noTexts")} />
      ) : (
        <TextsTable runs={runs} stretches={stretches} />
      )}
      {query.hasNextPage && (
        <div className="flex justify-center border-line border-t p-3">
          <Button size="sm" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t("compare.more")}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function TextsTable({ runs, stretches }: { runs: readonly RunSummary[]; stretches: readonly ComparedStretch[] }) {
  const { t, formatNumber } = useI18n();
  return (
    // The keyboard scrolls it along with its links.
    <div className="relative overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-line border-b text-left text-ink-faint text-xs">
            <th scope="col" className="px-3 py-2 font-medium">
              {t("chunks.document")}
            </th>
            {runs.map((run, at) => (
              <th key={run.id} scope="col" className="min-w-44 max-w-64 px-3 py-2 font-medium">
                <span className="flex items-center gap-2">
                  <RunLetter at={at} />
                  <span className="truncate" title={`${run.name}, ${run.backend}/${run.model}`}>
                    {run.backend}/{run.model}
                  </span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stretches.map(({ document, sha256, sourceStart, sourceEnd, chunks }) => (
            <tr key={`${sha256} ${sourceStart} ${sourceEnd}`} className="border-line border-b align-top last:border-0">
              <th scope="row" className="min-w-32 max-w-44 sm:max-w-72 px-3 py-2 text-left font-normal">
                <span className="block truncate" title={document}>
                  {document}
                </span>
                <span className="text-ink-faint text-xs tabular-nums">
                  {t("compare.characters", { start: formatNumber(sourceStart), end: formatNumber(sourceEnd) })}
                </span>
              </th>
              {chunks.map((chunk, at) => (
                <td key={runs[at]?.id ?? at} className="px-3 py-2">
                  {chunk === null ? (
                    <span className="text-ink-faint text-xs">{t("compare.notCut")}</span>
                  ) : (
                    <ChunkCell runId={runs[at]?.id ?? ""} chunk={chunk} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ChunkCell({ runId, chunk }: { runId: string; chunk: ComparedChunk }) {
  const { t, formatDuration } = useI18n();
  const { index, attempts, failureKind, insights, requestMs } = chunk;
  return (
    <div className="space-y-1">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          href={paths.chunk(runId, index)}
          prefetch={false}
          aria-label={t("chunks.open", { index })}
          className="rounded-sm font-mono text-ink underline"
        >
          #{index}
        </Link>
        <ChunkStatusBadge status={chunk.status} />
        <AnswerMarks answer={chunk} />
      </span>
      {failureKind !== null && chunk.status === "failed" && (
        <span className="block text-danger text-xs">{t(`failure.title.${failureKind}`)}</span>
      )}
      <span className="block text-ink-faint text-xs tabular-nums">
        {[
          ...(insights === null ? [] : [t("compare.insights", { count: insights })]),
          ...(requestMs === null ? [] : [formatDuration(requestMs)]),
          ...(attempts > 1 ? [t("chunks.attemptsTitle", { count: attempts })] : []),
        ].join(" · ")}
      </span>
    </div>
  );
}
