/** Answers of a Messages API endpoint, as scripts of the loopback upstream. Frames are whole SSE events. */
import { cutAfter, hangAfter, jsonAnswer, type Script, sseAnswer } from "./loopback-upstream";

let made = 0;
const freshId = (prefix: string): string => `${prefix}_${String(++made).padStart(4, "0")}`;

/** Characters of text in one delta. */
const PIECE_LENGTH = 12;

function frame(type: string, members: Record<string, unknown> = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

export interface MessageUsage {
  input: number;
  output: number;
  cacheRead?: number;
  cacheCreation?: number;
}

const USUAL_USAGE: MessageUsage = { input: 11, output: 7 };

export interface MessageOptions {
  /** The model that is said to have answered. */
  model?: string;
  usage?: MessageUsage;
  stopReason?: string;
}

type Block = { type: "text"; text: string } | { type: "tool_use"; name: string; input: unknown };

function beginning({ model = "claude-served-1", usage = USUAL_USAGE }: MessageOptions): string {
  const { input, cacheRead = 0, cacheCreation = 0 } = usage;
  return frame("message_start", {
    message: {
      id: freshId("msg"),
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: input,
        cache_creation_input_tokens: cacheCreation,
        cache_read_input_tokens: cacheRead,
        output_tokens: 1,
      },
    },
  });
}

function blockFrames(block: Block, index: number): string[] {
  const [opened, delta, whole] =
    block.type === "text"
      ? [{ type: "text", text: "" }, (text: string) => ({ type: "text_delta", text }), block.text]
      : [
          { type: "tool_use", id: freshId("toolu"), name: block.name, input: {} },
          (text: string) => ({ type: "input_json_delta", partial_json: text }),
          JSON.stringify(block.input),
        ];
  const frames = [frame("content_block_start", { index, content_block: opened })];
  for (let at = 0; at < whole.length; at += PIECE_LENGTH)
    frames.push(frame("content_block_delta", { index, delta: delta(whole.slice(at, at + PIECE_LENGTH)) }));
  return [...frames, frame("content_block_stop", { index })];
}

function ending(stopReason: string, { output }: MessageUsage): string[] {
  return [
    frame("message_delta", {
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: output },
    }),
    frame("message_stop"),
  ];
}

function message(block: Block, usualStop: string, options: MessageOptions): Script {
  return sseAnswer([
    beginning(options),
    ...blockFrames(block, 0),
    ...ending(options.stopReason ?? usualStop, options.usage ?? USUAL_USAGE),
  ]);
}

/** A whole answer in words. */
export const saying = (text: string, options: MessageOptions = {}): Script =>
  message({ type: "text", text }, "end_turn", options);

/** A whole answer that calls a tool with `input`. */
export const calling = (name: string, input: unknown, options: MessageOptions = {}): Script =>
  message({ type: "tool_use", name, input }, "tool_use", options);

/** The beginning of an answer: its text in pieces, no end. */
const unfinished = (text: string): string[] => [beginning({}), ...blockFrames({ type: "text", text }, 0).slice(0, -1)];

/** Says `text` and why it stops, and not that it has; ends when the client hangs up. */
export const stopping = (text: string, stopReason: string): Script =>
  hangAfter([
    beginning({}),
    ...(text === "" ? [] : blockFrames({ type: "text", text }, 0)),
    ...ending(stopReason, USUAL_USAGE).slice(0, 1),
  ]);

/** Says `text`, then nothing more; ends when the client hangs up. */
export const silentAfter = (text: string): Script => hangAfter(unfinished(text));

/** Says `text`, then the connection is reset. */
export const cutOffAfter = (text: string): Script => cutAfter(unfinished(text));

/** 200, some text, and an error event in the stream. */
export const failingAfter = (text: string, type: string, said: string): Script =>
  sseAnswer([...unfinished(text), frame("error", { error: { type, message: said } })]);

/** A refusal as Anthropic writes it. */
export function messagesError(status: number, type: string, said: string, headers: Record<string, string> = {}): Script {
  return jsonAnswer(status, { type: "error", error: { type, message: said }, request_id: "req_1" }, headers);
}
