/** From the pieces of a chat answer to its text. Pure: no network, no clock; one translator per turn. */
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import { BackendError, type FinishReason } from "@/server/backends/backend";
import { boundedMessage, type FailureContext, failureOfMiniMaxStatus, failureOfProviderError, partialTextOf } from "./failure";
import { ordinaryPiece } from "./ordinary-piece";
import { type ChatPiece, chatPieceSchema } from "./protocol.schema";

export interface ChatTranslator {
  /** Takes the data of one event, or a whole single answer. Throws a `BackendError` for anything that is not a good piece. */
  push(data: string): void;
  /** What the model has said so far. */
  readonly text: string;
  readonly characters: number;
  /** The model has finished: a finish reason was given, or `[DONE]`. */
  readonly isFinished: boolean;
  /** `[DONE]` came: nothing follows. */
  readonly isDone: boolean;
  /** The whole answer. Throws when the stream ended before the model did, or when the model said nothing. */
  result(): { text: string; finishReason: FinishReason; usage?: TokenUsage; servedModel?: string };
}

/**
 * Facts the protocol does not state: usage comes after the finish reason, in a piece without choices; some servers end
 * without `[DONE]`. `maxTextBytes` bounds the text in UTF-8; the piece that passes it is the last that is read.
 */
export function createChatTranslator(context: FailureContext, maxTextBytes: number = Number.POSITIVE_INFINITY): ChatTranslator {
  const parts: string[] = [];
  let characters = 0;
  let bytes = 0;
  let refusal = "";
  let finish: string | undefined;
  let isDone = false;
  let usage: TokenUsage | undefined;
  let servedModel: string | undefined;

  const text = () => {
    // Joined once and kept, so that reading it again costs nothing.
    if (parts.length > 1) parts.splice(0, parts.length, parts.join(""));
    return parts[0] ?? "";
  };

  // Only for an error: it looks through all of the text, and there are hundreds of pieces.
  const partialText = () => partialTextOf(context, text());

  function add(piece: string): void {
    if (piece === "") return;
    const size = Buffer.byteLength(piece);
    bytes += size === piece.length ? size : size - joinedBytes(parts.at(-1), piece);
    parts.push(piece);
    characters += piece.length;
    if (bytes <= maxTextBytes) return;
    throw new BackendError(
      "backend-response-invalid",
      `${context.providerName}: the answer is longer than ${maxTextBytes} bytes, which are accepted at most; it was not read further.`,
      { ...partialText(), retryable: false },
    );
  }

  function takeChoice(choice: NonNullable<ChatPiece["choices"]>[number]): void {
    // With `n` unset there is one choice; a server that sends more must not have them mixed up.
    if ((choice.index ?? 0) !== 0) return;
    add(textOf(choice.delta?.content));
    if (characters === 0) add(textOf(choice.message?.content));
    refusal += choice.delta?.refusal ?? choice.message?.refusal ?? "";
    if (choice.finish_reason === "error")
      throw failureOfProviderError(context, { code: 502, message: "the model's answer ended with an error" }, text());
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
      const piece = parsePiece(context, trimmed, partialText);
      if (piece.base_resp && piece.base_resp.status_code !== 0) {
        throw failureOfMiniMaxStatus(context, piece.base_resp.status_code, piece.base_resp.status_msg ?? "", text());
      }
      if (piece.error !== null && piece.error !== undefined && piece.error !== "")
        throw failureOfProviderError(context, piece.error, text());
      servedModel = piece.model || servedModel;
      usage = usageOf(piece.usage) ?? usage;
      for (const choice of piece.choices ?? []) takeChoice(choice);
    },
    get text() {
      return text();
    },
    get characters() {
      return characters;
    },
    get isFinished() {
      return isDone || finish !== undefined;
    },
    get isDone() {
      return isDone;
    },
    result() {
      if (!isDone && finish === undefined) {
        throw new BackendError(
          "provider-unavailable",
          `${context.providerName} ended its answer before the model had finished.`,
          partialText(),
        );
      }
      if (text().trim() === "") throw new BackendError("backend-response-invalid", emptyReason(context, finish, refusal));
      return {
        text: text(),
        finishReason: finishReasonOf(finish),
        ...(usage === undefined ? {} : { usage }),
        ...(servedModel === undefined ? {} : { servedModel }),
      };
    },
  };
}

/** Bytes that two pieces need less when they are joined: each half of a surrogate pair alone takes three, the pair four. */
function joinedBytes(before: string | undefined, piece: string): number {
  return before !== undefined && /[\uD800-\uDBFF]$/.test(before.slice(-1)) && /^[\uDC00-\uDFFF]/.test(piece) ? 2 : 0;
}

function parsePiece(context: FailureContext, data: string, partial: () => { partialText?: string }): ChatPiece {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    // No cause: the parser's message repeats the text.
    throw new BackendError("backend-json-parse-error", `${context.providerName} sent a piece that is not JSON.`, partial());
  }
  const ordinary = ordinaryPiece(json);
  if (ordinary !== null) return ordinary;
  const piece = chatPieceSchema.safeParse(json);
  if (piece.success) return piece.data;
  const where = piece.error.issues[0]?.path.join(".") || "the whole";
  throw new BackendError(
    "backend-protocol-error",
    `${context.providerName} sent a piece of an unknown form (at ${where}).`,
    partial(),
  );
}

function textOf(content: string | { text?: string | null | undefined }[] | null | undefined): string {
  if (typeof content === "string") return content;
  return content?.map((part) => part.text ?? "").join("") ?? "";
}

/** Zero and zero is what servers say that do not count. */
function usageOf(usage: ChatPiece["usage"]): TokenUsage | undefined {
  const promptTokens = usage?.prompt_tokens;
  const completionTokens = usage?.completion_tokens;
  if (typeof promptTokens !== "number" || typeof completionTokens !== "number") return undefined;
  return promptTokens + completionTokens === 0 ? undefined : { promptTokens, completionTokens };
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

function emptyReason(context: FailureContext, finish: string | undefined, refusal: string): string {
  const said = boundedMessage(context, refusal);
  if (said !== "") return `${context.providerName}: the model refused: ${said}`;
  if (finish === "content_filter") return `${context.providerName}: a content filter of the provider left nothing of the answer.`;
  if (finish === "length") return `${context.providerName}: the token limit was reached before the model said anything.`;
  return `${context.providerName} answered without any text.`;
}
