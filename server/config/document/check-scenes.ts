/** The section `models`: each scene by itself, without a look at the providers. */
import { MODEL_CAPABILITIES, type ModelCapability, ROUTING_STRATEGIES, splitModelReference } from "../config.rules";
import { namedEntries } from "./check-entries";
import type { ConfigEntry, ConfigNode, MappingNode } from "./config-node";
import { referenceFault } from "./model-reference";
import type { ConfigPlace, ProblemList } from "./problem-list";
import { type MappingKind, meantFields, readChoice, readFields, sayWrongType, valuesOf } from "./read-fields";
import { isShowable, shownName } from "./shown-name";

const SCENE: MappingKind = {
  name: "a scene",
  keys: ["requires", "strategy", "candidates"],
  otherSpellings: { models: "candidates", require: "requires", capabilities: "requires", routing: "strategy" },
};
const MOST_CANDIDATES = 16;

export interface DeclaredCandidate extends ConfigPlace {
  provider: string;
  model: string;
}

export interface DeclaredScene {
  scene: string;
  place: ConfigPlace;
  /** Of `candidates`, or of the one reference. */
  candidatesPlace: ConfigPlace;
  candidates: DeclaredCandidate[];
  requires: { capability: ModelCapability; place: ConfigPlace }[];
  /** False when something is wrong with it, which has been said. */
  isWhole: boolean;
  /** As the document says it; null when it cannot be used. */
  value: unknown;
}

export function readScenes(section: MappingNode, problems: ProblemList): DeclaredScene[] {
  return namedEntries(section, "scene", problems).map((entry) => readScene(entry, problems));
}

function readScene({ key, place, value: node }: ConfigEntry, problems: ProblemList): DeclaredScene {
  const scene: DeclaredScene = {
    scene: key,
    place,
    candidatesPlace: node,
    candidates: [],
    requires: [],
    isWhole: false,
    value: null,
  };
  if (node.kind === "nothing" || (node.kind === "text" && node.value.trim() === "")) {
    const scenes = key === "default" ? "" : ", or remove the line so that it uses default";
    problems.error("empty_scene", node, `The scene names no model; write provider/model${scenes}.`, {
      scene: shownName(key),
      reason: key === "default" ? "default" : "inherits",
    });
    return scene;
  }
  if (node.kind === "text") {
    const candidate = readModelReference(node, problems);
    return candidate ? { ...scene, candidates: [candidate], isWhole: true, value: node.value } : scene;
  }
  if (node.kind === "list") {
    const sentence = "Several models stand under candidates; write candidates: and this list below it.";
    problems.error("wrong_type", node, sentence, { wanted: "a text", found: "list", reason: "candidates" });
    return scene;
  }
  if (node.kind !== "mapping") {
    sayWrongType(node, "a text such as provider/model", problems);
    return scene;
  }
  return isProviderAndModel(node) ? sayProviderAndModel(scene, node, problems) : readRoutedScene(scene, node, problems);
}

function isProviderAndModel({ entries }: MappingNode): boolean {
  return entries.some(({ key }) => key === "provider" || key === "model") && !entries.some(({ key }) => key === "candidates");
}

/** `{ provider: x, model: y }` is how many programs write it. */
function sayProviderAndModel(scene: DeclaredScene, node: MappingNode, problems: ProblemList): DeclaredScene {
  const word = (name: string, otherwise: string) => {
    const value = node.entries.find(({ key }) => key === name)?.value;
    return value?.kind === "text" && isShowable(value.value) ? value.value : otherwise;
  };
  const line = `${shownName(scene.scene)}: ${word("provider", "PROVIDER")}/${word("model", "MODEL")}`;
  const sentence = `A scene names its provider and model in one text; write ${line}.`;
  problems.error("wrong_type", node, sentence, { wanted: "a text", found: "mapping", reason: "provider_and_model", line });
  return scene;
}

