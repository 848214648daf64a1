/**
 * A small part of ICU message syntax: `{name}` and `{count, plural, one {# run} other {# runs}}`, where `#` is the number
 * and `=0` may stand for an exact number. Numbers are written in the locale's way.
 */
export type MessageVariables = Record<string, string | number>;

type Part =
  | { kind: "text"; text: string }
  | { kind: "variable"; name: string }
  | { kind: "number" }
  | { kind: "plural"; name: string; forms: ReadonlyMap<string, Part[]> };

const parsed = new Map<string, Part[]>();

/** Making a formatter takes longer than a hundred uses of it, and a list writes thousands of numbers. */
const tools = new Map<string, { number: Intl.NumberFormat; plural: Intl.PluralRules }>();

function toolsOf(locale: string) {
  let found = tools.get(locale);
  if (found === undefined) {
    found = { number: new Intl.NumberFormat(locale), plural: new Intl.PluralRules(locale) };
    tools.set(locale, found);
  }
  return found;
}

/** Index of the brace that closes the one at `open`. */
function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i;
  }
  throw new Error(`A brace is not closed in the message "${text}"`);
}

function parseForms(source: string): Map<string, Part[]> {
  const forms = new Map<string, Part[]>();
  let position = 0;
  for (;;) {
    const open = source.indexOf("{", position);
    if (open === -1) break;
    const close = closingBrace(source, open);
    forms.set(source.slice(position, open).trim(), parse(source.slice(open + 1, close), true));
    position = close + 1;
  }
  if (!forms.has("other")) throw new Error(`A plural has no "other" form: "${source}"`);
  return forms;
}

function parse(source: string, inPlural = false): Part[] {
  const parts: Part[] = [];
  const addText = (text: string) => {
    const pieces = inPlural ? text.split("#") : [text];
    pieces.forEach((piece, index) => {
      if (index > 0) parts.push({ kind: "number" });
      if (piece !== "") parts.push({ kind: "text", text: piece });
    });
  };
  let position = 0;
  for (;;) {
    const open = source.indexOf("{", position);
    if (open === -1) break;
    addText(source.slice(position, open));
    const close = closingBrace(source, open);
    const inner = source.slice(open + 1, close);
    const plural = /^\s*(\w+)\s*,\s*plural\s*,/.exec(inner);
    if (plural?.[1] !== undefined)
      parts.push({ kind: "plural", name: plural[1], forms: parseForms(inner.slice(plural[0].length)) });
    else parts.push({ kind: "variable", name: inner.trim() });
    position = close + 1;
  }
  addText(source.slice(position));
  return parts;
}

function partsOf(template: string): Part[] {
  let parts = parsed.get(template);
  if (parts === undefined) {
    parts = parse(template);
    parsed.set(template, parts);
  }
  return parts;
}

/** Names that a template asks for, sorted; a translation must ask for the same. */
export function placeholdersOf(template: string): string[] {
  const names = new Set<string>();
  const collect = (parts: Part[]) => {
    for (const part of parts) {
      if (part.kind === "variable") names.add(part.name);
      if (part.kind === "plural") {
        names.add(part.name);
        for (const form of part.forms.values()) collect(form);
      }
    }
  };
  collect(partsOf(template));
  return [...names].sort();
}

/** Fills a template. Throws when a variable is missing: a sentence with a hole must not reach a page. */
export function formatMessage(template: string, variables: MessageVariables, locale: string): string {
  const { number: numbers, plural } = toolsOf(locale);
  const written = (value: string | number) => (typeof value === "number" ? numbers.format(value) : value);
  const variableOf = (name: string): string | number => {
    const value = variables[name];
    if (value === undefined) throw new Error(`The message "${template}" needs the variable "${name}"`);
    return value;
  };
  const fill = (parts: Part[], count: number | undefined): string => parts.map((part) => write(part, count)).join("");
  const write = (part: Part, count: number | undefined): string => {
    switch (part.kind) {
      case "text":
        return part.text;
      case "number":
        return written(count ?? 0);
      case "variable":
        return written(variableOf(part.name));
      case "plural": {
        const number = Number(variableOf(part.name));
        const exact = part.forms.get(`=${number}`);
        return fill(exact ?? part.forms.get(plural.select(number)) ?? part.forms.get("other") ?? [], number);
      }
    }
  };
  return fill(partsOf(template), undefined);
}
