"use client";

import { useMemo } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { classNames } from "@/components/ui/class-names";
import { diffLines, linesOf } from "@/components/ui/line-diff";

/** Unchanged lines that are shown around a difference. */
const CONTEXT = 3;

type DiffLine =
  | { kind: "same" | "added" | "removed"; old: number | null; new: number | null; text: string }
  | { kind: "gap"; old: number; count: number };

function diffLinesOf(before: string, after: string): DiffLine[] {
  const oldLines = linesOf(before);
  const newLines = linesOf(after);
  const shown: DiffLine[] = [];
  let old = 0;
  let fresh = 0;
  const same = (count: number, isFirst: boolean, isLast: boolean) => {
    const head = isFirst ? 0 : CONTEXT;
    const tail = isLast ? 0 : CONTEXT;
    for (let line = 0; line < count; line++) {
      const hidden = count - head - tail;
      if (hidden > 1 && line === head) {
        shown.push({ kind: "gap", old: old + line, count: hidden });
        line += hidden - 1;
      } else {
        shown.push({ kind: "same", old: old + line + 1, new: fresh + line + 1, text: oldLines[old + line] ?? "" });
      }
    }
    old += count;
    fresh += count;
  };
  const hunks = diffLines(oldLines, newLines);
  for (const [index, hunk] of hunks.entries()) {
    same(hunk.oldStart - old, index === 0, false);
    for (; old < hunk.oldEnd; old++) shown.push({ kind: "removed", old: old + 1, new: null, text: oldLines[old] ?? "" });
    for (; fresh < hunk.newEnd; fresh++) shown.push({ kind: "added", old: null, new: fresh + 1, text: newLines[fresh] ?? "" });
  }
  if (hunks.length > 0) same(oldLines.length - old, false, true);
  return shown;
}

interface LineDiffViewProps {
  before: string;
  after: string;
  /** Accessible name: "Revision 7 to revision 8". */
  label: string;
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

/** The lines that differ, each with its sign, and a few around them. */
export function LineDiffView({ before, after, label }: LineDiffViewProps) {
  const { t } = useI18n();
  const lines = useMemo(() => diffLinesOf(before, after), [before, after]);
  if (lines.length === 0) return <p className="text-ink-soft">{t("config.diff.same")}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard.
    <section tabIndex={0} aria-label={label} className="max-h-128 overflow-auto rounded-md border border-line bg-sunken">
      <table className="w-full border-collapse font-mono text-xs leading-5">
        <tbody>
          {lines.map((line) =>
            line.kind === "gap" ? (
              <tr key={`gap ${line.old}`}>
                <td colSpan={4} className="bg-surface px-3 py-0.5 text-ink-faint">
                  {t("config.diff.unchanged", { count: line.count })}
                </td>
              </tr>
            ) : (
              <tr
                key={`${line.old} ${line.new}`}
                className={classNames(
                  "align-top",
                  line.kind === "added" && "tone-success bg-tone-soft",
                  line.kind === "removed" && "tone-danger bg-tone-soft",
                )}
              >
                <LineNumber value={line.old} />
                <LineNumber value={line.new} />
                <td className="select-none px-1 text-tone">
                  <span aria-hidden>{SIGNS[line.kind]}</span>
                  {line.kind !== "same" && <span className="sr-only">{t(`config.diff.${line.kind}`)}</span>}
                </td>
                <td className="w-full whitespace-pre-wrap break-all pr-3">{line.text}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

function LineNumber({ value }: { value: number | null }) {
  return <td className="min-w-8 select-none px-1.5 text-right text-ink-soft tabular-nums">{value}</td>;
}
