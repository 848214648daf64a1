/** Reading JSON strictly, with the two things that `JSON.parse` lets pass: depth that only makes it slow, and repeated keys. */

/** Levels of an answer. No answer nests like that, and a million brackets keep `JSON.parse` busy for half a second. */
const DEEPEST_ANSWER = 1000;
/** In a shorter text even brackets alone cost nothing. */
const DEPTH_COUNTS_FROM = 32 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

/** `undefined` when the text is not JSON or nests too deep; JSON itself has no undefined. */
export function parseJson(text: string): unknown {
  if (text.length >= DEPTH_COUNTS_FROM && isNestedDeeper(text, DEEPEST_ANSWER)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the brackets of a text, those in its strings aside, ever stand deeper than `levels`. */
export function isNestedDeeper(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      if (end < 0) return false;
      at = end - 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > levels) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

/** The first key that stands twice in one object of a valid JSON text, or null. `JSON.parse` would keep the last in silence. */
export function findRepeatedKey(json: string): string | null {
  // The keys of each object that is open; null for an array.
  const stack: (Set<string> | null)[] = [];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === OPEN_BRACE) stack.push(new Set());
    else if (code === OPEN_BRACKET) stack.push(null);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) stack.pop();
    else if (code === QUOTE) {
      const end = endOfString(json, at + 1);
      if (end < 0) return null;
      const keys = stack.at(-1);
      if (keys && json.charCodeAt(skipBlanks(json, end)) === COLON) {
        const key = readKey(json.slice(at, end));
        if (keys.has(key)) return key;
        keys.add(key);
      }
      at = end - 1;
    }
  }
  return null;
}

/** The offset after the closing quote of a string whose inside begins at `from`, or -1. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  return -1;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

/** `"a"` and `"\u0061"` are the same key. */
function readKey(literal: string): string {
  return literal.includes("\\") ? String(JSON.parse(literal)) : literal.slice(1, -1);
}
