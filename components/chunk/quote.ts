import { createParser } from "nuqs";

/** A range of text, UTF-16 code units, end exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** `?at=120-180`: offsets in the run's cleaned text, the text that chunks are cut from. */
export const AT_PARSER = createParser<TextRange>({
  parse: (value) => {
    const [, start, end] = /^(\d{1,12})-(\d{1,12})$/.exec(value) ?? [];
    if (start === undefined || end === undefined || Number(start) >= Number(end)) return null;
    return { start: Number(start), end: Number(end) };
  },
  serialize: ({ start, end }) => `${start}-${end}`,
  eq: (a, b) => a.start === b.start && a.end === b.end,
});

/** Where the range of the cleaned text stands in the chunk's own text, cut at its edges; null when it is not in it. */
export function placeInChunk(chunk: { text: string; start: number }, at: TextRange): TextRange | null {
  const start = Math.max(at.start - chunk.start, 0);
  const end = Math.min(at.end - chunk.start, chunk.text.length);
  return start < end ? { start, end } : null;
}
