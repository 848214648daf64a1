/**
 * Answers of a Responses API endpoint, as scripts of the loopback upstream. Frames are whole SSE events; ids are fresh in each
 * answer, because an agent runtime takes an item with a known id for the same item.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import { cutAfter, EVENT_STREAM, hang, hangAfter, jsonAnswer, type Script, sseAnswer, textAnswer } from "./loopback-upstream";

let made = 0;
const freshId = (prefix: string): string => `${prefix}_${String(++made).padStart(4, "0")}`;

/** Characters of text in one delta. */
const PIECE_LENGTH = 12;

export function frame(type: string, members: Record<string, unknown> = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

const created = (): string => frame("response.created", { response: { id: freshId("resp") } });

export interface Usage {
  input: number;
  output: number;
  reasoning?: number;
  cached?: number;
}

/** The end of an answer that went well. */
export function completedFrame({ input, output, reasoning = 0, cached = 0 }: Usage = { input: 11, output: 7 }): string {
  return frame("response.completed", {
    response: {
      id: freshId("resp"),
      usage: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: cached },
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: reasoning },
        total_tokens: input + output,
      },
    },
  });
}

const itemFrame = (step: "added" | "done", item: unknown): string =>
  frame(`response.output_item.${step}`, { item, output_index: 0 });

function deltaFrames(type: string, members: Record<string, unknown>, text: string): string[] {
  const frames: string[] = [];
  for (let at = 0; at < text.length; at += PIECE_LENGTH) {
    frames.push(frame(type, { ...members, delta: text.slice(at, at + PIECE_LENGTH) }));
  }
  return frames;
}

export type MessagePhase = "commentary" | "partial_answer" | "final_answer";

/** A message: its beginning, its text in pieces, and the whole item. */
export function messageFrames(
  text: string,
  { phase, id = freshId("msg") }: { phase?: MessagePhase; id?: string } = {},
): string[] {
  const item = { type: "message", id, role: "assistant", ...(phase ? { phase } : {}) };
  return [
    itemFrame("added", { ...item, status: "in_progress", content: [] }),
    ...deltaFrames("response.output_text.delta", { item_id: id, output_index: 0, content_index: 0 }, text),
    itemFrame("done", { ...item, status: "completed", content: [{ type: "output_text", text, annotations: [] }] }),
  ];
}

/** A thought: summary and text in pieces, and the whole item. */
export function reasoningFrames(summary: string, text: string, id: string = freshId("rs")): string[] {
  return [
    itemFrame("added", { type: "reasoning", id, summary: [] }),
    frame("response.reasoning_summary_part.added", { item_id: id, summary_index: 0, part: { type: "summary_text", text: "" } }),
    ...deltaFrames("response.reasoning_summary_text.delta", { item_id: id, summary_index: 0 }, summary),
    ...deltaFrames("response.reasoning_text.delta", { item_id: id, content_index: 0 }, text),
    itemFrame("done", {
      type: "reasoning",
      id,
      summary: [{ type: "summary_text", text: summary }],
      content: [{ type: "reasoning_text", text }],
    }),
  ];
}

/** A call of any function tool; the runtime answers with another request that holds a `function_call_output`. */
export function functionCallFrames(name: string, parameters: unknown, callId: string = freshId("call")): string[] {
  const call = { type: "function_call", call_id: callId, name, arguments: JSON.stringify(parameters) };
  return [itemFrame("done", { id: freshId("fc"), ...call })];
}

export interface CommandCall {
  /** Asks to run outside the sandbox, which an approval policy of `on-request` leaves to a person. */
  escalated?: boolean;
  /** Milliseconds after which the runtime goes on without waiting for the command's end. */
  yieldMs?: number;
  callId?: string;
}

export function commandFrames(command: string, { escalated = false, yieldMs, callId }: CommandCall = {}): string[] {
  const parameters = {
    cmd: command,
    ...(escalated ? { sandbox_permissions: "require_escalated", justification: "the command needs it" } : {}),
    ...(yieldMs === undefined ? {} : { yield_time_ms: yieldMs }),
  };
  return functionCallFrames("exec_command", parameters, callId);
}

/** `patch` in the runtime's own format: `*** Begin Patch … *** End Patch`. */
export function patchFrames(patch: string, callId: string = freshId("call")): string[] {
  return [
    itemFrame("done", { type: "custom_tool_call", id: freshId("ctc"), call_id: callId, name: "apply_patch", input: patch }),
  ];
}

/** A whole answer of these items. */
export function answer(...items: readonly (readonly string[])[]): Script {
  return sseAnswer([created(), ...items.flat(), completedFrame()]);
}

export const reply = (text: string): Script => answer(messageFrames(text));

export const twoMessages = (first: string, last: string): Script =>
  answer(messageFrames(first, { phase: "commentary" }), messageFrames(last, { phase: "final_answer" }));

export const reasonedReply = (summary: string, thought: string, text: string): Script =>
  answer(reasoningFrames(summary, thought), messageFrames(text));

export const runCommand = (command: string, call: CommandCall = {}): Script => answer(commandFrames(command, call));

