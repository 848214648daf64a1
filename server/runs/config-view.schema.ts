/** What pages, REST and the command line see of the configuration. Times are ISO-8601 UTC. No secret value is ever part of it. */
import { z } from "zod";
import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import { tokenUsageSchema } from "@/server/artifacts/result-artifact.schema";
import { CONFIG_NAME, CONFIG_PROBLEM_CODES, MAX_CONFIG_BYTES, SECRET_STATES } from "@/server/config/config.rules";
import {
  backendKindSchema,
  capabilityScoresSchema,
  modelCapabilitySchema,
  routedSceneSchema,
  routingStrategySchema,
  timeoutsSchema,
} from "@/server/config/config-document.schema";
import { AGENT_SANDBOXES } from "@/server/config/execution-policy.rules";

const isoTime = z.string();
export const secretStateSchema = z.enum(SECRET_STATES);

export const configProblemSchema = z.object({
  severity: z.enum(["error", "warning"]),
  code: z.enum(CONFIG_PROBLEM_CODES),
  path: z.string(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  message: z.string(),
  details: z.record(z.string(), z.string()),
});

/** Where a revision came from. */
export const revisionSourceSchema = z.enum(["start", "console", "api", "command_line", "file", "rollback"]);

export const revisionSummarySchema = z.object({
  number: z.int().min(1),
  author: z.string(),
  comment: z.string(),
  source: revisionSourceSchema,
  /** The revision whose text this one brought back. */
  rolledBackTo: z.int().nullable(),
  createdAt: isoTime,
  sha256: z.string(),
  bytes: z.int(),
});
export type RevisionSummary = z.infer<typeof revisionSummarySchema>;

/** `text` is the whole document as YAML, comments included. */
export const revisionSchema = revisionSummarySchema.extend({ text: z.string() });
export type RevisionView = z.infer<typeof revisionSchema>;

/** The file named by SWITCHYARD_CONFIG, beside the document in the database. */
export const configFileSchema = z.object({
  /** As the variable names it. */
  path: z.string(),
  /**
   * `imported`: the newest revision comes from it; `superseded`: imported, and edited here since; `conflict`: the file changed and
   * so did the document, a person decides; `broken`: cannot be read or used.
   */
  state: z.enum(["imported", "superseded", "conflict", "broken"]),
  importedRevision: z.int().nullable(),
  /** One sentence; empty when imported. */
  message: z.string(),
  /** The file's text when it is in conflict. */
  text: z.string().nullable(),
});
export type ConfigFileView = z.infer<typeof configFileSchema>;

export const sceneCandidateSchema = z.object({
  /** `provider/model`. */
  reference: z.string(),
  provider: z.string(),
  model: z.string(),
  /** Why it cannot be used, or null. */
  problem: z.string().nullable(),
});

export const sceneRowSchema = z.object({
  scene: z.string(),
  builtIn: z.boolean(),
  /** The scene's own entry; null = it inherits from `default`. */
  own: z.union([z.string(), routedSceneSchema]).nullable(),
  inherited: z.boolean(),
  requires: z.array(modelCapabilitySchema),
  strategy: routingStrategySchema,
  candidates: z.array(sceneCandidateSchema),
  /** Why the scene has no model, or null. */
  problem: z.string().nullable(),
});
export type SceneRow = z.infer<typeof sceneRowSchema>;

export const providerRowSchema = z.object({
  name: z.string(),
  /** False: a built-in provider without an entry. */
  declared: z.boolean(),
  profile: z.string(),
  kind: backendKindSchema,
  description: z.string(),
  /** As written: `${VAR}` unread. */
  baseUrl: z.string().nullable(),
  apiKey: z.string().nullable(),
  /** Null when no key is named. */
  keyState: secretStateSchema.nullable(),
  needsKey: z.boolean(),
  concurrency: z.int(),
  timeouts: timeoutsSchema.required(),
  scores: capabilityScoresSchema,
  defaultModel: z.string().nullable(),
  /** Scenes that name it. */
  scenes: z.array(z.string()),
});
export type ProviderRow = z.infer<typeof providerRowSchema>;

export const profileChoiceSchema = z.object({
  name: z.string(),
  kind: backendKindSchema,
  description: z.string(),
  baseUrl: z.string().nullable(),
  defaultModel: z.string().nullable(),
  needsKey: z.boolean(),
  needsBaseUrl: z.boolean(),
});

/** An entry of the price table, a million tokens each; null = billed as what it is a part of. */
export const priceRowSchema = z.object({
  /** `provider/model`, or the beginning of it and a `*`. */
  reference: z.string(),
  input: z.number(),
  cachedInput: z.number().nullable(),
  cacheWrite: z.number().nullable(),
  output: z.number(),
  reasoning: z.number().nullable(),
  currency: z.string(),
  /** Models of scenes whose price this is. */
  models: z.array(z.string()),
});
export type PriceRow = z.infer<typeof priceRowSchema>;

/** A draft or a revision, looked at: what is wrong, and what it comes to. */
export const configEvaluationSchema = z.object({
  problems: z.array(configProblemSchema),
  /** No problem is an error. */
  usable: z.boolean(),
  /** Empty while the text cannot be read at all. */
  scenes: z.array(sceneRowSchema),
  providers: z.array(providerRowSchema),
  profiles: z.array(profileChoiceSchema),
  prices: z.array(priceRowSchema),
  /** Models of scenes, `provider/model` each, that no price is known of. */
  unpriced: z.array(z.string()),
  limits: z.object({
    supervisor: z.object({ enabled: z.boolean(), interval: z.int() }),
    maxRounds: z.int(),
    maxDepth: z.int(),
    workflows: z.array(z.string()),
  }),
  /** What agent runs may do at most. */
  agents: z.object({
    /** Null: every provider that works as an agent. */
    backends: z.array(z.string()).nullable(),
    workspaces: z.array(z.string()),
    sandbox: z.enum(AGENT_SANDBOXES),
    network: z.boolean(),
    /** Milliseconds of one turn. */
    timeoutMs: z.int(),
  }),
});
export type ConfigEvaluation = z.infer<typeof configEvaluationSchema>;

/** One field of the document (`value` absent = remove it), or another name for a provider, which its models follow. */
export const configEditSchema = z.union([
  z.strictObject({
    path: z
      .array(z.union([z.string().max(200), z.int().min(0)]))
      .min(1)
      .max(8),
    value: z.json().optional(),
  }),
  z.strictObject({ renameProvider: z.strictObject({ from: z.string().max(200), to: z.string().max(200) }) }),
]);
export type ConfigEdit = z.infer<typeof configEditSchema>;

export const configTextSchema = z.string().max(MAX_CONFIG_BYTES);

export const saveConfigInputSchema = z.strictObject({
  text: configTextSchema,
  /** The revision the edit started from. */
  baseRevision: z.int().min(1),
  author: z.string().trim().min(1).max(80),
  comment: z.string().trim().max(500).default(""),
});
export type SaveConfigInput = z.infer<typeof saveConfigInputSchema>;

export const rollbackInputSchema = saveConfigInputSchema.omit({ text: true }).extend({ to: z.int().min(1) });
export type RollbackInput = z.infer<typeof rollbackInputSchema>;

/** What saving a draft would change, against the newest revision. */
/** Everything that the document sets besides providers, profiles and scenes, as paths of it. */
export const LIMIT_PATHS = [
  "maxRounds",
  "maxDepth",
  "supervisor.enabled",
  "supervisor.interval",
  "agents.backends",
  "agents.workspaces",
  "agents.sandbox",
  "agents.network",
  "agents.timeoutMs",
  "workflows",
] as const;
/** As it is in effect, usual values filled in. Null: nothing is excluded (`agents.backends`). */
const limitValueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

export const configImpactSchema = z.object({
  scenes: z.array(z.object({ scene: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  providers: z.array(z.object({ name: z.string(), change: z.enum(["added", "removed", "changed"]) })),
  /** Entries of the price table: what runs have cost is told by the newest one. */
  prices: z.array(z.object({ reference: z.string(), change: z.enum(["added", "removed", "changed"]) })),
  /** What work may do and how far it may go: for runs that are ordered from then on. */
  limits: z.array(z.object({ path: z.enum(LIMIT_PATHS), before: limitValueSchema, after: limitValueSchema })),
  /** Runs that are not over and use one of these scenes: they keep the revision they started with. */
  runs: z.array(z.object({ id: z.string(), name: z.string(), status: z.string(), scene: z.string(), revision: z.int() })),
  /** All such runs; `runs` has the newest 50. */
  runCount: z.int(),
});
export type ConfigImpact = z.infer<typeof configImpactSchema>;

export const ROUTE_CHECKS = ["provider", "key", "capability", "health", "cooldown"] as const;
export const routeCheckSchema = z.object({
  check: z.enum(ROUTE_CHECKS),
  ok: z.boolean(),
  /** One sentence, e.g. `The key env:X is missing.` */
  message: z.string(),
});

export const routeExplanationSchema = z.object({
  scene: z.string(),
  /** The revision that was asked; null = a draft. */
  revision: z.int().nullable(),
  /** The entry that was used: the scene's own, `default`, or null when there is neither. */
  mappedBy: z.string().nullable(),
  inherited: z.boolean(),
  requires: z.array(modelCapabilitySchema),
  strategy: routingStrategySchema.nullable(),
  candidates: z.array(
    z.object({
      reference: z.string(),
      provider: z.string(),
      model: z.string(),
      /** `passed_over`: could be used, but another is preferred. */
      verdict: z.enum(["chosen", "passed_over", "rejected"]),
      /** Why, in one sentence. */
      reason: z.string(),
      checks: z.array(routeCheckSchema),
      /** Mean score of the required capabilities; null when none is required. */
      score: z.number().nullable(),
    }),
  ),
  chosen: z.string().nullable(),
  /** True: all were cooling or unavailable, and the least bad one is tried. */
  leastBad: z.boolean(),
  /** Why nothing was chosen, or null. */
  problem: z.string().nullable(),
});
export type RouteExplanation = z.infer<typeof routeExplanationSchema>;

/** One tiny real call. */
export const modelTestSchema = z.object({
  reference: z.string(),
  ok: z.boolean(),
  latencyMs: z.number(),
  firstTokenMs: z.number().nullable(),
  usage: tokenUsageSchema.nullable(),
  servedModel: z.string().nullable(),
  /** The beginning of the answer. */
  text: z.string(),
  failureKind: failureKindSchema.nullable(),
  message: z.string(),
});
export type ModelTest = z.infer<typeof modelTestSchema>;

export const offeredModelsSchema = z.object({
  /** False: the provider has no list, or could not be asked; `message` says which. */
  offered: z.boolean(),
  models: z.array(z.string()),
  message: z.string(),
});
export type OfferedModels = z.infer<typeof offeredModelsSchema>;

/** A model server of this machine that no provider of the document uses yet. */
export const localServerSchema = z.object({
  /** The profile whose usual address it answers on. */
  profile: z.string(),
  baseUrl: z.string(),
  /** The first of its models, by name. */
  models: z.array(z.string()),
  modelCount: z.int().min(0),
});
export type LocalServer = z.infer<typeof localServerSchema>;

export const configNameSchema = z.string().regex(CONFIG_NAME);
