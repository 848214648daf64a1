/** What a model said, out of the bodies that services answer with. Each reader gives null for a body that is not its own. */
import type { z } from "zod";
import { usageOfCounts } from "@/server/backends/token-counts";
import type { MadeAnswer } from "@/server/runs/adopt-answers.schema";
import { chatBodySchema, messageBodySchema, type providerErrorSchema, responsesBodySchema } from "./batch-line.schema";

export interface Answered extends Pick<MadeAnswer, "model" | "finishReason" | "usage"> {
  text: string;
  /** What the model said instead; empty where it did not refuse. */
  refusal: string;
  error?: z.infer<typeof providerErrorSchema>;
}

export function readChatBody(body: unknown): Answered | null {
  const parsed = chatBodySchema.safeParse(body);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || !choice) return null;
  const { model, usage } = parsed.data;
  const { content, refusal } = choice.message;
  return {
    text: typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join(""),
    refusal: refusal ?? "",
    ...told(model, choice.finish_reason, {
      prompt: usage?.prompt_tokens,
      completion: usage?.completion_tokens,
      cached: usage?.prompt_tokens_details?.cached_tokens,
      reasoning: usage?.completion_tokens_details?.reasoning_tokens,
      costUsd: usage?.cost,
    }),
  };
}

export function readResponsesBody(body: unknown): Answered | null {
  const parsed = responsesBodySchema.safeParse(body);
  if (!parsed.success) return null;
  const { model, status, incomplete_details: incomplete, output, usage, error } = parsed.data;
  const parts = output.filter(({ type }) => type === "message").flatMap(({ content }) => content ?? []);
  // One that was broken off says why; without a reason it is no whole answer either.
  const finish = status === "incomplete" ? (incomplete?.reason ?? "max_output_tokens") : status;
  return {
    text: parts.map(({ type, text }) => (type === "output_text" ? (text ?? "") : "")).join(""),
    refusal: parts.map((part) => part.refusal ?? "").join(""),
    ...told(model, finish, {
      prompt: usage?.input_tokens,
      completion: usage?.output_tokens,
      cached: usage?.input_tokens_details?.cached_tokens,
      reasoning: usage?.output_tokens_details?.reasoning_tokens,
    }),
    ...(status === "failed" || status === "cancelled" ? { error: error ?? { code: status } } : {}),
  };
}

export function readMessageBody(body: unknown): Answered | null {
  const parsed = messageBodySchema.safeParse(body);
  if (!parsed.success) return null;
  const { model, content, stop_reason: stop, usage } = parsed.data;
  const cached = usage?.cache_read_input_tokens ?? 0;
  const cacheWrite = usage?.cache_creation_input_tokens ?? 0;
  const input = usage?.input_tokens;
  return {
    text: content.map(({ type, text }) => (type === "text" ? (text ?? "") : "")).join(""),
    refusal: "",
    ...told(model, stop, {
      // Anthropic counts what the cache gave and took apart from the input.
      prompt: typeof input === "number" ? input + cached + cacheWrite : undefined,
      completion: usage?.output_tokens,
      cached,
      cacheWrite,
    }),
  };
}

function told(
  model: string | null | undefined,
  finish: string | null | undefined,
  counts: Parameters<typeof usageOfCounts>[0],
): Pick<Answered, "model" | "finishReason" | "usage"> {
  const usage = usageOfCounts(counts);
  return {
    ...(model ? { model } : {}),
    ...(finish ? { finishReason: finish } : {}),
    ...(usage ? { usage } : {}),
  };
}
