/** Reads the fields of a mapping one by one. Each reader says what is wrong once; the caller goes on with the rest. */
import { type ConfigNode, type MappingNode, NODE_WORDS } from "./config-node";
import type { ConfigPlace, ProblemList } from "./problem-list";
import { nearestName, shownName } from "./shown-name";

/** `broken`: something is there, and what is wrong with it has been said. */
export type Reading<T> = { state: "absent" | "broken" } | { state: "read"; value: T; place: ConfigPlace };

const ABSENT = { state: "absent" } as const;
const BROKEN = { state: "broken" } as const;

/** What a mapping is for, as sentences and translations name it. */
export interface MappingKind {
  /** E.g. `a provider`; also the discriminator of translations. */
  name: string;
  keys: readonly string[];
  /** Other spellings that no likeness would find. */
  otherSpellings?: Readonly<Record<string, string>>;
  /** What to do about a key that people look for here but that stands elsewhere. */
  elsewhere?: Readonly<Record<string, string>>;
}

/** The values by key. Unknown keys are said and left out. `unknown` counts them. */
export function readFields(mapping: MappingNode, kind: MappingKind, problems: ProblemList): ReadonlyMap<string, ConfigNode> {
  const fields = new Map<string, ConfigNode>();
  for (const { key, place, value } of mapping.entries) {
    if (kind.keys.includes(key)) fields.set(key, value);
    else sayUnknown(key, place, kind, problems);
  }
  return fields;
}

/** The known keys that the unknown ones probably are: what they are missing has been said. */
export function meantFields(mapping: MappingNode, kind: MappingKind): ReadonlySet<string> {
  return new Set(meantValues(mapping, kind).keys());
}

/** What stands under unknown keys, by the known key that each probably is. */
export function meantValues(mapping: MappingNode, kind: MappingKind): ReadonlyMap<string, readonly ConfigNode[]> {
  const found = new Map<string, ConfigNode[]>();
  for (const { key, value } of mapping.entries) {
    const meant = kind.keys.includes(key) ? null : suggestion(key, kind);
    if (meant !== null) found.set(meant, [...(found.get(meant) ?? []), value]);
  }
  return found;
}

function suggestion(key: string, kind: MappingKind): string | null {
  const spelling = kind.otherSpellings ?? {};
  const other = Object.keys(spelling).find((name) => name === key.toLowerCase().replace(/[-_ ]/g, ""));
  return (other === undefined ? null : spelling[other]) ?? nearestName(key, kind.keys);
}

function sayUnknown(key: string, place: ConfigPlace, kind: MappingKind, problems: ProblemList): void {
  const shown = shownName(key);
  const known = kind.keys.join(", ");
  const beginning = `There is no "${shown}" in ${kind.name}`;
  const details = { key: shown, where: kind.name, known };
  if (key === "<<") {
    const sentence = `${beginning}, for YAML 1.2 merges no mappings; write the keys out or give the whole value by an alias.`;
    problems.error("unknown_key", place, sentence, { ...details, reason: "merge" });
    return;
  }
  const elsewhere = kind.elsewhere && Object.hasOwn(kind.elsewhere, key) ? kind.elsewhere[key] : undefined;
  const meant = suggestion(key, kind);
  const rest = elsewhere ?? (meant === null ? `there are ${known}` : `did you mean ${meant}?`);
  const reason = elsewhere === undefined ? (meant === null ? "none" : "meant") : "elsewhere";
  problems.error("unknown_key", place, `${beginning}; ${rest}${rest.endsWith("?") ? "" : "."}`, {
    ...details,
    reason,
    ...(meant === null ? {} : { meant }),
  });
}

/** Says that the node is of another type than wanted. `wanted` e.g. `a whole number`. */
export function sayWrongType(node: ConfigNode, wanted: string, problems: ProblemList): { state: "broken" } {
  if (node.kind === "broken") return BROKEN;
  const details = { wanted, found: node.kind };
  if (node.kind === "nothing") {
    problems.error("wrong_type", node, `There is no value here; write ${wanted} or remove the key.`, {
      ...details,
      reason: "nothing",
    });
    return BROKEN;
  }
  const isQuoted =
    node.kind === "text" && /number|true or false/.test(wanted) && /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(node.value);
  const advice = isQuoted ? "; remove the quotes" : "";
  problems.error("wrong_type", node, `This must be ${wanted}, not ${NODE_WORDS[node.kind]}${advice}.`, {
    ...details,
    ...(isQuoted ? { reason: "quotes" } : {}),
  });
  return BROKEN;
}

