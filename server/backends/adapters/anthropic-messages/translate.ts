/** From the events of one message to its text. Pure: no network, no clock; one translator a turn. */
import type { z } from "zod";
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import type { FinishReason } from "@/server/backends/backend";
import { createAnswerText, endedEarly, jsonPiece, saidNothing, unknownForm } from "@/server/backends/http/answer-text";
import type { AnswerTranslator } from "@/server/backends/http/answer-translator";
import { type FailureContext, failureOfMiniMaxStatus, failureOfProviderError } from "@/server/backends/http/failure";
import { usageOfCounts } from "@/server/backends/token-counts";
import {
  blockDeltaSchema,
  blockStartSchema,
  errorEventSchema,
  type MessageUsage,
  messageDeltaSchema,
  messageSchema,
  messageStartSchema,
} from "./protocol.schema";

/**
 * Facts of the protocol: the counts of `message_start` are those before the first token and only `message_delta` ends them, so
 * that without it nothing counts as told; thinking and the input of tools come as blocks of their own, which are no text;
 * events of types that are not known are to be passed over. `maxTextBytes` bounds the text in UTF-8.
 */
export function createMessageTranslator(
  context: FailureContext,
  maxTextBytes: number = Number.POSITIVE_INFINITY,
): AnswerTranslator {
  const said = createAnswerText(context, maxTextBytes);
  let stopReason: string | undefined;
  let isDone = false;
  let refusal = "";
  let counts: Partial<MessageUsage> = {};
  let hasCounted = false;
  let servedModel: string | undefined;

  function read<T>(schema: z.ZodType<T>, json: unknown): T {
    const parsed = schema.safeParse(json);
    if (parsed.success) return parsed.data;
    throw unknownForm(context, parsed.error.issues[0]?.path, said);
  }

  function takeUsage(usage: MessageUsage | null | undefined, isLast: boolean): void {
    if (!usage) return;
    const told = Object.entries(usage).filter(([, count]) => count !== null && count !== undefined);
    counts = { ...counts, ...Object.fromEntries(told) };
    hasCounted ||= isLast && typeof usage.output_tokens === "number";
  }

  function toldUsage(): TokenUsage | undefined {
    return hasCounted ? usageOf(counts) : undefined;
  }

  function takeStop(stop: string | null | undefined, details: { explanation?: string | null | undefined } | null | undefined) {
    if (stop) stopReason = stop;
    refusal = details?.explanation ?? refusal;
  }

  function takeMessage(message: z.infer<typeof messageSchema>, isWhole: boolean): void {
    servedModel = message.model || servedModel;
    for (const block of message.content ?? []) if (block.type === "text") said.add(block.text ?? "");
    takeStop(message.stop_reason, message.stop_details);
    takeUsage(message.usage, isWhole);
  }

  function takeError(json: unknown): void {
    const { error, base_resp: status } = read(errorEventSchema, json);
    if (status && status.status_code !== 0)
      throw failureOfMiniMaxStatus(context, status.status_code, status.status_msg ?? "", said.text);
    if (error) throw failureOfProviderError(context, error, said.text);
    throw unknownForm(context, ["type"], said);
  }

  function take(json: unknown): void {
    switch (typeOf(json)) {
      case "content_block_delta": {
        const { delta } = read(blockDeltaSchema, json);
        if (delta.type === "text_delta") said.add(delta.text ?? "");
        return;
      }
      case "content_block_start": {
        const { content_block: block } = read(blockStartSchema, json);
        if (block.type === "text") said.add(block.text ?? "");
        return;
      }
      case "message_start":
        takeMessage(read(messageStartSchema, json).message, false);
        return;
      case "message_delta": {
        const { delta, usage } = read(messageDeltaSchema, json);
        takeStop(delta.stop_reason, delta.stop_details);
        takeUsage(usage, true);
        return;
      }
      case "message_stop":
        isDone = true;
        return;
      case "message":
        takeMessage(read(messageSchema, json), true);
        return;
      case "error":
      case undefined:
        takeError(json);
        return;
      default:
    }
  }

  return {
    push(data) {
      const trimmed = data.trim();
      // Some gateways end every stream as the chat protocol does.
      if (trimmed === "" || trimmed === "[DONE]" || isDone) return;
      take(jsonPiece(context, trimmed, said));
    },
    get text() {
      return said.text;
    },
    get characters() {
      return said.characters;
    },
    get usage() {
      return toldUsage();
    },
    get isFinished() {
      return isDone || stopReason !== undefined;
    },
    get isDone() {
      return isDone;
    },
    result() {
      if (!isDone && stopReason === undefined) throw endedEarly(context, said);
      const finishReason = finishReasonOf(stopReason);
      const { text } = said;
      if (text.trim() === "") throw saidNothing(context, finishReason, refusal, said);
      const usage = toldUsage();
      return {
        text,
        finishReason,
        ...(usage === undefined ? {} : { usage }),
        ...(servedModel === undefined ? {} : { servedModel }),
      };
    },
  };
}

function typeOf(json: unknown): string | undefined {
  return typeof json === "object" && json !== null && "type" in json && typeof json.type === "string" ? json.type : undefined;
}

/** The protocol counts what the cache did beside the input; here the prompt is all that was read. */
function usageOf(counts: Partial<MessageUsage>): TokenUsage | undefined {
  const { input_tokens: input, cache_read_input_tokens: cached, cache_creation_input_tokens: cacheWrite } = counts;
  return usageOfCounts({
    prompt: typeof input === "number" ? input + (cached ?? 0) + (cacheWrite ?? 0) : null,
    completion: counts.output_tokens,
    cached,
    cacheWrite,
    reasoning: counts.output_tokens_details?.thinking_tokens,
  });
}

function finishReasonOf(stop: string | undefined): FinishReason {
  switch (stop) {
    case "end_turn":
    case "stop_sequence":
      return "stop";
    case "max_tokens":
    // What the model can hold was full before the limit was reached: the answer is cut all the same.
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "content_filter";
    default:
      return "unknown";
  }
}
