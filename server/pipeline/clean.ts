/** Takes out of a document what no person would keep, as whole lines, and says of every character where it went. */
import type { CleanLine } from "./clean-lines";
import { readCleanLines } from "./clean-lines";
import { cutSpeakers, dropFrontMatter, dropMetadata } from "./clean-metadata";
import { dropOwnOutput } from "./clean-own-output";
import { dropRepeats } from "./clean-repeats";
import { dropBareSkeleton, dropEmptySections, dropSpareRules, markRoutine } from "./clean-sections";
import type { DropReason } from "./pipeline.schema";
import { SESSION_NOISE_MARK } from "./session-transcript";

/** Offsets in the document, end exclusive. */
export interface KeptRange {
  start: number;
  end: number;
}

export interface DroppedLines extends KeptRange {
  reason: DropReason;
  lines: number;
}

export interface Cleaned {
  /** The kept ranges, joined. */
  text: string;
  /** In order, apart from each other. Together with `dropped` they cover the document: every character is in exactly one. */
  kept: KeptRange[];
  dropped: DroppedLines[];
}

/** Blanks in a row beyond this say nothing and cost tokens. */
const LONG_BLANK = /[ \t\u00a0\u3000]{200,}/g;

/**
 * Cleans one masked document. Rules err on the side of keeping: a line with a word that marks a rule, decision, cause or failure
 * is never noise, the first of a repeated line stays, closed code fences and tables are kept or dropped whole (only a whole
 * fence of the product's own or of message metadata is dropped). A document of noise alone cleans to "". `isSession`: it was made of a
 * session file, and says itself which lines nobody said.
 */
export function cleanText(text: string, { isSession = false }: { isSession?: boolean } = {}): Cleaned {
  const lines = readCleanLines(text);
  if (isSession) dropSessionNoise(lines);
  dropFrontMatter(lines);
  dropOwnOutput(text, lines);
  cutSpeakers(lines);
  markRoutine(lines);
  dropMetadata(lines);
  dropRepeats(lines);
  dropEmptySections(lines);
  dropSpareRules(lines);
  dropBareSkeleton(lines);
  cutLongBlanks(text, lines);
  dropBlankLines(lines);
  return collect(text, lines);
}

function dropSessionNoise(lines: readonly CleanLine[]): void {
  for (const line of lines) if (line.text.startsWith(SESSION_NOISE_MARK)) line.reason = "session";
}

function cutLongBlanks(text: string, lines: readonly CleanLine[]): void {
  for (const line of lines) {
    if (line.reason !== null || line.kind === "fence" || line.end - line.start < 200) continue;
    for (const match of text.slice(line.start, line.end).matchAll(LONG_BLANK)) {
      const start = line.start + match.index;
      line.cuts = [...line.cuts, { start: start + 1, end: start + match[0].length, reason: "blank" }];
    }
  }
}

/** One blank line between what stays; none at the beginning and the end. */
function dropBlankLines(lines: readonly CleanLine[]): void {
  let last: CleanLine | undefined;
  for (const line of lines) {
    if (line.reason !== null) continue;
    if (line.kind === "blank" && (last === undefined || last.kind === "blank")) line.reason = "blank";
    else last = line;
  }
  if (last?.kind === "blank") last.reason = "blank";
}

function collect(text: string, lines: readonly CleanLine[]): Cleaned {
  const kept: KeptRange[] = [];
  const dropped: DroppedLines[] = [];
  const keep = (start: number, end: number) => {
    if (start >= end) return;
    const last = kept.at(-1);
    if (last?.end === start) last.end = end;
    else kept.push({ start, end });
  };
  const leaveOut = (start: number, end: number, reason: DropReason) => {
    const last = dropped.at(-1);
    if (last?.end === start && last.reason === reason) {
      last.end = end;
      last.lines++;
    } else {
      dropped.push({ start, end, reason, lines: 1 });
    }
  };
  for (const line of lines) {
    if (line.reason !== null) {
      leaveOut(line.start, line.end, line.reason);
      continue;
    }
    let position = line.start;
    for (const cut of line.cuts) {
      if (cut.start < position) continue;
      keep(position, cut.start);
      leaveOut(cut.start, cut.end, cut.reason);
      position = cut.end;
    }
    keep(position, line.end);
  }
  return { text: kept.map(({ start, end }) => text.slice(start, end)).join(""), kept, dropped };
}
