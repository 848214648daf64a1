/** The configuration document as YAML text: everything that is wrong with it, and what it says when nothing is. */
import { Buffer } from "node:buffer";
import { type ConfigProblem, MAX_CONFIG_BYTES } from "./config.rules";
import { type ConfigDocument, configDocumentSchema } from "./config-document.schema";
import { readLimits } from "./document/check-limits";
import { readPrices } from "./document/check-prices";
import { readProfiles, readProviders } from "./document/check-providers";
import { readScenes } from "./document/check-scenes";
import { checkUses } from "./document/check-uses";
import { type ConfigNode, type MappingNode, NODE_WORDS, pathAt } from "./document/config-node";
import { sayOldShape } from "./document/old-shape";
import { readYaml } from "./document/parse-yaml";
import { ProblemList } from "./document/problem-list";
import { type MappingKind, meantValues, readFields, readMapping } from "./document/read-fields";
import { readTree } from "./document/read-tree";

const TOP: MappingKind = {
  name: "the document",
  keys: ["providers", "models", "profiles", "prices", "agents", "supervisor", "maxRounds", "maxDepth", "workflows"],
  otherSpellings: { scenes: "models", backends: "providers", pricing: "prices", costs: "prices" },
  elsewhere: { supervisorInterval: "write it as interval in supervisor" },
};

/** What looks like a key, found anywhere in a text, comments included. `at`: UTF-16 offset; `rule`: what kind of key it looks like. */
export type FindKeys = (text: string) => { at: number; rule: string }[];

/** What `rule` is for a password within an address. */
const URL_RULE = "url-credential";
const URL_SENTENCE =
  "This address holds a user name and a password, which do not belong there, and every revision is kept and shown; remove them, and name a key as apiKey: env:NAME.";
const KEY_SENTENCE =
  "This looks like a key, and every revision is kept and shown; remove it here, and name where it is kept, as in apiKey: env:NAME.";

export interface ParsedConfig {
  /** Null as soon as one problem is an error. */
  document: ConfigDocument | null;
  /** What could be read in spite of errors, for pages that show it while it is written; null when the text cannot be read at all. */
  partial: ConfigDocument | null;
  /** In the order of the text; warnings too. Lines and columns count from 1, columns in UTF-16 units. */
  problems: ConfigProblem[];
}

/** Finds every problem in one pass, each once: what follows from a mistake that was said is not said again. */
export function parseConfigText(given: string, options: { findKeys?: FindKeys } = {}): ParsedConfig {
  // Editors do not count a byte order mark.
  const text = given.replace(/^\ufeff/, "");
  const problems = new ProblemList(text);
  const read = Buffer.byteLength(text) > MAX_CONFIG_BYTES ? sayTooLarge(problems) : readText(text, problems);
  const tree = read?.tree ?? null;
  const found = tree && readDocument(tree, problems);
  // A document with holes is read for its problems only: what a page showed of it would look as if the rest were not there.
  const document = read?.isWhole === true ? found : null;
  for (const { at, rule } of options.findKeys?.(text) ?? []) {
    // Said already, by the field that holds it.
    if (problems.hasOnLine("literal_key", at) || (rule === URL_RULE && problems.hasOnLine("bad_url", at, "has_user"))) continue;
    const place = { at, path: (tree && pathAt(tree, at)) ?? [] };
    if (rule === URL_RULE) problems.error("key_in_text", place, URL_SENTENCE, { rule, reason: "address" });
    else problems.error("key_in_text", place, KEY_SENTENCE, { rule });
  }
  return { document: problems.hasErrors ? null : document, partial: document, problems: problems.sorted() };
}

function sayTooLarge(problems: ProblemList): null {
  const most = `${MAX_CONFIG_BYTES / 1024} KiB`;
  problems.error("too_large", { at: 0, path: [] }, `The document is larger than ${most}; shorten it.`, { reason: "bytes", most });
  return null;
}

/**
 * Null when the text cannot be read, which has been said. An empty text is an empty mapping. `isWhole` false: there are syntax
 * errors, and the tree holds what they leave alone; sections that may stand in the rest are broken.
 */
