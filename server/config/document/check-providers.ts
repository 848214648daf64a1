/** The sections `providers` and `profiles`: each entry by itself. */
import { BACKEND_KINDS } from "../backend-kind.rules";
import { LONGEST_MODEL, MODEL_CAPABILITIES } from "../config.rules";
import { TOKENIZER_IDS } from "../config-document.schema";
import { BUILT_IN_PROFILES } from "../profile-table";
import { namedEntries } from "./check-entries";
import { readBaseUrl, readReference } from "./check-references";
import type { ConfigEntry, ConfigNode, MappingNode } from "./config-node";
import type { ConfigPlace, ProblemList } from "./problem-list";
import {
  type MappingKind,
  meantFields,
  type Reading,
  readChoice,
  readFields,
  readFlag,
  readMapping,
  readNumber,
  readText,
  sayUnknownChoice,
  valuesOf,
} from "./read-fields";

const KEY_SPELLINGS = { key: "apiKey", token: "apiKey", secret: "apiKey", apikeyenv: "apiKey", keyenv: "apiKey" };
const URL_SPELLINGS = {
  url: "baseUrl",
  endpoint: "baseUrl",
  address: "baseUrl",
  apibase: "baseUrl",
  api: "baseUrl",
  host: "baseUrl",
};
const LIMIT_SPELLINGS = { timeout: "timeouts", maxconcurrency: "concurrency", parallel: "concurrency" };

const PROVIDER: MappingKind = {
  name: "a provider",
  keys: ["baseUrl", "apiKey", "profile", "concurrency", "timeouts"],
  otherSpellings: { ...KEY_SPELLINGS, ...URL_SPELLINGS, ...LIMIT_SPELLINGS },
  elsewhere: {
    model: "name the model in models, as provider/model",
    models: "name the model in models, as provider/model",
    kind: "the kind belongs to a profile; name one as profile",
  },
};
const PROFILE: MappingKind = {
  name: "a profile",
  keys: [
    "kind",
    "description",
    "baseUrl",
    "defaultModel",
    "concurrency",
    "timeouts",
    "tokenizer",
    "scores",
    "contextWindow",
    "batch",
  ],
  otherSpellings: {
    ...URL_SPELLINGS,
    ...LIMIT_SPELLINGS,
    model: "defaultModel",
    batches: "batch",
    capabilities: "scores",
    type: "kind",
  },
  elsewhere: { apiKey: "name the key at the provider that uses the profile" },
};
const TIMEOUTS: MappingKind = {
  name: "timeouts",
  keys: ["requestMs", "idleMs", "connectMs"],
  otherSpellings: { request: "requestMs", idle: "idleMs", connect: "connectMs", timeoutms: "requestMs" },
};
const CONCURRENCY = { least: 1, most: 1_024, isWhole: true };
const MILLISECONDS = { least: 100, most: 3_600_000, isWhole: true };
const CONTEXT_WINDOW = { least: 4_000, most: 10_000_000, isWhole: true };
const SCORE = { least: 0, most: 1, isWhole: false };
const LONGEST_DESCRIPTION = 300;
const LONGEST_NAME = 63;

/** A provider as the document declares it; fields that are wrong are `broken`. */
export interface DeclaredProvider {
  name: string;
  place: ConfigPlace;
  /** False when the entry is no mapping at all. */
  isRead: boolean;
  baseUrl: Reading<string>;
  apiKey: Reading<string>;
  profile: Reading<string>;
  /** Fields that an unknown key probably means. */
  meant: ReadonlySet<string>;
  values: Record<string, unknown>;
}

export function readProviders(section: MappingNode, problems: ProblemList): DeclaredProvider[] {
  return namedEntries(section, "provider", problems).map((entry) => readProvider(entry, problems));
}

function readProvider({ key, place, value }: ConfigEntry, problems: ProblemList): DeclaredProvider {
  const mapping = readMapping(value, problems, "a mapping such as baseUrl and apiKey");
  const fields: ReadonlyMap<string, ConfigNode> = mapping ? readFields(mapping, PROVIDER, problems) : new Map();
  const read = {
    baseUrl: readBaseUrl(fields.get("baseUrl"), problems),
    apiKey: readReference(fields.get("apiKey"), key, problems),
    profile: readText(fields.get("profile"), LONGEST_NAME, problems),
    concurrency: readNumber(fields.get("concurrency"), CONCURRENCY, problems),
    timeouts: readTimeouts(fields.get("timeouts"), problems),
  };
  const { baseUrl, apiKey, profile } = read;
  const meant = mapping ? meantFields(mapping, PROVIDER) : new Set<string>();
  return { name: key, place, isRead: mapping !== null, baseUrl, apiKey, profile, meant, values: valuesOf(read) };
}

