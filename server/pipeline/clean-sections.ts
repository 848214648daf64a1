/** Headings: which lines stand under a routine report, and which headings have nothing left under them. */
import type { CleanLine } from "./clean-lines";
import { hasSignal, isBareRoutine, isGenericHeading, isRoutineHeading, withoutNumbers } from "./clean-words";
import type { DropReason } from "./pipeline.schema";

const DEEPEST = 6;
/** A heading that comes this often with other numbers in it is part of a log. */
const OFTEN = 4;

export function markRoutine(lines: readonly CleanLine[]): void {
  const routine: boolean[] = new Array(DEEPEST + 1).fill(false);
  for (const line of lines) {
    if (line.kind === "heading") {
      routine.fill(false, line.depth);
      line.isRoutine = routine.includes(true);
      routine[line.depth] = isRoutineHeading(line.text);
    } else {
      line.isRoutine = routine.includes(true);
    }
  }
}

interface Below {
  kept: boolean;
  dropped: DropReason | null;
}

/**
 * Drops a heading when everything under it was dropped, and a bare routine heading with nothing under it. A heading that is
 * itself a statement stays; so does one whose lines went only because they stand elsewhere, unless it repeats as well.
 */
export function dropEmptySections(lines: CleanLine[]): void {
  const counts = new Map<string, number>();
  for (const line of lines) {
    if (line.kind !== "heading") continue;
    const key = withoutNumbers(line.text);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  // What stands below, by the depth of the heading that would own it; read from the end upwards.
  const below: Below[] = Array.from({ length: DEEPEST + 1 }, () => ({ kept: false, dropped: null }));
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index];
    if (!line || line.kind === "blank" || (line.reason === null && isRule(line))) continue;
    if (line.kind === "heading") {
      const section = below[line.depth];
      if (section && line.reason === null)
        line.reason = reasonForHeading(line, section, counts.get(withoutNumbers(line.text)) ?? 1);
      for (let depth = line.depth; depth <= DEEPEST; depth++) below[depth] = { kept: false, dropped: null };
      for (let depth = 0; depth < line.depth; depth++) note(below[depth], line);
    } else {
      for (const section of below) note(section, line);
    }
  }
}

function note(section: Below | undefined, line: CleanLine): void {
  if (!section) return;
  if (line.reason === null) section.kept = true;
  // A heartbeat names the section better than a repetition in it does.
  else if (section.dropped === null || section.dropped === "repeated") section.dropped = line.reason;
}

function reasonForHeading(line: CleanLine, { kept, dropped }: Below, count: number): DropReason | null {
  if (kept || hasSignal(line.text)) return null;
  if (dropped === null) return isBareRoutine(line.text) ? "heartbeat" : null;
  if (dropped === "repeated" && count < OFTEN && !isRoutineHeading(line.text) && !isGenericHeading(line.text)) return null;
  return isRoutineHeading(line.text) ? "heartbeat" : dropped;
}

/** When only headings that name a place in a log are left of a document that had noise in it, they go as well. */
export function dropBareSkeleton(lines: CleanLine[]): void {
  if (!lines.some((line) => line.reason !== null && line.kind !== "blank")) return;
  const left = lines.filter((line) => line.reason === null && line.kind !== "blank");
  if (left.every((line) => isRule(line) || (line.kind === "heading" && isGenericHeading(line.text))))
    for (const line of left) line.reason = "noise";
}

/** `---` between two sections. */
export function isRule(line: CleanLine): boolean {
  return line.kind === "text" && /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line.text);
}

/** Of the rules around dropped sections one is enough. */
export function dropSpareRules(lines: CleanLine[]): void {
  let hasDropped = false;
  let isAfterRule = true;
  for (const line of lines) {
    if (line.kind === "blank") continue;
    if (line.reason !== null) hasDropped = true;
    else if (isRule(line)) {
      if (hasDropped && isAfterRule) line.reason = "noise";
      else isAfterRule = true;
      hasDropped = false;
    } else {
      isAfterRule = false;
      hasDropped = false;
    }
  }
}
