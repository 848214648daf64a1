/**
 * A tokenizer of our own, without a vocabulary: it cuts text into pieces that are about as long as a large
 * model's tokens. English prose comes out near four characters a piece, Chinese, Japanese and Korean at one
 * character a piece. It costs no memory and no start-up, and it is an estimate for every model.
 *
 * A piece is a word with at most one space before it (a capital after a small letter starts a new piece, long
 * words are cut), up to three digits, a run of one punctuation mark, a run of white space, or one character of a
 * script written without spaces. A surrogate pair is never cut.
 */

/** Most English words are one token whatever their length; the longer ones are two. */
const WORD_LIMIT = 8;
const DIGIT_LIMIT = 3;
/** Letters of the other spaced scripts (Cyrillic, Greek, Arabic, accented Latin): vocabularies hold fewer of their words. */
const OTHER_LETTER_LIMIT = 3;
const MARK_LIMIT = 4;
const SPACE_LIMIT = 16;

const SPACE = 0x20;
const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const FIRST_NON_ASCII = 0x80;
/** From here on scripts are written without spaces (Hangul Jamo, CJK, Kana, Hangul) or rare enough to cost a token a character. */
const FIRST_DENSE = 0x1100;

function isLower(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isUpper(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isNewline(code: number): boolean {
  return code === NEWLINE || code === RETURN;
}

/** Latin with accents, Greek, Cyrillic, Hebrew, Arabic, the scripts of India and South-East Asia. */
function isOtherLetter(code: number): boolean {
  return (code >= 0xc0 && code < FIRST_DENSE) || (code >= 0x1e00 && code < 0x2000);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The end of the piece that starts at `start`; always greater than `start`. */
function pieceEnd(text: string, start: number): number {
  const length = text.length;
  let at = start;
  let code = text.charCodeAt(at);
  if (code === SPACE && at + 1 < length) {
    const next = text.charCodeAt(at + 1);
    if (isLower(next) || isUpper(next) || isOtherLetter(next)) {
      at++;
      code = next;
    }
  }
  if (isLower(code) || isUpper(code)) {
    const limit = Math.min(length, at + WORD_LIMIT);
    while (at < limit && isUpper(text.charCodeAt(at))) at++;
    while (at < limit && isLower(text.charCodeAt(at))) at++;
    return at;
  }
  if (isOtherLetter(code)) {
    const limit = Math.min(length, at + OTHER_LETTER_LIMIT);
    while (at < limit && isOtherLetter(text.charCodeAt(at))) at++;
    return at;
  }
  if (isDigit(code)) {
    const limit = Math.min(length, at + DIGIT_LIMIT);
    while (at < limit && isDigit(text.charCodeAt(at))) at++;
    return at;
  }
  if (code === SPACE || code === TAB) {
    const limit = Math.min(length, at + SPACE_LIMIT);
    while (at < limit && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB)) at++;
    // The last space belongs to the word after it.
    if (at - start > 1 && at < length && text.charCodeAt(at - 1) === SPACE && isWordStart(text.charCodeAt(at))) at--;
    return at;
  }
  if (isNewline(code)) {
    const limit = Math.min(length, at + SPACE_LIMIT);
    while (at < limit && isNewline(text.charCodeAt(at))) at++;
    return at;
  }
  if (code < FIRST_NON_ASCII) {
    const limit = Math.min(length, at + MARK_LIMIT);
    while (at < limit && text.charCodeAt(at) === code) at++;
    return at;
  }
  if (isHighSurrogate(code) && at + 1 < length && isLowSurrogate(text.charCodeAt(at + 1))) return at + 2;
  return at + 1;
}

function isWordStart(code: number): boolean {
  return isLower(code) || isUpper(code) || isOtherLetter(code);
}

/** How many pieces the text has: the length of `tokenizePieces(text)`, without building it. */
export function countPieces(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = pieceEnd(text, at)) count++;
  return count;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** One number a piece, the same for the same piece (a 32-bit hash of it); there is no vocabulary to index. */
export function tokenizePieces(text: string): number[] {
  const tokens: number[] = [];
  for (let at = 0; at < text.length; ) {
    const end = pieceEnd(text, at);
    let hash = FNV_OFFSET;
    for (let i = at; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
    tokens.push(hash >>> 0);
    at = end;
  }
  return tokens;
}
