/** From the app-server's notifications of one turn to events, reply and usage. Pure: no process, no clock. */
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import { partsOfUsage } from "@/server/backends/token-counts";
import type { NewEvent } from "@/server/events/event.schema";
import { classifyTurnError, type RetryMemory, statusOf } from "./failure";
import {
  agentMessageItemSchema,
  deltaSchema,
  diffUpdatedSchema,
  errorNotificationSchema,
  itemNotificationSchema,
  type TokenCounts,
  type TurnError,
  tokenUsageSchema,
  turnCompletedSchema,
} from "./protocol.schema";
import { createSuppressedNotifications } from "./suppressed-notifications";
import { createItemTranslator } from "./translate-items";
import { createMessageTranslator } from "./translate-messages";

/** What every event of the turn carries, so that a line of the trace can be told to its thread and turn. */
export interface TurnPlace {
  threadId: string;
  turnId: string;
}

/** How the turn ended, in the app-server's words. */
export interface NativeEnd {
  status: "completed" | "failed" | "interrupted";
  error: TurnError | null;
}

export interface TurnListener {
  event(event: NewEvent): void;
  /** Characters of assistant text so far. */
  progress(characters: number): void;
  /** The message that is being written, as far as it got; null once it is told, or none is written any more. Unredacted. */
  writing?(text: string | null): void;
}

export interface TurnTranslator {
  /** Takes one notification. Returns the end when this was it. Throws a zod error for a terminal notification without its fields. */
  take(method: string, params: unknown): NativeEnd | null;
  /** Tells what is left to tell: the last message (final when the turn completed), calls still open, the diff, what was suppressed. Once. */
  finish(end: NativeEnd | null): void;
  /** The app-server is gone, and with it what it ran. */
  processEnded(): void;
  /** A person is asked about this change of files: its diff is told before the answer. The paths, empty when it was not announced. */
  proposed(itemId: string): string[];
  /** The last non-empty completed message; null when there is none. */
  readonly reply: string | null;
  /** What the model had said, completed or not; empty when nothing. */
  readonly saidText: string;
  /** Of this turn alone; undefined when nothing was reported. */
  readonly usage: TokenUsage | undefined;
  readonly retried: RetryMemory;
  /** Commands that are still running. */
  readonly openCalls: number;
}

/** Notifications without a word for the trace; everything unknown is counted with them. */
export function createTurnTranslator(place: TurnPlace, listener: TurnListener): TurnTranslator {
  const suppressed = createSuppressedNotifications();
  const emit = (event: NewEvent) =>
    // Each member of the union stays itself: only flat fields are added to a loose payload.
    listener.event({ ...event, payload: { ...event.payload, ...place } } as NewEvent);
  const messages = createMessageTranslator(emit, listener, suppressed);
  const items = createItemTranslator(emit, suppressed);
  const retried: RetryMemory = { status: null };
  let totalBefore: TokenCounts | null = null;
  let usage: TokenUsage | undefined;
  let finished = false;

  function takeItem(method: "item/started" | "item/completed", params: unknown): void {
    const parsed = itemNotificationSchema.safeParse(params);
    if (!parsed.success) {
      suppressed.count(method, "malformed");
      return;
    }
    const { item } = parsed.data;
    if (item.type === "agentMessage") {
      const message = agentMessageItemSchema.safeParse(item);
      if (method === "item/completed" && message.success) messages.completed(message.data);
      else suppressed.count(method, item.type);
      return;
    }
    if (method === "item/started" && items.isTold(item.type)) messages.release();
    if (method === "item/started") items.started(item);
    else items.completed(item);
  }

  function takeError(params: unknown): void {
    const parsed = errorNotificationSchema.safeParse(params);
    if (!parsed.success) {
      suppressed.count("error", "malformed");
      return;
    }
    const { error, willRetry } = parsed.data;
    // The last one is told as the end of the turn.
    if (!willRetry) {
      suppressed.count("error", "final");
      return;
    }
    const { failureKind } = classifyTurnError(error, retried);
    retried.status = statusOf(error) ?? retried.status;
    messages.retried();
    const details = error.additionalDetails ? `: ${error.additionalDetails}` : "";
    emit({ type: "error", payload: { failureKind, message: `${error.message}${details}`, willRetry: true } });
  }

  function takeUsage(params: unknown): void {
    suppressed.count("thread/tokenUsage/updated");
    const parsed = tokenUsageSchema.safeParse(params);
    if (!parsed.success) return;
    const { total, last } = parsed.data.tokenUsage;
    // The thread's total goes on over its turns: what it was before this one is taken off.
    totalBefore ??= minus(total, last);
    const own = minus(total, totalBefore);
    const counted = { prompt: Math.max(0, own.inputTokens), completion: Math.max(0, own.outputTokens) };
    usage = {
      promptTokens: counted.prompt,
      completionTokens: counted.completion,
      ...partsOfUsage({
        ...counted,
        cached: own.cachedInputTokens,
        cacheWrite: own.cacheWriteInputTokens,
        reasoning: own.reasoningOutputTokens,
      }),
    };
  }

  return {
    take(method, params) {
      switch (method) {
        case "item/started":
        case "item/completed":
          takeItem(method, params);
          return null;
        case "item/agentMessage/delta": {
          suppressed.count(method);
          const delta = deltaSchema.safeParse(params);
          if (delta.success) messages.delta(delta.data.itemId, delta.data.delta);
          return null;
        }
        case "item/commandExecution/outputDelta": {
          suppressed.count(method);
          const delta = deltaSchema.safeParse(params);
          if (delta.success) items.output(delta.data.itemId, delta.data.delta);
          return null;
        }
        case "turn/diff/updated": {
          suppressed.count(method);
          const diff = diffUpdatedSchema.safeParse(params);
          if (diff.success) items.diffIs(diff.data.diff);
          return null;
        }
        case "error":
          takeError(params);
          return null;
        case "thread/tokenUsage/updated":
          takeUsage(params);
          return null;
        case "turn/completed": {
          const { turn } = turnCompletedSchema.parse(params);
          return { status: turn.status, error: turn.error ?? null };
        }
        default:
          suppressed.count(method);
          return null;
      }
    },
    finish(end) {
      if (finished) return;
      finished = true;
      items.turnEnded();
      messages.finish(end?.status === "completed");
      const summary = suppressed.summary();
      if (summary) emit(summary);
    },
    processEnded: () => items.processEnded(),
    proposed: (itemId) => items.proposed(itemId),
    get reply() {
      return messages.reply;
    },
    get saidText() {
      return messages.saidText;
    },
    get usage() {
      return usage;
    },
    retried,
    get openCalls() {
      return items.openCalls;
    },
  };
}

/** What `counts` has more than `before`, field by field; a thread that counts backwards gives less than zero. */
function minus(counts: TokenCounts, before: TokenCounts): TokenCounts {
  return {
    inputTokens: counts.inputTokens - before.inputTokens,
    outputTokens: counts.outputTokens - before.outputTokens,
    cachedInputTokens: counts.cachedInputTokens - before.cachedInputTokens,
    cacheWriteInputTokens: counts.cacheWriteInputTokens - before.cacheWriteInputTokens,
    reasoningOutputTokens: counts.reasoningOutputTokens - before.reasoningOutputTokens,
  };
}
