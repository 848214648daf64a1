import { z } from "zod";
import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import { CANCELLATION_REASONS, EVENT_TYPES, type EventType } from "./event.rules";

export const cancellationReasonSchema = z.enum(CANCELLATION_REASONS);

const inference = { requestId: z.string(), sessionId: z.string(), stageId: z.string(), providerId: z.string() };

/** Of an answer that was made elsewhere, and from where it came. */
const adopted = { origin: z.literal("import").optional(), source: z.string().optional() };

/**
 * Payload of every event type: AgentRun's seven, Correx's lifecycle, and ours. `chunk` and `attempt` stand on the
 * envelope. Loose: a backend may add small flat fields; everything is redacted and bounded before it is stored.
 */
export const EVENT_PAYLOADS = {
  // AgentRun: what a backend says while it works.
  backend_status: z.looseObject({
    phase: z.string(),
    backend: z.string().optional(),
    backendKind: z.string().optional(),
    model: z.string().optional(),
    message: z.string().optional(),
  }),
  assistant_message: z.looseObject({
    text: z.string(),
    itemId: z.string(),
    messageIndex: z.int().min(0),
    messageCount: z.int().min(1),
    replyAuthority: z.boolean(),
    final: z.boolean(),
  }),
  tool_call: z.looseObject({ itemId: z.string(), toolName: z.string(), status: z.string() }),
  command_output: z.looseObject({ itemId: z.string(), text: z.string(), bytes: z.int().min(0), truncated: z.boolean() }),
  diff: z.looseObject({ text: z.string(), bytes: z.int().min(0), truncated: z.boolean() }),
  error: z.looseObject({ failureKind: failureKindSchema, message: z.string(), willRetry: z.boolean().optional() }),
  terminal_status: z.looseObject({
    status: z.enum(["completed", "failed", "cancelled", "blocked"]),
    failureKind: failureKindSchema.optional(),
  }),
  // Correx: the life of one request.
  inference_started: z.looseObject(inference),
  inference_completed: z.looseObject({
    ...inference,
    promptTokens: z.int(),
    completionTokens: z.int(),
    cachedTokens: z.int().optional(),
    cacheWriteTokens: z.int().optional(),
    reasoningTokens: z.int().optional(),
    estimated: z.boolean().optional(),
    costUsd: z.number().optional(),
    latencyMs: z.number(),
  }),
  inference_failed: z.looseObject({ ...inference, reason: z.string(), failureKind: failureKindSchema }),
  inference_timeout: z.looseObject({ ...inference, timeoutMs: z.number() }),
  // For a runtime with processes: one that serves the model was started for the session, and has ended.
  model_loaded: z.looseObject({ providerId: z.string(), sessionId: z.string(), requestId: z.string().optional() }),
  model_unloaded: z.looseObject({
    providerId: z.string(),
    sessionId: z.string(),
    requestId: z.string().optional(),
    cancellationReason: z.string().optional(),
  }),
  // Ours: the run and its chunks.
  run_queued: z.looseObject({ chunks: z.int().min(0), documents: z.int().min(1) }),
  prep_completed: z.looseObject({ chunks: z.int(), droppedLines: z.int(), maskedSecrets: z.int() }),
  run_started: z.looseObject({ worker: z.string() }),
  run_paused: z.looseObject({ reason: z.string() }),
  run_resumed: z.looseObject({ reason: z.string().optional() }),
  run_cancelled: z.looseObject({ reason: z.string(), cancellationReason: cancellationReasonSchema }),
  run_incomplete: z.looseObject({ failed: z.int(), cancelled: z.int(), succeeded: z.int() }),
  run_completed: z.looseObject({ insights: z.int(), withGaps: z.boolean() }),
  run_failed: z.looseObject({ message: z.string() }),
  consolidate_completed: z.looseObject({
    insights: z.int(),
    duplicates: z.int(),
    done: z.int(),
    failed: z.int(),
    missing: z.int(),
    partial: z.boolean(),
  }),
  chunk_claimed: z.looseObject({ worker: z.string(), ...adopted }),
  /** Without `latencyMs` where nobody here waited for the answer. */
  chunk_succeeded: z.looseObject({ insights: z.int().optional(), latencyMs: z.number().optional(), ...adopted }),
  chunk_failed: z.looseObject({ failureKind: failureKindSchema, message: z.string(), ...adopted }),
  chunk_cancelled: z.looseObject({ cancellationReason: cancellationReasonSchema }),
  chunk_retry_scheduled: z.looseObject({
    failureKind: failureKindSchema,
    dueAt: z.number(),
    delayMs: z.number(),
    /** The next attempt is a repair round. */
    repairRound: z.boolean().optional(),
  }),
  chunk_requeued: z.looseObject({
    by: z.enum(["operator", "sweeper"]),
    reason: z.string().optional(),
    /** The most tokens that its next answers may have, where the retry named them. */
    maxTokens: z.int().optional(),
  }),
  /** Which attempt's answer counts from now on; null: none, and the chunk has failed. */
  answer_chosen: z.looseObject({
    accepted: z.int().nullable(),
    instead: z.int().nullable(),
    by: z.enum(["operator", "executor"]),
  }),
  // Ours: which model was asked, and why.
  route_decided: z.looseObject({
    provider: z.string(),
    model: z.string(),
    reason: z.string(),
    leastBad: z.boolean(),
    rejected: z.array(z.object({ candidate: z.string(), reason: z.string() })),
  }),
  cooldown_started: z.looseObject({
    provider: z.string(),
    model: z.string(),
    failureKind: failureKindSchema,
    reason: z.string(),
    failures: z.int(),
    until: z.string(),
    milliseconds: z.number(),
  }),
  cooldown_ended: z.looseObject({ provider: z.string(), model: z.string() }),
  // Ours: requests of the run as a job of a provider.
  batch_submitted: z.looseObject({
    job: z.string(),
    provider: z.string(),
    model: z.string(),
    requests: z.int(),
    nativeId: z.string(),
    /** Its submission had been broken off, and it was there nevertheless. */
    foundAgain: z.boolean().optional(),
  }),
  /** Where it stands now, told when that changes; `problem` is what is in its way. */
  batch_state: z.looseObject({
    job: z.string(),
    state: z.string(),
    nativeState: z.string().optional(),
    problem: z.string().optional(),
    message: z.string().optional(),
  }),
  batch_collected: z.looseObject({
    job: z.string(),
    outcome: z.string(),
    adopted: z.int(),
    unusable: z.int(),
    /** Chunks that are open again as they were. */
    returned: z.int(),
    /** Lines of the provider's files that could not be used, and what is wrong with the first of them. */
    badLines: z.int().optional(),
    badLine: z.string().optional(),
  }),
  // Ours: what a person orders of an agent run, and what it asks of a person.
  command_queued: z.looseObject({ commandId: z.string(), index: z.int(), type: z.enum(["turn", "interrupt"]), text: z.string() }),
  command_started: z.looseObject({ commandId: z.string(), index: z.int(), worker: z.string() }),
  command_ended: z.looseObject({
    commandId: z.string(),
    index: z.int(),
    status: z.enum(["completed", "failed", "cancelled", "blocked"]),
    failureKind: failureKindSchema.optional(),
    message: z.string().optional(),
  }),
  approval_requested: z.looseObject({
    approvalId: z.string(),
    commandId: z.string(),
    kind: z.enum(["command", "file-change"]),
    subject: z.string(),
    deadlineAt: z.string(),
  }),
  approval_resolved: z.looseObject({
    approvalId: z.string(),
    commandId: z.string(),
    status: z.enum(["accepted", "declined", "expired", "moot"]),
    by: z.string().optional(),
  }),
} as const satisfies Record<EventType, z.ZodType>;

export const eventTypeSchema = z.enum(EVENT_TYPES);
export type EventPayload<T extends EventType> = z.infer<(typeof EVENT_PAYLOADS)[T]>;

/** What an adapter or the executor says, before redaction, bounds and sequence. */
export type NewEvent = { [T in EventType]: { type: T; payload: EventPayload<T>; inEvent?: InEvent } }[EventType];

/** A text field that may be long: the event keeps its beginning and end, `truncated` says so, and the whole becomes an artifact. */
export interface InEvent {
  field: "text";
  /** UTF-8 bytes that stay in the event. */
  bytes: number;
}

/** One stored line of the trace, as pages and REST read it. `seq` is gapless per run, from 1. */
export const eventSchema = z.object({
  seq: z.int().min(1),
  type: eventTypeSchema,
  ts: z.string(),
  chunk: z.int().nullable(),
  attempt: z.int().nullable(),
  payload: z.record(z.string(), z.unknown()),
  bytes: z.int(),
  truncated: z.boolean(),
  artifactId: z.string().nullable(),
});
export type StoredEvent = z.infer<typeof eventSchema>;
