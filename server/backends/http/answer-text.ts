/** The text of an answer while it grows: bounded, and joined only when somebody reads it. */
import { BackendError, type FinishReason } from "@/server/backends/backend";
import { boundedMessage, type FailureContext, partialTextOf } from "./failure";

export interface AnswerText {
  /** Throws a `BackendError` with the piece that passes the limit, which is the last that is kept. */
  add(piece: string): void;
  /** The text anew, when the server tells the whole of it. Bounded as well. */
  replace(whole: string): void;
  readonly text: string;
  /** UTF-16 units so far. */
  readonly characters: number;
  /** For an error: what was said, without secrets. Looks through all of the text, so it is not for every piece. */
  partial(): { partialText?: string };
}

/** `maxBytes` bounds the text in UTF-8. */
export function createAnswerText(context: FailureContext, maxBytes: number): AnswerText {
  const parts: string[] = [];
  let characters = 0;
  let bytes = 0;

  const text = () => {
    // Joined once and kept, so that reading it again costs nothing.
    if (parts.length > 1) parts.splice(0, parts.length, parts.join(""));
    return parts[0] ?? "";
  };
  const partial = () => partialTextOf(context, text());

  function add(piece: string): void {
    if (piece === "") return;
    const size = Buffer.byteLength(piece);
    bytes += size === piece.length ? size : size - joinedBytes(parts.at(-1), piece);
    parts.push(piece);
    characters += piece.length;
    if (bytes <= maxBytes) return;
    throw new BackendError(
      "backend-response-invalid",
      `${context.providerName}: the answer is longer than ${maxBytes} bytes, which are accepted at most; it was not read further.`,
      { ...partial(), retryable: false },
    );
  }

  return {
    add,
    replace(whole) {
      parts.length = 0;
      characters = 0;
      bytes = 0;
      add(whole);
    },
    get text() {
      return text();
    },
    get characters() {
      return characters;
    },
    partial,
  };
}

/** Bytes that two pieces need less when they are joined: each half of a surrogate pair alone takes three, the pair four. */
function joinedBytes(before: string | undefined, piece: string): number {
  return before !== undefined && /[\uD800-\uDBFF]$/.test(before.slice(-1)) && /^[\uDC00-\uDFFF]/.test(piece) ? 2 : 0;
}

/** The failure of a stream that ended before the model did. */
export function endedEarly(context: FailureContext, text: AnswerText): BackendError {
  return new BackendError(
    "provider-unavailable",
    `${context.providerName} ended its answer before the model had finished.`,
    text.partial(),
  );
}

/**
 * The failure of an answer without text, by why there is none. `refusal` holds the model's own words, or is empty; `text` what
 * came on the way and is no answer.
 */
export function saidNothing(context: FailureContext, finish: FinishReason, refusal: string, text: AnswerText): BackendError {
  return new BackendError("backend-response-invalid", emptyReason(context, finish, refusal), text.partial());
}

function emptyReason(context: FailureContext, finish: FinishReason, refusal: string): string {
  const said = boundedMessage(context, refusal);
  if (said !== "") return `${context.providerName}: the model refused: ${said}`;
  if (finish === "content_filter") return `${context.providerName}: a content filter of the provider left nothing of the answer.`;
  if (finish === "length") return `${context.providerName}: the token limit was reached before the model said anything.`;
  return `${context.providerName} answered without any text.`;
}

/** The data of one event as JSON. Throws a `BackendError` for anything else. */
export function jsonPiece(context: FailureContext, data: string, text: AnswerText): unknown {
  try {
    return JSON.parse(data);
  } catch {
    // No cause: the parser's message repeats the text.
    throw new BackendError("backend-json-parse-error", `${context.providerName} sent a piece that is not JSON.`, text.partial());
  }
}

/** The failure of a piece that is JSON of an unknown form. `path` is the place in it, from a schema's first issue. */
export function unknownForm(context: FailureContext, path: readonly PropertyKey[] | undefined, text: AnswerText): BackendError {
  const where = path?.join(".") || "the whole";
  return new BackendError(
    "backend-protocol-error",
    `${context.providerName} sent a piece of an unknown form (at ${where}).`,
    text.partial(),
  );
}
