/**
 * Finds the labels that may stand before a credential. The expression alone would be tried at every character, at 15 ns
 * each; here a table of letter pairs, read at every second character, says where a label may be, and the expression is
 * tried there only. What is found is what the expression alone would find, from left to right.
 */
import type { LabelKind } from "./secret-patterns-labelled-value";

export interface FoundLabel {
  start: number;
  end: number;
  kind: LabelKind;
}

const CHINESE_SOURCE = "密码|口令|密钥|令牌|凭证|暗号";

/** In the order in which they are tried at one place. Each label holds one of the `CORES`. */
export const LABEL_SOURCES: readonly (readonly [LabelKind, string])[] = [
  ["password", "pass(?:word|wd|phrase)|pwd|(?<=[_-])pass"],
  [
    "key",
    "client-key-data|(?:api|access|secret|private|signing|encryption|account|client|master|shared[_-]?access|subscription|app)[_ -]?key",
  ],
  ["token", "token|secret|credential|api[_-]?secret"],
  ["chinese", CHINESE_SOURCE],
  ["authorization", "(?:proxy-)?authorization|_?auth"],
  ["scheme", "bearer|basic"],
  ["query", "(?<=[?&])(?:key|sig|signature|code)"],
];

const LABEL = new RegExp(LABEL_SOURCES.map(([, source]) => `(${source})`).join("|"), "iy");

/** What may stand before a core and still belong to the label. */
const BEFORE_KEY =
  /(?<=((?:shared[_-]?access|api|access|secret|private|signing|encryption|account|client|master|subscription|app)[_ -]?))key/iy;
const BEFORE_SECRET = /(?<=(api[_-]?))secret/iy;
const BEFORE_AUTH = /(?<=(proxy-|_))auth/iy;
/** The last letters of what stands before `key`, in lower case: most keys of the world (monkey, hotkey) fail here. */
const LAST_LETTERS_BEFORE_KEY = "istegnrp";

interface Core {
  word: string;
  /** A pair of its letters at an even and one at an odd offset: one of them stands at a character that is looked at. */
  pairs: readonly [even: number, odd: number];
  before?: RegExp;
  /** Alone it is a label only as the name of a query parameter. */
  isQuery?: true;
}

const CORES: readonly Core[] = [
  { word: "pass", pairs: [2, 1] },
  { word: "pwd", pairs: [0, 1] },
  { word: "key", pairs: [0, 1], before: BEFORE_KEY, isQuery: true },
  { word: "token", pairs: [2, 1] },
  { word: "secret", pairs: [2, 1], before: BEFORE_SECRET },
  { word: "credential", pairs: [0, 7] },
  { word: "auth", pairs: [0, 1], before: BEFORE_AUTH },
  { word: "bearer", pairs: [0, 1] },
  { word: "basic", pairs: [0, 1] },
  { word: "sig", pairs: [0, 1], isQuery: true },
  { word: "code", pairs: [0, 1], isQuery: true },
];
/** Each has two characters; in a text of Latin letters alone the engine knows at once that it holds none. */
const CHINESE = new RegExp(CHINESE_SOURCE, "g");
const CHINESE_LENGTH = 2;

const LETTER_BITS = 5;
const LETTER_MASK = (1 << LETTER_BITS) - 1;

/** The low bits of two characters: upper and lower case are one; a few other characters share them and are sorted out later. */
function pairCode(first: number, second: number): number {
  return ((first & LETTER_MASK) << LETTER_BITS) | (second & LETTER_MASK);
}

interface Candidate {
  core: Core;
  offset: number;
  /** The code of the core's first letter. */
  first: number;
}

