/** Sections whose keys are names: providers, profiles and scenes. */
import { CONFIG_NAME } from "../config.rules";
import type { ConfigEntry, MappingNode } from "./config-node";
import type { ProblemList } from "./problem-list";
import { shownName } from "./shown-name";

/** The entries with a good name; the others are said. */
export function namedEntries(section: MappingNode, what: "provider" | "profile" | "scene", problems: ProblemList): ConfigEntry[] {
  return section.entries.filter(({ key, place }) => {
    if (CONFIG_NAME.test(key)) return true;
    const name = shownName(key);
    const sentence =
      key === "<<"
        ? `"<<" is no name of a ${what}, for YAML 1.2 merges no mappings; write the entries out.`
        : `"${name}" cannot be the name of a ${what}; use up to 63 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.`;
    problems.error("bad_name", place, sentence, { name, what, ...(key === "<<" ? { reason: "merge" } : {}) });
    return false;
  });
}
