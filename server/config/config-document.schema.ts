import { z } from "zod";
import { BACKEND_KINDS } from "./backend-kind.rules";
import { CONFIG_NAME, CURRENCY, LONGEST_MODEL, MODEL_CAPABILITIES, MOST_PRICE, ROUTING_STRATEGIES } from "./config.rules";
import { AGENT_SANDBOXES, AGENT_TIME } from "./execution-policy.rules";

export const modelCapabilitySchema = z.enum(MODEL_CAPABILITIES);
export const routingStrategySchema = z.enum(ROUTING_STRATEGIES);
export const backendKindSchema = z.enum(BACKEND_KINDS);

const name = z.string().regex(CONFIG_NAME);
const modelReference = z
  .string()
  .min(3)
  .max(LONGEST_MODEL + 64);
const milliseconds = z.int().min(100).max(3_600_000);
const concurrency = z.int().min(1).max(1024);

export const TOKENIZER_IDS = ["pieces", "o200k", "mock-4-chars"] as const;
export const tokenizerIdSchema = z.enum(TOKENIZER_IDS);
export type TokenizerId = z.infer<typeof tokenizerIdSchema>;

export const timeoutsSchema = z.strictObject({
  /** Milliseconds for one whole request. */
  requestMs: milliseconds.exactOptional(),
  /** Milliseconds between two pieces of an answer. */
  idleMs: milliseconds.exactOptional(),
  /** Milliseconds until the connection stands. */
  connectMs: milliseconds.exactOptional(),
});

/** How well a profile's models do each kind of work, 0.0 (not at all) to 1.0. */
export const capabilityScoresSchema = z.partialRecord(modelCapabilitySchema, z.number().min(0).max(1));
export type CapabilityScores = z.infer<typeof capabilityScoresSchema>;

/** Credentials and an address, under a name. References, never values. */
export const providerConfigSchema = z.strictObject({
  /** Up to `/v1`; may hold `${VAR}`. Needed unless the profile has one. */
  baseUrl: z.string().min(1).exactOptional(),
  /** `env:NAME`, `${NAME}` or `file:/path`. */
  apiKey: z.string().min(1).exactOptional(),
  /** The profile that speaks to it; usual: the one of the provider's name, else the one that knows the host, else `openai-chat`. */
  profile: name.exactOptional(),
  /** Requests at once over all runs of a process. */
  concurrency: concurrency.exactOptional(),
  timeouts: timeoutsSchema.exactOptional(),
});
export type ProviderConfig = z.infer<typeof providerConfigSchema>;

/** Several models for one scene, of which a strategy picks. */
export const routedSceneSchema = z.strictObject({
  requires: z.array(modelCapabilitySchema).max(MODEL_CAPABILITIES.length).exactOptional(),
  strategy: routingStrategySchema.exactOptional(),
  candidates: z.array(modelReference).min(1).max(16),
});
export type RoutedScene = z.infer<typeof routedSceneSchema>;

/** Changes to a built-in profile, or a new one (which names its kind). */
export const profileConfigSchema = z.strictObject({
  kind: backendKindSchema.exactOptional(),
  description: z.string().min(1).max(300).exactOptional(),
  baseUrl: z.string().min(1).exactOptional(),
  defaultModel: z.string().min(1).max(LONGEST_MODEL).exactOptional(),
  concurrency: concurrency.exactOptional(),
  timeouts: timeoutsSchema.exactOptional(),
  tokenizer: tokenizerIdSchema.exactOptional(),
  scores: capabilityScoresSchema.exactOptional(),
  /** Tokens the models of this profile can hold; agents summarise before they run out. */
  contextWindow: z.int().min(4_000).max(10_000_000).exactOptional(),
  /** Its servers take many requests as one job, as OpenAI's and Anthropic's own do. */
  batch: z.boolean().exactOptional(),
});
export type ProfileConfig = z.infer<typeof profileConfigSchema>;

/** What agent runs may do at most. What is left out is the narrowest but for the sandbox, whose usual limit is the workspace. */
export const agentRulesSchema = z.strictObject({
  /** Providers that may be used; absent = all that work as agents. */
  backends: z.array(name).max(200).exactOptional(),
  /** Absolute paths of folders under which workspaces may lie. */
  workspaces: z.array(z.string().min(1).max(4_096)).max(200).exactOptional(),
  sandbox: z.enum(AGENT_SANDBOXES).exactOptional(),
  network: z.boolean().exactOptional(),
  /** Milliseconds of one turn. */
  timeoutMs: z.int().min(AGENT_TIME.turn.min).max(AGENT_TIME.turn.max).exactOptional(),
});
export type AgentRules = z.infer<typeof agentRulesSchema>;

/** What a million tokens cost. */
const price = z.number().min(0).max(MOST_PRICE);

/**
 * A price a million tokens. `input` and `output` are what every request has; the others are parts of them, billed as they are
 * where nothing else is said: what the provider's cache held and what was put into it as input, thoughts as output.
 */
export const priceSchema = z.strictObject({
  input: price,
  cachedInput: price.exactOptional(),
  cacheWrite: price.exactOptional(),
  output: price,
  reasoning: price.exactOptional(),
  /** ISO 4217; usual: USD. */
  currency: z.string().regex(CURRENCY).exactOptional(),
});
export type Price = z.infer<typeof priceSchema>;

/** The configuration: one document that says which model does which job. */
export const configDocumentSchema = z.strictObject({
  providers: z.record(name, providerConfigSchema).exactOptional(),
  /** Scene to `provider/model`, or to several candidates. */
  models: z.record(name, z.union([modelReference, routedSceneSchema])).exactOptional(),
  profiles: z.record(name, profileConfigSchema).exactOptional(),
  /** `provider/model` to its price; a `*` at the end stands for the rest of the name. */
  prices: z.record(modelReference, priceSchema).exactOptional(),
  supervisor: z
    .strictObject({
      enabled: z.boolean().exactOptional(),
      /** Rounds between two looks; 0 or false = never. */
      interval: z.union([z.int().min(0).max(1000), z.literal(false)]).exactOptional(),
    })
    .exactOptional(),
  agents: agentRulesSchema.exactOptional(),
  maxRounds: z.int().min(1).max(10_000).exactOptional(),
  maxDepth: z.int().min(0).max(16).exactOptional(),
  /** Kept as it is; workflows read it. */
  workflows: z.record(z.string(), z.unknown()).exactOptional(),
});
export type ConfigDocument = z.infer<typeof configDocumentSchema>;
