"use client";

import { X } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import type { MessageKey } from "@/components/i18n/messages";
import { CostCell } from "@/components/status/cost-text";
import { CountCell, DurationCell, NameCell, StatusCell, TokensCell } from "@/components/status/run-cells";
import { BreakableName } from "@/components/ui/breakable-name";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import type { ComparedRun } from "@/server/runs/run-comparison.schema";
import { RunLetter } from "./run-letter";

const HEADS: readonly { word: MessageKey; right?: boolean }[] = [
  { word: "runs.column.name" },
  { word: "compare.answeredBy" },
  { word: "runs.column.status" },
  { word: "compare.ok", right: true },
  { word: "answer.repaired", right: true },
  { word: "answer.truncated", right: true },
  { word: "runs.column.failed", right: true },
  { word: "compare.requests", right: true },
  { word: "cost.label", right: true },
  { word: "compare.duration", right: true },
  { word: "compare.median", right: true },
  { word: "compare.firstToken", right: true },
  { word: "runs.column.tokens", right: true },
  { word: "chunks.insights", right: true },
];

const CELL = "whitespace-nowrap px-2.5 py-2 text-right tabular-nums";

interface FiguresTableProps {
  compared: readonly ComparedRun[];
  onRemove: (id: string) => void;
}

/** A line a run. What is not known is a dash, never a 0. */
export function FiguresTable({ compared, onRemove }: FiguresTableProps) {
  const { t, formatNumber, formatDuration } = useI18n();
  const span = (ms: number | null) =>
    ms === null ? <span className="text-ink-faint">{t("common.none")}</span> : formatDuration(ms);
  return (
    // The keyboard scrolls it along with its links.
    <div className="relative overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-line border-b">
            {HEADS.map(({ word, right }) => (
              <th
                key={word}
                scope="col"
                className={classNames(
                  "whitespace-nowrap px-2.5 py-2 font-medium text-ink-faint text-xs",
                  right ? "text-right" : "text-left",
                )}
              >
                {t(word)}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">{t("runs.column.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {compared.map(({ run, requests, requestMs, firstTokenMs, marks, cost, answeredBy }, at) => (
            <tr key={run.id} className="border-line border-b last:border-0">
              <th scope="row" className="max-w-44 sm:max-w-72 px-2.5 py-2 text-left font-normal">
                <span className="flex items-start gap-2">
                  <RunLetter at={at} />
                  <NameCell run={run} />
                </span>
              </th>
              <td className="min-w-28 max-w-56 px-2.5 py-2">
                {answeredBy.length === 0 ? (
                  <span className="text-ink-faint">{t("compare.nobody")}</span>
                ) : (
                  answeredBy.map((reference) => (
                    <code key={reference} className="block break-words font-mono text-xs">
                      <BreakableName name={reference} />
                    </code>
                  ))
                )}
              </td>
              <td className="px-2.5 py-2">
                <StatusCell run={run} />
              </td>
              <td className={CELL}>
                {t("runs.done", { done: formatNumber(run.counts.succeeded), total: formatNumber(run.counts.total) })}
              </td>
              <td className={CELL}>{formatNumber(marks.repaired)}</td>
              <td className={CELL}>{formatNumber(marks.truncated)}</td>
              <td className={CELL}>
                <CountCell run={run} value={run.counts.failed} tone="danger" />
              </td>
              <td className={CELL}>{formatNumber(requests)}</td>
              <td className={CELL}>
                <CostCell cost={cost} />
              </td>
              <td className={CELL}>
                <DurationCell run={run} />
              </td>
              <td
                className={CELL}
                title={requestMs === null ? undefined : t("compare.longest", { duration: formatDuration(requestMs.longest) })}
              >
                {span(requestMs?.median ?? null)}
              </td>
              <td className={CELL}>{span(firstTokenMs)}</td>
              <td className={CELL}>
                <TokensCell run={run} />
              </td>
              <td className={CELL}>{formatNumber(run.insights)}</td>
              <td className="px-2 py-2 text-right">
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={t("compare.remove", { name: run.name })}
                  icon={<X aria-hidden className="size-3.5" />}
                  onClick={() => onRemove(run.id)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
