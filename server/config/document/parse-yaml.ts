/** Text to a YAML document of the library, guarded: it recurses over nesting, and a stack that ends inside it ends the process. */
import { Composer, CST, type Document, Lexer, type ParsedNode, Parser } from "yaml";
import type { ProblemList } from "./problem-list";
import { SYNTAX_SENTENCES } from "./syntax-sentences";

export const MAX_DEPTH = 32;
/** Keys, colons, values, blanks and line ends; a document of the greatest size has about half as many. */
const MAX_LEXEMES = 100_000;
const MAX_SYNTAX_PROBLEMS = 50;

export type YamlDocument = Document.Parsed<ParsedNode>;

export const TOO_DEEP = `This is nested deeper than ${MAX_DEPTH} levels; make it flatter.`;

/**
 * Null when the text cannot be read; the reasons are in `problems`. Keys may still stand twice: to find them is the reader's
 * work, for the library compares each with each.
 */
export function parseYaml(text: string, problems: ProblemList): YamlDocument | null {
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
  return report(first, second, text, problems) ? first : null;
}

function report(first: YamlDocument, second: YamlDocument | undefined, text: string, problems: ProblemList): boolean {
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
      reason: "BAD_DIRECTIVE",
    });
  // One mistake often derails the lines after it; the first of a line is the one to mend.
  const lines = new Set<number>();
  let isReadable = true;
  for (const { code, pos } of [...first.errors, ...first.warnings].toSorted((left, right) => left.pos[0] - right.pos[0])) {
    const [at] = pos;
    const isTag = code === "TAG_RESOLVE_FAILED" || code === "BAD_COLLECTION_TYPE";
    if (!isTag) isReadable = false;
    if (lines.size >= MAX_SYNTAX_PROBLEMS || lines.has(problems.lineOf(at))) continue;
    lines.add(problems.lineOf(at));
    problems.error("not_yaml", { at, path: [] }, SYNTAX_SENTENCES[code], { reason: code });
  }
  return isReadable;
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
