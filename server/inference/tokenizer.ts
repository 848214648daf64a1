/** Tokenizers as Correx shapes them: a property of a provider, and nothing assumes that two providers share one. */
import { createRequire } from "node:module";
import path from "node:path";
import type { TokenizerId } from "@/server/config/config-document.schema";
import { projectRoot } from "@/server/shared/project-root";
import { countPieces, tokenizePieces } from "@/server/shared/token-pieces";

/** A whole number. What it stands for is the tokenizer's own affair. */
export type Token = number;

export interface Tokenizer {
  readonly id: TokenizerId;
  tokenize(text: string): Token[];
  /** Always the length of `tokenize(text)`. */
  countTokens(text: string): number;
}

type O200k = typeof import("gpt-tokenizer/encoding/o200k_base");

/** Special tokens written in a document (`<|endoftext|>`) are plain text there and must not throw. */
const AS_PLAIN_TEXT = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/**
 * Byte-pair merging takes time in the square of an unbroken run (20,000 Chinese characters without a stop: a
 * second and more), so text is encoded in slices of at most this length. A cut before a space or after a newline
 * changes no count; one inside an unbroken run adds a token at the most.
 */
const SLICE_LIMIT = 1024;
const SLICE_MINIMUM = 512;

/**
 * The package remembers merged words in a Map and moves a word to its end at every use; in a large Map each move walks past
 * all the earlier ones (measured: 1 MB of one repeated word took 25 s after other texts, 0.3 s so). Its memory has no bound of its
 * own here and is emptied after this many characters; without any memory counting takes a third longer, ten times for Chinese.
 */
const FORGET_AFTER = 250_000;

let o200k: O200k | undefined;
let charactersSinceForgetting = 0;

/** Loaded at the first call: the vocabulary takes about 0.35 s and 100 MB, which the server's main thread need not pay. */
function loadO200k(): O200k {
  if (o200k) return o200k;
  // The type is what `require` cannot know: the package's own declaration of this very file.
  o200k = createRequire(path.join(/* turbopackIgnore: true */ projectRoot(), "package.json"))(
    "gpt-tokenizer/encoding/o200k_base",
  ) as O200k;
  o200k.setMergeCacheSize(Number.MAX_SAFE_INTEGER);
  return o200k;
}

function o200kFor(text: string): O200k {
  const encoding = loadO200k();
  charactersSinceForgetting += text.length;
  if (charactersSinceForgetting > FORGET_AFTER) {
    charactersSinceForgetting = 0;
    encoding.clearMergeCache();
  }
  return encoding;
}

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;

function sliceEnd(text: string, start: number): number {
  const limit = start + SLICE_LIMIT;
  if (limit >= text.length) return text.length;
  for (let at = limit; at > start + SLICE_MINIMUM; at--) {
    const before = text.charCodeAt(at - 1);
    const here = text.charCodeAt(at);
    if (before === 0x0a && !isSpace(here)) return at;
    if (here === 0x20 && !isSpace(before) && !isSpace(text.charCodeAt(at + 1))) return at;
  }
  const code = text.charCodeAt(limit);
  return code >= 0xdc00 && code <= 0xdfff ? limit - 1 : limit;
}

function countO200k(text: string): number {
  const { countTokens } = o200kFor(text);
  if (text.length <= SLICE_LIMIT) return countTokens(text, AS_PLAIN_TEXT);
  let count = 0;
  for (let start = 0; start < text.length; ) {
    const end = sliceEnd(text, start);
    count += countTokens(text.slice(start, end), AS_PLAIN_TEXT);
    start = end;
  }
  return count;
}

function tokenizeO200k(text: string): Token[] {
  const { encode } = o200kFor(text);
  const tokens: Token[] = [];
  for (let start = 0; start < text.length; ) {
    const end = sliceEnd(text, start);
    for (const token of encode(text.slice(start, end), AS_PLAIN_TEXT)) tokens.push(token);
    start = end;
  }
  return tokens;
}

const MOCK_CHARACTERS = 4;

function tokenizeMock(text: string): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < text.length; start += MOCK_CHARACTERS) {
    let token = 0;
    for (const unit of text.slice(start, start + MOCK_CHARACTERS))
      token = (Math.imul(token, 31) + (unit.codePointAt(0) ?? 0)) >>> 0;
    tokens.push(token);
  }
  return tokens;
}

const TOKENIZERS = {
  pieces: { id: "pieces", tokenize: tokenizePieces, countTokens: countPieces },
  o200k: { id: "o200k", tokenize: tokenizeO200k, countTokens: countO200k },
  "mock-4-chars": { id: "mock-4-chars", tokenize: tokenizeMock, countTokens: (text) => Math.ceil(text.length / MOCK_CHARACTERS) },
} as const satisfies Record<TokenizerId, Tokenizer>;

/**
 * The tokenizer of that id. `o200k` loads its vocabulary at the first count, not here; long texts belong on a
 * worker thread.
 */
export function tokenizerOf(id: TokenizerId): Tokenizer {
  return TOKENIZERS[id];
}
