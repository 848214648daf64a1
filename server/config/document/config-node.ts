/** The document as plain nodes that know their place: aliases followed, keys checked, nothing of the YAML library left. */
import type { ConfigPlace } from "./problem-list";

export interface ConfigEntry {
  key: string;
  /** Of the key. */
  place: ConfigPlace;
  value: ConfigNode;
}

export interface MappingNode extends ConfigPlace {
  kind: "mapping";
  entries: ConfigEntry[];
}

export type ConfigNode =
  | (ConfigPlace & { kind: "text"; value: string })
  | (ConfigPlace & { kind: "number"; value: number })
  | (ConfigPlace & { kind: "flag"; value: boolean })
  | (ConfigPlace & { kind: "nothing" })
  | (ConfigPlace & { kind: "list"; items: ConfigNode[] })
  | MappingNode
  /** Something is wrong with it, which has been said. */
  | (ConfigPlace & { kind: "broken" });

/** What a node is, in words. */
export const NODE_WORDS: Readonly<Record<ConfigNode["kind"], string>> = {
  text: "a text",
  number: "a number",
  flag: "true or false",
  nothing: "nothing",
  list: "a list",
  mapping: "a mapping",
  broken: "unreadable",
};

/** As plain JSON. A broken part becomes null: the document it stands in is refused anyway. */
export function plainValue(node: ConfigNode): unknown {
  switch (node.kind) {
    case "text":
    case "number":
    case "flag":
      return node.value;
    case "list":
      return node.items.map(plainValue);
    case "mapping":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainValue(value)]));
    case "nothing":
    case "broken":
      return null;
  }
}

/** The path of the text or the key that covers an offset; null where neither stands, as in a comment. */
export function pathAt(node: ConfigNode, at: number): ConfigPlace["path"] | null {
  switch (node.kind) {
    case "text":
      return covers(node.at, node.value, at) ? node.path : null;
    case "list":
      return firstOf(node.items, (item) => pathAt(item, at));
    case "mapping":
      return firstOf(node.entries, ({ key, place, value }) => (covers(place.at, key, at) ? place.path : pathAt(value, at)));
    case "number":
    case "flag":
    case "nothing":
    case "broken":
      return null;
  }
}

/** As far as one can tell without the quotes and escapes around it. */
function covers(start: number, text: string, at: number): boolean {
  return at >= start && at <= start + text.length;
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | null): R | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}