function readText(text: string, problems: ProblemList): { tree: ConfigNode; isWhole: boolean } | null {
  const yaml = readYaml(text, problems, TOP.keys);
  if (!yaml) return null;
  const { document, damaged } = yaml;
  const tree = readTree(document, problems, damaged === null) ?? { kind: "mapping", at: 0, path: [], entries: [] };
  if (damaged === null) return { tree, isWhole: true };
  if (tree.kind !== "mapping") return null;
  const broken = damaged
    .filter((section) => !tree.entries.some(({ key }) => key === section))
    // Behind the text: nothing in it is theirs.
    .map((key) => ({ key, place: { at: text.length, path: [key] } }))
    .map(({ key, place }) => ({ key, place, value: { kind: "broken" as const, ...place } }));
  return { tree: { ...tree, entries: [...tree.entries, ...broken] }, isWhole: false };
}

function readDocument(tree: ConfigNode, problems: ProblemList): ConfigDocument | null {
  if (tree.kind === "mapping") {
    if (tree.entries.length === 0 && !problems.hasErrors)
      problems.warning(
        "empty_document",
        tree,
        "Nothing is configured here, so no scene has a model; add models: with default: provider/model.",
      );
    return readSections(tree, problems);
  }
  if (tree.kind !== "broken") {
    const sentence = `The document must be a mapping of keys such as providers and models, not ${NODE_WORDS[tree.kind]}.`;
    problems.error("not_a_mapping", tree, sentence, { found: tree.kind });
  }
  return null;
}

function readSections(tree: MappingNode, problems: ProblemList): ConfigDocument | null {
  const old = tree.entries.find(({ key }) => key === "extract");
  if (old) sayOldShape(old.place, old.value, problems);
  const fields = readFields({ ...tree, entries: tree.entries.filter((entry) => entry !== old) }, TOP, problems);
  const providerSection = section(fields.get("providers"), problems);
  const sceneSection = section(fields.get("models"), problems);
  const profileSection = section(fields.get("profiles"), problems);
  const providers = providerSection && readProviders(providerSection, problems);
  const scenes = sceneSection && readScenes(sceneSection, problems);
  const profiles = profileSection && readProfiles(profileSection, problems);
  const priceSection = section(fields.get("prices"), problems);
  const prices = priceSection && readPrices(priceSection, problems);
  const limits = readLimits(fields, problems);
  // A misspelled section is there, only under another name: what it holds is not missed. It may stand beside the right one.
  const meant = meantValues(tree, TOP);
  const misspelled = (key: string): ReadonlySet<string> => new Set((meant.get(key) ?? []).flatMap(namesIn));

  const values = {
    ...(fields.has("providers") && providers
      ? { providers: Object.fromEntries(providers.map(({ name, values: entry }) => [name, entry])) }
      : {}),
    ...(fields.has("models") && scenes
      ? { models: Object.fromEntries(scenes.flatMap(({ scene, isWhole, value }) => (isWhole ? [[scene, value]] : []))) }
      : {}),
    ...(fields.has("profiles") && profiles ? { profiles: profiles.values } : {}),
    ...(fields.has("prices") && prices
      ? { prices: Object.fromEntries(prices.flatMap(({ reference, value }) => (value ? [[reference, value]] : []))) }
      : {}),
    ...limits,
  };
  // Holds by construction: only what was read as the schema wants it is in there.
  const document = configDocumentSchema.parse(values);
  const modelsPlace = tree.entries.find(({ key }) => key === "models")?.place ?? null;
  const isReadable = (key: string): boolean =>
    (meant.get(key) ?? []).every(({ kind }) => kind === "mapping" || kind === "nothing");
  checkUses(
    document,
    {
      providers: isReadable("providers") ? providers : null,
      providerKeys: new Set(providerSection?.entries.map(({ key }) => key)),
      misspelledProviders: misspelled("providers"),
      scenes,
      hasMisspelledScenes: meant.has("models"),
      modelsPlace,
      prices: prices ?? [],
      brokenProfiles: isReadable("profiles") && profiles ? new Set([...profiles.broken, ...misspelled("profiles")]) : null,
      hasOldShape: old !== undefined,
    },
    problems,
  );
  return document;
}

function namesIn(node: ConfigNode): string[] {
  return node.kind === "mapping" ? node.entries.map(({ key }) => key) : [];
}

/** An empty one when it is absent or nothing stands in it; null when it is no mapping, which has been said. */
function section(node: ConfigNode | undefined, problems: ProblemList): MappingNode | null {
  return node ? readMapping(node, problems) : { kind: "mapping", at: 0, path: [], entries: [] };
}
