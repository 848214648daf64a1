/**
 * Reads a text with its escapes taken away, so that a secret is found however its characters are spelled: `\u0073`, `\\u0073`,
 * `\u{73}`, `\x73`, `\/`, `&#x73;`, `&#115;`, `&amp;`, `%73`, any of them mixed, and one inside another. A text without
 * escapes, as most are, costs a look for three characters.
 */

export interface DecodedView {
  text: string;
  /** What `start`..`end` of `text` is in the text that was read; an escape counts as a whole. */
  toSource(start: number, end: number): { start: number; end: number };
}

/** Escapes inside escapes: JSON in a URL in JSON is three. */
const DEEPEST = 3;

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const HASH = 0x23;
const SEMICOLON = 0x3b;
const SLASH = 0x2f;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SMALL_U = 0x75;
const CAPITAL_U = 0x55;
const SMALL_X = 0x78;
const CAPITAL_X = 0x58;
const PERCENT_LENGTH = 3;
/** Digits of an entity, zeros in front included. */
const LONGEST_NUMBER = 10;
/** An escape that there may be; decoding decides. */
const HINT = /\\(?:u[0-9a-f{]|x[0-9a-f]|\/)|&#|%[0-9a-f]{2}/i;
const OPENER = /[\\&%]/g;
const ENTITY = /&(amp|lt|gt|quot|apos);/iy;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const LAST_CODE_POINT = 0x10ffff;

/** The text with one layer of escapes less, then with two …; empty for a text without escapes. Linear in the text. */
export function decodedViews(text: string): DecodedView[] {
  const views: DecodedView[] = [];
  let last: DecodedView | null = null;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const view = decode(last === null ? text : last.text, last);
    if (view === null) break;
    views.push(view);
    last = view;
  }
  return views;
}

/** Whether `decodedViews` may find something. */
export function hasEscapes(text: string): boolean {
  return (text.includes("\\") || text.includes("&#") || text.includes("%")) && HINT.test(text);
}

/** The escapes of a text, in order: where they stand before and after decoding. */
interface Pieces {
  starts: number[];
  ends: number[];
  /** Offsets in the decoded text. */
  decodedEnds: number[];
}

/** What the escape that was read last stands for, null when it is none; a result object for each would cost as much as reading it. */
let decoded: string | null = null;

function decode(text: string, outer: DecodedView | null): DecodedView | null {
  if (!hasEscapes(text)) return null;
  const pieces: Pieces = { starts: [], ends: [], decodedEnds: [] };
  const parts: string[] = [];
  let copied = 0;
  let length = 0;
  for (let start = nextOpener(text, 0); start >= 0; ) {
    const end = readEscape(text, start);
    if (decoded !== null) {
      if (start > copied) parts.push(text.slice(copied, start));
      parts.push(decoded);
      length += start - copied + decoded.length;
      pieces.starts.push(start);
      pieces.ends.push(end);
      pieces.decodedEnds.push(length);
      copied = end;
    }
    start = isOpener(text.charCodeAt(end)) ? end : nextOpener(text, end);
  }
  if (copied === 0) return null;
  parts.push(text.slice(copied));
  return {
    text: parts.join(""),
    toSource(start, end) {
      const from = sourceOf(pieces, start).start;
      const to = end > start ? sourceOf(pieces, end - 1).end : from;
      return outer === null ? { start: from, end: to } : outer.toSource(from, to);
    },
  };
}

function isOpener(code: number): boolean {
  return code === BACKSLASH || code === PERCENT || code === AMPERSAND;
}

function nextOpener(text: string, from: number): number {
  OPENER.lastIndex = from;
  return OPENER.test(text) ? OPENER.lastIndex - 1 : -1;
}

