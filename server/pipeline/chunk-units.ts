/** The smallest pieces a chunk is packed from: Markdown blocks that fit the budget, else their lines or sentences, else slices. */
import { cutSlice } from "./chunk-slices";
import type { MarkdownLine } from "./markdown-lines";
import { readMarkdownLines } from "./markdown-lines";

/** How good a place the start of a unit is to begin a chunk; a higher number is a better one. */
export const BREAKS = { slice: 0, sentence: 1, tight: 2, paragraph: 3, heading: 4 } as const;
export type Break = (typeof BREAKS)[keyof typeof BREAKS];

export interface Unit {
  start: number;
  end: number;
  tokens: number;
  breakBefore: Break;
  /** 1 to 6 for a heading, else 0. */
  headingDepth: number;
}

export interface UnitOptions {
  budget: number;
  countTokens: (text: string) => number;
}

interface Block {
  start: number;
  end: number;
  lines: MarkdownLine[];
  first: MarkdownLine;
  afterBlank: boolean;
}

/** No text has this many characters a token, so a longer block need not be counted to know that it must be split. */
const CERTAINLY_OVER = 24;
/** Sentences are looked for in windows: the segmenter copies what it is given. */
const SENTENCE_WINDOW = 16 * 1024;

const sentenceSegmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * The units of a text: in order, without gap or overlap, none over the budget (but for a single character that alone is). Every
 * text is counted once, as a whole block; only a block over the budget is counted again, in its parts.
 */
export function readUnits(text: string, options: UnitOptions): Unit[] {
  const units: Unit[] = [];
  for (const block of readBlocks(readMarkdownLines(text))) addBlock(units, text, block, options);
  return mergeBlank(units, text, options);
}

/** White space that was cut off from its text goes back to it; a text that has no room for it is sliced to make some. */
function mergeBlank(units: readonly Unit[], text: string, options: UnitOptions): Unit[] {
  const merged: Unit[] = [];
  for (const unit of units) {
    let last = merged.at(-1);
    if (!last || !isBlank(text, unit)) {
      merged.push(unit);
      continue;
    }
    if (last.tokens + unit.tokens > options.budget && !isBlank(text, last)) {
      merged.pop();
      merged.push(...sliceBeforeBlank(text, last, options));
      last = merged.at(-1) ?? last;
    }
    if (last.tokens + unit.tokens <= options.budget) {
      last.end = unit.end;
      last.tokens += unit.tokens;
    } else {
      merged.push(unit);
    }
  }
  return merged;
}

/** The unit in slices, its white space at the end with the last of them. */
function sliceBeforeBlank(text: string, unit: Unit, options: UnitOptions): Unit[] {
  const slices: Unit[] = [];
  addSlices(slices, text, unit.start, unit.start + text.slice(unit.start, unit.end).trimEnd().length, options);
  const first = slices[0];
  const last = slices.at(-1);
  if (!first || !last) return [unit];
  first.breakBefore = unit.breakBefore;
  first.headingDepth = unit.headingDepth;
  last.end = unit.end;
  last.tokens = options.countTokens(text.slice(last.start, last.end));
  return slices;
}

function isBlank(text: string, { start, end }: Unit): boolean {
  return text.charCodeAt(start) <= 0x20 && text.slice(start, end).trim() === "";
}

function readBlocks(lines: readonly MarkdownLine[]): Block[] {
  const blocks: Block[] = [];
  let leadingStart: number | undefined;
  let previous: MarkdownLine | undefined;
  for (const line of lines) {
    const block = blocks.at(-1);
    if (line.kind === "blank") {
      // Blank lines belong to the block before them; at the very start, to the first block.
      if (block) block.end = line.end;
      else leadingStart ??= line.start;
    } else if (block && previous && continues(block, previous, line)) {
      block.lines.push(line);
      block.end = line.end;
    } else {
      blocks.push({
        start: block ? line.start : (leadingStart ?? line.start),
        end: line.end,
        lines: [line],
        first: line,
        afterBlank: previous?.kind === "blank",
      });
    }
    previous = line;
  }
  return blocks;
}

function continues(block: Block, previous: MarkdownLine, line: MarkdownLine): boolean {
  if (previous.kind === "blank") return false;
  switch (block.first.kind) {
    case "fence":
      return line.fence === block.first.fence;
    case "table":
      return line.kind === "table";
    case "item":
      return line.kind === "text" || (line.kind === "item" && line.depth > block.first.depth);
    case "text":
      return line.kind === "text";
    case "blank":
    case "heading":
      return false;
  }
}

