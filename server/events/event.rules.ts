/** Cancellation labels of Correx: events carry the label, never an object. */
export const CANCELLATION_REASONS = ["user_requested", "stage_timeout", "session_cancelled", "provider_evicted"] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

/** AgentRun's seven, Correx's lifecycle, and ours. */
export const EVENT_TYPES = [
  "backend_status",
  "assistant_message",
  "tool_call",
  "command_output",
  "diff",
  "error",
  "terminal_status",
  "inference_started",
  "inference_completed",
  "inference_failed",
  "inference_timeout",
  "model_loaded",
  "model_unloaded",
  "run_queued",
  "prep_completed",
  "run_started",
  "run_paused",
  "run_resumed",
  "run_cancelled",
  "run_incomplete",
  "run_completed",
  "run_failed",
  "consolidate_completed",
  "chunk_claimed",
  "chunk_succeeded",
  "chunk_failed",
  "chunk_cancelled",
  "chunk_retry_scheduled",
  "chunk_requeued",
  "answer_chosen",
  "route_decided",
  "cooldown_started",
  "cooldown_ended",
  "batch_submitted",
  "batch_state",
  "batch_collected",
  "command_queued",
  "command_started",
  "command_ended",
  "approval_requested",
  "approval_resolved",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A payload larger than this (UTF-8 bytes of its JSON) is cut; the whole goes to an artifact. */
export const EVENT_PAYLOAD_LIMIT = 64 * 1024;
