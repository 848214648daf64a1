/** From the lines of one Claude Code process to what its model said. Pure: no process, no clock; one translator a turn. */
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import { usageOfCounts } from "@/server/backends/token-counts";
import {
  anyLineSchema,
  assistantLineSchema,
  type NativeUsage,
  type ResultLine,
  resultLineSchema,
  type StreamEvent,
  streamEventLineSchema,
} from "./protocol.schema";

/**
 * Why nothing more of the process is wanted. Each stands before a request that nobody ordered: after `length` it asks its model up to
 * three times to go on, after `empty` it asks once more, and `repeated` is such a request that has begun.
 */
export type EarlyEnd = "length" | "empty" | "repeated";

export interface ClaudeTranslator {
  /** Takes one line. False for one that is no message of the program, which is passed over. */
  push(line: string): boolean;
  /** What the model has said: the object it was asked for as it wrote it, else its text. */
  readonly said: string;
  /** Characters of all it has said. Only rises. */
  readonly characters: number;
  /** The same in UTF-8. */
  readonly bytes: number;
  /** The answer is complete where this is set, whatever the process does next. */
  readonly earlyEnd: EarlyEnd | null;
  /** The last line, once it has come. */
  readonly result: ResultLine | null;
  /** The model that answered, by its own name; undefined while nobody has said. */
  readonly servedModel: string | undefined;
  readonly stopReason: string | null;
  /** Tokens of the whole turn; cached ones count as prompt. */
  readonly usage: TokenUsage | undefined;
}

/** What the program says in its own name is not its model's. */
const OWN_WORDS = "<synthetic>";

export function createClaudeTranslator(): ClaudeTranslator {
  const text: string[] = [];
  const structured: string[] = [];
  const streamed = new Set<string>();
  let characters = 0;
  let bytes = 0;
  let messages = 0;
  let earlyEnd: EarlyEnd | null = null;
  let result: ResultLine | null = null;
  let servedModel: string | undefined;
  let stopReason: string | null = null;
  let begun: NativeUsage | null = null;
  let ended: NativeUsage | null = null;

  function add(to: string[], piece: string): void {
    to.push(piece);
    characters += piece.length;
    bytes += Buffer.byteLength(piece);
  }

  function takeEvent({ type, message, delta, usage }: StreamEvent): void {
    if (type === "message_start") {
      messages += 1;
      if (messages > 1) {
        earlyEnd ??= "repeated";
        return;
      }
      if (message?.id) streamed.add(message.id);
      servedModel = message?.model || servedModel;
      begun = message?.usage ?? null;
    } else if (type === "content_block_delta" && messages <= 1) {
      if (delta?.type === "text_delta") add(text, delta.text ?? "");
      if (delta?.type === "input_json_delta") add(structured, delta.partial_json ?? "");
    } else if (type === "message_delta" && messages <= 1) {
      ended = usage ?? ended;
      stopReason = delta?.stop_reason ?? stopReason;
      if (stopReason === "max_tokens") earlyEnd ??= "length";
      else if (stopReason !== null && stopReason !== "refusal" && characters === 0) earlyEnd ??= "empty";
    }
  }

  /** A message whose pieces were not passed on comes as a whole. */
  function takeMessage(line: unknown): boolean {
    const parsed = assistantLineSchema.safeParse(line);
    if (!parsed.success) return false;
    const { message, is_api_error_message: isOwn } = parsed.data;
    if (isOwn === true || message.model === OWN_WORDS || (message.id && streamed.has(message.id))) return true;
    servedModel ??= message.model || undefined;
    for (const block of message.content) {
      if (block.type === "text") add(text, block.text ?? "");
      if (block.type === "tool_use") add(structured, JSON.stringify(block.input) ?? "");
    }
    return true;
  }

  return {
    push(line) {
      const json = parseOrNull(line);
      const kind = anyLineSchema.safeParse(json);
      if (!kind.success) return false;
      switch (kind.data.type) {
        case "stream_event": {
          const parsed = streamEventLineSchema.safeParse(json);
          if (parsed.success) takeEvent(parsed.data.event);
          return parsed.success;
        }
        case "assistant":
          return takeMessage(json);
        case "result": {
          const parsed = resultLineSchema.safeParse(json);
          if (parsed.success) result ??= parsed.data;
          return parsed.success;
        }
        // Of the rest many are known and none is needed; new ones come with each version.
        default:
          return true;
      }
    },
    get said() {
      const object = structured.join("");
      return object === "" ? text.join("") : object;
    },
    get characters() {
      return characters;
    },
    get bytes() {
      return bytes;
    },
    get earlyEnd() {
      return earlyEnd;
    },
    get result() {
      return result;
    },
    get servedModel() {
      return servedModel ?? mostUsedModel(result);
    },
    get stopReason() {
      return result?.stop_reason ?? stopReason;
    },
    get usage() {
      return (
        usageOf(result?.usage, toldCost(result)) ??
        // What is told at the beginning is not what it came to.
        usageOf(begun === null || ended === null ? null : { ...begun, output_tokens: ended.output_tokens ?? begun.output_tokens })
      );
    },
  };
}

/** Zero and zero is what a result says whose turn failed. */
function usageOf(usage: NativeUsage | null | undefined, costUsd?: number): TokenUsage | undefined {
  if (!usage) return undefined;
  const {
    input_tokens: fresh,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: output,
    output_tokens_details: details,
  } = usage;
  // Anthropic tells the cache's part beside the rest, not within it.
  const prompt = (fresh ?? 0) + (read ?? 0) + (written ?? 0);
  return usageOfCounts({
    prompt,
    completion: output ?? 0,
    cached: read,
    cacheWrite: written,
    reasoning: details?.thinking_tokens,
    costUsd,
  });
}

/** The program knows the prices of its maker's models; of another one, behind another address, it only guesses. */
function toldCost(result: ResultLine | null): number | undefined {
  const models = Object.keys(result?.modelUsage ?? {});
  const isKnown = models.length > 0 && models.every((model) => model.startsWith("claude-"));
  return isKnown ? (result?.total_cost_usd ?? undefined) : undefined;
}

function mostUsedModel(result: ResultLine | null): string | undefined {
  const models = Object.entries(result?.modelUsage ?? {});
  return models.sort(([, left], [, right]) => (right.outputTokens ?? 0) - (left.outputTokens ?? 0))[0]?.[0];
}

function parseOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
