/** The Markdown blocks of a chunk that may hold statements. Code, tables, check boxes, front matter and comments hold none. */
import { type Label, labelOf } from "./labels";

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

interface Line {
  text: string;
  start: number;
}

const HEADING = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/u;
const FENCE = /^\s*(`{3,}|~{3,})/u;
const LIST_MARK = /^(\s*)(?:[-*+•·]|\d{1,3}[.)]|[a-z][)]|[（(]\d{1,2}[）)]|\d{1,2}、)(?:\s+|(?<=[）)、]))/u;
const CHECK_BOX = /^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX✓~-]\]|[☐☑☒□✅❌])\s*/u;
const QUOTE_MARK = /^ {0,3}(?:>\s?)+/u;
const TABLE_RULE = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/u;
const BREAK_LINE = /^\s*(?:[-*_]\s*){3,}$|^\s*={3,}\s*$/u;
const FRONT_MATTER_KEY = /^[\w-]+:(?:\s|$)/u;
/** `**Problem:** text`: a labelled line starts a statement of its own even inside a paragraph. */
const LABELLED_LINE = /^\s*(?:\*\*|__)[^*_]{1,40}[:：]?(?:\*\*|__)\s*[:：]?\s*\S/u;
const PLAIN_LABEL_LINE = /^\s*([\p{L}][\p{L} '’-]{0,30})[:：]\s*\S/u;
/** Who speaks: `User: …`, `[14:02] Bob: …`, `<bob> …`, `14:02 bob: …`. The mark is not part of what is said. */
const SPEAKER =
  /^\s*(?:\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s*[-–]?\s*)?(?:<[\w .@-]{1,24}>\s+|(?:\*\*)?(?:user|assistant|human|system|ai|bot|me|用户|助手|我)(?:\*\*)?\s*[:：](?:\*\*)?\s*)|^\s*\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s*[-–]?\s*(?:@?[\p{L}][\p{L}\w.-]{0,20}\s*[:：]\s+)?/iu;
const BOLD_LINE = /^\s*(?:\*\*|__)([^*_]{1,80})(?:\*\*|__)\s*[:：]?\s*$/u;
const LEAD_IN = /^\s*(?:\*\*|__)?([^.!?。！？;；:：]{1,60})[:：](?:\*\*|__)?\s*$/u;
/** Levels below Markdown's six: a bold line, then a lead-in with a colon. */
const BOLD_LEVEL = 7;
const LEAD_IN_LEVEL = 8;
const SENTENCE_END = /[.!?。！？]["'”’)）]?\s*$/u;
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
    } else if (LEAD_IN.test(line.text) && !LIST_MARK.test(line.text) && isListAhead(lines, i + 1)) {
      yield* flush();
      enter(LEAD_IN_LEVEL, LEAD_IN.exec(line.text)?.[1]?.trim() ?? "");
    } else if (LIST_MARK.test(line.text)) {
      yield* flush();
      open = { lines: [line], form: "item", isLabelled: false };
    } else if (!open && isAfterBlank && INDENTED_CODE.test(line.text)) {
      // Indented code; a continuation of a list item would have `open`.
    } else if (open && !startsStatement(line.text) && !(open.isLabelled && SENTENCE_END.test(open.lines.at(-1)?.text ?? ""))) {
      open.lines.push(line);
    } else {
      yield* flush();
      open = { lines: [line], form: isLabelled(line.text) ? "item" : "prose", isLabelled: isLabelled(line.text) };
    }
    isAfterBlank = line.text.trim() === "";
  }
  yield* flush();
}

function toLines(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const entry = { text: line, start };
    start += line.length + 1;
    return entry;
  });
}

function toBlock(lines: Line[], form: Block["form"], headings: string[], label: Label | null): Block {
  const first = lines[0]?.start ?? 0;
  const width = lines.reduce((widest, line) => Math.max(widest, line.text.length), 0);
  let masked = "";
  lines.forEach((line, i) => {
    if (i > 0) masked += form === "prose" && isDeliberateBreak(lines[i - 1]?.text ?? "", line.text, width) ? "\n" : " ";
    masked += blank(blank(blank(line.text, QUOTE_MARK), i === 0 ? LIST_MARK : QUOTE_MARK), SPEAKER);
  });
  return { start: first, masked, headings, label, form };
}

/** True when the next line's first word would still have fitted: the writer ended the line, no wrapping did. */
function isDeliberateBreak(line: string, next: string, width: number): boolean {
  const word = /^\s*(?:\p{Script=Han}|\S+)/u.exec(next)?.[0].trim() ?? "";
  return !/^[\p{Ll}]/u.test(word) && line.length + 1 + word.length <= width;
}

/** Replaces what the pattern matches by as many spaces. */
function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, (mark) => " ".repeat(mark.length));
}

/** A line that begins something new although no blank line stands above it. */
function startsStatement(line: string): boolean {
  return isLabelled(line) || (SPEAKER.exec(line)?.[0].trim() ?? "") !== "";
}

function isLabelled(line: string): boolean {
  if (LABELLED_LINE.test(line)) return true;
  const name = PLAIN_LABEL_LINE.exec(line)?.[1];
  return name !== undefined && labelOf(name) !== null;
}

/** Numbers of the lines that are rows of a table: those that begin with a bar, and runs of lines with bars around a rule. */
function findTableLines(lines: Line[]): Set<number> {
  const found = new Set<number>();
  let run: number[] = [];
  let hasRule = false;
  lines.forEach((line, i) => {
    if (!line.text.includes("|")) {
      run = [];
      hasRule = false;
      return;
    }
    run.push(i);
    hasRule ||= TABLE_RULE.test(line.text);
    if (line.text.trimStart().startsWith("|")) found.add(i);
    if (!hasRule) return;
    for (const row of run) found.add(row);
    run = [];
  });
  return found;
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

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function skipFrontMatter(lines: Line[]): number {
  if (lines[0]?.text.trim() !== "---") return 0;
  const end = lines.findIndex((line, i) => i > 0 && /^(?:---|\.\.\.)\s*$/u.test(line.text));
  if (end === -1) return 0;
  const isFrontMatter = lines.slice(1, end).every((line) => FRONT_MATTER_KEY.test(line.text) || /^(?:\s|-|#|$)/u.test(line.text));
  return isFrontMatter ? end + 1 : 0;
}

function endOfFence(lines: Line[], from: number, fence: string): number {
  for (let i = from + 1; i < lines.length; i++) {
    const close = FENCE.exec(lines[i]?.text ?? "")?.[1];
    if (close?.startsWith(fence) && (lines[i]?.text.trim() ?? "") === close) return i;
  }
  return lines.length;
}

function endOfComment(lines: Line[], from: number): number {
  for (let i = from; i < lines.length; i++) if (lines[i]?.text.includes("-->")) return i;
  return lines.length;
}

/** Continuation lines of a check box belong to it. */
function endOfItem(lines: Line[], from: number): number {
  const indent = indentOf(lines[from]?.text ?? "");
  let i = from;
  while (
    i + 1 < lines.length &&
    indentOf(lines[i + 1]?.text ?? "") > indent &&
    (lines[i + 1]?.text.trim() ?? "") !== "" &&
    !LIST_MARK.test(lines[i + 1]?.text ?? "")
  )
    i++;
  return i;
}
