/** The words of the configuration document that server and pages share. */

/** Jobs that need a model and that the product itself knows; operators add their own. */
export const BUILT_IN_SCENES = ["default", "extract", "supervisor", "planner", "summarizer"] as const;
export type BuiltInScene = (typeof BUILT_IN_SCENES)[number];

/** What a distill run asks for. */
export const DISTILL_SCENE = "extract";

export const MODEL_CAPABILITIES = ["coding", "tool_calling", "reasoning", "summarization", "general"] as const;
export type ModelCapability = (typeof MODEL_CAPABILITIES)[number];

/**
 * How one of several candidates is picked: by score of the required capabilities, in turn, the first that can be used, or the
 * one with the most free slots.
 */
export const ROUTING_STRATEGIES = ["best_score", "round_robin", "fallback_chain", "least_busy"] as const;
export type RoutingStrategyName = (typeof ROUTING_STRATEGIES)[number];
/** What a list of candidates means when it names no strategy: their order is the operator's. */
export const USUAL_STRATEGY: RoutingStrategyName = "fallback_chain";

/** Names of providers, profiles and scenes: they stand in addresses, files and terminals. */
export const CONFIG_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/i;
export const LONGEST_MODEL = 200;

/** What a price is made of, in the order in which people read them. */
export const PRICE_FIELDS = ["input", "cachedInput", "cacheWrite", "output", "reasoning"] as const;
export type PriceField = (typeof PRICE_FIELDS)[number];
/** A million tokens cost at most so much, in any currency. */
export const MOST_PRICE = 1_000_000;
export const CURRENCY = /^[A-Z]{3}$/;
export const USUAL_CURRENCY = "USD";

/** UTF-8 bytes of a document. */
export const MAX_CONFIG_BYTES = 256 * 1024;

export const USUAL_MAX_ROUNDS = 20;
export const USUAL_MAX_DEPTH = 3;
export const USUAL_SUPERVISOR_INTERVAL = 3;

/** `provider/model`, split at the first slash only: a model's name may hold more of them. Null when a side is empty. */
export function splitModelReference(reference: string): { provider: string; model: string } | null {
  const at = reference.indexOf("/");
  if (at < 1 || at === reference.length - 1) return null;
  return { provider: reference.slice(0, at), model: reference.slice(at + 1) };
}

/** What a request adds to the base of an API, and what is often pasted along with it. */
const ENDPOINT = /\/(?:chat\/completions|responses|messages)(?=\/*$)/i;

/** An address that ends in an endpoint, taken apart: its base and the endpoint. Null when it does not, so that nothing is to be left out. */
export function splitEndpoint(baseUrl: string): { base: string; endpoint: string } | null {
  const found = ENDPOINT.exec(baseUrl);
  return found ? { base: baseUrl.slice(0, found.index), endpoint: found[0] } : null;
}

/** How a reference to a secret may be written; the whole value of `apiKey`. */
export const SECRET_STATES = ["set", "missing", "empty", "unreadable", "stray_whitespace", "malformed", "outside"] as const;
/**
 * `set`; `missing`: the variable or file does not exist; `empty`: nothing in it but blanks; `unreadable`: the file cannot be read;
 * `stray_whitespace`: usable, blanks around it are cut off; `malformed`: a line break or control character inside, unusable;
 * `outside`: the file is not below the folder that SWITCHYARD_SECRETS_DIR names, and is not looked at.
 */
export type SecretState = (typeof SECRET_STATES)[number];

export function isUsableSecret(state: SecretState): boolean {
  return state === "set" || state === "stray_whitespace";
}

/** What is wrong with a document, by a code that pages translate. */
export const CONFIG_PROBLEM_CODES = [
  "too_large",
  "not_yaml",
  "duplicate_key",
  "alias_bomb",
  "too_deep",
  "not_a_mapping",
  "several_documents",
  "key_not_text",
  "unknown_key",
  "missing_key",
  "wrong_type",
  "out_of_range",
  "bad_name",
  "empty_scene",
  "bad_model_reference",
  "unknown_provider",
  "unknown_profile",
  "literal_key",
  "key_in_text",
  "bad_reference",
  "bad_url",
  "no_base_url",
  "no_candidates",
  "duplicate_candidate",
  "chosen_exactly",
  "unknown_strategy",
  "unknown_capability",
  "old_shape",
  // Warnings: the document can be used.
  "empty_document",
  "endpoint_in_url",
  "near_scene",
  "no_default",
  "secret_not_set",
  "unused_provider",
  "variable_not_set",
  "capability_not_offered",
  "unencrypted",
  "price_without_provider",
] as const;
export type ConfigProblemCode = (typeof CONFIG_PROBLEM_CODES)[number];

/** One thing that is wrong with a document, or worth a look. */
export interface ConfigProblem {
  severity: "error" | "warning";
  code: ConfigProblemCode;
  /** Dotted, e.g. `models.extract.candidates[1]`; empty for the whole document. */
  path: string;
  /** From 1; null when the document came without text. */
  line: number | null;
  column: number | null;
  /** One sentence that names what is wrong and what to do; without the path. Never a key, nor a part of one. */
  message: string;
  /** What the sentence speaks of, for translated ones: names and lists, never a value that may be a key. */
  details: Record<string, string>;
}
