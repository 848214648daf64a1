/** An edit of plain values, by which an edit of text is judged. */
import { type ConfigNode, plainValue } from "./config-node";
import { parseYaml } from "./parse-yaml";
import { ProblemList } from "./problem-list";
import { readTree } from "./read-tree";

export type EditPath = readonly (string | number)[];

/** What a text says, as plain JSON; undefined when it cannot be read or says something twice. */
export function valueOfText(text: string): unknown {
  const problems = new ProblemList(text);
  const yaml = parseYaml(text, problems);
  const tree: ConfigNode | null = yaml && readTree(yaml, problems);
  return !yaml || problems.hasErrors ? undefined : tree ? plainValue(tree) : {};
}

/** The value with one place changed (`undefined` = removed). What is missing on the way is made; nothing counts as an empty mapping. */
export function withEdit(value: unknown, path: EditPath, change: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return change;
  if (typeof part === "number") {
    const list: unknown[] = Array.isArray(value) ? [...value] : [];
    if (rest.length > 0 || change !== undefined) list[part] = withEdit(list[part], rest, change);
    else list.splice(part, 1);
    return list;
  }
  const entries = new Map<string, unknown>(isRecord(value) ? Object.entries(value) : []);
  if (rest.length > 0 || change !== undefined) entries.set(part, withEdit(entries.get(part), rest, change));
  else entries.delete(part);
  return Object.fromEntries(entries);
}

/** The value at a path; undefined when there is none. */
export function valueAt(value: unknown, path: EditPath): unknown {
  let here = value;
  for (const part of path) {
    if (typeof part === "number") here = Array.isArray(here) ? here[part] : undefined;
    else here = isRecord(here) && Object.hasOwn(here, part) ? here[part] : undefined;
  }
  return here;
}

/** A mapping; a list has no names to look up. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
