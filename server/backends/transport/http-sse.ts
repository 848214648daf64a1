/** One HTTP exchange with bounds on everything, and a reader for server-sent events. Names no runtime. */
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";
import type { Dispatcher } from "undici";
import { type PatientTimer, startPatientTimer } from "@/server/shared/patient-timer";

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
  /** Called once, when the request is sent: the text is not held while the answer is awaited, and a stream never whole. */
  body?(): string | Readable;
  dispatcher: Dispatcher;
  /** Any of them calls the exchange off. */
  signals: readonly AbortSignal[];
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
  /**
   * Reads the body, decoded as UTF-8 across pieces; resolves at its end, or when `onText` returns false (the rest is not
   * read). May be called once. Rejects with a `TransportError`, the reason of an abort, or what `onText` threw.
   */
  read(onText: (text: string) => false | undefined): Promise<void>;
  /** Another idle limit from now on: once the answer is known, the rest is worth a short wait only. */
  setIdleLimit(milliseconds: number): void;
  /** Nothing is taken off the wire until `resume`, for a reader that has to catch up; meanwhile no idle limit counts. */
  pause(): void;
  resume(): void;
}

/**
 * Sends the request and hands the answer to `read`. Follows no redirect, retries nothing, asks for no compression.
 * However `read` ends, nothing is left open: an unread rest destroys the socket. Rejects with the signal's reason when
 * aborted, with a `TransportError`, or with what `read` threw.
 */
export async function exchange<T>(request: HttpRequest, read: (answer: HttpAnswer) => Promise<T>): Promise<T> {
  for (const signal of request.signals) signal.throwIfAborted();
  const call = new HttpCall(request);
  try {
    return await read(await call.send());
  } catch (error) {
    for (const signal of request.signals) signal.throwIfAborted();
    throw error;
  } finally {
    call.close();
  }
}

/** A promise's two ends; whoever waits for the answer, and then for the end of its body. */
interface Waiting<T> {
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/**
 * The exchange as undici's dispatcher tells it. Its callbacks and not its streams: an answer comes in a dozen pieces, and
 * for each a stream would pay for promises and buffers that nobody needs here.
 */
class HttpCall implements Dispatcher.DispatchHandler, HttpAnswer {
  status = 0;
  headers: Readonly<Record<string, string>> = {};
  readonly #request: HttpRequest;
  readonly #total: PatientTimer;
  readonly #onAbort = () => this.#fail(this.#request.signals.find((signal) => signal.aborted)?.reason);
  readonly #decoder = new StringDecoder("utf8");
  #controller: Dispatcher.DispatchController | null = null;
  #idleMs: number;
  #idle: PatientTimer | undefined;
  #bytes = 0;
  #isFirst = true;
  #isPaused = false;
  #answered: Waiting<HttpAnswer> | null = null;
  #reading: (Waiting<void> & { onText(text: string): false | undefined }) | null = null;
  /** Pieces that came before anybody read. */
  #early: Buffer[] = [];
  #over: { failed: false } | { failed: true; reason: unknown } | null = null;

