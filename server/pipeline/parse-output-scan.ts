/** Looks through text for JSON without parsing it: one pass, whatever the text. */

export interface JsonCandidate {
  start: number;
  end: number;
}

export interface JsonCandidates {
  /** Balanced `{…}` and `[…]` that stand in nothing else, in order; of many only the last. */
  candidates: JsonCandidate[];
  /** The text ends inside something that began like JSON. */
  isCutOff: boolean;
}

/** Of many objects in a text only the last ones can be the answer. */
const CANDIDATE_LIMIT = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

export function findJsonCandidates(text: string): JsonCandidates {
  let candidates: JsonCandidate[] = [];
  for (let at = 0; at < text.length; at++) {
    if (!beginsJson(text, at)) continue;
    const { end, outcome } = readBalanced(text, at);
    if (outcome === "cut_off") return { candidates: candidates.slice(-CANDIDATE_LIMIT), isCutOff: true };
    if (outcome === "balanced") {
      candidates.push({ start: at, end });
      if (candidates.length > 2 * CANDIDATE_LIMIT) candidates = candidates.slice(-CANDIDATE_LIMIT);
    }
    at = end - 1;
  }
  return { candidates: candidates.slice(-CANDIDATE_LIMIT), isCutOff: false };
}

/** An object begins with a key or is empty; an array counts only when it begins with an object. Prose has `{name}`, `[1]` and `- [ ]` as well. */
function beginsJson(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code !== OPEN_BRACE && code !== OPEN_BRACKET) return false;
  const next = text.charCodeAt(skipBlanks(text, at + 1));
  return code === OPEN_BRACE ? next === QUOTE || next === CLOSE_BRACE : next === OPEN_BRACE;
}

/** Reads from an opening brace to its closing one. A bracket that closes the wrong opening ends the search where it stands. */
function readBalanced(text: string, start: number): { end: number; outcome: "balanced" | "broken" | "cut_off" } {
  const stack: number[] = [];
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      if (end < 0) return { end: text.length, outcome: "cut_off" };
      at = end - 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      stack.push(code);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      const open = stack.pop();
      if ((code === CLOSE_BRACE) !== (open === OPEN_BRACE)) return { end: at + 1, outcome: "broken" };
      if (stack.length === 0) return { end: at + 1, outcome: "balanced" };
    }
  }
  return { end: text.length, outcome: "cut_off" };
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
