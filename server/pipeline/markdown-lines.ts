/** The lines of a Markdown text with what cleaning and chunking must know of each: fences, tables, headings, list items. */

export type LineKind = "blank" | "heading" | "fence" | "table" | "item" | "text";

export interface MarkdownLine {
  start: number;
  /** Past the newline, so that the lines joined are the text. */
  end: number;
  kind: LineKind;
  /** Heading depth 1 to 6; for an item the width of its indentation; else 0. */
  depth: number;
  /** For lines of a closed fence, delimiters included: the number of the fence, from 0; else -1. */
  fence: number;
}

const FENCE = /^[ \t>]*(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const ITEM = /^([ \t]*)(?:[-*+•]|\d{1,9}[.)]|[a-z][.)])[ \t]+\S/;
/** Of a trimmed line. */
const DELIMITER_ROW = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?$/;
/** No pattern looks further into a line than this: lines of megabytes exist. */
const LINE_PROBE = 2000;
const TAB_WIDTH = 4;

/**
 * Splits at every LF. A fence counts only when it is closed: an opening mark without a closing one is ordinary text, so that one
 * stray mark does not turn the rest of a day into code. Linear in the text.
 */
export function readMarkdownLines(text: string): MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    lines.push({ start, end, kind: "text", depth: 0, fence: -1 });
    start = end;
  }
  markFences(text, lines);
  for (const line of lines) if (line.kind !== "fence") markKind(textOf(text, line), line);
  markTables(text, lines);
  return lines;
}

/** The line without its newline, cut at `LINE_PROBE` characters. */
export function textOf(text: string, line: MarkdownLine): string {
  const end = line.end > line.start && text.charCodeAt(line.end - 1) === 0x0a ? line.end - 1 : line.end;
  return text.slice(line.start, Math.min(end, line.start + LINE_PROBE));
}

function markKind(content: string, line: MarkdownLine): void {
  if (content.trim() === "" && line.end - line.start <= LINE_PROBE) {
    line.kind = "blank";
    return;
  }
  const heading = HEADING.exec(content);
  if (heading) {
    line.kind = "heading";
    line.depth = heading[1]?.length ?? 1;
    return;
  }
  const item = ITEM.exec(content);
  if (item) {
    line.kind = "item";
    line.depth = (item[1] ?? "").replaceAll("\t", " ".repeat(TAB_WIDTH)).length;
  }
}

interface FenceMark {
  index: number;
  mark: string;
  size: number;
  /** A mark with words after it opens and never closes. */
  closes: boolean;
}

function markFences(text: string, lines: MarkdownLine[]): void {
  const marks: FenceMark[] = [];
  for (const [index, line] of lines.entries()) {
    const match = FENCE.exec(textOf(text, line));
    const run = match?.[1];
    const info = match?.[2]?.trim() ?? "";
    if (!run || (run.startsWith("`") && info.includes("`"))) continue;
    marks.push({ index, mark: run.charAt(0), size: run.length, closes: info === "" });
  }
  // The longest closing mark of each sort from here on: whether an opening mark is closed at all, without searching.
  const longestAfter: { "`": number; "~": number }[] = new Array(marks.length + 1);
  let longest = { "`": 0, "~": 0 };
  longestAfter[marks.length] = longest;
  for (let at = marks.length - 1; at >= 0; at--) {
    const mark = marks[at];
    if (mark?.closes)
      longest =
        mark.mark === "`"
          ? { ...longest, "`": Math.max(longest["`"], mark.size) }
          : { ...longest, "~": Math.max(longest["~"], mark.size) };
    longestAfter[at] = longest;
  }
  let fence = 0;
  for (let at = 0; at < marks.length; at++) {
    const open = marks[at];
    const after = longestAfter[at + 1];
    if (!open || !after || (open.mark === "`" ? after["`"] : after["~"]) < open.size) continue;
    let closeAt = at + 1;
    while (!isClosing(marks[closeAt], open)) closeAt++;
    const close = marks[closeAt];
    if (!close) continue;
    for (const line of lines.slice(open.index, close.index + 1)) {
      line.kind = "fence";
      line.fence = fence;
    }
    fence++;
    at = closeAt;
  }
}

function isClosing(mark: FenceMark | undefined, open: FenceMark): boolean {
  return mark === undefined || (mark.closes && mark.mark === open.mark && mark.size >= open.size);
}

/** Rows between pipes, and a table written without outer pipes: known by its delimiter row. */
function markTables(text: string, lines: MarkdownLine[]): void {
  for (const [index, line] of lines.entries()) {
    if (line.kind !== "text") continue;
    const content = textOf(text, line).trim();
    if (content.length > 2 && content.startsWith("|") && content.endsWith("|")) {
      line.kind = "table";
    } else if (content.includes("|") && content.includes("-") && DELIMITER_ROW.test(content)) {
      line.kind = "table";
      const header = lines[index - 1];
      if (header?.kind === "text" && textOf(text, header).includes("|")) header.kind = "table";
      for (let row = index + 1; ; row++) {
        const next = lines[row];
        if (next?.kind !== "text" || !textOf(text, next).includes("|")) break;
        next.kind = "table";
      }
    }
  }
}
