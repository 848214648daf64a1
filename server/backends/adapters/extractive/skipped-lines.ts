/** Lines that hold no statement: tables, front matter, code, comments, check boxes; where each of them ends. */
import { FENCE, LIST_MARK, type Line, SENTENCE_END } from "./lines";

const TABLE_RULE = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/u;
const FRONT_MATTER_KEY = /^[\w-]+:(?:\s|$)/u;
const PLAIN_WORD = /^["'“‘(]?\p{L}[\p{L}'’-]*["'”’)]?[.,;:!?]*$/u;
/** From this many words on, and this share of plain ones, indented lines are prose. */
const PROSE = { words: 6, share: 0.7 } as const;

/** Numbers of the lines that are rows of a table: those that begin with a bar, and runs of lines with bars around a rule. */
export function findTableLines(lines: Line[]): Set<number> {
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

export function skipFrontMatter(lines: Line[]): number {
  if (lines[0]?.text.trim() !== "---") return 0;
  const end = lines.findIndex((line, i) => i > 0 && /^(?:---|\.\.\.)\s*$/u.test(line.text));
  if (end === -1) return 0;
  const isFrontMatter = lines.slice(1, end).every((line) => FRONT_MATTER_KEY.test(line.text) || /^(?:\s|-|#|$)/u.test(line.text));
  return isFrontMatter ? end + 1 : 0;
}

export function endOfFence(lines: Line[], from: number, fence: string): number {
  for (let i = from + 1; i < lines.length; i++) {
    const close = FENCE.exec(lines[i]?.text ?? "")?.[1];
    if (close?.startsWith(fence) && (lines[i]?.text.trim() ?? "") === close) return i;
  }
  return lines.length;
}

/** Indented lines that end like a sentence and are made of words, as below an entry of a changelog: no code. */
export function isIndentedProse(lines: Line[], from: number): boolean {
  const paragraph = lines.slice(from, endOfParagraph(lines, from) + 1).map(({ text }) => text);
  if (!SENTENCE_END.test(paragraph.at(-1) ?? "")) return false;
  const words = paragraph.join(" ").trim().split(/\s+/u);
  const plain = words.filter((word) => PLAIN_WORD.test(word));
  return words.length >= PROSE.words && plain.length >= words.length * PROSE.share;
}

/** The last line before a blank one. */
export function endOfParagraph(lines: Line[], from: number): number {
  let i = from;
  while ((lines[i + 1]?.text.trim() ?? "") !== "") i++;
  return i;
}

export function endOfComment(lines: Line[], from: number): number {
  for (let i = from; i < lines.length; i++) if (lines[i]?.text.includes("-->")) return i;
  return lines.length;
}

/** Continuation lines of a check box belong to it. */
export function endOfItem(lines: Line[], from: number): number {
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

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
