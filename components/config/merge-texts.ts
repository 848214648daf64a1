import { diffLines, type Hunk, linesOf } from "@/components/ui/line-diff";

export interface MergedTexts {
  text: string;
  /** Places that both sides changed, each in its own way. Mine stands there; where both only added lines, theirs and then mine. */
  overlaps: number;
}

/** Both sides' changes of one base in one text, line by line. */
export function mergeTexts(base: string, mine: string, theirs: string): MergedTexts {
  const sides = { base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) };
  const myHunks = diffLines(sides.base, sides.mine).flatMap(lineByLine);
  const theirHunks = diffLines(sides.base, sides.theirs).flatMap(lineByLine);
  const merged: string[] = [];
  let at = 0;
  let overlaps = 0;
  const copyUpTo = (line: number) => {
    merged.push(...sides.base.slice(at, line));
  };
  while (myHunks.length > 0 || theirHunks.length > 0) {
    const [my] = myHunks;
    const [their] = theirHunks;
    if (my !== undefined && their !== undefined && isSamePlace(my, their)) {
      const region = takeRegion(myHunks, theirHunks);
      const myLines = linesOfRegion(sides.mine, region.mine, region);
      const theirLines = linesOfRegion(sides.theirs, region.theirs, region);
      copyUpTo(region.start);
      const isSame = myLines.join("\n") === theirLines.join("\n");
      const isInsertion = region.start === region.end;
      merged.push(...(isInsertion && !isSame ? theirLines : []), ...myLines);
      if (!isSame) overlaps++;
      at = region.end;
      continue;
    }
    const isMine = their === undefined || (my !== undefined && isBefore(my, their));
    const hunk = isMine ? myHunks.shift() : theirHunks.shift();
    if (hunk === undefined) break;
    copyUpTo(hunk.oldStart);
    merged.push(...(isMine ? sides.mine : sides.theirs).slice(hunk.newStart, hunk.newEnd));
    at = hunk.oldEnd;
  }
  copyUpTo(sides.base.length);
  return { text: merged.join("\n"), overlaps };
}

/** As many new lines as old ones were most likely changed one by one: a mapping each. A neighbour's change does not touch them then. */
function lineByLine(hunk: Hunk): Hunk[] {
  const length = hunk.oldEnd - hunk.oldStart;
  if (length !== hunk.newEnd - hunk.newStart) return [hunk];
  return Array.from({ length }, (_, line) => ({
    oldStart: hunk.oldStart + line,
    oldEnd: hunk.oldStart + line + 1,
    newStart: hunk.newStart + line,
    newEnd: hunk.newStart + line + 1,
  }));
}

/** They share a line of the base, or add lines at the same place. */
function isSamePlace(a: Hunk, b: Hunk): boolean {
  if (a.oldStart === b.oldStart && a.oldEnd === a.oldStart && b.oldEnd === b.oldStart) return true;
  return a.oldStart < b.oldEnd && b.oldStart < a.oldEnd;
}

function isBefore(a: Hunk, b: Hunk): boolean {
  return a.oldStart < b.oldStart || (a.oldStart === b.oldStart && a.oldEnd <= b.oldEnd);
}

interface Region {
  start: number;
  end: number;
  mine: Hunk[];
  theirs: Hunk[];
}

/** Takes the two first hunks, and all that share lines with what was taken so far. */
function takeRegion(myHunks: Hunk[], theirHunks: Hunk[]): Region {
  const mine = myHunks.splice(0, 1);
  const theirs = theirHunks.splice(0, 1);
  const region = { start: Number.POSITIVE_INFINITY, end: 0, mine, theirs };
  for (const hunk of [...mine, ...theirs]) {
    region.start = Math.min(region.start, hunk.oldStart);
    region.end = Math.max(region.end, hunk.oldEnd);
  }
  for (;;) {
    const [side, taken] =
      (myHunks[0]?.oldStart ?? Number.POSITIVE_INFINITY) < region.end
        ? [myHunks, mine]
        : (theirHunks[0]?.oldStart ?? Number.POSITIVE_INFINITY) < region.end
          ? [theirHunks, theirs]
          : [[], []];
    const next = side.shift();
    if (next === undefined) return region;
    taken.push(next);
    region.end = Math.max(region.end, next.oldEnd);
  }
}

function linesOfRegion(lines: readonly string[], hunks: readonly Hunk[], region: Region): string[] {
  const [first] = hunks;
  const last = hunks.at(-1);
  if (first === undefined || last === undefined) return [];
  return lines.slice(first.newStart - (first.oldStart - region.start), last.newEnd + (region.end - last.oldEnd));
}
