/** Text to a YAML document of the library, guarded: it recurses over nesting, and a stack that ends inside it ends the process. */
import { Composer, CST, type Document, Lexer, type ParsedNode, Parser } from "yaml";
import { type DamagedStretch, damagedSections, damagedStretches, removeDamaged } from "./damaged-text";
import type { ProblemList } from "./problem-list";
import { SYNTAX_SENTENCES, type SyntaxReason } from "./syntax-sentences";
import { type Opening, unclosedOpenings } from "./unclosed-opening";

export const MAX_DEPTH = 32;
/** Keys, colons, values, blanks and line ends; a document of the greatest size has about half as many. */
const MAX_LEXEMES = 100_000;
const MAX_SYNTAX_PROBLEMS = 50;

export type YamlDocument = Document.Parsed<ParsedNode>;

export const TOO_DEEP = `This is nested deeper than ${MAX_DEPTH} levels; make it flatter.`;

export interface ReadYaml {
  /** Without what could not be trusted. */
  document: YamlDocument;
  /** Null when the syntax is right; else the sections that may stand in what was left out. */
  damaged: readonly string[] | null;
}

/** The document when its syntax is right; else null, with the reasons in `problems`. */
export function parseYaml(text: string, problems: ProblemList): YamlDocument | null {
  const read = readYaml(text, problems, []);
  return read?.damaged === null ? read.document : null;
}

/**
 * Null when the text cannot be read at all; the reasons are in `problems`. `sections` are the keys that the top may have, from which
 * the parts are told that syntax errors leave alone. Keys may still stand twice: to find them is the reader's work, for the library
 * compares each with each.
 */
export function readYaml(text: string, problems: ProblemList, sections: readonly string[]): ReadYaml | null {
  const tooMuch = findExcess(text);
  if (tooMuch) {
    if (tooMuch.why === "deep") problems.error("too_deep", { at: tooMuch.at, path: [] }, TOO_DEEP, { most: String(MAX_DEPTH) });
    else
      problems.error("too_large", { at: tooMuch.at, path: [] }, "The document has too many parts; shorten it.", {
        reason: "parts",
      });
    return null;
  }
  const tokens = [...new Parser().parse(text)];
  const deep = firstTooDeep(tokens);
  if (deep !== null) {
    problems.error("too_deep", { at: deep, path: [] }, TOO_DEEP, { most: String(MAX_DEPTH) });
    return null;
  }
  const composer = new Composer({
    prettyErrors: false,
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: "silent",
    keepSourceTokens: true,
  });
  const [first, second] = composer.compose(tokens, true, text.length);
  // `forceDoc` makes one of an empty text too.
  if (!first) return null;
  reportFrame(first, second, text, problems);
  const stretches = reportFaults(first, { sections, openings: unclosedOpenings(tokens) }, text, problems);
  if (stretches.length === 0) return { document: first, damaged: null };
  removeDamaged(first, stretches);
  return { document: first, damaged: damagedSections(stretches, sections, text) };
}

function reportFrame(first: YamlDocument, second: YamlDocument | undefined, text: string, problems: ProblemList): void {
  if (second) {
    const at = Math.max(0, text.lastIndexOf("---", Math.max(second.range[0], (first.range[2] ?? 0) + 3)));
    problems.error(
      "several_documents",
      { at, path: [] },
      "A second document begins here; a configuration is one document, so remove this line and what belongs to the other one.",
    );
  }
  const { yaml } = first.directives;
  if (yaml.explicit === true && yaml.version !== "1.2")
    problems.error("not_yaml", { at: 0, path: [] }, "The configuration is YAML 1.2; remove the line that begins with %YAML.", {
      reason: "version",
    });
}