export const applyPatch = (patch: string): Script => answer(patchFrames(patch));

export const askUser = (question: string, options: readonly string[]): Script =>
  answer(
    functionCallFrames("request_user_input", {
      questions: [{ id: "q1", header: "Choice", question, options: options.map((label) => ({ label, description: label })) }],
    }),
  );

/** Completed, and nothing in it. */
export const nothing = (): Script => answer();

export const emptyMessage = (): Script => reply("");

/** Text in pieces, and the whole item never comes. */
export const onlyDeltas = (text: string): Script => answer(messageFrames(text).slice(0, -1));

/** The beginning of an answer: headers, `response.created`, a started message and its text, no end. */
export const unfinishedFrames = (text: string): string[] => [created(), ...messageFrames(text).slice(0, -1)];

/** A refusal in the shape OpenAI gives it. */
export function refusal(status: number, code: string | null, message: string, headers: Record<string, string> = {}): Script {
  return jsonAnswer(status, { error: { message, type: code ?? "error", param: null, code } }, headers);
}

export const unauthorized = refusal(401, "invalid_api_key", "Incorrect API key provided.");
export const paymentRequired = refusal(402, "insufficient_balance", "Insufficient Balance");
export const forbidden = refusal(403, "forbidden", "Country, region, or territory not supported.");
export const notFound = refusal(404, null, "There is nothing at this address.");
export const modelNotFound = refusal(404, "model_not_found", "The model does not exist or you do not have access to it.");
export const badRequest = refusal(400, "invalid_request_error", "Unsupported parameter: tools[3].");
export const quotaExceeded = refusal(429, "insufficient_quota", "You exceeded your current quota.");
export const serverError = refusal(500, "server_error", "The server had an error.");
export const badGateway = textAnswer(502, "<html><body><h1>502 Bad Gateway</h1></body></html>", { "content-type": "text/html" });
export const unavailable = refusal(503, null, "Service Unavailable");
export const overloaded = refusal(503, "server_is_overloaded", "The server is overloaded.");

export const tooManyRequests = (retryAfterSeconds: number | null = null): Script =>
  refusal(
    429,
    "rate_limit_exceeded",
    "Rate limit reached for requests.",
    retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) },
  );

/** 200, and the failure is in the stream. `code`: `rate_limit_exceeded`, `insufficient_quota`, `server_is_overloaded`, `server_error`, … */
export const failedResponse = (code: string, message: string): Script =>
  sseAnswer([
    created(),
    frame("response.failed", { response: { id: freshId("resp"), status: "failed", error: { code, message } } }),
  ]);

export const contextTooLong = (): Script =>
  failedResponse("context_length_exceeded", "Your input exceeds the context window of this model.");

export const incompleteResponse = (reason: "max_output_tokens" | "content_filter", text = "The beginning of"): Script =>
  sseAnswer([
    ...unfinishedFrames(text),
    frame("response.incomplete", { response: { id: freshId("resp"), status: "incomplete", incomplete_details: { reason } } }),
  ]);

/** Takes the request and sends nothing at all, not even headers. */
export const noHeaders: Script = hang;

/** Headers, the beginning of an answer when `text` is given, then silence. */
export const silence = (text: string | null = null): Script => hangAfter(text === null ? [] : unfinishedFrames(text));

/** The connection is reset in the middle of a message. */
export const cutStream = (text: string): Script => cutAfter(unfinishedFrames(text));

/** The connection is reset after a whole message, before the answer's own end. */
export const cutAfterMessage = (text: string): Script => cutAfter([created(), ...messageFrames(text)]);

/** The stream ends as it should, without `response.completed`. */
export const endWithoutCompleted = (text: string): Script => sseAnswer(unfinishedFrames(text));

/** Events whose data is no JSON, then the end. */
export const malformedEvents: Script = sseAnswer(["event: response.created\ndata: {not json\n\n", "data: neither is this\n\n"]);

/** 200 with one JSON body where a stream was asked for. */
export const jsonInsteadOfEvents: Script = jsonAnswer(200, {
  id: "resp_json",
  object: "response",
  status: "completed",
  output: [],
});

/** Sends nothing before `released`; then it is the other script's turn. Ends by itself when the client hangs up first. */
export function held(released: Promise<unknown>, script: Script): Script {
  return async (exchange) => {
    const isFree = await Promise.race([released.then(() => true), exchange.gone.then(() => false)]);
    if (isFree) await script(exchange);
  };
}

/** A reply whose pieces go out `everyMs` apart: for benchmarks and recordings; a test holds an answer instead. */
export function slowReply(text: string, everyMs: number): Script {
  return async ({ response, gone }) => {
    let isOpen = true;
    void gone.then(() => {
      isOpen = false;
    });
    response.writeHead(200, EVENT_STREAM);
    for (const piece of [created(), ...messageFrames(text), completedFrame()]) {
      if (!isOpen) return;
      response.write(piece);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    response.end();
  };
}

/** A base URL at whose port nobody listens. */
export async function refusedBaseUrl(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a listening TCP server has a port");
  return `http://127.0.0.1:${address.port}/v1`;
}
