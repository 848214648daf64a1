/** The Markdown blocks of a chunk that may hold statements. Code, tables, check boxes, front matter and comments hold none. */
import { type Label, labelOf } from "./labels";
import { FENCE, LIST_MARK, type Line, SENTENCE_END, toLines } from "./lines";
import {
  endOfComment,
  endOfFence,
  endOfItem,
  endOfParagraph,
  findTableLines,
  isIndentedProse,
  skipFrontMatter,
} from "./skipped-lines";
import { lengthOfSpeaker } from "./speakers";

export interface Block {
  /** UTF-16 units of the chunk text. */
  start: number;
  /** The block with list marks, quote marks and wrapping replaced by as many spaces: positions in it are positions in the text. A line break that is left ends a sentence. */
  masked: string;
  /** Headings above, outermost first, as written. */
  headings: readonly string[];
  /** From a lead-in line such as "Decisions:" above a list. */
  label: Label | null;
  form: "item" | "prose";
}

const HEADING = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/u;
const CHECK_BOX = /^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX✓~-]\]|[☐☑☒□✅❌])\s*/u;
const QUOTE_MARK = /^ {0,3}(?:>\s?)+/u;
const BREAK_LINE = /^\s*(?:[-*_]\s*){3,}$|^\s*={3,}\s*$/u;
/** `**Problem:** text`: a labelled line starts a statement of its own even inside a paragraph. */
const LABELLED_LINE = /^\s*(?:\*\*|__)[^*_]{1,40}[:：]?(?:\*\*|__)\s*[:：]?\s*\S/u;
const PLAIN_LABEL_LINE = /^\s*([\p{L}][\p{L} '’-]{0,30})[:：]\s*\S/u;
const BOLD_LINE = /^\s*(?:\*\*|__)([^*_]{1,80})(?:\*\*|__)\s*[:：]?\s*$/u;
const LEAD_IN = /^\s*(?:\*\*|__)?([^.!?。！？;；:：]{1,60})[:：](?:\*\*|__)?\s*$/u;
/** Levels below Markdown's six: a bold line, then a lead-in with a colon. */
const BOLD_LEVEL = 7;
const LEAD_IN_LEVEL = 8;
/** A sentence, a lead-in or an entry ends with the line. */
const LINE_END = /[.!?:;。！？：；]["'”’)）]?\s*$/u;
/** Characters at the end of a line that are looked at: lines of megabytes exist. */
const LINE_TAIL = 200;
/** No writer ends a line here: behind a comma, in a bracket, after "due to the". */
const UNFINISHED_LINE =
  /(?:[,(（，、]|[(（][^)）]*|(?:^|\s)(?:the|an?|of|to|and|or|but|by|for|with|in|on|at|as|is|are|was|were|from|that|than|which|when|if|because|into|via|not|its|this))\s*$/iu;
const INDENTED_CODE = /^(?: {4,}|\t)\S/u;

/** Blocks in the order of the text. A fence that is never closed ends with the chunk. */
export function* splitBlocks(text: string): Generator<Block> {
  const lines = toLines(text);
  const tableLines = findTableLines(lines);
  const outline: { level: number; text: string }[] = [];
  let open: { lines: Line[]; form: Block["form"]; isLabelled: boolean } | undefined;
  let leadIn: Label | null = null;
  let isAfterBlank = true;

  const flush = function* (): Generator<Block> {
    if (open)
      yield toBlock(
        open.lines,
        open.form,
        outline.map((heading) => heading.text),
        leadIn,
      );
    open = undefined;
  };
  const enter = (level: number, heading: string) => {
    while ((outline.at(-1)?.level ?? 0) >= level) outline.pop();
    outline.push({ level, text: heading });
    leadIn = level === LEAD_IN_LEVEL ? labelOf(heading) : null;
  };

  for (let i = skipFrontMatter(lines); i < lines.length; i++) {
    const line = lines[i];
    if (!line) break;
    const fence = FENCE.exec(line.text)?.[1];
    const heading = HEADING.exec(line.text);
    const isSkipped =
      CHECK_BOX.test(line.text) || tableLines.has(i) || BREAK_LINE.test(line.text) || line.text.trimStart().startsWith("<!--");
    if (fence) {
      yield* flush();
      i = endOfFence(lines, i, fence);
    } else if (heading) {
      yield* flush();
      enter(heading[1]?.length ?? 1, heading[2] ?? "");
    } else if (line.text.trim() === "") {
      yield* flush();
      if ((outline.at(-1)?.level ?? 0) === LEAD_IN_LEVEL && !LIST_MARK.test(lines[i + 1]?.text ?? "")) {
        outline.pop();
        leadIn = null;
      }
    } else if (isSkipped) {
      yield* flush();
      // A setext underline makes the line above a heading; a comment may run over lines.
      if (line.text.trimStart().startsWith("<!--")) i = endOfComment(lines, i);
      else if (CHECK_BOX.test(line.text)) i = endOfItem(lines, i);
    } else if (isSetext(lines, i)) {
      yield* flush();
      enter(lines[i + 1]?.text.trim().startsWith("=") ? 1 : 2, line.text.trim());
      i++;
    } else if (BOLD_LINE.test(line.text) && (isAfterBlank || !open)) {
      yield* flush();
      enter(BOLD_LEVEL, BOLD_LINE.exec(line.text)?.[1] ?? "");
    } else if (
      LEAD_IN.test(line.text) &&
      !LIST_MARK.test(line.text) &&
      !(open && goesOn(open.lines, line)) &&
      isListAhead(lines, i + 1)
    ) {
      yield* flush();
      enter(LEAD_IN_LEVEL, LEAD_IN.exec(line.text)?.[1]?.trim() ?? "");
    } else if (LIST_MARK.test(line.text)) {
      yield* flush();
      open = { lines: [line], form: "item", isLabelled: false };
    } else if (!open && isAfterBlank && INDENTED_CODE.test(line.text) && !isIndentedProse(lines, i)) {
      // Indented code, all of it; a continuation of a list item would have `open`.
      i = endOfParagraph(lines, i);
    } else if (open && !startsStatement(line) && !(open.isLabelled && SENTENCE_END.test(open.lines.at(-1)?.text ?? ""))) {
      open.lines.push(line);
    } else {
      yield* flush();
      open = { lines: [line], form: isLabelled(line.text) ? "item" : "prose", isLabelled: isLabelled(line.text) };
    }
    isAfterBlank = line.text.trim() === "";
  }
  yield* flush();
}

function toBlock(lines: Line[], form: Block["form"], headings: string[], label: Label | null): Block {
  const first = lines[0]?.start ?? 0;
  const width = lines.reduce((widest, line) => Math.max(widest, line.text.length), 0);
  let masked = "";
  lines.forEach((line, i) => {
    if (i > 0) masked += form === "prose" && isDeliberateBreak(lines[i - 1]?.text ?? "", line.text, width) ? "\n" : " ";
    const said = blank(blank(line.text, QUOTE_MARK), i === 0 ? LIST_MARK : QUOTE_MARK);
    const speaker = lengthOfSpeaker(said, line.isNickLine);
    masked += " ".repeat(speaker) + said.slice(speaker);
  });
  return { start: first, masked, headings, label, form };
}

/**
 * True when the next line's first word would still have fitted: the writer ended the line, no wrapping did. A word that is
 * no capital and no Chinese (`<config.h>`, `(see`, `128`) begins a sentence only behind the end of one.
 */
function isDeliberateBreak(line: string, next: string, width: number): boolean {
  const word = /^\s*(?:\p{Script=Han}|\S+)/u.exec(next)?.[0].trim() ?? "";
  if (/^\p{Ll}/u.test(word) || line.length + 1 + word.length > width || UNFINISHED_LINE.test(line.slice(-LINE_TAIL)))
    return false;
  return /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(word) || LINE_END.test(line);
}

/** Replaces what the pattern matches by as many spaces. */
function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, (mark) => " ".repeat(mark.length));
}

/** A line that begins something new although no blank line stands above it. */
function startsStatement(line: Line): boolean {
  return isLabelled(line.text) || lengthOfSpeaker(line.text, line.isNickLine) > 0;
}

/** The line is the rest of a sentence that began above: "…, because" / "we saw the following:". */
function goesOn(above: readonly Line[], line: Line): boolean {
  return /^\s*\p{Ll}/u.test(line.text) && !LINE_END.test(above.at(-1)?.text ?? "");
}

function isLabelled(line: string): boolean {
  if (LABELLED_LINE.test(line)) return true;
  const name = PLAIN_LABEL_LINE.exec(line)?.[1];
  return name !== undefined && labelOf(name) !== null;
}

function isSetext(lines: Line[], i: number): boolean {
  const under = lines[i + 1]?.text ?? "";
  const before = lines[i - 1]?.text ?? "";
  return (
    /^\s{0,3}(?:={3,}|-{3,})\s*$/u.test(under) &&
    before.trim() === "" &&
    !LIST_MARK.test(lines[i]?.text ?? "") &&
    (lines[i]?.text.length ?? 0) <= 100
  );
}

function isListAhead(lines: Line[], from: number): boolean {
  const next = lines[from]?.text ?? "";
  return LIST_MARK.test(next) || (next.trim() === "" && LIST_MARK.test(lines[from + 1]?.text ?? ""));
}
