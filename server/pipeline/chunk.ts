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
  /** Tokens a chunk may have; see chunk-limits.rules. */
  budget: number;
  countTokens: (text: string) => number;
}

/** A seam is taken only when at least this share of the budget is filled; else chunks would be many and small. */
const LEAST_FILL = 0.5;

/**
 * The chunks of one document. Joined they are the text: no gap, no overlap. Preferred seams, in order: before a heading (the
 * highest one within reach), between blocks, between list items, between sentences or lines of a block that is over the
 * budget itself, anywhere between two characters. Fences, tables and list items that fit are never cut; a heading is not left
 * behind at a chunk's end. A text of white space alone has no chunks, and no chunk is white space alone: a long run of it joins a
 * neighbour, the one thing that may take a chunk over its budget.
 *
 * Counts are added up over blocks, since counting each candidate anew would cost many times more. A vocabulary may merge or part
 * differently across a seam, so a sum is a token or two off the whole's count; chunks within that of the budget are counted whole.
 */
export function chunkText(text: string, options: ChunkOptions): ChunkRange[] {
  if (text.trim() === "") return [];
  const units = readUnits(text, options);
  const chunks: ChunkRange[] = [];
  for (let from = 0; from < units.length; ) {
    const { to, tokens } = withinBudget(text, units, from, chooseEnd(units, from, options.budget), options);
    chunks.push({ start: units[from]?.start ?? 0, end: units[to - 1]?.end ?? 0, tokens });
    from = to;
  }
  return mergeLast(mergeBlank(chunks, text), text, options);
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

/** As far as sums have been seen to be off, with room. */
function isNear(tokens: number, budget: number): boolean {
  return tokens > budget - Math.max(3, budget * 0.02);
}

function withinBudget(
  text: string,
  units: readonly Unit[],
  from: number,
  chosen: number,
  { budget, countTokens }: ChunkOptions,
): { to: number; tokens: number } {
  let tokens = 0;
  for (let at = from; at < chosen; at++) tokens += units[at]?.tokens ?? 0;
  let to = chosen;
  if (!isNear(tokens, budget)) return { to, tokens };
  const count = () => countTokens(text.slice(units[from]?.start, units[to - 1]?.end));
  for (tokens = count(); tokens > budget && to > from + 1; tokens = count()) to--;
  return { to, tokens };
}

/** White space alone is no work for a backend: it joins the chunk before it (the first one joins the next), at worst over the budget. */
function mergeBlank(chunks: readonly ChunkRange[], text: string): ChunkRange[] {
  const merged: ChunkRange[] = [];
  let isLeading = false;
  for (const chunk of chunks) {
    const isBlank = text.slice(chunk.start, chunk.end).trim() === "";
    const last = merged.at(-1);
    if (last && (isLeading || isBlank)) {
      last.end = chunk.end;
      last.tokens += chunk.tokens;
      isLeading &&= isBlank;
    } else {
      merged.push({ ...chunk });
      isLeading = isBlank;
    }
  }
  return merged;
}

/** The rest of a document is often a few lines; it joins the chunk before it where both fit. */
function mergeLast(chunks: readonly ChunkRange[], text: string, { budget, countTokens }: ChunkOptions): ChunkRange[] {
  const last = chunks.at(-1);
  const previous = chunks.at(-2);
  if (!last || !previous || previous.tokens + last.tokens > budget) return [...chunks];
  const joined = previous.tokens + last.tokens;
  const tokens = isNear(joined, budget) ? countTokens(text.slice(previous.start, last.end)) : joined;
  return tokens > budget ? [...chunks] : [...chunks.slice(0, -2), { start: previous.start, end: last.end, tokens }];
}