export function readNumber(
  node: ConfigNode | undefined,
  bounds: { least: number; most: number; isWhole: boolean },
  problems: ProblemList,
): Reading<number> {
  if (!node) return ABSENT;
  const wanted = bounds.isWhole ? "a whole number" : "a number";
  if (node.kind !== "number" || (bounds.isWhole && !Number.isInteger(node.value) && inBounds(node.value, bounds))) {
    if (node.kind !== "number") return sayWrongType(node, wanted, problems);
    problems.error("wrong_type", node, "This must be a whole number; remove what stands after the point.", {
      wanted,
      found: "number",
      reason: "point",
    });
    return BROKEN;
  }
  if (inBounds(node.value, bounds)) return { state: "read", value: node.value, place: node };
  const details = { least: String(bounds.least), most: String(bounds.most) };
  problems.error("out_of_range", node, `This must be from ${details.least} to ${details.most}.`, details);
  return BROKEN;
}

function inBounds(value: number, { least, most }: { least: number; most: number }): boolean {
  return value >= least && value <= most;
}

export function readFlag(node: ConfigNode | undefined, problems: ProblemList): Reading<boolean> {
  if (!node) return ABSENT;
  if (node.kind !== "flag") return sayWrongType(node, "true or false", problems);
  return { state: "read", value: node.value, place: node };
}

/** A text that is not empty and at most `most` characters long. */
export function readText(node: ConfigNode | undefined, most: number, problems: ProblemList): Reading<string> {
  if (!node) return ABSENT;
  if (node.kind !== "text") return sayWrongType(node, "a text", problems);
  if (node.value.trim() === "") return sayWrongType({ ...node, kind: "nothing" }, "a text", problems);
  if (node.value.length > most) {
    problems.error("out_of_range", node, `This must have at most ${most} characters.`, { reason: "length", most: String(most) });
    return BROKEN;
  }
  return { state: "read", value: node.value, place: node };
}

/** One of a few words. */
export function readChoice<T extends string>(
  node: ConfigNode | undefined,
  choice: { name: string; code: "out_of_range" | "unknown_strategy" | "unknown_capability"; known: readonly T[] },
  problems: ProblemList,
): Reading<T> {
  if (!node) return ABSENT;
  if (node.kind !== "text") return sayWrongType(node, "a text", problems);
  const value = choice.known.find((known) => known === node.value);
  if (value !== undefined) return { state: "read", value, place: node };
  sayUnknownChoice(node.value, node, choice, problems);
  return BROKEN;
}

export function sayUnknownChoice(
  written: string,
  place: ConfigPlace,
  choice: { name: string; code: "out_of_range" | "unknown_strategy" | "unknown_capability"; known: readonly string[] },
  problems: ProblemList,
): void {
  const shown = shownName(written);
  const meant = nearestName(written, choice.known);
  const known = choice.known.join(", ");
  const rest = meant === null ? `there are ${known}.` : `did you mean ${meant}?`;
  problems.error(choice.code, place, `There is no ${choice.name} "${shown}"; ${rest}`, {
    name: shown,
    what: choice.name,
    known,
    reason: meant === null ? "choice" : "choice_meant",
    ...(meant === null ? {} : { meant }),
  });
}

/** The mapping, an empty one when nothing stands there, or null when it is something else, which has been said. */
export function readMapping(node: ConfigNode, problems: ProblemList, wanted = "a mapping"): MappingNode | null {
  if (node.kind === "mapping") return node;
  if (node.kind === "nothing") return { kind: "mapping", at: node.at, path: node.path, entries: [] };
  sayWrongType(node, wanted, problems);
  return null;
}

/** The values that could be read, by key. */
export function valuesOf(readings: Readonly<Record<string, Reading<unknown>>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(readings).flatMap(([key, reading]) => (reading.state === "read" ? [[key, reading.value]] : [])),
  );
}
