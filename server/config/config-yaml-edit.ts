/** Changes fields of a document and leaves the rest of its text as it is: comments, order, blank lines, quotes and line ends. */
import { isDeepStrictEqual } from "node:util";
import { isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode } from "yaml";
import type { Result } from "@/server/shared/result";
import { addItem, addPair, type EditSource, removeItem, removePair, setItem, setPairValue } from "./document/edit-splice";
import { type EditPath, valueAt, valueOfText, withEdit } from "./document/edit-value";
import { parseYaml, type YamlDocument } from "./document/parse-yaml";
import { ProblemList } from "./document/problem-list";
import { pathText } from "./document/shown-name";
import { blockLines, styleOf, writingOptions, type YamlStyle } from "./document/yaml-style";

/** A place by keys and indexes, and its new value as JSON; without `value` the place is removed. */
export interface ConfigTextEdit {
  path: EditPath;
  value?: unknown;
}

/** Names with a meaning of their own in the language that reads them. */
const RESERVED: readonly (string | number)[] = ["__proto__", "constructor", "prototype"];

/**
 * The text with the edits made in their order. Missing mappings on the way are made; a mapping or list that becomes empty stays as
 * `{}` or `[]`. To remove what is not there changes nothing. The error is one sentence.
 */
export function editConfigText(text: string, edits: readonly ConfigTextEdit[]): Result<string, string> {
  let current = text;
  for (const { path, value } of edits) {
    const edited = editOnce(current, path, value);
    if (!edited.ok) return edited;
    current = edited.value;
  }
  return { ok: true, value: current };
}

function editOnce(text: string, path: EditPath, value: unknown): Result<string, string> {
  if (path.length === 0) return refuse("The path of an edit names at least one key.");
  if (path.some((part) => RESERVED.includes(part))) return refuse(`${pathText(path)}: this name is reserved.`);
  const before = valueOfText(text);
  const problems = new ProblemList(text);
  const document = before === undefined ? null : parseYaml(text, problems);
  if (!document) return refuse("The text cannot be read as YAML, or says something twice; mend it as a text first.");
  if (isDeepStrictEqual(valueAt(before, path), value)) return { ok: true, value: text };
  const obstacle = findObstacle(document.contents, path, value);
  if (obstacle !== null) return refuse(obstacle);
  const wanted = withEdit(before, path, value);
  const style = styleOf(text, document);
  const edited = splice(document, { text, style }, path, value) ?? rewritten(document, path, value, style);
  // An edit that would change anything else, through an alias for example, is not made.
  if (edited !== null && isDeepStrictEqual(valueOfText(edited), wanted)) return { ok: true, value: edited };
  return refuse(`${pathText(path)}: cannot be changed by itself here; edit the text.`);
}

function refuse(error: string): Result<string, string> {
  return { ok: false, error };
}

/** Why a path cannot be followed, or null. */
function findObstacle(root: ParsedNode | null, path: EditPath, value: unknown): string | null {
  let node: ParsedNode | null | undefined = root;
  for (const [at, part] of path.entries()) {
    const here = pathText(path.slice(0, at)) || "the document";
    if (node && isAlias(node)) return `${here}: repeats another place by an alias, so it cannot be changed here; edit the text.`;
    const isNothing: boolean = !node || (isScalar(node) && node.value === null);
    const isFitting = typeof part === "number" ? isSeq(node) : isMap(node);
    if (!isNothing && !isFitting)
      return `${here}: is ${isScalar(node) ? "a single value" : isSeq(node) ? "a list" : "a mapping"}, so there is no ${typeof part === "number" ? `entry ${part}` : `"${pathText([part])}"`} in it.`;
    const length: number = isSeq(node) ? node.items.length : 0;
    if (typeof part === "number" && value !== undefined && part > length)
      return `${here}: has ${length === 1 ? "1 entry" : `${length} entries`}, so there is no entry ${part}.`;
    node = isNothing ? null : stepInto(node, part);
  }
  return null;
}

function stepInto(node: ParsedNode | null | undefined, part: string | number): ParsedNode | null | undefined {
  if (isSeq(node) && typeof part === "number") return node.items[part];
  return isMap(node) && typeof part === "string" ? findPair(node.items, part)?.value : undefined;
}

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

function findPair(items: readonly ParsedPair[], key: string): ParsedPair | undefined {
  return items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function splice(document: YamlDocument, source: EditSource, path: EditPath, value: unknown): string | null {
  const root = document.contents;
  const [first, ...below] = path;
  if (!root || (isScalar(root) && root.range[0] === root.range[1])) {
    if (typeof first !== "string" || document.directives.docEnd) return null;
    const gap = source.text === "" || source.text.endsWith("\n") ? "" : source.style.lineEnd;
    return source.text + gap + blockLines(first, nested(below, value), 0, source.style);
  }
  let node: ParsedNode | null = root;
  let holder: ParsedPair | null = null;
  let isInFlow = false;
  for (const [at, part] of path.entries()) {
    const rest = path.slice(at + 1);
    if (isMap(node) && typeof part === "string") {
      isInFlow ||= node.flow === true;
      const pair = findPair(node.items, part);
      if (!pair) return addPair(source, node, part, nested(rest, value));
      if (rest.length === 0)
        return value === undefined ? removePair(source, node, pair, holder) : setPairValue(source, pair, value, isInFlow);
      if (isVacant(pair.value)) return setPairValue(source, pair, nested(rest, value), isInFlow);
      holder = pair;
      node = pair.value;
    } else if (isSeq(node) && typeof part === "number") {
      isInFlow ||= node.flow === true;
      if (part === node.items.length) return addItem(source, node, nested(rest, value));
      if (rest.length === 0)
        return value === undefined ? removeItem(source, node, part, holder) : setItem(source, node, part, value);
      holder = null;
      node = node.items[part] ?? null;
    } else return null;
  }
  return null;
}

/** Nothing, or an empty mapping or list: what is put in becomes lines, as the rest of the document. */
function isVacant(node: ParsedNode | null): boolean {
  if (!node) return true;
  return isScalar(node) ? node.value === null : (isMap(node) || isSeq(node)) && node.items.length === 0;
}

/** The value with the mappings and lists that are missing around it. */
function nested(path: EditPath, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, part) => (typeof part === "number" ? [inner] : { [part]: inner }), value);
}

/** The library's own way, for places that cannot be changed by characters alone. It may move blanks elsewhere, never a comment or a value. */
function rewritten(document: YamlDocument, path: EditPath, value: unknown, style: YamlStyle): string | null {
  try {
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, value);
    const text = document.toString(writingOptions(style));
    return style.lineEnd === "\n" ? text : text.replaceAll("\n", style.lineEnd);
  } catch {
    // An alias whose anchor is gone cannot be written.
    return null;
  }
}