function readTimeouts(node: ConfigNode | undefined, problems: ProblemList): Reading<Record<string, unknown>> {
  if (!node) return { state: "absent" };
  const mapping = readMapping(node, problems, "a mapping such as requestMs");
  if (!mapping) return { state: "broken" };
  const fields = readFields(mapping, TIMEOUTS, problems);
  const readings = Object.fromEntries(TIMEOUTS.keys.map((key) => [key, readNumber(fields.get(key), MILLISECONDS, problems)]));
  return { state: "read", value: valuesOf(readings), place: node };
}

export interface DeclaredProfiles {
  values: Record<string, unknown>;
  /** Declared, but not usable as it stands, which has been said: what depends on them is not judged. */
  broken: ReadonlySet<string>;
}

export function readProfiles(section: MappingNode, problems: ProblemList): DeclaredProfiles {
  const values: Record<string, unknown> = {};
  const broken = new Set<string>();
  for (const entry of namedEntries(section, "profile", problems)) {
    const value = readProfile(entry, problems);
    if (value) values[entry.key] = value;
    else broken.add(entry.key);
  }
  return { values, broken };
}

/** Null when its kind is not known. */
function readProfile({ key, place, value }: ConfigEntry, problems: ProblemList): Record<string, unknown> | null {
  const mapping = readMapping(value, problems, "a mapping such as kind and baseUrl");
  if (!mapping) return null;
  const fields = readFields(mapping, PROFILE, problems);
  const kind = readChoice(fields.get("kind"), { name: "kind", code: "out_of_range", known: BACKEND_KINDS }, problems);
  const baseUrl = readBaseUrl(fields.get("baseUrl"), problems);
  const readings = {
    kind,
    description: readText(fields.get("description"), LONGEST_DESCRIPTION, problems),
    baseUrl,
    defaultModel: readText(fields.get("defaultModel"), LONGEST_MODEL, problems),
    concurrency: readNumber(fields.get("concurrency"), CONCURRENCY, problems),
    timeouts: readTimeouts(fields.get("timeouts"), problems),
    contextWindow: readNumber(fields.get("contextWindow"), CONTEXT_WINDOW, problems),
    batch: readFlag(fields.get("batch"), problems),
    tokenizer: readChoice(fields.get("tokenizer"), { name: "tokenizer", code: "out_of_range", known: TOKENIZER_IDS }, problems),
    scores: readScores(fields.get("scores"), problems),
  };
  const isNew = !BUILT_IN_PROFILES.some(({ name }) => name === key);
  const isKindMeant = meantFields(mapping, PROFILE).has("kind");
  if (isNew && kind.state === "absent" && !isKindMeant) {
    const known = BACKEND_KINDS.join(", ");
    problems.error("missing_key", place, `A new profile needs a kind; add kind: with one of ${known}.`, {
      key: "kind",
      known,
      reason: "kind",
    });
  }
  if (kind.state === "broken" || baseUrl.state === "broken" || (isNew && kind.state === "absent")) return null;
  return valuesOf(readings);
}

function readScores(node: ConfigNode | undefined, problems: ProblemList): Reading<Record<string, unknown>> {
  if (!node) return { state: "absent" };
  const mapping = readMapping(node, problems, "a mapping such as general: 0.8");
  if (!mapping) return { state: "broken" };
  const scores: Record<string, unknown> = {};
  for (const { key, place, value } of mapping.entries) {
    const isKnown = MODEL_CAPABILITIES.some((capability) => capability === key);
    if (!isKnown)
      sayUnknownChoice(key, place, { name: "capability", code: "unknown_capability", known: MODEL_CAPABILITIES }, problems);
    const score = isKnown ? readNumber(value, SCORE, problems) : null;
    if (score?.state === "read") scores[key] = score.value;
  }
  return { state: "read", value: scores, place: node };
}
