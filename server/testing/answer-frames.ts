/** The frames of streamed answers in the protocols beside the chat one, as their providers send them. */
export interface ScriptedAnswer {
  text?: string;
  model?: string;
  /** The protocol's own reason to stop; null = the stream ends before it. */
  stop?: string | null;
  usage?: Record<string, unknown> | null;
  /** Characters of text in one event. */
  pieceLength?: number;
}

function event(data: { type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}

/** Anthropic's Messages: start, a thinking block, a text block, the stop reason with its usage, stop. `usage` is that of the end. */
export function messageFrames(answer: ScriptedAnswer = {}): string[] {
  const {
    text = '{"insights":[]}',
    model = "served-1",
    stop = "end_turn",
    usage = { output_tokens: 7 },
    pieceLength = 5,
  } = answer;
  const message = { id: "msg_1", type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
  return [
    event({ type: "message_start", message: { ...message, usage: { input_tokens: 11, output_tokens: 1 } } }),
    event({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } }),
    event({ type: "ping" }),
    event({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } }),
    event({ type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2ln" } }),
    event({ type: "content_block_stop", index: 0 }),
    event({ type: "content_block_start", index: 1, content_block: { type: "text", text: "" } }),
    ...piecesOf(text, pieceLength).map((piece) =>
      event({ type: "content_block_delta", index: 1, delta: { type: "text_delta", text: piece } }),
    ),
    event({ type: "content_block_stop", index: 1 }),
    ...(stop === null
      ? []
      : [
          event({
            type: "message_delta",
            delta: { stop_reason: stop, stop_sequence: null },
            ...(usage === null ? {} : { usage }),
          }),
          event({ type: "message_stop" }),
        ]),
  ];
}

/** OpenAI's Responses: created, reasoning, the message with its deltas, the whole response. `stop` is its last event's name. */
export function responseFrames(answer: ScriptedAnswer & { incomplete?: string; error?: Record<string, unknown> } = {}): string[] {
  const {
    text = '{"insights":[]}',
    model = "served-1",
    stop = answer.incomplete === undefined ? "completed" : "incomplete",
    usage = { input_tokens: 11, output_tokens: 7 },
    pieceLength = 5,
  } = answer;
  const response = { id: "resp_1", object: "response", status: "in_progress", model, error: null, output: [], usage: null };
  const reasoning = { id: "rs_1", type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "hm" }] };
  const part = { type: "output_text", text, annotations: [] };
  const message = { id: "msg_1", type: "message", role: "assistant", status: "completed", content: [part] };
  const place = { item_id: "msg_1", output_index: 1, content_index: 0 };
  return [
    event({ type: "response.created", response }),
    event({ type: "response.in_progress", response }),
    event({ type: "response.reasoning_text.delta", item_id: "rs_1", delta: "hm" }),
    event({ type: "response.output_item.done", output_index: 0, item: reasoning }),
    event({ type: "response.output_item.added", output_index: 1, item: { ...message, status: "in_progress", content: [] } }),
    ...piecesOf(text, pieceLength).map((piece) => event({ type: "response.output_text.delta", ...place, delta: piece })),
    event({ type: "response.output_text.done", ...place, text }),
    event({ type: "response.output_item.done", output_index: 1, item: message }),
    ...(stop === null
      ? []
      : [
          event({
            type: `response.${stop}`,
            response: {
              ...response,
              status: stop,
              error: answer.error ?? null,
              incomplete_details: answer.incomplete === undefined ? null : { reason: answer.incomplete },
              output: [reasoning, ...(text === "" ? [] : [message])],
              usage,
            },
          }),
        ]),
  ];
}