function addBlock(units: Unit[], text: string, block: Block, options: UnitOptions): void {
  const isHeading = block.first.kind === "heading";
  const breakBefore = isHeading ? BREAKS.heading : block.afterBlank ? BREAKS.paragraph : BREAKS.tight;
  const tokens = countIfPlausible(text, block.start, block.end, options);
  if (tokens <= options.budget) {
    units.push({ start: block.start, end: block.end, tokens, breakBefore, headingDepth: isHeading ? block.first.depth : 0 });
    return;
  }
  const firstOfBlock = units.length;
  if (block.first.kind === "fence" || block.first.kind === "table")
    addParts(units, text, block, lineStarts(block), addSlices, options);
  else if (block.first.kind === "item") addParts(units, text, block, itemStarts(block), addSentences, options);
  else addSentences(units, text, block.start, block.end, options);
  const first = units[firstOfBlock];
  if (first) first.breakBefore = breakBefore;
}

function countIfPlausible(text: string, start: number, end: number, { budget, countTokens }: UnitOptions): number {
  if (end - start > budget * CERTAINLY_OVER) return Number.POSITIVE_INFINITY;
  return countTokens(text.slice(start, end));
}

function lineStarts(block: Block): number[] {
  return block.lines.slice(1).map((line) => line.start);
}

function itemStarts(block: Block): number[] {
  return block.lines.slice(1).flatMap((line) => (line.kind === "item" ? [line.start] : []));
}

type Splitter = (units: Unit[], text: string, start: number, end: number, options: UnitOptions) => void;

/** The parts between `starts`, each as one unit when it fits and through `split` when it does not. */
function addParts(
  units: Unit[],
  text: string,
  block: Block,
  starts: readonly number[],
  split: Splitter,
  options: UnitOptions,
): void {
  let start = block.start;
  for (const end of [...starts, block.end]) {
    const tokens = countIfPlausible(text, start, end, options);
    if (tokens <= options.budget) units.push({ start, end, tokens, breakBefore: BREAKS.sentence, headingDepth: 0 });
    else split(units, text, start, end, options);
    start = end;
  }
}

function addSentences(units: Unit[], text: string, start: number, end: number, options: UnitOptions): void {
  for (let from = start; from < end; ) {
    const to = end - from <= SENTENCE_WINDOW ? end : cutSlice(text, from, end, SENTENCE_WINDOW);
    // A line break inside a paragraph ends no sentence, but the segmenter would take it for one.
    const window = text.slice(from, to).replaceAll("\n", " ");
    let sentenceStart = from;
    for (const { segment } of sentenceSegmenter.segment(window)) {
      const sentenceEnd = sentenceStart + segment.length;
      const tokens = countIfPlausible(text, sentenceStart, sentenceEnd, options);
      if (tokens <= options.budget)
        units.push({ start: sentenceStart, end: sentenceEnd, tokens, breakBefore: BREAKS.sentence, headingDepth: 0 });
      else addLines(units, text, sentenceStart, sentenceEnd, options);
      sentenceStart = sentenceEnd;
    }
    from = to;
  }
}

/** A sentence over the budget is often no sentence but lines of a log. */
function addLines(units: Unit[], text: string, start: number, end: number, options: UnitOptions): void {
  for (let from = start; from < end; ) {
    const newline = text.indexOf("\n", from);
    const to = newline < 0 || newline >= end ? end : newline + 1;
    const tokens = countIfPlausible(text, from, to, options);
    if (tokens <= options.budget) units.push({ start: from, end: to, tokens, breakBefore: BREAKS.sentence, headingDepth: 0 });
    else addSlices(units, text, from, to, options);
    from = to;
  }
}

/** Slices are a fraction of the budget, so that a chunk made of them fills to within that fraction. */
const SLICES_A_CHUNK = 4;
const SLICE_MINIMUM = 16;

function addSlices(units: Unit[], text: string, start: number, end: number, { budget, countTokens }: UnitOptions): void {
  const size = Math.max(SLICE_MINIMUM, Math.floor(budget / SLICES_A_CHUNK));
  for (let from = start; from < end; ) {
    let to = cutSlice(text, from, end, size);
    let tokens = countTokens(text.slice(from, to));
    while (tokens > budget && to - from > 1) {
      const shorter = cutSlice(text, from, to, Math.ceil((to - from) / 2));
      if (shorter >= to) break;
      to = shorter;
      tokens = countTokens(text.slice(from, to));
    }
    units.push({ start: from, end: to, tokens, breakBefore: from === start ? BREAKS.sentence : BREAKS.slice, headingDepth: 0 });
    from = to;
  }
}