  constructor(request: HttpRequest) {
    const { signals, totalMs, idleMs } = request;
    this.#request = request;
    this.#idleMs = idleMs;
    this.#total = startPatientTimer(totalMs, () =>
      this.#fail(new TransportError("total-timeout", `no complete answer within ${totalMs} ms`)),
    );
    for (const signal of signals) signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  send(): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.#answered = { resolve, reject };
      const { url, method, headers, body, dispatcher } = this.#request;
      const { origin, pathname, search } = new URL(url);
      dispatcher.dispatch(
        {
          origin,
          path: `${pathname}${search}`,
          method,
          headers: { "accept-encoding": "identity", ...headers },
          body: body?.() ?? null,
          // Our own timers, which say which limit fired.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        this,
      );
    });
  }

  /** Nothing is open afterwards. */
  close(): void {
    this.#total.clear();
    this.#idle?.clear();
    for (const signal of this.#request.signals) signal.removeEventListener("abort", this.#onAbort);
    if (!this.#over) this.#fail(new TransportError("cut", "the answer was not read to its end"));
  }

  read(onText: (text: string) => false | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#reading = { onText, resolve, reject };
      const early = this.#early;
      this.#early = [];
      for (const piece of early) this.#deliver(piece);
      if (!this.#reading) return;
      if (this.#over?.failed) reject(this.#over.reason);
      else if (this.#over) this.#finish();
      else this.#restartIdle();
    });
  }

  setIdleLimit(milliseconds: number): void {
    this.#idleMs = milliseconds;
    this.#idle?.clear();
    this.#idle = undefined;
    if (!this.#over) this.#restartIdle();
  }

  pause(): void {
    this.#isPaused = true;
    this.#idle?.clear();
    this.#idle = undefined;
    if (!this.#over) this.#controller?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#over) return;
    if (this.#reading) this.#restartIdle();
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over?.failed) this.#abort(this.#over.reason);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        Array.isArray(value) ? value.join(", ") : (value ?? ""),
      ]),
    );
    const answered = this.#answered;
    this.#answered = null;
    answered?.resolve(this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#over) return;
    this.#bytes += piece.length;
    if (this.#bytes > this.#request.maxBytes) {
      this.#fail(new TransportError("too-large", `the answer is larger than ${this.#request.maxBytes} bytes`));
      return;
    }
    if (!this.#reading) this.#early.push(piece);
    else {
      this.#restartIdle();
      this.#deliver(piece);
    }
  }

  onResponseEnd(): void {
    this.#over ??= { failed: false };
    if (this.#reading) this.#finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(transportErrorOf(error, this.status === 0 ? "unreachable" : "cut"));
  }

  #deliver(piece: Buffer): void {
    this.#say(this.#decoder.write(piece));
  }

  #say(decoded: string): void {
    if (decoded === "" || !this.#reading) return;
    // A byte order mark is no text.
    const text = this.#isFirst && decoded.startsWith("\ufeff") ? decoded.slice(1) : decoded;
    this.#isFirst = false;
    const reading = this.#reading;
    try {
      if (text === "" || reading.onText(text) !== false) return;
      reading.resolve();
    } catch (error) {
      reading.reject(error);
    }
    // What is left is not read; `close` destroys it.
    this.#reading = null;
  }

  #finish(): void {
    this.#idle?.clear();
    this.#say(this.#decoder.end());
    this.#reading?.resolve();
    this.#reading = null;
  }

  /** The first reason counts. Whoever waits hears of it, and the socket is destroyed. */
  #fail(reason: unknown): void {
    if (this.#over) return;
    this.#over = { failed: true, reason };
    this.#idle?.clear();
    this.#abort(reason);
    this.#answered?.reject(reason);
    this.#reading?.reject(reason);
    this.#answered = null;
    this.#reading = null;
  }

  #abort(reason: unknown): void {
    this.#controller?.abort(reason instanceof Error ? reason : new Error("aborted"));
  }

  #restartIdle(): void {
    if (this.#isPaused) return;
    if (this.#idle) {
      this.#idle.refresh();
      return;
    }
    const after = this.#idleMs;
    this.#idle = startPatientTimer(after, () => this.#fail(new TransportError("idle-timeout", `no data for ${after} ms`)));
  }
}

const TLS_CODE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** The code and no more: messages of the network layer can repeat addresses and headers. */
export function transportErrorOf(error: unknown, otherwise: "unreachable" | "cut"): TransportError {
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

/** Lines of no event in one answer. Each costs the parser an error object; whoever sends so many sends no events. */
const MOST_STRAY_LINES = 1_000;

/** Calls `onData` with the data of each event. Throws a `TransportError` for a line longer than `maxLineLength` characters. */
export function createEventReader(maxLineLength: number, onData: (data: string) => void): EventReader {
  let strayLines = 0;
  let tooLong = false;
  /** The last piece ended with CR: an LF at the start of the next one belongs to it. */
  let endsWithReturn = false;
  const parser = createParser({
    maxBufferSize: maxLineLength,
    onEvent: (event) => onData(event.data),
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") tooLong = true;
      else if (error.type === "unknown-field" && ++strayLines > MOST_STRAY_LINES)
        throw new TransportError("protocol", `more than ${MOST_STRAY_LINES} lines of the answer are no events`);
    },
  });
  const feed = (text: string) => {
    // Line ends of one kind: the parser looks for both from each line on, which takes the square of the text.
    const rest = endsWithReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") endsWithReturn = text.endsWith("\r");
    const lines = rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest;
    if (lines !== "") parser.feed(lines);
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
    await answer.read((piece) => {
      text += piece;
      return text.length < maxLength ? undefined : false;
    });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
  }
  return text.slice(0, maxLength);
}