/** The stretches that the errors leave unreadable; tags leave none. */
function reportFaults(
  document: YamlDocument,
  { sections, openings }: { sections: readonly string[]; openings: readonly Opening[] },
  text: string,
  problems: ProblemList,
): DamagedStretch[] {
  const left = [...openings];
  const faults = [...document.errors, ...document.warnings]
    .toSorted((one, other) => one.pos[0] - other.pos[0])
    .map(({ code, pos: [at], message }) => {
      const opening = takeOpening(message, at, left);
      const told = opening ?? (code === "BLOCK_AS_IMPLICIT_KEY" ? lineOrColon(at, text) : { reason: code, toldAt: at });
      return { code, at, reason: told.reason, toldAt: told.toldAt };
    });
  const stretches = damagedStretches(
    document,
    faults.filter(({ code }) => code !== "TAG_RESOLVE_FAILED" && code !== "BAD_COLLECTION_TYPE"),
    sections,
    text,
  );
  const deeper = new Set(faults.flatMap(({ at, reason }) => (reason === "LINE_TOO_FAR_IN" ? [at] : [])));
  // One mistake often derails the lines after it; the first of a line is the one to mend.
  const lines = new Set<number>();
  const told = new Set<DamagedStretch>();
  for (const { reason, at, toldAt } of faults) {
    if (lines.size >= MAX_SYNTAX_PROBLEMS || lines.has(problems.lineOf(toldAt))) continue;
    // The value and the line below it are taken for one key: the line is the one to mend.
    if (reason === "MULTILINE_IMPLICIT_KEY" && deeper.has(at)) continue;
    const stretch = stretches.findLast(({ from }) => from <= at);
    // What follows a mistake often belongs nowhere any more; it does once the mistake is mended.
    if (reason === "UNEXPECTED_TOKEN" && stretch && told.has(stretch)) continue;
    lines.add(problems.lineOf(toldAt));
    const unchecked = stretch && !told.has(stretch) ? uncheckedLines(stretch, text, problems) : null;
    if (stretch) told.add(stretch);
    const rest = unchecked ? ` Until that is mended, lines ${unchecked.from} to ${unchecked.to} cannot be checked.` : "";
    problems.error("not_yaml", { at: toldAt, path: [] }, `${SYNTAX_SENTENCES[reason]}${rest}`, {
      reason,
      ...(unchecked ? { uncheckedFrom: String(unchecked.from), uncheckedTo: String(unchecked.to) } : {}),
    });
  }
  return stretches;
}

/**
 * The library tells what is never closed where it gave up, often at the end of the text, by codes that stand for other things too
 * (its messages tell them apart); people look for where it was opened. Takes that opening out of `openings`.
 */
function takeOpening(message: string, at: number, openings: Opening[]): Opening | null {
  const isQuote = /^Missing closing ["']quote/.test(message);
  if (!isQuote && !/\bend with a [\]}]/.test(message)) return null;
  const index = openings.findIndex((opening) => (opening.reason === "UNCLOSED_QUOTE") === isQuote && opening.at < at);
  return index === -1 ? null : (openings.splice(index, 1)[0] ?? null);
}

/** A value that is read as a key, for one of two reasons: it ends with a colon, or the next line goes on deeper than it. */
function lineOrColon(at: number, text: string): { reason: SyntaxReason; toldAt: number } {
  const lineEnd = text.indexOf("\n", at);
  const end = lineEnd === -1 ? text.length : lineEnd;
  const value = text
    .slice(at, end)
    .replace(/\s#.*$/, "")
    .trimEnd();
  if (/^[^\s:]+:$/.test(value)) return { reason: "COLON_AT_END", toldAt: at };
  const next = /\S/.exec(text.slice(end));
  if (!/:(?:\s|$)/.test(value) && next) return { reason: "LINE_TOO_FAR_IN", toldAt: end + next.index };
  return { reason: "BLOCK_AS_IMPLICIT_KEY", toldAt: at };
}

/** Null when it is one line: everybody sees that a broken line says nothing more. */
function uncheckedLines({ from, to }: DamagedStretch, text: string, problems: ProblemList): { from: number; to: number } | null {
  const end = from + text.slice(from, to).trimEnd().length;
  const lines = { from: problems.lineOf(from), to: problems.lineOf(Math.max(from, end - 1)) };
  return lines.to > lines.from ? lines : null;
}

function findExcess(text: string): { why: "deep" | "parts"; at: number } | null {
  let count = 0;
  let open = 0;
  let at = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    // Marks that the lexer puts between (document, flow end, scalar) have no length in the text.
    const isMark = lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END || lexeme === CST.SCALAR;
    if (!isMark) {
      if (lexeme === "[" || lexeme === "{") open += 1;
      else if ((lexeme === "]" || lexeme === "}") && open > 0) open -= 1;
      // Scalars can look like brackets; the nesting itself is counted afterwards, this only keeps the parser from drowning.
      if (open > 4 * MAX_DEPTH) return { why: "deep", at };
      at += lexeme.length;
    }
    if (count > MAX_LEXEMES) return { why: "parts", at };
  }
  return null;
}

type Tokens = ReturnType<Parser["parse"]> extends Iterable<infer Token> ? Token[] : never;

/** The offset of the first collection that is nested too deep. By a list of our own instead of recursion. */
function firstTooDeep(tokens: Tokens): number | null {
  let found: number | null = null;
  const waiting: { token: Tokens[number]; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { token, depth } = next;
    if (token.type === "document" && token.value) waiting.push({ token: token.value, depth });
    if (!("items" in token)) continue;
    if (depth >= MAX_DEPTH) {
      found = Math.min(found ?? token.offset, token.offset);
      continue;
    }
    for (const { key, value } of token.items) {
      if (key) waiting.push({ token: key, depth: depth + 1 });
      if (value) waiting.push({ token: value, depth: depth + 1 });
    }
  }
  return found;
}