function readRoutedScene(scene: DeclaredScene, node: MappingNode, problems: ProblemList): DeclaredScene {
  const fields = readFields(node, SCENE, problems);
  const requires = readRequires(fields.get("requires"), problems);
  const strategy = readChoice(
    fields.get("strategy"),
    { name: "strategy", code: "unknown_strategy", known: ROUTING_STRATEGIES },
    problems,
  );
  const list = fields.get("candidates");
  const candidates = readCandidates(list, problems);
  if (!list && !meantFields(node, SCENE).has("candidates"))
    problems.error("no_candidates", scene.place, "The scene lists no models; add candidates: with at least one provider/model.", {
      scene: shownName(scene.scene),
    });
  const isWhole = requires.isWhole && strategy.state !== "broken" && candidates.isWhole && fields.size === node.entries.length;
  const written = candidates.read.map(({ provider, model }) => `${provider}/${model}`);
  return {
    ...scene,
    candidatesPlace: list ?? node,
    candidates: candidates.read,
    requires: requires.read,
    isWhole,
    value: isWhole
      ? {
          ...(fields.has("requires") ? { requires: requires.read.map(({ capability }) => capability) } : {}),
          ...valuesOf({ strategy }),
          candidates: written,
        }
      : null,
  };
}

function readRequires(
  node: ConfigNode | undefined,
  problems: ProblemList,
): { read: DeclaredScene["requires"]; isWhole: boolean } {
  if (!node) return { read: [], isWhole: true };
  if (node.kind !== "list") {
    sayWrongType(node, "a list such as [coding]", problems);
    return { read: [], isWhole: false };
  }
  const read: DeclaredScene["requires"] = [];
  for (const item of node.items) {
    const capability = readChoice(item, { name: "capability", code: "unknown_capability", known: MODEL_CAPABILITIES }, problems);
    if (capability.state !== "read") continue;
    if (read.some((other) => other.capability === capability.value))
      problems.error("duplicate_key", item, `"${capability.value}" is required twice; remove one.`, {
        key: capability.value,
        reason: "requires",
      });
    else read.push({ capability: capability.value, place: item });
  }
  return { read, isWhole: read.length === node.items.length };
}

function readCandidates(node: ConfigNode | undefined, problems: ProblemList): { read: DeclaredCandidate[]; isWhole: boolean } {
  const nothing = { read: [], isWhole: false };
  if (!node || node.kind === "broken") return nothing;
  if (node.kind === "nothing" || (node.kind === "list" && node.items.length === 0)) {
    problems.error("no_candidates", node, "The list is empty; name at least one provider/model.", { reason: "empty" });
    return nothing;
  }
  if (node.kind !== "list") {
    sayWrongType(node, "a list of provider/model", problems);
    return nothing;
  }
  const read: DeclaredCandidate[] = [];
  for (const item of node.items) {
    const candidate = readModelReference(item, problems);
    if (!candidate) continue;
    const first = read.find(({ provider, model }) => provider === candidate.provider && model === candidate.model);
    const reference = `${shownName(candidate.provider)}/${shownName(candidate.model)}`;
    if (first) problems.error("duplicate_candidate", item, `${reference} stands in the list twice; remove one.`, { reference });
    else read.push(candidate);
  }
  const isTooLong = node.items.length > MOST_CANDIDATES;
  if (isTooLong)
    problems.error("out_of_range", node, `A scene has at most ${MOST_CANDIDATES} candidates.`, {
      reason: "entries",
      most: String(MOST_CANDIDATES),
    });
  return { read, isWhole: !isTooLong && read.length === node.items.length };
}

/** Null when it is none, which has been said. The sentence never repeats it: anything may have been pasted here. */
function readModelReference(node: ConfigNode, problems: ProblemList): DeclaredCandidate | null {
  if (node.kind === "broken") return null;
  if (node.kind !== "text") {
    sayWrongType(node, "a text such as provider/model", problems);
    return null;
  }
  const parts = splitModelReference(node.value);
  const fault = referenceFault(node.value);
  if (parts && fault === null) return { ...parts, at: node.at, path: node.path };
  if (fault !== null) {
    const { sentence, ...details } = fault;
    problems.error("bad_model_reference", node, sentence, details);
  }
  return null;
}
