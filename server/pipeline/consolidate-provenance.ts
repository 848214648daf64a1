/** Where does a statement stand? Finds quotes in the cleaned text and maps them back to the operator's documents. */
import type { Segment } from "./pipeline.schema";

/** One slice of the cleaned text, as prep numbered it. */
export interface ChunkRange {
  /** 1-based. */
  index: number;
  document: number;
  /** UTF-16 units of the cleaned text, end exclusive. */
  start: number;
  end: number;
}

/** A range of the cleaned text, UTF-16 units, end exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * Searches quotes inside one chunk. The same quote asked for again yields its next occurrence, and the first one
 * again when there is none left, so that a sentence said twice in a chunk has two places.
 */
export class QuoteLocator {
  readonly #text: string;
  readonly #offset: number;
  readonly #next = new Map<string, number>();
  #folded: { text: string; positions: Uint32Array } | undefined;

  constructor(cleaned: string, chunk: ChunkRange) {
    this.#text = cleaned.slice(chunk.start, chunk.end);
    this.#offset = chunk.start;
  }

  /** The place of `quote`, word for word (white space may differ), or undefined. */
  locate(quote: string): TextRange | undefined {
    const wanted = quote.trim();
    if (wanted === "") return undefined;
    const exact = this.#find(wanted, this.#text);
    if (exact !== -1) return { start: this.#offset + exact, end: this.#offset + exact + wanted.length };

    const folded = this.#fold();
    const wantedFolded = wanted.replace(/\s+/gu, " ");
    const at = this.#find(wantedFolded, folded.text);
    const start = at === -1 ? undefined : folded.positions[at];
    const last = folded.positions[at + wantedFolded.length - 1];
    if (start === undefined || last === undefined) return undefined;
    return { start: this.#offset + start, end: this.#offset + last + 1 };
  }

  #find(wanted: string, text: string): number {
    const from = this.#next.get(wanted) ?? 0;
    let found = text.indexOf(wanted, from);
    if (found === -1 && from > 0) found = text.indexOf(wanted);
    if (found !== -1) this.#next.set(wanted, found + wanted.length);
    return found;
  }

  /** The text with every run of white space as one space, and for each of its units the position in the text. */
  #fold(): { text: string; positions: Uint32Array } {
    if (this.#folded) return this.#folded;
    const positions = new Uint32Array(this.#text.length);
    let text = "";
    let inSpace = false;
    for (let i = 0; i < this.#text.length; i++) {
      const unit = this.#text.charAt(i);
      const isSpace = /\s/u.test(unit);
      if (isSpace && inSpace) continue;
      positions[text.length] = i;
      text += isSpace ? " " : unit;
      inSpace = isSpace;
    }
    this.#folded = { text, positions };
    return this.#folded;
  }
}

/**
 * Maps a range of the cleaned text to its document. Lines that prep dropped inside the range lie inside the
 * result too. The range must not be empty and must lie in one document, as every chunk does.
 */
export function toDocumentRange(
  segments: readonly Segment[],
  range: TextRange,
  chunk: ChunkRange,
): { document: number; start: number; end: number } {
  const first = segmentAt(segments, range.start);
  const last = segmentAt(segments, Math.max(range.start, range.end - 1));
  // A cleaned text without segments (results read from files, no documents at hand) counts in itself.
  if (!first || !last) return { document: chunk.document, start: range.start, end: range.end };
  return {
    document: first.document,
    start: first.sourceStart + (range.start - first.cleanedStart),
    end: last.sourceStart + (range.end - last.cleanedStart),
  };
}

/** The segment that holds the unit at `position`; segments are in order, without gaps. */
function segmentAt(segments: readonly Segment[], position: number): Segment | undefined {
  let low = 0;
  let high = segments.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const segment = segments[middle];
    if (!segment) return undefined;
    if (position < segment.cleanedStart) high = middle - 1;
    else if (position >= segment.cleanedStart + segment.length) low = middle + 1;
    else return segment;
  }
  return undefined;
}
