/**
 * Writes the kinds of JSON that models write as JSON, one character after the other. It goes before the repair library, which
 * loses backslashes, makes values up (`{"a":}`), drops what was left out (`[1, ...]`) and is quadratic on trailing commas.
 */
import { beginsBareKey, canOpenString } from "./find-json";
import { CONSTANTS, endOfComment, endOfLooseString, isLooseBlank, isQuote, Nesting, skipLooseBlanks } from "./loose-string";

export type TidyEdit = "quotes" | "escapes" | "commas" | "comments" | "constants" | "punctuation";

export type Tidied =
  | { ok: true; text: string; edits: Partial<Record<TidyEdit, number>> }
  /** Nothing that is missing is made up. */
  | { ok: false; refusal: "value_missing" | "left_out" };

const ESCAPES = new Set(['"', "\\", "/", "b", "f", "n", "r", "t"]);
const WORD = /^-?[\p{L}_$][\p{L}\p{N}_$]*/u;
const LONGEST_WORD = 40;

/** `text` is one span as `readSpan` found it. */
export function tidyJson(text: string): Tidied {
  const out: string[] = [];
  const edits: Partial<Record<TidyEdit, number>> = {};
  const edit = (kind: TidyEdit) => {
    edits[kind] = (edits[kind] ?? 0) + 1;
  };
  const nesting = new Nesting();
  /** What came last, blanks and comments aside, and whether any stood behind it. */
  let last = "";
  let isApart = false;
  /** A comma that was forgotten: left to the library, each would cost it the whole text. */
  const addForgottenComma = () => {
    if ("{[(,:+".includes(last) || (nesting.innermost === "{" && nesting.role !== "key")) return;
    out.push(",");
    edit("commas");
    nesting.comma();
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (isLooseBlank(character.charCodeAt(0))) {
      out.push(/[ \n\r\t]/.test(character) ? character : " ");
      nesting.blank();
      isApart = true;
      continue;
    }
    const commentEnd = endOfComment(text, at);
    if (commentEnd >= 0) {
      edit("comments");
      at = commentEnd - 1;
      isApart = true;
      continue;
    }
    if (isQuote(character) && canOpenString(text, at)) {
      const end = endOfLooseString(text, at, nesting.role);
      if (end < 0) return { ok: false, refusal: "value_missing" };
      addForgottenComma();
      if (nesting.role === "key" && /^[,}\]，;]/.test(text[skipLooseBlanks(text, end)] ?? "}"))
        return { ok: false, refusal: "value_missing" };
      out.push(writeString(text.slice(at, end), edit));
      nesting.string();
      at = end - 1;
      last = '"';
      isApart = false;
      continue;
    }
    switch (character) {
      case "{":
      case "[":
        addForgottenComma();
        nesting.open(character);
        out.push(character);
        break;
      case "}":
      case "]":
        if (last === ":") return { ok: false, refusal: "value_missing" };
        nesting.close();
        out.push(character);
        break;
      case ",":
      case "，":
      case ";": {
        if (last === ":") return { ok: false, refusal: "value_missing" };
        const isDoubled = last === "," || last === "{" || last === "[";
        if (isDoubled && nesting.innermost === "[") return { ok: false, refusal: "value_missing" };
        if (character !== ",") edit("punctuation");
        const next = text[skipBlanksAndComments(text, at + 1)];
        if (isDoubled || next === "}" || next === "]") edit("commas");
        else out.push(",");
        nesting.comma();
        last = ",";
        isApart = false;
        continue;
      }
      case ":":
      case "：":
        if (character !== ":") edit("punctuation");
        out.push(":");
        nesting.colon();
        last = ":";
        isApart = false;
        continue;
      case "+":
        // Between two strings.
        nesting.colon();
        out.push(character);
        break;
      case "…":
        return { ok: false, refusal: "left_out" };
      case ".":
        if (text.startsWith("...", at)) return { ok: false, refusal: "left_out" };
        out.push(character);
        break;
      default: {
        if (isApart && beginsNext(text, at, last, nesting)) addForgottenComma();
        const word = nesting.role === "value" ? WORD.exec(text.slice(at, at + LONGEST_WORD))?.[0] : undefined;
        const constant = word === undefined || /[\p{L}\p{N}_$]/u.test(text[at - 1] ?? "") ? undefined : CONSTANTS.get(word);
        if (
          word !== undefined &&
          constant !== undefined &&
          /^[,}\]，;/]?$/.test(text[skipLooseBlanks(text, at + word.length)] ?? "")
        ) {
          if (constant !== word) edit("constants");
          out.push(constant);
          at += word.length - 1;
        } else out.push(character);
        nesting.bare();
      }
    }
    last = character;
    isApart = false;
  }
  return { ok: true, text: out.join(""), edits };
}

/** Whether a number or a key without quotes begins here, behind another value: words may be several and one value. */
function beginsNext(text: string, at: number, last: string, nesting: Nesting): boolean {
  if (nesting.innermost === "{") return beginsBareKey(text, at);
  return /[\d-]/.test(text[at] ?? "") && /[\d"\]}]/.test(last);
}

/** A string in any of the quotes as a JSON string. */
function writeString(literal: string, edit: (kind: TidyEdit) => void): string {
  const inside = literal.slice(1, -1);
  if (literal[0] !== '"' || literal.at(-1) !== '"') edit("quotes");
  const out: string[] = ['"'];
  for (let at = 0; at < inside.length; at++) {
    const character = inside[at] ?? "";
    if (character === "\\") {
      const next = inside[at + 1] ?? "";
      if (ESCAPES.has(next)) out.push(character, next);
      else if (next === "u" && /^[0-9a-fA-F]{4}$/.test(inside.slice(at + 2, at + 6))) out.push(character, next);
      else {
        edit("escapes");
        // `\'` is an apostrophe in every language but JSON; before anything else the backslash was meant.
        if (next === "'" || next === "`") out.push(next);
        else if (next === "\n") out.push("\\n");
        else out.push("\\\\", next === "" ? "" : next);
      }
      at++;
    } else if (character === '"') {
      edit("escapes");
      out.push('\\"');
    } else if (character < " ") {
      edit("escapes");
      out.push(JSON.stringify(character).slice(1, -1));
    } else out.push(character);
  }
  out.push('"');
  return out.join("");
}

function skipBlanksAndComments(text: string, from: number): number {
  let at = skipLooseBlanks(text, from);
  for (let end = endOfComment(text, at); end >= 0; end = endOfComment(text, at)) at = skipLooseBlanks(text, end);
  return at;
}
