/** From the pieces of a chat answer to its text. Pure: no network, no clock; one translator per turn. */
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import type { FinishReason } from "@/server/backends/backend";
import {
  type AnswerText,
  createAnswerText,
  endedEarly,
  jsonPiece,
  saidNothing,
  unknownForm,
} from "@/server/backends/http/answer-text";
import type { AnswerTranslator } from "@/server/backends/http/answer-translator";
import { type FailureContext, failureOfMiniMaxStatus, failureOfProviderError } from "@/server/backends/http/failure";
import { usageOfCounts } from "@/server/backends/token-counts";
import { ordinaryPiece } from "./ordinary-piece";
import { bareErrorSchema, type ChatPiece, chatPieceSchema } from "./protocol.schema";

/**
 * Facts the protocol does not state: usage comes after the finish reason, in a piece without choices; some servers end
 * without `[DONE]`. `maxTextBytes` bounds the text in UTF-8; the piece that passes it is the last that is read.
 */
export function createChatTranslator(context: FailureContext, maxTextBytes: number = Number.POSITIVE_INFINITY): AnswerTranslator {
  const said = createAnswerText(context, maxTextBytes);
  let refusal = "";
  let finish: string | undefined;
  let isDone = false;
  let usage: TokenUsage | undefined;
  let servedModel: string | undefined;
  let servedProvider: string | undefined;

  function takeChoice(choice: NonNullable<ChatPiece["choices"]>[number]): void {
    // With `n` unset there is one choice; a server that sends more must not have them mixed up.
    if ((choice.index ?? 0) !== 0) return;
    said.add(textOf(choice.delta?.content));
    if (said.characters === 0) said.add(textOf(choice.message?.content));
    refusal += choice.delta?.refusal ?? choice.message?.refusal ?? "";
    if (choice.finish_reason === "error")
      throw failureOfProviderError(context, { code: 502, message: "the model's answer ended with an error" }, said.text);
    if (choice.finish_reason) finish = choice.finish_reason;
  }

  return {
    push(data) {
      const trimmed = data.trim();
      if (trimmed === "[DONE]") {
        isDone = true;
        return;
      }
      if (trimmed === "" || isDone) return;
      const piece = parsePiece(context, trimmed, said);
      if (piece.base_resp && piece.base_resp.status_code !== 0) {
        throw failureOfMiniMaxStatus(context, piece.base_resp.status_code, piece.base_resp.status_msg ?? "", said.text);
      }
      if (piece.error !== null && piece.error !== undefined && piece.error !== "")
        throw failureOfProviderError(context, piece.error, said.text);
      servedModel = piece.model || servedModel;
      servedProvider = piece.provider || servedProvider;
      usage = usageOf(piece.usage) ?? usage;
      for (const choice of piece.choices ?? []) takeChoice(choice);
    },
    get text() {
      return said.text;
    },
    get characters() {
      return said.characters;
    },
    get usage() {
      return usage;
    },
    get isFinished() {
      return isDone || finish !== undefined;
    },
    get isDone() {
      return isDone;
    },
    result() {
      if (!isDone && finish === undefined) throw endedEarly(context, said);
      const finishReason = finishReasonOf(finish);
      const { text } = said;
      if (text.trim() === "") throw saidNothing(context, finishReason, refusal, said);
      return {
        text,
        finishReason,
        ...(usage === undefined ? {} : { usage }),
        ...(servedModel === undefined ? {} : { servedModel }),
        ...(servedProvider === undefined ? {} : { servedProvider }),
      };
    },
  };
}

function parsePiece(context: FailureContext, data: string, said: AnswerText): ChatPiece {
  const json = jsonPiece(context, data, said);
  const ordinary = ordinaryPiece(json);
  if (ordinary !== null) return ordinary;
  const bareError = bareErrorSchema.safeParse(json);
  if (bareError.success) throw failureOfProviderError(context, bareError.data, said.text);
  const piece = chatPieceSchema.safeParse(json);
  if (piece.success) return piece.data;
  throw unknownForm(context, piece.error.issues[0]?.path, said);
}

function textOf(content: string | { text?: string | null | undefined }[] | null | undefined): string {
  if (typeof content === "string") return content;
  return content?.map((part) => part.text ?? "").join("") ?? "";
}

function usageOf(usage: ChatPiece["usage"]): TokenUsage | undefined {
  return usageOfCounts({
    prompt: usage?.prompt_tokens,
    completion: completionOf(usage),
    cached: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens,
    cacheWrite: usage?.prompt_tokens_details?.cache_write_tokens,
    reasoning: usage?.completion_tokens_details?.reasoning_tokens,
    costUsd: costOf(usage),
  });
}

/** Thoughts are part of the completion, but for xAI, which counts them beside it: its total says so. */
function completionOf(usage: ChatPiece["usage"]): number | null | undefined {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage ?? {};
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens;
  if (typeof prompt !== "number" || typeof completion !== "number" || !reasoning) return completion;
  return total === prompt + completion + reasoning ? completion + reasoning : completion;
}

/** OpenRouter's credits are US dollars. With a key of one's own it takes a fee, and the provider behind it is paid beside. */
function costOf(usage: ChatPiece["usage"]): number | undefined {
  const cost = usage?.cost;
  const told = typeof cost === "number" ? cost : cost?.total_cost;
  if (typeof told !== "number") return undefined;
  return told + (usage?.is_byok === true ? (usage.cost_details?.upstream_inference_cost ?? 0) : 0);
}

function finishReasonOf(finish: string | undefined): FinishReason {
  switch (finish) {
    case "stop":
    case "eos":
    case "end_turn":
    case "stop_sequence":
      return "stop";
    case "length":
    case "max_tokens":
    case "max_output_tokens":
      return "length";
    case "content_filter":
      return "content_filter";
    default:
      return "unknown";
  }
}
