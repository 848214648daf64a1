import { FAILURE_KINDS } from "@/server/artifacts/failure-kind.rules";
import { CANCELLATION_REASONS, type EventType } from "@/server/events/event.rules";
import type { EventPayload } from "@/server/events/event.schema";

type Check = (value: unknown) => boolean;
/** The fields that a payload's schema names; it may have others. */
type KnownField<T> = keyof { [Field in keyof T as string extends Field ? never : Field]: T[Field] };
type Checks = { [T in EventType]: Record<KnownField<EventPayload<T>>, Check> };

const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number";
const int: Check = (value) => Number.isSafeInteger(value);
const truth: Check = (value) => typeof value === "boolean";
const from =
  (least: number): Check =>
  (value) =>
    int(value) && Number(value) >= least;
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && words.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const list: Check = (value) => Array.isArray(value);
const failureKind = oneOf(...Object.keys(FAILURE_KINDS));
const cancellationReason = oneOf(...CANCELLATION_REASONS);
const adopted = { origin: optional(oneOf("import")), source: optional(text) };
const request = { requestId: text, sessionId: text, stageId: text, providerId: text };

/** What the schemas of the server say, by hand: they would bring a library of 50 kB to the page. A test holds the two together. */
const CHECKS: Checks = {
  backend_status: {
    phase: text,
    backend: optional(text),
    backendKind: optional(text),
    model: optional(text),
    message: optional(text),
  },
  assistant_message: {
    text,
    itemId: text,
    messageIndex: from(0),
    messageCount: from(1),
    replyAuthority: truth,
    final: truth,
  },
  tool_call: { itemId: text, toolName: text, status: text },
  command_output: { itemId: text, text, bytes: from(0), truncated: truth },
  diff: { text, bytes: from(0), truncated: truth },
  error: { failureKind, message: text, willRetry: optional(truth) },
  terminal_status: { status: oneOf("completed", "failed", "cancelled", "blocked"), failureKind: optional(failureKind) },
  inference_started: request,
  inference_completed: {
    ...request,
    promptTokens: int,
    completionTokens: int,
    cachedTokens: optional(int),
    cacheWriteTokens: optional(int),
    reasoningTokens: optional(int),
    estimated: optional(truth),
    costUsd: optional(number),
    latencyMs: number,
  },
  inference_failed: { ...request, reason: text, failureKind },
  inference_timeout: { ...request, timeoutMs: number },
  model_loaded: { providerId: text, sessionId: text, requestId: optional(text) },
  model_unloaded: { providerId: text, sessionId: text, requestId: optional(text), cancellationReason: optional(text) },
  run_queued: { chunks: from(0), documents: from(1) },
  prep_completed: { chunks: int, droppedLines: int, maskedSecrets: int },
  run_started: { worker: text },
  run_paused: { reason: text },
  run_resumed: { reason: optional(text) },
  run_cancelled: { reason: text, cancellationReason },
  run_incomplete: { failed: int, cancelled: int, succeeded: int },
  run_completed: { insights: int, withGaps: truth },
  run_failed: { message: text },
  consolidate_completed: { insights: int, duplicates: int, done: int, failed: int, missing: int, partial: truth },
  chunk_claimed: { worker: text, ...adopted },
  chunk_succeeded: { insights: optional(int), latencyMs: optional(number), ...adopted },
  chunk_failed: { failureKind, message: text, ...adopted },
  chunk_cancelled: { cancellationReason },
  chunk_retry_scheduled: { failureKind, dueAt: number, delayMs: number, repairRound: optional(truth) },
  chunk_requeued: { by: oneOf("operator", "sweeper"), reason: optional(text), maxTokens: optional(int) },
  answer_chosen: { accepted: orNull(int), instead: orNull(int), by: oneOf("operator", "executor") },
  route_decided: { provider: text, model: text, reason: text, leastBad: truth, rejected: list },
  cooldown_started: {
    provider: text,
    model: text,
    failureKind,
    reason: text,
    failures: int,
    until: text,
    milliseconds: number,
  },
  cooldown_ended: { provider: text, model: text },
  batch_submitted: { job: text, provider: text, model: text, requests: int, nativeId: text, foundAgain: optional(truth) },
  batch_state: { job: text, state: text, nativeState: optional(text), problem: optional(text), message: optional(text) },
  batch_collected: {
    job: text,
    outcome: text,
    adopted: int,
    unusable: int,
    returned: int,
    badLines: optional(int),
    badLine: optional(text),
  },
  command_queued: { commandId: text, index: int, type: oneOf("turn", "interrupt"), text },
  command_started: { commandId: text, index: int, worker: text },
  command_ended: {
    commandId: text,
    index: int,
    status: oneOf("completed", "failed", "cancelled", "blocked"),
    failureKind: optional(failureKind),
    message: optional(text),
  },
  approval_requested: {
    approvalId: text,
    commandId: text,
    kind: oneOf("command", "file-change"),
    subject: text,
    deadlineAt: text,
  },
  approval_resolved: {
    approvalId: text,
    commandId: text,
    status: oneOf("accepted", "declined", "expired", "moot"),
    by: optional(text),
  },
};

/** False for a payload that was cut or that another version wrote. */
export function isWholePayload(type: EventType, payload: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(CHECKS[type]).every(([field, check]: [string, Check]) => check(payload[field]));
}