/** For each pair of letters which cores may stand there: core and offset, by place in `CANDIDATES`. 0 = none. */
const TABLE = new Uint8Array(1 << (2 * LETTER_BITS));
const CANDIDATES: Candidate[][] = [[]];
const NO_CANDIDATES: Candidate[] = [];
for (const core of CORES) {
  for (const offset of core.pairs) {
    const code = pairCode(core.word.charCodeAt(offset), core.word.charCodeAt(offset + 1));
    if (TABLE[code] === 0) TABLE[code] = CANDIDATES.push([]) - 1;
    CANDIDATES[TABLE[code] ?? 0]?.push({ core, offset, first: core.word.charCodeAt(0) });
  }
}

/**
 * Shows `visit` each label of the text, from left to right; it answers where the search goes on, at the label's end or
 * behind it.
 */
export function visitLabels(text: string, visit: (label: FoundLabel) => number): void {
  let chinese = nextChinese(text, 0);
  /** No label begins before it. */
  let from = 0;
  const last = text.length - 1;
  for (let at = 0; at < last; at += 2) {
    const entry = TABLE[((text.charCodeAt(at) & LETTER_MASK) << LETTER_BITS) | (text.charCodeAt(at + 1) & LETTER_MASK)];
    if (entry === 0 || entry === undefined) continue;
    const candidates = CANDIDATES[entry] ?? NO_CANDIDATES;
    for (let index = 0; index < candidates.length; index++) {
      const candidate = candidates[index];
      if (candidate === undefined) break;
      const { core, offset, first } = candidate;
      const start = at - offset;
      // Most pairs are told apart by this one letter.
      if ((text.charCodeAt(start) | 0x20) !== first || start < from || !isWordAt(text, start, core.word)) continue;
      while (chinese && chinese.start < start) {
        from = visit(chinese);
        chinese = nextChinese(text, from);
      }
      const label = start < from ? null : labelAround(text, start, core, from);
      if (label === null) continue;
      from = visit(label);
      if (chinese && chinese.start < from) chinese = nextChinese(text, from);
    }
    // The loop adds two: what begins at `from` must not be stepped over.
    if (from > at + 2) at = from - 2;
  }
  while (chinese) {
    from = visit(chinese);
    chinese = nextChinese(text, from);
  }
}

/** `word` is in lower case. */
function isWordAt(text: string, start: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    // The bit that tells upper from lower case; what is no letter stays none.
    if ((text.charCodeAt(start + index) | 0x20) !== word.charCodeAt(index)) return false;
  }
  return true;
}

/** The label that the core at `start` is part of, none of it before `from`. */
function labelAround(text: string, start: number, core: Core, from: number): FoundLabel | null {
  const before = lengthBefore(text, start, core);
  if (before > 0 && start - before >= from) {
    const label = labelAt(text, start - before);
    if (label !== null) return label;
  }
  const isPossible = !core.isQuery || (start > 0 && "?&".includes(text.charAt(start - 1)));
  return isPossible ? labelAt(text, start) : null;
}

function lengthBefore(text: string, start: number, { word, before }: Core): number {
  if (!before || start === 0) return 0;
  if (word === "key") {
    const last = text.charAt(start - 1);
    const letter = "_ -".includes(last) ? text.charAt(start - 2) : last;
    if (letter === "" || !LAST_LETTERS_BEFORE_KEY.includes(letter.toLowerCase())) return 0;
  }
  before.lastIndex = start;
  return before.exec(text)?.[1]?.length ?? 0;
}

function labelAt(text: string, start: number): FoundLabel | null {
  LABEL.lastIndex = start;
  const match = LABEL.exec(text);
  if (match === null) return null;
  const at = match.findIndex((group, index) => index > 0 && group !== undefined) - 1;
  const kind = LABEL_SOURCES[at]?.[0];
  return kind === undefined ? null : { start, end: LABEL.lastIndex, kind };
}

function nextChinese(text: string, from: number): FoundLabel | null {
  CHINESE.lastIndex = from;
  return CHINESE.test(text) ? { start: CHINESE.lastIndex - CHINESE_LENGTH, end: CHINESE.lastIndex, kind: "chinese" } : null;
}
