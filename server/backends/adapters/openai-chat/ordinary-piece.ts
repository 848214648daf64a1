/** Reads the piece of a stream that nearly every piece is, without the schema: a turn has hundreds, and each would pay 5 us. */
import type { ChatPiece } from "./protocol.schema";

type Choice = NonNullable<ChatPiece["choices"]>[number];
type Message = NonNullable<Choice["delta"]>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * What `chatPieceSchema` makes of a piece whose choices hold plain text, or null for any other, which is for the schema to
 * judge: usage, an error, a status of MiniMax, text in parts, or anything of a form that is not known. `json` comes from
 * `JSON.parse`.
 */
export function ordinaryPiece(json: unknown): ChatPiece | null {
  if (!isFields(json)) return null;
  const { model, provider, choices, usage, error, base_resp: status } = json;
  if (
    !isTextOrNone(model) ||
    !isTextOrNone(provider) ||
    !isNone(usage) ||
    !isNone(error) ||
    !isNone(status) ||
    !Array.isArray(choices)
  )
    return null;
  const read: Choice[] = [];
  for (const item of choices) {
    const choice = ordinaryChoice(item);
    if (choice === null) return null;
    read.push(choice);
  }
  const piece: ChatPiece = { choices: read };
  if (model !== undefined) piece.model = model;
  if (provider !== undefined) piece.provider = provider;
  if (usage !== undefined) piece.usage = usage;
  if (error !== undefined) piece.error = error;
  if (status !== undefined) piece.base_resp = status;
  return piece;
}

function ordinaryChoice(json: unknown): Choice | null {
  if (!isFields(json)) return null;
  const { index, delta, message, finish_reason: finish } = json;
  if (!isCountOrNone(index) || !isNone(message) || !isTextOrNone(finish)) return null;
  const choice: Choice = {};
  if (index !== undefined) choice.index = index;
  if (message !== undefined) choice.message = message;
  if (finish !== undefined) choice.finish_reason = finish;
  if (delta === null) choice.delta = null;
  else if (delta !== undefined) {
    if (!isFields(delta)) return null;
    const { content, refusal } = delta;
    if (!isTextOrNone(content) || !isTextOrNone(refusal)) return null;
    const read: Message = {};
    if (content !== undefined) read.content = content;
    if (refusal !== undefined) read.refusal = refusal;
    choice.delta = read;
  }
  return choice;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNone(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isTextOrNone(value: unknown): value is string | null | undefined {
  return typeof value === "string" || isNone(value);
}

/** `1e999` is a number of JSON too, and none to the schema. */
function isCountOrNone(value: unknown): value is number | null | undefined {
  return Number.isFinite(value) || isNone(value);
}
