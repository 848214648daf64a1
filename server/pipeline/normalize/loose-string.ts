/**
 * Where a string of a model's JSON ends. In valid JSON that is the next quote without a backslash; models forget the backslash, so
 * a quote counts as the end only where what follows it can follow a string. On valid JSON both are the same.
 */

const CLOSERS: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": '”"“', "”": '”"', "‘": "’'", "’": "’'" };

/** A key or a bare word is no longer; bounds what is looked at ahead. */
const LONGEST_WORD = 64;

export type StringRole = "key" | "value";

export function isQuote(character: string): boolean {
  return CLOSERS[character] !== undefined;
}

/** The offset after the closing quote of the string that opens at `start`; -1 when it never closes. */
export function endOfLooseString(text: string, start: number, role: StringRole): number {
  const closers = CLOSERS[text[start] ?? ""] ?? "";
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "\\") at++;
    else if (closers.includes(character) && canFollowString(text, at + 1, role)) return at + 1;
  }
  return -1;
}

function canFollowString(text: string, from: number, role: StringRole): boolean {
  const next = skipLooseBlanks(text, from);
  const character = text[next];
  switch (character) {
    case undefined:
    case "}":
    case "]":
      return true;
    case ":":
    case "：":
      return role === "key";
    case ",":
    case "，":
    case ";":
      return role === "key" || canFollowComma(text, next + 1);
    case "+":
      return isQuote(text[skipLooseBlanks(text, next + 1)] ?? "");
    case "/":
      return text[next + 1] === "/" || text[next + 1] === "*";
    default:
      // A comma was forgotten, but only between two things that stand apart.
      return next > from && (isQuote(character) || (character === "{" && role === "value"));
  }
}

/** In `"he said "yes", and left"` the comma is prose: no value and no key begins behind it. */
function canFollowComma(text: string, from: number): boolean {
  const next = skipLooseBlanks(text, from);
  const character = text[next];
  if (character === undefined || isQuote(character) || "{[}]/-,".includes(character) || /\d/.test(character)) return true;
  const word = /^[\p{L}_$][\p{L}\p{N}_$-]*/u.exec(text.slice(next, next + LONGEST_WORD))?.[0];
  if (word === undefined) return false;
  const after = text[skipLooseBlanks(text, next + word.length)];
  if (after === ":" || after === "：") return true;
  return CONSTANTS.has(word) && (after === undefined || ",}]，;".includes(after));
}

/** Which brackets are open, and whether a string at this place would be a key or a value. */
export class Nesting {
  readonly #stack: string[] = [];
  #role: StringRole = "value";
  #isInBareValue = false;

  get role(): StringRole {
    return this.#role;
  }

  /** `{`, `[`, or undefined outside of all. */
  get innermost(): string | undefined {
    return this.#stack.at(-1);
  }

  get depth(): number {
    return this.#stack.length;
  }

  open(bracket: string): void {
    this.#stack.push(bracket);
    this.#begin();
  }

  close(): string | undefined {
    const bracket = this.#stack.pop();
    this.#begin();
    return bracket;
  }

  comma(): void {
    this.#begin();
  }

  colon(): void {
    this.#role = "value";
  }

  /** A string has ended: behind a value comes a key, also where the comma was forgotten. */
  string(): void {
    if (this.innermost === "{") this.#role = this.#role === "key" ? "value" : "key";
  }

  /** A character of a number or of a word without quotes. */
  bare(): void {
    this.#isInBareValue = this.#role === "value" && this.innermost === "{";
  }

  blank(): void {
    if (this.#isInBareValue) this.string();
    this.#isInBareValue = false;
  }

  #begin(): void {
    this.#role = this.innermost === "{" ? "key" : "value";
    this.#isInBareValue = false;
  }
}

/** Words of JSON and of its neighbours (Python, JavaScript), and what they are in JSON. */
export const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["True", "true"],
  ["False", "false"],
  ["TRUE", "true"],
  ["FALSE", "false"],
  ["None", "null"],
  ["NULL", "null"],
  ["nil", "null"],
  ["undefined", "null"],
  ["NaN", "null"],
  ["Infinity", "null"],
  ["-Infinity", "null"],
]);

export function skipLooseBlanks(text: string, from: number): number {
  let at = from;
  while (isLooseBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The blanks of JSON, and those that editors and models put in their place. */
export function isLooseBlank(code: number): boolean {
  return (
    code === 0x20 ||
    code === 0x0a ||
    code === 0x0d ||
    code === 0x09 ||
    code === 0xa0 ||
    code === 0x3000 ||
    code === 0xfeff ||
    (code >= 0x2000 && code <= 0x200b) ||
    code === 0x2028 ||
    code === 0x2029
  );
}

/** The offset behind a comment that begins at `at`, the end of the text when it never ends; -1 when none begins there. */
export function endOfComment(text: string, at: number): number {
  if (text[at] !== "/") return -1;
  if (text[at + 1] === "/" && text[at - 1] !== ":") {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
  }
  if (text[at + 1] !== "*") return -1;
  const end = text.indexOf("*/", at + 2);
  return end < 0 ? text.length : end + 2;
}
