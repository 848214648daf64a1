/** The library's document to nodes of our own: follows aliases within bounds, refuses keys that cannot be keys. */
import { isAlias, isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import { type ConfigNode, type MappingNode, NODE_WORDS } from "./config-node";
import { MAX_DEPTH, TOO_DEEP, type YamlDocument } from "./parse-yaml";
import type { ConfigPlace, ProblemList } from "./problem-list";
import { shownName } from "./shown-name";

/** Nodes that aliases may add to a document. */
const MAX_ALIASED_NODES = 5_000;
/** Names with a meaning of their own in the language that reads them. */
const FORBIDDEN_KEYS: readonly string[] = ["__proto__", "constructor", "prototype"];

type Pair = { key: unknown; value: unknown };

/**
 * Null when the document is empty. Whatever is wrong is in `problems`, and broken in the tree. `isWhole` false: parts were left out,
 * and anchors with them.
 */
export function readTree(document: YamlDocument, problems: ProblemList, isWhole = true): ConfigNode | null {
  const { contents } = document;
  if (!contents) return null;
  const node = new TreeReader(problems, isWhole).read(contents, { at: contents.range[0], path: [] }, 1);
  return node.kind === "nothing" ? null : node;
}

class TreeReader {
  readonly #problems: ProblemList;
  readonly #anchors = new Map<string, ParsedNode>();
  readonly #open = new Set<ParsedNode>();
  #aliased = 0;
  #insideAlias = 0;
  #isTooDeep = false;

  readonly #isWhole: boolean;

  constructor(problems: ProblemList, isWhole: boolean) {
    this.#problems = problems;
    this.#isWhole = isWhole;
  }

  /** `place.at` is used when the node itself has no extent in the text. */
  read(node: ParsedNode | null, place: ConfigPlace, depth: number): ConfigNode {
    if (this.#insideAlias > 0) this.#aliased += 1;
    if (node === null) return { kind: "nothing", ...place };
    if (isAlias(node)) return this.#followAlias(node.source, { at: node.range[0], path: place.path }, depth);
    if (this.#insideAlias === 0 && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isScalar(node)) return this.#scalar(node, place);
    const here = { at: node.range[0], path: place.path };
    if (depth > MAX_DEPTH) {
      if (!this.#isTooDeep) this.#problems.error("too_deep", here, TOO_DEEP, { most: String(MAX_DEPTH) });
      this.#isTooDeep = true;
      return { kind: "broken", ...here };
    }
    this.#open.add(node);
    const read = isSeq(node) ? this.#list(node.items, here, depth) : this.#mapping(node.items, here, depth);
    this.#open.delete(node);
    return read;
  }

  #scalar(node: ParsedNode & { value: unknown }, place: ConfigPlace): ConfigNode {
    const { value } = node;
    const here = { at: node.range[0], path: place.path };
    if (typeof value === "string") return { kind: "text", value, ...here };
    if (typeof value === "boolean") return { kind: "flag", value, ...here };
    if (value === null) return { kind: "nothing", ...(node.range[0] === node.range[1] ? place : here) };
    if (typeof value === "number" && Number.isFinite(value)) return { kind: "number", value, ...here };
    this.#problems.error("out_of_range", here, "This number is too large or is none; write a finite one.", {
      reason: "not_finite",
    });
    return { kind: "broken", ...here };
  }

  #list(items: readonly unknown[], here: ConfigPlace, depth: number): ConfigNode {
    // Items of a parsed list are nodes, except for a pair in a flow list (`[a: 1]`), which the library has made a mapping.
    const nodes = items as readonly (ParsedNode | null)[];
    return {
      kind: "list",
      ...here,
      items: nodes.map((item, at) => this.read(item, { at: item?.range[0] ?? here.at, path: [...here.path, at] }, depth + 1)),
    };
  }

  #mapping(pairs: readonly Pair[], here: ConfigPlace, depth: number): MappingNode {
    const entries: MappingNode["entries"] = [];
    const lines = new Map<string, number>();
    for (const pair of pairs) {
      // Of a parsed mapping both are nodes, or null where nothing stands.
      const keyNode = pair.key as ParsedNode | null;
      const at = keyNode?.range[0] ?? here.at;
      const key = this.#key(keyNode, { at, path: here.path });
      const place = { at, path: key === null ? here.path : [...here.path, key] };
      const value = this.read(pair.value as ParsedNode | null, place, depth + 1);
      if (key === null) continue;
      const firstLine = lines.get(key);
      if (firstLine !== undefined) {
        const details = { key: shownName(key), firstLine: String(firstLine) };
        const sentence = `"${details.key}" stands here a second time (the first is in line ${firstLine}); keep one of them.`;
        this.#problems.error("duplicate_key", place, sentence, details);
        continue;
      }
      lines.set(key, this.#problems.lineOf(at));
      entries.push({ key, place, value });
    }
    return { kind: "mapping", ...here, entries };
  }

  /** Null when it cannot be a key, which has then been said. */
  #key(node: ParsedNode | null, place: ConfigPlace): string | null {
    const value = isScalar(node) ? node.value : undefined;
    if (typeof value === "string") {
      if (!FORBIDDEN_KEYS.includes(value)) return value;
      this.#problems.error("bad_name", place, `"${value}" cannot be a name; choose another one.`, {
        name: value,
        reason: "reserved",
      });
      return null;
    }
    const found = keyKind(node, value);
    const word = found === "alias" ? "an alias" : NODE_WORDS[found];
    this.#problems.error("key_not_text", place, `A key must be a text, not ${word}; put it in quotes.`, { found });
    return null;
  }

  #followAlias(name: string, here: ConfigPlace, depth: number): ConfigNode {
    const target = this.#anchors.get(name);
    const broken = { kind: "broken", ...here } as const;
    if (!target && !this.#isWhole) return broken;
    if (!target) {
      const shown = shownName(name);
      this.#problems.error("not_yaml", here, `There is no anchor &${shown} before this alias.`, {
        reason: "no_anchor",
        name: shown,
      });
      return broken;
    }
    if (this.#open.has(target)) {
      this.#problems.error("alias_bomb", here, "This alias stands inside what it repeats; write the value out.", {
        reason: "itself",
      });
      return broken;
    }
    if (this.#aliased > MAX_ALIASED_NODES) return this.#tooMany(here);
    this.#insideAlias += 1;
    const node = this.read(target, { at: target.range[0], path: here.path }, depth);
    this.#insideAlias -= 1;
    return this.#aliased > MAX_ALIASED_NODES ? this.#tooMany(here) : node;
  }

  #saidTooMany = false;

  #tooMany(here: ConfigPlace): ConfigNode {
    if (!this.#saidTooMany)
      this.#problems.error(
        "alias_bomb",
        here,
        `The aliases repeat more than ${MAX_ALIASED_NODES} values; write out what is needed.`,
        {
          reason: "expansion",
          most: String(MAX_ALIASED_NODES),
        },
      );
    this.#saidTooMany = true;
    return { kind: "broken", ...here };
  }
}

function keyKind(node: ParsedNode | null, value: unknown): ConfigNode["kind"] | "alias" {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "flag";
  if (isMap(node)) return "mapping";
  if (isSeq(node)) return "list";
  return isAlias(node) ? "alias" : "nothing";
}
