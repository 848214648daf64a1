/** The lines of a chunk, and what several rules ask of a line. */
import { findNickLines } from "./speakers";

export interface Line {
  text: string;
  start: number;
  /** It begins with the `<nick>` of a chat. */
  isNickLine: boolean;
}

export const LIST_MARK = /^(\s*)(?:[-*+•·]|\d{1,3}[.)]|[a-z][)]|[（(]\d{1,2}[）)]|\d{1,2}、)(?:\s+|(?<=[）)、]))/u;
export const FENCE = /^\s*(`{3,}|~{3,})/u;
export const SENTENCE_END = /[.!?。！？]["'”’)）]?\s*$/u;

export function toLines(text: string): Line[] {
  let start = 0;
  const lines = text.split("\n").map((line) => {
    const entry = { text: line, start, isNickLine: false };
    start += line.length + 1;
    return entry;
  });
  for (const i of findNickLines(lines)) {
    const line = lines[i];
    if (line) line.isNickLine = true;
  }
  return lines;
}
