/** Splits notes into statements, each a verbatim range of the text: list items, labelled lines and sentences of prose. */
import { type Block, splitBlocks } from "./blocks";
import { type Label, splitLabel } from "./labels";

export interface Statement {
  /** UTF-16 units of the chunk text, end exclusive; `text.slice(start, end)` is the verbatim quote. */
  start: number;
  end: number;
  /** One line, without Markdown marks, the label included. */
  content: string;
  /** What the statement calls itself ("Root cause", "规则"), lower case, or null. */
  label: Label | null;
  /** The text after the label; the content when there is none. */
  body: string;
  /** Headings above it, outermost first, as written. */
  headings: readonly string[];
  /** A list item says one thing on purpose; a sentence of prose may be talk. */
  form: "item" | "prose";
}

/** A list item or labelled line up to this length stays whole: its sentences explain each other. Longer ones are split. In weighted characters (see `weightedLength`). */
const WHOLE_ITEM = 320;

/** A sentence that opens like this leans on the one before it. */
const LEANING =
  /^(?:this|that|these|those|it|they|so|therefore|thus|hence|otherwise|because|which|but|instead|both|neither)\b|^(?:这|那|它|因此|所以|否则|但|不然|因为|于是|这样)/iu;
/** Nobody writes a statement this long; it is pasted, and it would not fit an insight's quote. */
const LONGEST = 8000;
/** UTF-16 units given to `Intl.Segmenter` at once. */
const WINDOW = 4096;
/** Joined sentences beyond this length are two statements after all. */
const JOINED = 260;

/** Abbreviations after which `Intl.Segmenter` may see an end that is none. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|no|nr|fig|sec|ca|cf|mr|mrs|dr|st|al)\.\s*$/iu;

const CJK_WEIGHT = 2;
const HAN = /\p{Script=Han}/gu;

const SEGMENTERS = {
  en: new Intl.Segmenter("en", { granularity: "sentence" }),
  zh: new Intl.Segmenter("zh", { granularity: "sentence" }),
};

/** Length as a reader feels it: a Chinese character counts for two letters. */
export function weightedLength(text: string): number {
  return text.length + (text.match(HAN)?.length ?? 0) * (CJK_WEIGHT - 1);
}

/** The statements of a chunk in order, block by block, so that a caller may pause between blocks. */
export function* statementsByBlock(text: string): Generator<Statement[]> {
  for (const block of splitBlocks(text)) yield statementsOf(block);
}

function statementsOf(block: Block): Statement[] {
  const statements: Statement[] = [];
  for (const range of splitBlock(block)) {
    const start = skipSpace(block.masked, range.start, range.end);
    const end = range.start + block.masked.slice(range.start, range.end).trimEnd().length;
    if (end <= start || end - start > LONGEST) continue;
    const content = plainText(block.masked.slice(start, end));
    if (content === "") continue;
    const { label, body } = splitLabel(content);
    const outer = label === null ? block.label : null;
    statements.push({
      start: block.start + start,
      end: block.start + end,
      content,
      label: label ?? outer,
      body,
      headings: block.headings,
      form: block.form,
    });
  }
  return statements;
}

interface Span {
  start: number;
  end: number;
}

function splitBlock(block: Block): Span[] {
  const whole = { start: 0, end: block.masked.length };
  if (block.form === "item" && weightedLength(block.masked.trim()) <= WHOLE_ITEM) return [whole];
  return joinLeaning(block.masked, splitSentences(block.masked));
}

/** Sentence ranges of a block. `Intl.Segmenter` finds them; ends after abbreviations and inside brackets or code are taken back. */
function splitSentences(text: string): Span[] {
  const isChinese = (text.match(HAN)?.length ?? 0) * 4 > text.length;
  const spans: Span[] = [];
  for (const window of windowsOf(text)) {
    for (const { segment, index } of SEGMENTERS[isChinese ? "zh" : "en"].segment(text.slice(window.start, window.end))) {
      const start = window.start + index;
      const last = spans.at(-1);
      const before = last && start - last.start <= JOINED ? text.slice(last.start, last.end) : "";
      const goesOn = before !== "" && (ABBREVIATION.test(before) || isOpen(before) || /^[\p{Ll}\d)\]]/u.test(segment));
      if (last && goesOn) last.end = start + segment.length;
      else spans.push({ start, end: start + segment.length });
    }
  }
  return spans;
}

/** Stretches that end with a sentence or at least a word: `Intl.Segmenter` takes time by the square of what it is given (11 s for 200,000 characters on Node 20). */
function* windowsOf(text: string): Generator<Span> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + WINDOW);
    if (end < text.length) {
      const stretch = text.slice(start, end);
      const cut = [...stretch.matchAll(/[.!?]["'”’)]?\s+|[。！？]["”’）]?/gu)].at(-1);
      const space = stretch.lastIndexOf(" ");
      if (cut) end = start + cut.index + cut[0].length;
      else if (space > 0) end = start + space + 1;
      // Never between the halves of a surrogate pair.
      else if (/[\uD800-\uDBFF]$/.test(stretch)) end--;
    }
    yield { start, end };
    start = end;
  }
}

/** An unclosed bracket or code span: the sentence goes on. */
function isOpen(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return count(/`/gu) % 2 === 1 || count(/[(（]/gu) > count(/[)）]/gu);
}

function joinLeaning(text: string, spans: Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    const sentence = text.slice(span.start, span.end).trim();
    const isShort = last !== undefined && weightedLength(text.slice(last.start, span.end).trim()) <= JOINED;
    if (last && isShort && LEANING.test(sentence)) last.end = span.end;
    else joined.push({ ...span });
  }
  return joined;
}

function skipSpace(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && /\s/u.test(text.charAt(at))) at++;
  return at;
}

/** Without Markdown emphasis, link targets and doubled spaces; code marks stay, since they say "this is a name". */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)/gu, "$1")
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/gu, "$2")
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/gu, "$1")
    .replace(/~~/gu, "")
    .replace(/\s+/gu, " ")
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, "")
    .trim();
}
