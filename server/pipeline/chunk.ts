/** Cuts a text into chunks of at most a number of tokens, at the best seams there are, losing nothing. */
import type { Unit } from "./chunk-units";
import { BREAKS, readUnits } from "./chunk-units";

export interface ChunkRange {
  /** UTF-16 offsets in the text, end exclusive. */
  start: number;
  end: number;
  /** The sum over its parts: what the whole counts, or a few more. */
  tokens: number;
}

export interface ChunkOptions {
  /** Tokens a chunk may have; see chunk-limits.schema. */
  budget: number;
  countTokens: (text: string) => number;
}

/** A seam is taken only when at least this share of the budget is filled; else chunks would be many and small. */
const LEAST_FILL = 0.5;

/**
 * The chunks of one document. Joined they are the text: no gap, no overlap. Preferred seams, in order: before a heading (the
 * highest one within reach), between blocks, between list items, between sentences or lines of a block that is over the
 * budget itself, anywhere between two characters. Fences, tables and list items that fit are never cut; a heading is not left
 * behind at a chunk's end. A text of white space alone has no chunks.
 *
 * Counts are added up over blocks, since counting each candidate anew would cost many times more; a vocabulary may merge across a
 * seam, so a sum is the whole's count or a little above it.
 */
export function chunkText(text: string, options: ChunkOptions): ChunkRange[] {
  if (text.trim() === "") return [];
  const units = readUnits(text, options);
  const chunks: ChunkRange[] = [];
  for (let from = 0; from < units.length; ) {
    const to = chooseEnd(units, from, options.budget);
    chunks.push(rangeOf(units, from, to));
    from = to;
  }
  mergeLast(chunks, text, options.budget);
  return chunks;
}

/** The unit after the last of a chunk that begins at `from`. */
function chooseEnd(units: readonly Unit[], from: number, budget: number): number {
  const sums: number[] = [0];
  let sum = 0;
  let reach = from;
  for (; reach < units.length; reach++) {
    sum += units[reach]?.tokens ?? 0;
    if (sum > budget && reach > from) break;
    sums.push(sum);
  }
  if (reach === units.length) return reach;
  let least = from + 1;
  while (least < reach && (sums[least - from] ?? 0) < budget * LEAST_FILL) least++;
  return withoutTrailingHeadings(units, least, bestSeam(units, least, reach));
}

function bestSeam(units: readonly Unit[], least: number, reach: number): number {
  let best = reach;
  for (let at = reach; at >= least; at--) if (isBetterSeam(units[at], units[best])) best = at;
  return best;
}

function isBetterSeam(candidate: Unit | undefined, best: Unit | undefined): boolean {
  if (!candidate || !best) return false;
  if (candidate.breakBefore !== best.breakBefore) return candidate.breakBefore > best.breakBefore;
  return candidate.breakBefore === BREAKS.heading && candidate.headingDepth < best.headingDepth;
}

function withoutTrailingHeadings(units: readonly Unit[], least: number, seam: number): number {
  let end = seam;
  while (end > least && (units[end - 1]?.headingDepth ?? 0) > 0) end--;
  return end;
}

function rangeOf(units: readonly Unit[], from: number, to: number): ChunkRange {
  let tokens = 0;
  for (let at = from; at < to; at++) tokens += units[at]?.tokens ?? 0;
  return { start: units[from]?.start ?? 0, end: units[to - 1]?.end ?? 0, tokens };
}

/** The rest of a document is often a few lines; it joins the chunk before it where both fit, and always when it is blank. */
function mergeLast(chunks: ChunkRange[], text: string, budget: number): void {
  for (;;) {
    const last = chunks.at(-1);
    const previous = chunks.at(-2);
    if (!last || !previous) return;
    const isBlank = text.slice(last.start, last.end).trim() === "";
    if (previous.tokens + last.tokens > budget && !isBlank) return;
    chunks.splice(-2, 2, { start: previous.start, end: last.end, tokens: previous.tokens + last.tokens });
    if (!isBlank) return;
  }
}
