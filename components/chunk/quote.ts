import { createParser } from "nuqs";
import type { ChunkDetail, InsightsView } from "@/server/runs/run.schema";

/** A range of text, UTF-16 code units, end exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** `?at=120-180`: offsets in the document's masked text. */
export const AT_PARSER = createParser<TextRange>({
  parse: (value) => {
    const [, start, end] = /^(\d{1,12})-(\d{1,12})$/.exec(value) ?? [];
    return start === undefined || end === undefined || Number(start) >= Number(end)
      ? null
      : { start: Number(start), end: Number(end) };
  },
  serialize: ({ start, end }) => `${start}-${end}`,
  eq: (a, b) => a.start === b.start && a.end === b.end,
});

type Place = Pick<ChunkDetail, "index" | "text" | "start" | "sourceStart" | "sourceEnd">;

/** True when no line was dropped inside the chunk: offsets in the document and in the chunk differ by a constant then. */
export function isUnbroken(chunk: Place): boolean {
  return chunk.sourceEnd - chunk.sourceStart === chunk.text.length;
}

/**
 * Where the range of the document stands in the chunk's text; null when it is not in it. In a chunk that lines were dropped
 * from, only the insights know the place, so their sources are asked.
 */
export function placeInChunk(chunk: Place, at: TextRange, insights: InsightsView | undefined): TextRange | null {
  if (isUnbroken(chunk)) return inside(chunk, { start: at.start - chunk.sourceStart, end: at.end - chunk.sourceStart });
  for (const item of insights?.items ?? []) {
    const source = item.sources.find((each) => each.chunk === chunk.index && each.start === at.start && each.end === at.end);
    if (source) return inside(chunk, { start: source.cleanedStart - chunk.start, end: source.cleanedEnd - chunk.start });
  }
  return null;
}

function inside({ text }: Place, range: TextRange): TextRange | null {
  const start = Math.max(range.start, 0);
  const end = Math.min(range.end, text.length);
  return start < end ? { start, end } : null;
}
