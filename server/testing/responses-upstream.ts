/** A Responses API endpoint on 127.0.0.1 for agent runtimes: the loopback upstream, with requests read as Responses requests. */
import { type LoopbackUpstream, type RecordedRequest, type Script, startLoopbackUpstream } from "./loopback-upstream";

export interface ResponsesRequest {
  method: string;
  path: string;
  /** The header as it came, `Bearer …`; null when there was none. */
  authorization: string | null;
  /** Parsed; `{}` for a request without a body or with one that is no JSON object. */
  body: Readonly<Record<string, unknown>>;
  /** `body.model`, or "". */
  model: string;
  /** Text of the last user message in `body.input`, or "". */
  prompt: string;
  /** Outputs of tool calls that `body.input` holds, in order. */
  toolOutputs: readonly { callId: string; output: string }[];
}

export interface ResponsesUpstream {
  /** `http://127.0.0.1:<port>/v1`; a runtime posts to `<baseUrl>/responses`. */
  readonly baseUrl: string;
  readonly requests: readonly ResponsesRequest[];
  /** Answers for the next requests that have none yet; first come, first served. */
  next(...scripts: Script[]): void;
  /** Chooses the answer of every request for which none is queued. Without it such a request gets 500. */
  otherwise(choose: (request: ResponsesRequest) => Script): void;
  /** Resolves as soon as so many requests have come in. */
  received(count: number): Promise<void>;
  /** Resolves as soon as so many connections have ended, for whatever reason. */
  disconnected(count: number): Promise<void>;
  readonly openConnections: number;
  close(): Promise<void>;
}

export async function startResponsesUpstream(): Promise<ResponsesUpstream> {
  const loopback: LoopbackUpstream = await startLoopbackUpstream();
  return {
    baseUrl: loopback.baseUrl,
    get requests() {
      return loopback.requests.map(read);
    },
    get openConnections() {
      return loopback.openConnections;
    },
    next: (...scripts) => loopback.next(...scripts),
    otherwise: (choose) => loopback.otherwise((exchange) => choose(read(exchange.request))(exchange)),
    received: (count) => loopback.received(count),
    disconnected: (count) => loopback.disconnected(count),
    close: () => loopback.close(),
  };
}

function read({ method, path, headers, body: text }: RecordedRequest): ResponsesRequest {
  const { authorization } = headers;
  const body = parse(text);
  const input = (Array.isArray(body.input) ? body.input : []).filter(isObject);
  const user = input.filter(({ role }) => role === "user").at(-1);
  return {
    method,
    path,
    authorization: typeof authorization === "string" ? authorization : null,
    body,
    model: typeof body.model === "string" ? body.model : "",
    prompt: textOf(user?.content),
    toolOutputs: input
      .filter(({ type }) => type === "function_call_output" || type === "custom_tool_call_output")
      .map(({ call_id: callId, output }) => ({ callId: String(callId), output: textOf(output) })),
  };
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Content is a text, or a list of parts with a `text` each. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (isObject(part) && typeof part.text === "string" ? part.text : "")).join("");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
