/** A Messages API endpoint on 127.0.0.1 for runtimes that speak to Anthropic: the loopback upstream, with requests read as Messages requests. */
import { type LoopbackUpstream, type RecordedRequest, type Script, startLoopbackUpstream } from "./loopback-upstream";

export interface MessagesRequest {
  method: string;
  /** With its query. */
  path: string;
  /** The header `x-api-key` as it came; null when there was none. */
  apiKey: string | null;
  /** The header `authorization` as it came, `Bearer …`; null when there was none. */
  authorization: string | null;
  /** Parsed; `{}` for a request without a body or with one that is no JSON object. */
  body: Readonly<Record<string, unknown>>;
  /** `body.model`, or "". */
  model: string;
  /** All text of `body.system`, or "". */
  system: string;
  /** Text of all user messages in `body.messages`, or "". */
  prompt: string;
}

export interface MessagesUpstream {
  /** `http://127.0.0.1:<port>/v1`; a runtime posts to `<baseUrl>/messages`. */
  readonly baseUrl: string;
  /** Requests for messages, in order; what else a runtime asked stands in `others`. */
  readonly requests: readonly MessagesRequest[];
  /** Requests for anything else: `<method> <path>`. */
  readonly others: readonly string[];
  /** Answers for the next requests that have none yet; first come, first served. */
  next(...scripts: Script[]): void;
  /** Chooses the answer of every request for which none is queued. Without it such a request gets 500. */
  otherwise(choose: (request: MessagesRequest) => Script): void;
  /** Resolves as soon as so many requests have come in. */
  received(count: number): Promise<void>;
  /** Resolves as soon as so many connections have ended, for whatever reason. */
  disconnected(count: number): Promise<void>;
  readonly openConnections: number;
  close(): Promise<void>;
}

export async function startMessagesUpstream(): Promise<MessagesUpstream> {
  const loopback: LoopbackUpstream = await startLoopbackUpstream();
  return {
    baseUrl: loopback.baseUrl,
    get requests() {
      return loopback.requests.filter(isForMessages).map(read);
    },
    get others() {
      return loopback.requests.filter((request) => !isForMessages(request)).map(({ method, path }) => `${method} ${path}`);
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

function isForMessages({ method, path }: RecordedRequest): boolean {
  return method === "POST" && /^\/v1\/messages(?:\?|$)/.test(path);
}

function read({ method, path, headers, body: text }: RecordedRequest): MessagesRequest {
  const body = parse(text);
  const messages = (Array.isArray(body.messages) ? body.messages : []).filter(isObject);
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : null;
  };
  return {
    method,
    path,
    apiKey: header("x-api-key"),
    authorization: header("authorization"),
    body,
    model: typeof body.model === "string" ? body.model : "",
    system: textOf(body.system),
    prompt: messages
      .filter(({ role }) => role === "user")
      .map(({ content }) => textOf(content))
      .join("\n"),
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

/** Content is a text, or a list of blocks of which some have a `text`. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (isObject(part) && typeof part.text === "string" ? part.text : "")).join("\n");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
