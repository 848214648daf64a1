/** One HTTP exchange with bounds on everything, and a reader for server-sent events. Names no runtime. */
import { createParser } from "eventsource-parser";
import { type Dispatcher, request as send } from "undici";
import { linkSignals } from "@/server/shared/linked-signal";

export type TransportProblem =
  | "unreachable"
  | "tls"
  | "protocol"
  | "cut"
  | "too-large"
  | "idle-timeout"
  | "total-timeout"
  | "request-invalid";

/** What went wrong between here and the server. The message holds no header and no body. */
export class TransportError extends Error {
  readonly problem: TransportProblem;

  /** Without a cause: errors of the network layer carry raw bytes of the answer, which may repeat a key. */
  constructor(problem: TransportProblem, message: string) {
    super(message);
    this.name = "TransportError";
    this.problem = problem;
  }
}

export interface HttpRequest {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  dispatcher: Dispatcher;
  signal: AbortSignal;
  /** Milliseconds for the whole exchange, connecting included. */
  totalMs: number;
  /** Milliseconds between two pieces of the body. */
  idleMs: number;
  /** Bytes of body that are read at most. */
  maxBytes: number;
}

export interface HttpAnswer {
  status: number;
  /** Lower-case names; a repeated header is joined by a comma. */
  headers: Readonly<Record<string, string>>;
  /** The body, decoded as UTF-8 across pieces. May be read once. Throws `TransportError`. */
  text(): AsyncGenerator<string, void, void>;
  /** Another idle limit from now on: once the answer is known, the rest is worth a short wait only. */
  setIdleLimit(milliseconds: number): void;
}

/**
 * Sends the request and hands the answer to `read`. Follows no redirect, retries nothing, asks for no compression.
 * However `read` ends, nothing is left open: an unread rest destroys the socket. Rejects with the signal's reason when
 * aborted, with a `TransportError`, or with what `read` threw.
 */
export async function exchange<T>(request: HttpRequest, read: (answer: HttpAnswer) => Promise<T>): Promise<T> {
  request.signal.throwIfAborted();
  const limit = new AbortController();
  const total = setTimeout(
    () => limit.abort(new TransportError("total-timeout", `no complete answer within ${request.totalMs} ms`)),
    request.totalMs,
  );
  const linked = linkSignals(request.signal, limit.signal);
  let body: Dispatcher.ResponseData["body"] | undefined;
  try {
    const response = await sendOnce(request, linked.signal, limit.signal);
    body = response.body;
    // Destroying an unread body reports the abort a second time, to nobody.
    body.on("error", () => undefined);
    return await read(answerOf(response, request, limit));
  } catch (error) {
    request.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(total);
    linked.unlink();
    body?.destroy();
  }
}

async function sendOnce(request: HttpRequest, signal: AbortSignal, limit: AbortSignal): Promise<Dispatcher.ResponseData> {
  try {
    return await send(request.url, {
      method: request.method,
      headers: { "accept-encoding": "identity", ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
      dispatcher: request.dispatcher,
      signal,
      // Our own timers, which say which limit fired.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  } catch (error) {
    throw limit.aborted ? limit.reason : transportErrorOf(error, "unreachable");
  }
}

function answerOf(response: Dispatcher.ResponseData, request: HttpRequest, limit: AbortController): HttpAnswer {
  let idleMs = request.idleMs;
  let idle: NodeJS.Timeout | undefined;
  const restart = () => {
    clearTimeout(idle);
    const after = idleMs;
    idle = setTimeout(() => limit.abort(new TransportError("idle-timeout", `no data for ${after} ms`)), after);
  };
  return {
    status: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [
        name.toLowerCase(),
        Array.isArray(value) ? value.join(", ") : (value ?? ""),
      ]),
    ),
    setIdleLimit(milliseconds) {
      idleMs = milliseconds;
      restart();
    },
    async *text() {
      const decoder = new TextDecoder("utf-8");
      let bytes = 0;
      restart();
      try {
        for await (const piece of response.body) {
          // undici gives Buffers as long as no encoding is set on the body, and none is.
          const buffer = piece as Buffer;
          bytes += buffer.length;
          if (bytes > request.maxBytes)
            throw new TransportError("too-large", `the answer is larger than ${request.maxBytes} bytes`);
          request.signal.throwIfAborted();
          restart();
          yield decoder.decode(buffer, { stream: true });
        }
        const rest = decoder.decode();
        if (rest !== "") yield rest;
      } catch (error) {
        if (error instanceof TransportError) throw error;
        throw limit.signal.aborted ? limit.signal.reason : transportErrorOf(error, "cut");
      } finally {
        clearTimeout(idle);
      }
    },
  };
}

const TLS_CODE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** The code and no more: messages of the network layer can repeat addresses and headers. */
function transportErrorOf(error: unknown, otherwise: "unreachable" | "cut"): TransportError {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  if (error instanceof Error && error.name === "HTTPParserError") return new TransportError("protocol", "the answer is not HTTP");
  if (code === "UND_ERR_HEADERS_OVERFLOW") return new TransportError("protocol", "the headers of the answer are too large");
  if (TLS_CODE.test(code)) return new TransportError("tls", `the certificate or the encryption was not accepted (${code})`);
  if (code === "UND_ERR_INVALID_ARG")
    return new TransportError("request-invalid", "the request could not be made: an address or header is not valid");
  return new TransportError(otherwise, code === "" ? "the connection failed" : `the connection failed (${code})`);
}

export interface EventReader {
  feed(text: string): void;
  /** The stream is over: an event without its closing blank line still counts. */
  end(): void;
  /** Lines that are no server-sent event, such as plain text or HTML. */
  readonly strayLines: number;
}

/** Calls `onData` with the data of each event. Throws a `TransportError` for a line longer than `maxLineLength` characters. */
export function createEventReader(maxLineLength: number, onData: (data: string) => void): EventReader {
  let strayLines = 0;
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: maxLineLength,
    onEvent: (event) => onData(event.data),
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") tooLong = true;
      else if (error.type === "unknown-field") strayLines++;
    },
  });
  const feed = (text: string) => {
    if (text !== "") parser.feed(text);
    if (tooLong) throw new TransportError("too-large", `one event is longer than ${maxLineLength} characters`);
  };
  return {
    feed,
    end: () => feed("\n\n"),
    get strayLines() {
      return strayLines;
    },
  };
}

/** The body up to `maxLength` characters; the rest is not read. A body that breaks off gives what came. */
export async function readBeginning(answer: HttpAnswer, maxLength: number): Promise<string> {
  let text = "";
  try {
    for await (const piece of answer.text()) {
      text += piece;
      if (text.length >= maxLength) break;
    }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
  }
  return text.slice(0, maxLength);
}
