import { z } from "zod";
import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import { sourceDateSchema } from "@/server/artifacts/request-artifact.schema";
import { modelCapabilitySchema, routingStrategySchema } from "@/server/config/config-document.schema";
import { coverageSchema, prepReportSchema, stagedInsightSchema } from "@/server/pipeline/pipeline.schema";
import { costSchema, costTotalSchema } from "./cost.schema";
import { ANSWER_MARKS, isPlainFileName, LONGEST_DOCUMENT_NAME, RUN_OPTIONS, type RunOptions } from "./run.rules";
import { attemptStatusSchema, chunkStatusSchema, countsSchema, runStatusSchema } from "./run-state.schema";

const option = (name: keyof RunOptions) =>
  z.int().min(RUN_OPTIONS[name].min).max(RUN_OPTIONS[name].max).default(RUN_OPTIONS[name].usual);

/** Everything about execution that a run may set; the defaults are the product's. */
export const runOptionsSchema = z.strictObject({
  maxAttempts: option("maxAttempts"),
  concurrency: option("concurrency"),
  backoffMs: option("backoffMs"),
  maxBackoffMs: option("maxBackoffMs"),
  timeoutMs: option("timeoutMs"),
  chunkTokens: option("chunkTokens"),
  repairRounds: option("repairRounds"),
  maxTokens: option("maxTokens"),
}) satisfies z.ZodType<RunOptions>;

export const documentInputSchema = z.strictObject({
  /** File name without folders, or what the operator calls the text. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(LONGEST_DOCUMENT_NAME)
    .refine(isPlainFileName, "must be a plain file name without folders or control characters"),
  /** Its size counts in bytes, over all documents: the service refuses what is too large. */
  text: z.string(),
  /** The day this text belongs to; absent = the order's date, the one in its name, today. */
  sourceDate: sourceDateSchema.optional(),
});
export type DocumentInput = z.infer<typeof documentInputSchema>;

/** One line of text: names and models stand in lists, files and terminals. */
const oneLine = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((value) => !/\p{Cc}/u.test(value), "must be one line without control characters");

const orderShape = {
  name: oneLine(200).optional(),
  sourceDate: sourceDateSchema.optional(),
  /** The job; usual: `extract`. */
  scene: z.string().min(1).max(64).optional(),
  /** A provider by name, instead of a scene. */
  backend: z.string().min(1).max(64).optional(),
  model: oneLine(200).optional(),
};

/** What the pages send to preview and to start: documents are grouped into one run a date. */
export const distillOrderSchema = z.strictObject({
  ...orderShape,
  documents: z.array(documentInputSchema).min(1).max(500),
  options: runOptionsSchema.partial().optional(),
});
export type DistillOrder = z.infer<typeof distillOrderSchema>;

/** The body of `POST /api/v1/runs`. */
export const createRunBodySchema = z.strictObject({
  kind: z.literal("distill"),
  ...orderShape,
  text: z.string(),
  ...runOptionsSchema.partial().shape,
});
export type CreateRunBody = z.infer<typeof createRunBodySchema>;

const isoTime = z.string();

/** Of the prompt, `cached` is what providers' caches held and `cacheWrite` what was put into them; of the completion, `reasoning` is thoughts. */
export const tokenTotalsSchema = z.object({
  prompt: z.int(),
  completion: z.int(),
  cached: z.int(),
  cacheWrite: z.int(),
  reasoning: z.int(),
  /** Some of them were counted here, not by the provider. */
  estimated: z.boolean(),
});

/** `distill`: chunks of text. `thread`: an agent at work. */
export const runKindSchema = z.enum(["distill", "thread"]);
export type RunKind = z.infer<typeof runKindSchema>;