/** The source of one character of the decoded text. */
function sourceOf({ starts, ends, decodedEnds }: Pieces, position: number): { start: number; end: number } {
  // The first escape that ends behind the position: it holds it, or the plain text before it does.
  let low = 0;
  let high = decodedEnds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((decodedEnds[middle] ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  const before = low === 0 ? 0 : (decodedEnds[low - 1] ?? 0);
  const plain = (low === 0 ? 0 : (ends[low - 1] ?? 0)) + position - before;
  const start = starts[low];
  // Plain text before an escape is as long decoded as it was.
  if (start === undefined || plain < start) return { start: plain, end: plain + 1 };
  return { start, end: ends[low] ?? start };
}

/** Reads what begins at an opening character into `decoded`; gives where to read on. */
function readEscape(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === BACKSLASH) return readBackslashes(text, start);
  if (code === PERCENT) return readPercentCodes(text, start);
  return readEntity(text, start);
}

/** JSON in JSON doubles each backslash, so any number of them before an escape is one; elsewhere each two stand for one. */
function readBackslashes(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) === BACKSLASH) at++;
  decoded = null;
  const letter = text.charCodeAt(at);
  if (letter === SMALL_U || letter === CAPITAL_U) {
    if (text.charCodeAt(at + 1) === OPEN_BRACE) {
      const end = readDigits(text, at + 2, 16, 6);
      if (end > 0 && text.charCodeAt(end) === CLOSE_BRACE) return end + 1;
    } else {
      const end = readDigits(text, at + 1, 16, 4);
      if (end === at + 5) return end;
    }
  } else if (letter === SMALL_X || letter === CAPITAL_X) {
    const end = readDigits(text, at + 1, 16, 2);
    if (end === at + 3) return end;
  } else if (letter === SLASH || letter === QUOTE || letter === APOSTROPHE) {
    decoded = text.charAt(at);
    return at + 1;
  }
  decoded = at - start === 1 ? null : "\\".repeat((at - start + 1) >> 1);
  return at;
}

function readEntity(text: string, start: number): number {
  decoded = null;
  if (text.charCodeAt(start + 1) === HASH) {
    const marker = text.charCodeAt(start + 2);
    const isHex = marker === SMALL_X || marker === CAPITAL_X;
    const end = isHex ? readDigits(text, start + 3, 16, LONGEST_NUMBER) : readDigits(text, start + 2, 10, LONGEST_NUMBER);
    if (end > 0) return text.charCodeAt(end) === SEMICOLON ? end + 1 : end;
    return start + 1;
  }
  ENTITY.lastIndex = start;
  const name = ENTITY.exec(text)?.[1];
  if (name === undefined) return start + 1;
  decoded = NAMED[name.toLowerCase()] ?? null;
  return ENTITY.lastIndex;
}

/** Reads up to `most` digits into `decoded` as one character; gives their end, or -1 when they are none or no character. */
function readDigits(text: string, from: number, radix: number, most: number): number {
  let code = 0;
  let at = from;
  for (; at < from + most; at++) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit < 0 || digit >= radix) break;
    code = code * radix + digit;
  }
  if (at === from || code > LAST_CODE_POINT) return -1;
  decoded = String.fromCodePoint(code);
  return at;
}

/** -1 for what is no hexadecimal digit. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x61 + 10 : -1;
}

/** One character in UTF-8: `%73`, `%C3%BC`. Bytes that are none stay as they stand. */
function readPercentCodes(text: string, start: number): number {
  decoded = null;
  const first = byteAt(text, start);
  if (first < 0) return start + 1;
  const more = bytesBehind(first);
  if (more < 0) return start + PERCENT_LENGTH;
  let code = more === 0 ? first : first & (0x3f >> more);
  const end = start + PERCENT_LENGTH * (more + 1);
  for (let at = start + PERCENT_LENGTH; at < end; at += PERCENT_LENGTH) {
    const byte = byteAt(text, at);
    if (byte < 0x80 || byte > 0xbf) return start + PERCENT_LENGTH;
    code = (code << 6) | (byte & 0x3f);
  }
  if (code > LAST_CODE_POINT) return start + PERCENT_LENGTH;
  decoded = String.fromCodePoint(code);
  return end;
}

/** How many bytes follow the first of a character in UTF-8; -1 when it begins none. */
function bytesBehind(first: number): number {
  if (first < 0x80) return 0;
  if (first < 0xc2 || first > 0xf4) return -1;
  return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

/** -1 when no `%73` stands there. */
function byteAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== PERCENT) return -1;
  const high = digitOf(text.charCodeAt(at + 1));
  const low = digitOf(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}
