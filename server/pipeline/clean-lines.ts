/** The lines of a document while it is cleaned: what each is, and why it was dropped. */
import type { MarkdownLine } from "./markdown-lines";
import { readMarkdownLines, textOf } from "./markdown-lines";
import type { DropReason } from "./pipeline.schema";

export interface Cut {
  start: number;
  end: number;
  reason: DropReason;
}

const NO_CUTS: readonly Cut[] = [];

export interface CleanLine extends MarkdownLine {
  /** Without the newline; very long lines are cut for matching, never in the result. */
  text: string;
  reason: DropReason | null;
  /** Parts of a kept line that are dropped all the same (a speaker's prefix, a run of blanks): offsets in the document. */
  cuts: readonly Cut[];
  /** It stands under a heading of a routine report. */
  isRoutine: boolean;
}

export function readCleanLines(text: string): CleanLine[] {
  return readMarkdownLines(text).map((line) => {
    const { start, end, kind, depth, fence } = line;
    return { start, end, kind, depth, fence, text: textOf(text, line), reason: null, cuts: NO_CUTS, isRoutine: false };
  });
}

/** Lines that a rule about single lines may judge: fences and tables are whole or not at all. */
export function isPlain(line: CleanLine): boolean {
  return line.reason === null && (line.kind === "text" || line.kind === "item");
}

export function drop(lines: readonly CleanLine[], from: number, to: number, reason: DropReason): void {
  for (const line of lines.slice(from, to)) line.reason ??= reason;
}

/** The index after the last line of the fence that begins at `index`. */
export function fenceEnd(lines: readonly CleanLine[], index: number): number {
  const fence = lines[index]?.fence;
  let end = index;
  while (lines[end]?.fence === fence && fence !== undefined && fence >= 0) end++;
  return end;
}
