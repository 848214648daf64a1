/** One WebSocket connection as a client (`ws`), with bounds on everything and an end that says why. Names no runtime. */
import type { IncomingMessage } from "node:http";
import { type RawData, WebSocket } from "ws";
import { TransportError, transportErrorOf } from "./http-sse";

export interface WebSocketOrder {
  /** `http://` or `https://`: the handshake is a request to that address. */
  url: string;
  /** Milliseconds for socket and handshake. */
  connectMs: number;
  /** UTF-8 bytes of one message. */
  maxMessageBytes: number;
  onMessage(text: string): void;
  /** Once, when the connection is over and it was not `close` or `destroy` that ended it. */
  onEnd(reason: TransportError): void;
}

export interface OpenWebSocket {
  /** False from the other side's goodbye on, which is before `onEnd`. */
  readonly isOpen: boolean;
  /** From now on messages are told; before, nothing is read. */
  listen(): void;
  /** Nothing happens once the connection is over, which `onEnd` has told. */
  send(text: string): void;
  /** Says goodbye and waits for the other side's, up to a second; the socket is gone afterwards. */
  close(): Promise<void>;
  /** The socket is gone at once. */
  destroy(): void;
}

const GOODBYE_MS = 1_000;
const NORMAL_CLOSURE = 1_000;
/** What `ws` says of a connection that ended without a goodbye, or with one that gives no code. */
const NO_CODE = new Set([1005, 1006]);

/**
 * Resolves when the connection stands. Follows no redirect and agrees on no extension. Rejects with a `TransportError`, or the
 * reason of an abort; then nothing is left open.
 */
export async function openWebSocket(order: WebSocketOrder, signal: AbortSignal): Promise<OpenWebSocket> {
  signal.throwIfAborted();
  const { url, connectMs, maxMessageBytes } = order;
  // A socket of its own, which ends with the connection; nothing compressed, so that nothing is unpacked.
  const socket = new WebSocket(url.replace(/^http/, "ws"), {
    agent: false,
    followRedirects: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
  });
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = (act: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const fail = (reason: unknown) =>
      end(() => {
        socket.terminate();
        reject(reason);
      });
    const onAbort = () => fail(signal.reason);
    const timer = setTimeout(() => fail(new TransportError("unreachable", `no connection within ${connectMs} ms`)), connectMs);
    signal.addEventListener("abort", onAbort, { once: true });
    socket.on("unexpected-response", (request, answer: IncomingMessage) => {
      request.destroy();
      const status = answer.statusCode ?? 0;
      fail(new TransportError("protocol", `there is no WebSocket at this address: it answered ${status} to the handshake`));
    });
    // It stays: what a connection that is given up says later is nobody's business.
    socket.on("error", (error) => fail(handshakeError(error)));
    socket.on("open", () =>
      end(() => {
        socket.pause();
        resolve(speak(socket, order));
      }),
    );
  });
}

function speak(socket: WebSocket, order: WebSocketOrder): OpenWebSocket {
  let isOver = false;
  const end = (reason: TransportError) => {
    if (isOver) return;
    isOver = true;
    socket.terminate();
    order.onEnd(reason);
  };
  socket.on("message", (data: RawData, isBinary: boolean) => {
    if (isOver) return;
    if (isBinary) end(new TransportError("protocol", "a message is binary where text is expected"));
    else order.onMessage(data.toString());
  });
  socket.on("error", (error) => end(frameError(error, order.maxMessageBytes)));
  socket.on("close", (code) =>
    // The code and no more: the reason is the other side's own words.
    end(new TransportError("cut", NO_CODE.has(code) ? "the connection was closed" : `the connection was closed (${code})`)),
  );
  return {
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    listen: () => socket.resume(),
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    async close() {
      isOver = true;
      if (socket.readyState === WebSocket.CLOSED) return;
      const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      // Nothing is told any more, but its goodbye must be read.
      socket.resume();
      socket.close(NORMAL_CLOSURE);
      const timer = setTimeout(() => socket.terminate(), GOODBYE_MS);
      await gone;
      clearTimeout(timer);
    },
    destroy() {
      isOver = true;
      socket.terminate();
    },
  };
}

/** Errors of the network have a code; those of the library before a connection stands are about the handshake. */
function handshakeError(error: Error): TransportError {
  if ("code" in error) return transportErrorOf(error, "unreachable");
  return new TransportError("protocol", "the handshake was answered wrongly: what is there is no WebSocket");
}

function frameError(error: Error, maxMessageBytes: number): TransportError {
  const code = "code" in error ? String(error.code) : "";
  if (/^WS_ERR_(?:UNSUPPORTED_MESSAGE_LENGTH|UNSUPPORTED_DATA_PAYLOAD_LENGTH|TOO_MANY)/.test(code))
    return new TransportError("too-large", `one message is longer than ${maxMessageBytes} bytes, which are accepted at most`);
  if (code === "WS_ERR_INVALID_UTF8") return new TransportError("protocol", "a message is not valid UTF-8");
  if (code.startsWith("WS_ERR_")) return new TransportError("protocol", "what came is no frame of a WebSocket");
  return transportErrorOf(error, "cut");
}