/** A run as lists show it. Times are ISO-8601 UTC. */
export const runSummarySchema = z.object({
  id: z.string(),
  kind: runKindSchema,
  name: z.string(),
  status: runStatusSchema,
  /** Why it is paused, failed, cancelled or blocked; null otherwise. */
  statusReason: z.string().nullable(),
  sourceDate: z.string(),
  /** Null when the order named a provider instead. */
  scene: z.string().nullable(),
  /** The revision of the configuration it is pinned to; null for runs from before there was one. */
  configRevision: z.int().nullable(),
  /** The first candidate: a provider's name and its model. Attempts say which one was really asked. */
  backend: z.string(),
  model: z.string(),
  /** Every model it may ask, `provider/model` each: its own candidates in their order, then what retries added. */
  candidates: z.array(z.string()).min(1),
  counts: countsSchema,
  /** Attempts beyond the first, over all chunks. */
  retries: z.int(),
  tokens: tokenTotalsSchema,
  insights: z.int(),
  /** Of an agent run: turns that were ordered. Null for the others. */
  turns: z.int().nullable(),
  /** A question of the agent waits for a person. */
  waitingFor: z.enum(["approval"]).nullable(),
  /** When the operator accepted missing chunks; null = never. Shown ever after. */
  gapsAcceptedAt: isoTime.nullable(),
  createdAt: isoTime,
  startedAt: isoTime.nullable(),
  endedAt: isoTime.nullable(),
  updatedAt: isoTime,
  lastSeq: z.int(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

/** Failed chunks with the same cause. */
export const errorGroupSchema = z.object({
  failureKind: failureKindSchema,
  message: z.string(),
  count: z.int(),
  /** The first 1,000 indexes. */
  chunks: z.array(z.int()),
  firstAt: isoTime,
  lastAt: isoTime,
});
export type ErrorGroup = z.infer<typeof errorGroupSchema>;

/** The models a run is pinned to, and what became of the configuration since. */
export const runConfigSchema = z.object({
  newestRevision: z.int(),
  /** True: an order of the same scene would be given other models today. */
  changedSince: z.boolean(),
  /** What it would be given, `provider/model` each; null = nothing, `problem` says why. */
  today: z.array(z.string()).nullable(),
  problem: z.string().nullable(),
  /** The run's own first, then those of retries. */
  routes: z.array(
    z.object({
      scene: z.string().nullable(),
      mappedBy: z.string().nullable(),
      revision: z.int(),
      requires: z.array(modelCapabilitySchema),
      strategy: routingStrategySchema,
      candidates: z.array(
        z.object({
          reference: z.string(),
          provider: z.string(),
          model: z.string(),
          profile: z.string(),
          kind: z.string(),
          baseUrl: z.string().nullable(),
        }),
      ),
    }),
  ),
});
export type RunConfig = z.infer<typeof runConfigSchema>;

export const runDetailSchema = runSummarySchema.extend({
  options: runOptionsSchema,
  prep: prepReportSchema,
  promptVersion: z.string(),
  errorGroups: z.array(errorGroupSchema),
  /** Queued chunks by what they wait for; `failures` says after which failures those in backoff wait, the most frequent first. */
  waiting: z.object({
    slot: z.int(),
    backoff: z.int(),
    /** Held by batch jobs; among them failed ones that were handed in again. */
    batch: z.int(),
    nextDueAt: isoTime.nullable(),
    failures: z.array(z.object({ failureKind: failureKindSchema, count: z.int() })),
  }),
  /** Chunks whose newest answer was repaired, or cut. */
  marks: z.object({ repaired: z.int(), truncated: z.int() }),
  coverage: coverageSchema.nullable(),
  config: runConfigSchema,
  /** What it has cost so far. */
  cost: costTotalSchema,
  /** Who was really asked, by attempts: the one that answered most comes first. Empty while nothing was sent. */
  asked: z.array(
    z.object({
      reference: z.string(),
      attempts: z.int(),
      succeeded: z.int(),
      /** What served instead, as the runtimes said, with how many of the attempts; empty while nothing else did. */
      served: z.array(z.object({ model: z.string(), provider: z.string().nullable(), attempts: z.int() })),
    }),
  ),
});
export type AskedModel = RunDetail["asked"][number];
export type RunDetail = z.infer<typeof runDetailSchema>;

/** `asked`: this server sent its request. `import`: the answer was made elsewhere; `backend` and `model` are as it was told, else "unknown". */
export const attemptOriginSchema = z.enum(["asked", "import"]);

/** One real request, as timelines and tabs show it. */
export const attemptSchema = z.object({
  number: z.int().min(1),
  status: attemptStatusSchema,
  origin: attemptOriginSchema,
  backend: z.string(),
  model: z.string(),
  /** What the runtime says it served with, where it says so; `backend` and `model` are what was asked. */
  servedModel: z.string().nullable(),
  servedProvider: z.string().nullable(),
  /** The answer was repaired; it was cut. */
  repaired: z.boolean(),
  truncated: z.boolean(),
  /** A repair round: the attempt whose invalid answer it was to mend. */
  repairOf: z.int().nullable(),
  requestId: z.string(),
  /** Claimed by a worker; then, until startedAt, it waits for a slot. */
  claimedAt: isoTime,
  startedAt: isoTime.nullable(),
  firstTokenAt: isoTime.nullable(),
  endedAt: isoTime.nullable(),
  failureKind: failureKindSchema.nullable(),
  errorMessage: z.string().nullable(),
  finishReason: z.string().nullable(),
  promptTokens: z.int().nullable(),
  completionTokens: z.int().nullable(),
  tokensEstimated: z.boolean(),
  /** Parts of the two, where the provider tells them; null where nobody did. */
  cachedTokens: z.int().nullable(),
  cacheWriteTokens: z.int().nullable(),
  reasoningTokens: z.int().nullable(),
  /** What the provider itself says it has cost, in US dollars. */
  costUsd: z.number().nullable(),
});
export type AttemptSummary = z.infer<typeof attemptSchema>;

export const chunkSummarySchema = z.object({
  index: z.int().min(1),
  status: chunkStatusSchema,
  document: z.string(),
  tokens: z.int(),
  /** Offsets in the cleaned text and in the document's masked text. */
  start: z.int(),
  end: z.int(),
  sourceStart: z.int(),
  sourceEnd: z.int(),
  queuedAt: isoTime,
  /** In backoff until then; null when due or not queued. */
  dueAt: isoTime.nullable(),
  endedAt: isoTime.nullable(),
  acceptedAttempt: z.int().nullable(),
  /** Of the newest answer. */
  repaired: z.boolean(),
  truncated: z.boolean(),
  insights: z.int().nullable(),
  failureKind: failureKindSchema.nullable(),
  errorMessage: z.string().nullable(),
  attempts: z.array(attemptSchema),
});
export type ChunkSummary = z.infer<typeof chunkSummarySchema>;

export const answerMarkSchema = z.enum(ANSWER_MARKS);

export const artifactViewSchema = z.object({
  id: z.string(),
  body: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  createdAt: isoTime,
});
export type ArtifactView = z.infer<typeof artifactViewSchema>;

export const chunkDetailSchema = chunkSummarySchema.extend({
  runId: z.string(),
  /** The slice of the cleaned text that was sent. */
  text: z.string(),
  request: artifactViewSchema,
  /** `repairRequest`: what a repair round has sent instead of the chunk's request. */
  attempts: z.array(
    attemptSchema.extend({
      cost: costSchema,
      result: artifactViewSchema.nullable(),
      repairRequest: artifactViewSchema.nullable(),
    }),
  ),
});
export type ChunkDetail = z.infer<typeof chunkDetailSchema>;

export const retryInputSchema = z.strictObject({
  chunks: z.array(z.int().min(1)).max(100_000).optional(),
  /**
   * Absent = with the models the chunks had. A scene is looked up in the newest revision. `maxTokens`, the most tokens that an
   * answer may have from now on, goes with either, or alone: then the models stay.
   */
  with: z
    .strictObject({
      scene: z.string().min(1).max(64).optional(),
      backend: z.string().min(1).max(64).optional(),
      model: oneLine(200).optional(),
      maxTokens: z.int().min(1).max(RUN_OPTIONS.maxTokens.max).optional(),
    })
    .refine(
      (choice) => Object.values(choice).some((value) => value !== undefined),
      "names nothing: give a scene, a backend, a model or maxTokens",
    )
    .optional(),
  /** Also chunks that have succeeded, which must then be named. Their answer stands until another one is accepted. */
  again: z.boolean().optional(),
});
export type RetryInput = z.infer<typeof retryInputSchema>;
export const retryOutcomeSchema = z.object({
  requeued: z.int(),
  skipped: z.array(z.object({ chunk: z.int(), reason: z.string() })),
});
export type RetryOutcome = z.infer<typeof retryOutcomeSchema>;

/** What a run of the same text may have of its own; without a scene, backend or model, the models that the first was ordered with. */
export const rerunInputSchema = z.strictObject({
  name: oneLine(200).optional(),
  scene: z.string().min(1).max(64).optional(),
  backend: z.string().min(1).max(64).optional(),
  model: oneLine(200).optional(),
  maxTokens: z.int().min(0).max(RUN_OPTIONS.maxTokens.max).optional(),
});
export type RerunInput = z.infer<typeof rerunInputSchema>;

/** Which attempt's answer is to count. */
export const chooseAnswerSchema = z.strictObject({ attempt: z.int().min(1) });

export const reasonInputSchema = z.strictObject({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .refine((value) => !value.includes("\0"), "holds a NUL character")
    .optional(),
});

export const insightsViewSchema = z.object({
  items: z.array(stagedInsightSchema),
  coverage: coverageSchema.nullable(),
  duplicates: z.int(),
  partial: z.boolean(),
});
export type InsightsView = z.infer<typeof insightsViewSchema>;

/** What a start would do, one entry a date. */
export const previewSchema = z.object({
  runs: z.array(z.object({ sourceDate: z.string(), report: prepReportSchema })),
  scene: z.string().nullable(),
  backend: z.string(),
  model: z.string(),
});
export type Preview = z.infer<typeof previewSchema>;

/** The id of a run, which is also the cursor of their list. */
export const runIdSchema = z.string().regex(/^run_[0-9a-hjkmnp-tv-z]{26}$/, "must be the id of a run");
