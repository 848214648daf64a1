/** Two answers of a chunk, line by line. Pure. */
import { diffLines, linesOf } from "@/components/ui/line-diff";
import type { ChunkDetail } from "@/server/runs/run.schema";
import { answerTextOf, cutText } from "./artifact-text";

type Attempt = ChunkDetail["attempts"][number];

/** UTF-8 bytes of each of the two that are set side by side; whole answers are in the result panel. */
const BESIDE_BYTES = 64 * 1024;

/** One row of the two columns; null where the other has lines that this one lacks. */
export interface BesideRow {
  key: string;
  old: string | null;
  fresh: string | null;
  isSame: boolean;
}

/** Attempts that brought something to read, in their order. */
export function answered(attempts: readonly Attempt[]): Attempt[] {
  return attempts.filter(({ result }) => result !== null);
}

/**
 * The two that are looked at: the one that counts with the newest other one, else the last two. Null while there are not two.
 * `wanted` are numbers that somebody has chosen, old and new; what is not there is left to the rule.
 */
export function besideOf(
  attempts: readonly Attempt[],
  accepted: number | null,
  wanted: { old: number | null; fresh: number | null },
): { old: Attempt; fresh: Attempt } | null {
  const all = answered(attempts);
  const newest = all.at(-1);
  if (newest === undefined || all.length < 2) return null;
  const counting = all.find(({ number }) => number === accepted) ?? newest;
  const others = all.filter((attempt) => attempt !== counting);
  const other = others.at(-1);
  if (other === undefined) return null;
  const [old, fresh] = counting.number < other.number ? [counting, other] : [other, counting];
  return {
    old: all.find(({ number }) => number === wanted.old) ?? old,
    fresh: all.find(({ number }) => number === wanted.fresh) ?? fresh,
  };
}

/** What an attempt answered, as it is compared: its output, else what the model wrote, else nothing. */
export function comparedText({ result }: Attempt): { text: string; isCut: boolean } {
  const whole = result === null ? "" : answerTextOf(result.body);
  const text = cutText(whole, BESIDE_BYTES);
  return { text, isCut: text.length < whole.length };
}

/** The lines of both, those that differ next to each other. */
export function besideRows(oldText: string, freshText: string): BesideRow[] {
  const [before, after] = [linesOf(oldText), linesOf(freshText)];
  const rows: BesideRow[] = [];
  let old = 0;
  let fresh = 0;
  const same = (until: number) => {
    for (; old < until; old++, fresh++)
      rows.push({ key: `${old} ${fresh}`, old: before[old] ?? "", fresh: after[fresh] ?? "", isSame: true });
  };
  for (const hunk of diffLines(before, after)) {
    same(hunk.oldStart);
    const height = Math.max(hunk.oldEnd - hunk.oldStart, hunk.newEnd - hunk.newStart);
    for (let line = 0; line < height; line++)
      rows.push({
        key: `${hunk.oldStart} ${hunk.newStart} ${line}`,
        old: hunk.oldStart + line < hunk.oldEnd ? (before[hunk.oldStart + line] ?? "") : null,
        fresh: hunk.newStart + line < hunk.newEnd ? (after[hunk.newStart + line] ?? "") : null,
        isSame: false,
      });
    old = hunk.oldEnd;
    fresh = hunk.newEnd;
  }
  same(before.length);
  return rows;
}
