/** What stands at the top besides providers, profiles and models. */
import { readAgentRules } from "./check-agents";
import type { ConfigNode } from "./config-node";
import { plainValue } from "./config-node";
import type { ProblemList } from "./problem-list";
import {
  type MappingKind,
  type Reading,
  readFields,
  readFlag,
  readMapping,
  readNumber,
  sayWrongType,
  valuesOf,
} from "./read-fields";

const SUPERVISOR: MappingKind = {
  name: "supervisor",
  keys: ["enabled", "interval"],
  otherSpellings: { every: "interval", supervisorinterval: "interval" },
  elsewhere: { model: "name its model in models, as supervisor: provider/model" },
};
const INTERVAL = { least: 0, most: 1_000, isWhole: true };
const ROUNDS = { least: 1, most: 10_000, isWhole: true };
const DEPTH = { least: 0, most: 16, isWhole: true };

export function readLimits(fields: ReadonlyMap<string, ConfigNode>, problems: ProblemList): Record<string, unknown> {
  return valuesOf({
    agents: readAgentRules(fields.get("agents"), problems),
    supervisor: readSupervisor(fields.get("supervisor"), problems),
    maxRounds: readNumber(fields.get("maxRounds"), ROUNDS, problems),
    maxDepth: readNumber(fields.get("maxDepth"), DEPTH, problems),
    workflows: readWorkflows(fields.get("workflows"), problems),
  });
}

function readSupervisor(node: ConfigNode | undefined, problems: ProblemList): Reading<Record<string, unknown>> {
  if (!node || node.kind === "nothing") return { state: "absent" };
  const mapping = readMapping(node, problems, "a mapping of enabled and interval");
  if (!mapping) return { state: "broken" };
  const fields = readFields(mapping, SUPERVISOR, problems);
  const enabled = readFlag(fields.get("enabled"), problems);
  return { state: "read", value: valuesOf({ enabled, interval: readInterval(fields.get("interval"), problems) }), place: node };
}

/** `false` is never, as 0 is. */
function readInterval(node: ConfigNode | undefined, problems: ProblemList): Reading<number | false> {
  if (node?.kind !== "flag") return readNumber(node, INTERVAL, problems);
  return node.value ? sayWrongType(node, "a whole number or false", problems) : { state: "read", value: false, place: node };
}

function readWorkflows(node: ConfigNode | undefined, problems: ProblemList): Reading<unknown> {
  if (!node || node.kind === "nothing") return { state: "absent" };
  const mapping = readMapping(node, problems);
  return mapping ? { state: "read", value: plainValue(mapping), place: node } : { state: "broken" };
}
