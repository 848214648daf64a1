/** One WebSocket connection as a client, with bounds on everything and an end that says why. Names no runtime. */
import { createHash, randomBytes } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { TransportError, transportErrorOf } from "./http-sse";
import { createFrameReader, encodeFrame, OPCODES } from "./web-socket-frames";

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
  /** From now on messages are told; before, nothing is read. */
  listen(): void;
  /** Nothing happens once the connection is over, which `onEnd` has told. */
  send(text: string): void;
  /** Says goodbye and waits for the other side's, up to a second; the socket is gone afterwards. */
  close(): Promise<void>;
  /** The socket is gone at once. */
  destroy(): void;
}

/** Of RFC 6455: what the server's proof is made with. */
const PROOF = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const GOODBYE_MS = 1_000;
const NORMAL_CLOSURE = Buffer.from([0x03, 0xe8]);

/**
 * Resolves when the connection stands. Follows no redirect and agrees on no extension. Rejects with a `TransportError`, or the
 * reason of an abort; then nothing is left open.
 */
export async function openWebSocket(order: WebSocketOrder, signal: AbortSignal): Promise<OpenWebSocket> {
  signal.throwIfAborted();
  const { socket, head } = await shakeHands(order, signal);
  return speak(socket, head, order);
}

async function shakeHands({ url, connectMs }: WebSocketOrder, signal: AbortSignal): Promise<{ socket: Duplex; head: Buffer }> {
  const key = randomBytes(16).toString("base64");
  const request = (url.startsWith("https:") ? httpsRequest : httpRequest)(url, {
    agent: false,
    headers: { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": key },
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
        request.destroy();
        reject(reason);
      });
    const onAbort = () => fail(signal.reason);
    const timer = setTimeout(() => fail(new TransportError("unreachable", `no connection within ${connectMs} ms`)), connectMs);
    signal.addEventListener("abort", onAbort, { once: true });
    // It stays: what a destroyed request says later is nobody's business.
    request.on("error", (error) => fail(transportErrorOf(error, "unreachable")));
    request.on("response", (answer: IncomingMessage) =>
      fail(
        new TransportError(
          "protocol",
          `there is no WebSocket at this address: it answered ${answer.statusCode ?? 0} to the handshake`,
        ),
      ),
    );
    request.on("upgrade", (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
      const proof = createHash("sha1").update(`${key}${PROOF}`).digest("base64");
      if (answer.headers["sec-websocket-accept"] !== proof || answer.headers["sec-websocket-extensions"] !== undefined) {
        socket.on("error", () => undefined);
        socket.destroy();
        fail(new TransportError("protocol", "the handshake was answered wrongly: what is there is no WebSocket"));
        return;
      }
      end(() => resolve({ socket, head }));
    });
    request.end();
  });
}

function speak(socket: Duplex, head: Buffer, order: WebSocketOrder): OpenWebSocket {
  let isOver = false;
  let goodbye: { code: number; reason: string } | null = null;
  const write = (opcode: number, payload: Buffer) => {
    if (socket.writable) socket.write(encodeFrame(opcode, payload, randomBytes(4)));
  };
  const end = (reason: TransportError) => {
    if (isOver) return;
    isOver = true;
    socket.destroy();
    order.onEnd(reason);
  };
  const reader = createFrameReader(
    { maxMessageBytes: order.maxMessageBytes, expectsMask: false },
    {
      onText: (text) => {
        if (!isOver) order.onMessage(text);
      },
      onPing: (payload) => write(OPCODES.pong, payload),
      onClose: (code, reason) => {
        goodbye = { code, reason };
        write(OPCODES.close, NORMAL_CLOSURE);
        socket.end(() => socket.destroy());
      },
    },
  );
  const take = (piece: Buffer) => {
    try {
      reader.push(piece);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      end(error);
    }
  };
  socket.on("error", (error) => end(transportErrorOf(error, "cut")));
  socket.on("close", () => end(new TransportError("cut", goodbye === null ? "the connection was closed" : closedWith(goodbye))));
  return {
    listen() {
      if (head.length > 0) take(head);
      socket.on("data", (piece: Buffer) => {
        if (goodbye === null) take(piece);
      });
    },
    send: (text) => write(OPCODES.text, Buffer.from(text, "utf8")),
    async close() {
      isOver = true;
      if (socket.destroyed) return;
      const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      write(OPCODES.close, NORMAL_CLOSURE);
      socket.end();
      const timer = setTimeout(() => socket.destroy(), GOODBYE_MS);
      await gone;
      clearTimeout(timer);
    },
    destroy() {
      isOver = true;
      socket.destroy();
    },
  };
}

/** The code and no more: the reason is the other side's own words. */
function closedWith({ code }: { code: number }): string {
  return `the connection was closed (${code})`;
}
