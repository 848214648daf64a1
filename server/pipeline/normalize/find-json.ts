/** Looks through text for JSON without parsing it: one pass, whatever the text. */
import { endOfComment, endOfLooseString, isLooseBlank, isQuote, Nesting, skipLooseBlanks } from "./loose-string";

export interface JsonSpan {
  start: number;
  end: number;
  /** Its brackets do not pair: where it ends is a guess. */
  isGuessed: boolean;
}

export interface FoundJson {
  /** `{…}` and `[{…}]` that stand in nothing else, in order; of many only the last. */
  spans: JsonSpan[];
  /** How many there were. */
  count: number;
  /** The text ends inside something that began like JSON. */
  isCutOff: boolean;
}

/** Of many objects in a text only the last ones can be the answer. */
const SPAN_LIMIT = 16;

export function findJson(text: string): FoundJson {
  let spans: JsonSpan[] = [];
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    if (!beginsJson(text, at)) continue;
    const span = readSpan(text, at);
    if (!span) return { spans: spans.slice(-SPAN_LIMIT), count, isCutOff: true };
    spans.push(span);
    count++;
    if (spans.length > 2 * SPAN_LIMIT) spans = spans.slice(-SPAN_LIMIT);
    at = span.end - 1;
  }
  return { spans: spans.slice(-SPAN_LIMIT), count, isCutOff: false };
}

/** A key without quotes, as far as it is looked at: a word, then a colon. */
const BARE_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*\s{0,8}[:：]/u;
const LONGEST_KEY = 72;

/**
 * An object begins with a key or is empty; an array counts only when it begins with an object. Prose has `{name}`, `[1]` and
 * `- [ ]` as well.
 */
export function beginsJson(text: string, at: number): boolean {
  const opening = text[at];
  if (opening !== "{" && opening !== "[") return false;
  const next = skipLooseBlanks(text, at + 1);
  const character = text[next] ?? "";
  if (opening === "[") return character === "{" && beginsJson(text, next);
  if (isQuote(character) || character === "}") return true;
  if (character === "/") return endOfComment(text, next) >= 0;
  return beginsBareKey(text, next);
}

export function beginsBareKey(text: string, at: number): boolean {
  return BARE_KEY.test(text.slice(at, at + LONGEST_KEY));
}

/** From an opening bracket to the one that closes it, past strings and comments; null when the text ends before. */
export function readSpan(text: string, start: number): JsonSpan | null {
  const nesting = new Nesting();
  let braces = 0;
  let brackets = 0;
  let isGuessed = false;
  const pop = () => {
    if (nesting.close() === "{") braces--;
    else brackets--;
  };
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? "";
    switch (character) {
      case "{":
      case "[":
        if (character === "{") braces++;
        else brackets++;
        nesting.open(character);
        break;
      case "}":
      case "]": {
        const opening = character === "}" ? "{" : "[";
        if ((opening === "{" ? braces : brackets) === 0) {
          isGuessed = true;
          break;
        }
        while (nesting.innermost !== opening) {
          isGuessed = true;
          pop();
        }
        pop();
        if (nesting.depth === 0) return { start, end: at + 1, isGuessed };
        break;
      }
      case ",":
      case "，":
      case ";":
        nesting.comma();
        break;
      case ":":
      case "：":
      case "+":
        nesting.colon();
        break;
      default: {
        const commentEnd = endOfComment(text, at);
        if (commentEnd >= 0) at = commentEnd - 1;
        else if (isLooseBlank(character.charCodeAt(0))) nesting.blank();
        else if (isQuote(character) && canOpenString(text, at)) {
          const end = endOfLooseString(text, at, nesting.role);
          if (end < 0) return null;
          nesting.string();
          at = end - 1;
        } else nesting.bare();
      }
    }
  }
  return null;
}

/** The apostrophe of a bare word (`it's`) opens nothing. */
export function canOpenString(text: string, at: number): boolean {
  return text[at] === '"' || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}
