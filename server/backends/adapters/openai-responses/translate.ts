/** From the events of one response to its text. Pure: no network, no clock; one translator a turn. */
import type { z } from "zod";
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import type { FinishReason } from "@/server/backends/backend";
import { createAnswerText, endedEarly, jsonPiece, saidNothing, unknownForm } from "@/server/backends/http/answer-text";
import type { AnswerTranslator } from "@/server/backends/http/answer-translator";
import { type FailureContext, failureOfMiniMaxStatus, failureOfProviderError } from "@/server/backends/http/failure";
import { usageOfCounts } from "@/server/backends/token-counts";
import {
  deltaEventSchema,
  errorEventSchema,
  itemEventSchema,
  type OutputItem,
  type Response,
  type ResponseUsage,
  responseEventSchema,
  responseSchema,
} from "./protocol.schema";

/**
 * The text is what the completed items hold: those of the last event, or the ones told one by one where that has none. Deltas
 * are progress, and what is kept when the answer fails. Reasoning is no text; events of types that are not known are passed
 * over. `maxTextBytes` bounds the text in UTF-8.
 */
export function createResponseTranslator(
  context: FailureContext,
  maxTextBytes: number = Number.POSITIVE_INFINITY,
): AnswerTranslator {
  const said = createAnswerText(context, maxTextBytes);
  const items: OutputItem[] = [];
  let refusal = "";
  let servedModel: string | undefined;
  let usage: TokenUsage | undefined;
  let end: { text: string; finishReason: FinishReason } | undefined;

  function read<T>(schema: z.ZodType<T>, json: unknown): T {
    const parsed = schema.safeParse(json);
    if (parsed.success) return parsed.data;
    throw unknownForm(context, parsed.error.issues[0]?.path, said);
  }

  function takeEnd(response: Response, hasFailed: boolean): void {
    servedModel = response.model || servedModel;
    usage = usageOf(response.usage) ?? usage;
    if (hasFailed || response.status === "failed" || response.status === "cancelled" || response.error) {
      const error = response.error ?? { code: 500, message: "the model's answer ended with an error" };
      throw failureOfProviderError(context, error, said.text);
    }
    const completed = messagesOf(response.output ?? []).length > 0 ? (response.output ?? []) : items;
    const text = textOf(completed);
    // Deltas without an item that holds them stay, as something that was said.
    if (text !== "") said.replace(text);
    refusal = refusalOf(completed) || refusal;
    end = { text, finishReason: finishReasonOf(response) };
  }

  function takeError(json: unknown): void {
    const { error, code, message, base_resp: status } = read(errorEventSchema, json);
    if (status && status.status_code !== 0)
      throw failureOfMiniMaxStatus(context, status.status_code, status.status_msg ?? "", said.text);
    if (error) throw failureOfProviderError(context, error, said.text);
    if (code || message) throw failureOfProviderError(context, { code, message }, said.text);
    throw unknownForm(context, ["type"], said);
  }

  function take(json: unknown): void {
    switch (typeOf(json)) {
      case "response.output_text.delta":
        said.add(read(deltaEventSchema, json).delta);
        return;
      case "response.refusal.delta":
        refusal += read(deltaEventSchema, json).delta;
        return;
      case "response.output_item.done":
        items.push(read(itemEventSchema, json).item);
        return;
      case "response.created":
      case "response.in_progress":
        servedModel = read(responseEventSchema, json).response.model || servedModel;
        return;
      case "response.completed":
      case "response.incomplete":
        takeEnd(read(responseEventSchema, json).response, false);
        return;
      case "response.failed":
        takeEnd(read(responseEventSchema, json).response, true);
        return;
      case "error":
      case undefined:
        // A server that does not stream answers with the response itself.
        if (isResponse(json)) takeEnd(read(responseSchema, json), false);
        else takeError(json);
        return;
      default:
    }
  }

  return {
    push(data) {
      const trimmed = data.trim();
      // Some servers end every stream as the chat protocol does.
      if (trimmed === "" || trimmed === "[DONE]" || end) return;
      take(jsonPiece(context, trimmed, said));
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
      return end !== undefined;
    },
    get isDone() {
      return end !== undefined;
    },
    result() {
      if (end === undefined) throw endedEarly(context, said);
      const { text } = end;
      if (text.trim() === "") throw saidNothing(context, end.finishReason, refusal, said);
      return {
        text,
        finishReason: end.finishReason,
        ...(usage === undefined ? {} : { usage }),
        ...(servedModel === undefined ? {} : { servedModel }),
      };
    },
  };
}

function typeOf(json: unknown): string | undefined {
  return typeof json === "object" && json !== null && "type" in json && typeof json.type === "string" ? json.type : undefined;
}

function isResponse(json: unknown): boolean {
  return typeof json === "object" && json !== null && "output" in json && "status" in json;
}

function messagesOf(items: readonly OutputItem[]): OutputItem[] {
  return items.filter(({ type }) => type === "message");
}

function textOf(items: readonly OutputItem[]): string {
  return messagesOf(items)
    .flatMap(({ content }) => content ?? [])
    .map(({ type, text }) => (type === "output_text" ? (text ?? "") : ""))
    .join("");
}

function refusalOf(items: readonly OutputItem[]): string {
  return messagesOf(items)
    .flatMap(({ content }) => content ?? [])
    .map((part) => part.refusal ?? "")
    .join("");
}

function usageOf(usage: ResponseUsage | null | undefined): TokenUsage | undefined {
  return usageOfCounts({
    prompt: usage?.input_tokens,
    completion: usage?.output_tokens,
    cached: usage?.input_tokens_details?.cached_tokens,
    cacheWrite: usage?.input_tokens_details?.cache_write_tokens,
    reasoning: usage?.output_tokens_details?.reasoning_tokens,
  });
}

function finishReasonOf({ status, incomplete_details: incomplete }: Response): FinishReason {
  if (status !== "incomplete") return "stop";
  if (incomplete?.reason === "max_output_tokens") return "length";
  return incomplete?.reason === "content_filter" ? "content_filter" : "unknown";
}
