/** Where to cut a text that has no better seams. */

const graphemeSegmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Far enough back to see the whole of any ordinary emoji sequence or letter with its marks. */
const GRAPHEME_REACH = 64;

/**
 * The end of a slice of at most `size` characters that starts at `from`: after a line end, else after a space, else after a
 * mark of Chinese punctuation in its second half, else between two characters as a reader sees them. Never inside a
 * surrogate pair, always past `from`; more than `size` only when the first character alone is longer.
 */
export function cutSlice(text: string, from: number, end: number, size: number): number {
  const limit = from + size;
  if (limit >= end) return end;
  const middle = from + Math.ceil(size / 2);
  return (
    lastAfter(text, middle, limit, isLineEnd) ??
    lastAfter(text, middle, limit, isBlank) ??
    lastAfter(text, middle, limit, isWideMark) ??
    cutBetweenGraphemes(text, from, limit)
  );
}

function lastAfter(text: string, first: number, last: number, matches: (code: number) => boolean): number | undefined {
  for (let at = last; at >= first; at--) if (matches(text.charCodeAt(at - 1))) return at;
  return undefined;
}

const isLineEnd = (code: number) => code === 0x0a;
const isBlank = (code: number) => code === 0x20 || code === 0x09;
/** 、。，．：；！？…— */
const WIDE_MARKS = new Set([0x3001, 0x3002, 0xff0c, 0xff0e, 0xff1a, 0xff1b, 0xff01, 0xff1f, 0x2026, 0x2014]);
const isWideMark = (code: number) => WIDE_MARKS.has(code);

function cutBetweenGraphemes(text: string, from: number, limit: number): number {
  // The segmenter must start at a boundary: the nearest character of plain ASCII, else as far back as is worth it.
  const reach = Math.max(from, limit - GRAPHEME_REACH);
  let base = limit - 1;
  while (base > reach && text.charCodeAt(base) >= 0x80) base--;
  if (base > from && isLowSurrogate(text.charCodeAt(base))) base--;
  const window = text.slice(base, limit + GRAPHEME_REACH);
  const grapheme = graphemeSegmenter.segment(window).containing(limit - base);
  const boundary = base + (grapheme?.index ?? 0);
  if (boundary > from) return boundary;
  // One character as a reader sees it fills the slice (a letter under hundreds of marks): between code points, then.
  const codePoint = isLowSurrogate(text.charCodeAt(limit)) ? limit - 1 : limit;
  return codePoint > from ? codePoint : limit + 1;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
