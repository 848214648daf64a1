"use client";

import { CircleX, TriangleAlert } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { TONE_CLASS } from "@/components/ui/tone";
import type { ConfigProblem } from "@/server/config/config.rules";
import { useProblemText } from "./use-problem-text";

const LOOKS = {
  error: { icon: CircleX, tone: "danger", word: "config.severity.error" },
  warning: { icon: TriangleAlert, tone: "warning", word: "config.severity.warning" },
} as const;

interface ProblemListProps {
  problems: readonly ConfigProblem[];
  /** Goes to the problem's place in the text. */
  onOpen: (problem: ConfigProblem) => void;
}

/** Everything that is wrong, errors first, each with its place. */
export function ProblemList({ problems, onOpen }: ProblemListProps) {
  const { t } = useI18n();
  const problemText = useProblemText();
  const sorted = [...problems].sort(
    (a, b) => Number(a.severity === "warning") - Number(b.severity === "warning") || (a.line ?? 0) - (b.line ?? 0),
  );
  return (
    <ul aria-label={t("config.problems")} className="divide-y divide-line">
      {sorted.map((problem) => {
        const { icon: Icon, tone, word } = LOOKS[problem.severity];
        const text = (
          <>
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-tone" />
            <span className="min-w-0 flex-1 break-words">
              <span className="sr-only">{t(word)} </span>
              {problem.path !== "" && <code className="mr-1.5 break-all font-mono text-xs">{problem.path}</code>}
              <span className="whitespace-pre-wrap text-ink-soft">{problemText(problem)}</span>
            </span>
            {problem.line !== null && (
              <span className="shrink-0 text-ink-faint text-xs tabular-nums">
                {t("config.place", { line: problem.line, column: problem.column ?? 1 })}
              </span>
            )}
          </>
        );
        const rowClass = `${TONE_CLASS[tone]} flex w-full items-start gap-2 px-4 py-2 text-left`;
        return (
          <li key={`${problem.code} ${problem.path} ${problem.line} ${problem.column} ${problem.message}`}>
            {problem.line === null ? (
              <div className={rowClass}>{text}</div>
            ) : (
              <button type="button" className={`${rowClass} -outline-offset-2 hover:bg-hover`} onClick={() => onOpen(problem)}>
                {text}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
