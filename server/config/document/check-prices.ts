/** The section `prices`: what a million tokens of a model cost. */
import { CURRENCY, MOST_PRICE, PRICE_FIELDS, splitModelReference } from "../config.rules";
import type { Price } from "../config-document.schema";
import type { ConfigEntry, ConfigNode, MappingNode } from "./config-node";
import { referenceFault } from "./model-reference";
import type { ConfigPlace, ProblemList } from "./problem-list";
import {
  type MappingKind,
  meantFields,
  type Reading,
  readFields,
  readMapping,
  readNumber,
  sayWrongType,
  valuesOf,
} from "./read-fields";

const PRICE: MappingKind = {
  name: "a price",
  keys: [...PRICE_FIELDS, "currency"],
  otherSpellings: {
    prompt: "input",
    completion: "output",
    cached: "cachedInput",
    cacheread: "cachedInput",
    inputcached: "cachedInput",
    cachewrites: "cacheWrite",
    cachecreation: "cacheWrite",
    thinking: "reasoning",
    unit: "currency",
  },
};
const AMOUNT = { least: 0, most: MOST_PRICE, isWhole: false };

export interface DeclaredPrice {
  /** `provider/model`, or the beginning of it and a `*`. */
  reference: string;
  provider: string;
  /** Of the reference. */
  place: ConfigPlace;
  /** Null when something is wrong with it, which has been said. */
  value: Price | null;
}

export function readPrices(section: MappingNode, problems: ProblemList): DeclaredPrice[] {
  return section.entries.flatMap((entry) => readPrice(entry, problems));
}

/** Nothing when it is not known what the price is of. */
function readPrice({ key, place, value: node }: ConfigEntry, problems: ProblemList): DeclaredPrice[] {
  const provider = readPattern(key, place, problems);
  const value = readAmounts(node, place, problems);
  return provider === null ? [] : [{ reference: key, provider, place, value }];
}

/** The provider; null when the pattern is wrong, which has been said. */
function readPattern(key: string, place: ConfigPlace, problems: ProblemList): string | null {
  // The star stands for at least nothing, so what is before it need not be a name by itself.
  const name = key.replace(/\*$/, "x");
  if (name.includes("*")) {
    const sentence = "A * stands for the rest of a name, so it can only be at the end, as in provider/*.";
    problems.error("bad_model_reference", place, sentence, { reason: "star" });
    return null;
  }
  const fault = referenceFault(name);
  if (fault === null) return splitModelReference(name)?.provider ?? null;
  const { sentence, ...details } = fault;
  problems.error("bad_model_reference", place, sentence, details);
  return null;
}

function readAmounts(node: ConfigNode, place: ConfigPlace, problems: ProblemList): Price | null {
  const mapping = readMapping(node, problems, "a mapping such as input and output");
  if (!mapping) return null;
  const fields = readFields(mapping, PRICE, problems);
  const { input, output, ...parts } = {
    input: readNumber(fields.get("input"), AMOUNT, problems),
    cachedInput: readNumber(fields.get("cachedInput"), AMOUNT, problems),
    cacheWrite: readNumber(fields.get("cacheWrite"), AMOUNT, problems),
    output: readNumber(fields.get("output"), AMOUNT, problems),
    reasoning: readNumber(fields.get("reasoning"), AMOUNT, problems),
    currency: readCurrency(fields.get("currency"), problems),
  };
  const meant = meantFields(mapping, PRICE);
  for (const [key, reading] of Object.entries({ input, output }))
    if (reading.state === "absent" && !meant.has(key)) {
      const sentence = `A price says what a million tokens cost as input and as output; add ${key}:, with 0 when nothing is paid for it.`;
      problems.error("missing_key", place, sentence, { key, reason: "price" });
    }
  if (input.state !== "read" || output.state !== "read") return null;
  return { input: input.value, output: output.value, ...valuesOf(parts) };
}

function readCurrency(node: ConfigNode | undefined, problems: ProblemList): Reading<string> {
  if (!node) return { state: "absent" };
  if (node.kind !== "text") return sayWrongType(node, "a text", problems);
  if (CURRENCY.test(node.value)) return { state: "read", value: node.value, place: node };
  const sentence = "A currency is written in three capital letters, as in USD or CNY.";
  problems.error("out_of_range", node, sentence, { reason: "currency" });
  return { state: "broken" };
}
