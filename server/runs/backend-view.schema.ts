/** What pages and `GET /api/v1/backends` see of profiles and providers. No secret value is ever read for it. */
import { z } from "zod";
import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import { CAPABILITIES, CHECK_OUTCOMES } from "@/server/backends/capability.rules";
import { LONGEST_MODEL } from "@/server/config/config.rules";
import { backendKindSchema, capabilityScoresSchema } from "@/server/config/config-document.schema";
import { secretStateSchema } from "./config-view.schema";

const isoTime = z.string();

export const healthStateSchema = z.enum(["healthy", "degraded", "unavailable", "unknown"]);

/** The last word on a provider: a check, by a request that a wrong key would fail, or what a real request met since. */
export const healthCheckSchema = z.object({
  /** The model that was asked; empty when none could be. */
  model: z.string(),
  state: healthStateSchema,
  /** One sentence; empty when healthy. */
  reason: z.string(),
  latencyMs: z.number(),
  checkedAt: isoTime,
  /** Who asked: an operator, the clock, or a real request of a run. */
  by: z.enum(["operator", "background", "run"]),
});
export type HealthCheck = z.infer<typeof healthCheckSchema>;

/** A provider's model that is left alone for a while after failures. */
export const cooldownSchema = z.object({
  provider: z.string(),
  model: z.string(),
  failureKind: failureKindSchema,
  /** One sentence. */
  reason: z.string(),
  /** Failures in a row. */
  failures: z.int(),
  since: isoTime,
  until: isoTime,
});
export type Cooldown = z.infer<typeof cooldownSchema>;

/** What a check of a provider may be asked for. */
export const checkOrderSchema = z.strictObject({
  /** Absent = the first that a scene asks of it, else its profile's usual one. */
  model: z.string().trim().min(1).max(LONGEST_MODEL).exactOptional(),
  /** True costs two small requests instead of a tiny one, and tells of each capability. */
  capabilities: z.boolean().exactOptional(),
});
export type CheckOrder = z.infer<typeof checkOrderSchema>;

/** What a check found of a capability. */
export const capabilityFindingSchema = z.object({
  outcome: z.enum(CHECK_OUTCOMES),
  /** One sentence; empty when it works. */
  reason: z.string(),
});
export type CapabilityFinding = z.infer<typeof capabilityFindingSchema>;

export const capabilityFindingsSchema = z.record(z.enum(CAPABILITIES), capabilityFindingSchema);
export type CapabilityFindings = z.infer<typeof capabilityFindingsSchema>;

/** The answer of a check. */
export const checkAnswerSchema = healthCheckSchema.extend({
  /** Null when they were not asked for. */
  capabilities: capabilityFindingsSchema.nullable(),
});
export type CheckAnswer = z.infer<typeof checkAnswerSchema>;

/** The last capability check of one model. */
export const capabilityCheckSchema = z.object({ model: z.string(), at: isoTime, findings: capabilityFindingsSchema });
export type CapabilityCheck = z.infer<typeof capabilityCheckSchema>;

/** What a capability is: said by the adapter, found by the newest check of one of its models, seen in the last real runs. */
export const evidenceSchema = z.object({
  declared: z.boolean(),
  /** Null = never checked. */
  checked: capabilityFindingSchema.extend({ at: isoTime, model: z.string() }).nullable(),
  /** `failed`: the newest answer did not show it, nor did those before. Null = no answer yet, or answers cannot tell. */
  lastSeen: z
    .object({ outcome: z.enum(["works", "failed"]), at: isoTime, runId: z.string(), chunk: z.int(), model: z.string() })
    .nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

export const backendProviderSchema = z.object({
  name: z.string(),
  declared: z.boolean(),
  baseUrl: z.string().nullable(),
  secrets: z.array(z.object({ name: z.string(), reference: z.string(), state: secretStateSchema })),
  /** Scenes of the newest revision that name it. */
  scenes: z.array(z.string()),
  models: z.array(z.string()),
  health: healthCheckSchema.nullable(),
  cooldowns: z.array(cooldownSchema),
  /** Requests of all processes. */
  inFlight: z.int(),
  limit: z.int(),
  /** Of the last 500 finished attempts; milliseconds, null when there is none. */
  latency: z.object({
    p50: z.number().nullable(),
    p95: z.number().nullable(),
    firstTokenP50: z.number().nullable(),
    sample: z.int(),
  }),
  outcomes: z.object({ succeeded: z.int(), failed: z.int() }),
  lastSeen: z
    .object({
      at: isoTime,
      runId: z.string(),
      chunk: z.int(),
      model: z.string(),
      servedModel: z.string().nullable(),
      ok: z.boolean(),
      failureKind: failureKindSchema.nullable(),
    })
    .nullable(),
  evidence: z.record(z.enum(CAPABILITIES), evidenceSchema),
  /** Newest first. */
  capabilityChecks: z.array(capabilityCheckSchema),
});
export type BackendProvider = z.infer<typeof backendProviderSchema>;

/** One row of the table. `status` sums up its providers: `unknown` when none was ever checked or seen. */
export const backendRowSchema = z.object({
  profile: z.string(),
  backendKind: backendKindSchema,
  protocol: z.string(),
  transport: z.enum(["in-process", "stdio", "http", "websocket"]),
  command: z.string().nullable(),
  description: z.string(),
  origin: z.enum(["built_in", "changed", "added"]),
  requiredSecretKeys: z.array(z.string()),
  isolation: z.string(),
  capabilities: z.object({
    streaming: z.boolean(),
    structuredOutput: z.boolean(),
    usage: z.boolean(),
    cancel: z.boolean(),
    scores: capabilityScoresSchema,
  }),
  tokenizer: z.object({ id: z.string(), estimate: z.boolean() }),
  /** `not_configured`: no provider uses the profile; `secret_missing`: a key it needs is not set. */
  status: z.enum(["healthy", "degraded", "unavailable", "unknown", "not_configured", "secret_missing"]),
  /** One sentence; empty when healthy. */
  reason: z.string(),
  defaultModel: z.string().nullable(),
  providers: z.array(backendProviderSchema),
});
export type BackendRow = z.infer<typeof backendRowSchema>;

export const backendListSchema = z.object({ items: z.array(backendRowSchema), generatedAt: isoTime });
export type BackendList = z.infer<typeof backendListSchema>;
