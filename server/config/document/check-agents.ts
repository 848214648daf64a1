/** `agents`: what agent runs may do at most. */
import { AGENT_SANDBOXES, AGENT_TIME } from "../execution-policy.rules";
import type { ConfigNode } from "./config-node";
import type { ProblemList } from "./problem-list";
import {
  type MappingKind,
  type Reading,
  readChoice,
  readFields,
  readFlag,
  readMapping,
  readNumber,
  readText,
  sayWrongType,
  valuesOf,
} from "./read-fields";

const AGENTS: MappingKind = {
  name: "agents",
  keys: ["backends", "workspaces", "sandbox", "network", "timeoutMs"],
  otherSpellings: { providers: "backends", folders: "workspaces", timeout: "timeoutMs" },
  elsewhere: { approval: "each run says in its policy who approves" },
};
const TURN = { least: AGENT_TIME.turn.min, most: AGENT_TIME.turn.max, isWhole: true };
const LONGEST_NAME = 64;
const LONGEST_PATH = 4_096;

export function readAgentRules(node: ConfigNode | undefined, problems: ProblemList): Reading<Record<string, unknown>> {
  if (!node || node.kind === "nothing") return { state: "absent" };
  const mapping = readMapping(node, problems, "a mapping of what agent runs may do");
  if (!mapping) return { state: "broken" };
  const fields = readFields(mapping, AGENTS, problems);
  const value = valuesOf({
    backends: readTexts(fields.get("backends"), LONGEST_NAME, "a list of providers", problems),
    workspaces: readFolders(fields.get("workspaces"), problems),
    sandbox: readChoice(fields.get("sandbox"), { name: "sandbox", code: "out_of_range", known: AGENT_SANDBOXES }, problems),
    network: readFlag(fields.get("network"), problems),
    timeoutMs: readNumber(fields.get("timeoutMs"), TURN, problems),
  });
  return { state: "read", value, place: node };
}

function readTexts(node: ConfigNode | undefined, longest: number, wanted: string, problems: ProblemList): Reading<string[]> {
  if (!node) return { state: "absent" };
  if (node.kind !== "list") return sayWrongType(node, wanted, problems);
  const texts = node.items.map((item) => readText(item, longest, problems));
  const values = texts.flatMap((text) => (text.state === "read" ? [text.value] : []));
  return values.length === texts.length ? { state: "read", value: values, place: node } : { state: "broken" };
}

/** A folder that is not absolute would be another one for each way the server is started. */
function readFolders(node: ConfigNode | undefined, problems: ProblemList): Reading<string[]> {
  const folders = readTexts(node, LONGEST_PATH, "a list of folders", problems);
  if (folders.state !== "read" || node?.kind !== "list") return folders;
  for (const item of node.items) {
    if (item.kind === "text" && !item.value.startsWith("/"))
      problems.error("out_of_range", item, "This must be an absolute path, which begins with a slash.", { reason: "path" });
  }
  return folders;
}
