/**
 * An OpenAI-compatible server on 127.0.0.1 whose every answer is scripted. Nothing in it waits for a time: a script
 * that waits, waits for the client to hang up.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";

export interface RecordedRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As text; JSON for chat completions. */
  body: string;
}

export interface Exchange {
  request: RecordedRequest;
  response: ServerResponse;
  socket: Socket;
  /** Resolves when the client has hung up or the connection was closed. */
  gone: Promise<void>;
}

export type Script = (exchange: Exchange) => void | Promise<void>;

export interface LoopbackUpstream {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  readonly requests: readonly RecordedRequest[];
  /** Connections that are open now. */
  readonly openConnections: number;
  /** Answers the next request that has no script yet; first come, first served. */
  next(...scripts: Script[]): void;
  /** Answers every request without a script of its own; without one it is a 500. */
  otherwise(script: Script): void;
  /** Resolves as soon as so many requests have come in. */
  received(count: number): Promise<void>;
  /** Resolves as soon as so many connections have ended, for whatever reason. */
  disconnected(count: number): Promise<void>;
  /** Resolves as soon as no connection is open. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

export async function startLoopbackUpstream(): Promise<LoopbackUpstream> {
  const scripts: Script[] = [];
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const changes = new EventTarget();
  let fallback: Script = jsonAnswer(500, { error: { message: "the test has no script for this request" } });
  let ended = 0;

  const changed = () => changes.dispatchEvent(new Event("change"));
  const until = async (condition: () => boolean) => {
    while (!condition()) await once(changes, "change");
  };

  const server = createServer((incoming, response) => {
    void answer(incoming, response);
  });
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      ended++;
      changed();
    });
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = incoming;
    const gone = new Promise<void>((resolve) => response.once("close", () => resolve()));
    incoming.on("error", () => undefined);
    response.on("error", () => undefined);
    const parts: Buffer[] = [];
    // Node gives Buffers as long as no encoding is set.
    for await (const part of incoming) parts.push(part as Buffer);
    const request = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: Buffer.concat(parts).toString("utf8"),
    };
    requests.push(request);
    changed();
    await (scripts.shift() ?? fallback)({ request, response, socket, gone });
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    get openConnections() {
      return sockets.size;
    },
    next: (...more) => scripts.push(...more),
    otherwise(script) {
      fallback = script;
    },
    received: (count) => until(() => requests.length >= count),
    disconnected: (count) => until(() => ended >= count),
    drained: () => until(() => sockets.size === 0),
    async close() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Script {
  return textAnswer(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

export function textAnswer(status: number, body: string, headers: Record<string, string> = {}): Script {
  return ({ response }) => {
    response.writeHead(status, headers).end(body);
  };
}

export interface ChatAnswer {
  text?: string;
  model?: string;
  finishReason?: string | null;
  usage?: { prompt_tokens: number; completion_tokens: number; cost?: number } | null;
  /** Characters of text in one event. */
  pieceLength?: number;
  done?: boolean;
}

/** The frames of a streamed chat answer as OpenAI sends them: role, text, finish reason, usage, `[DONE]`. */
export function chatFrames(answer: ChatAnswer = {}): string[] {
  const {
    text = '{"insights":[]}',
    model = "served-1",
    finishReason = "stop",
    usage = { prompt_tokens: 11, completion_tokens: 7 },
    pieceLength = 5,
    done = true,
  } = answer;
  const piece = (choices: unknown[], more: Record<string, unknown> = {}) =>
    `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_776_000_000, model, choices, ...more })}\n\n`;
  const frames = [piece([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }])];
  for (let start = 0; start < text.length; start += pieceLength) {
    frames.push(piece([{ index: 0, delta: { content: text.slice(start, start + pieceLength) }, finish_reason: null }]));
  }
  if (finishReason !== null) frames.push(piece([{ index: 0, delta: {}, finish_reason: finishReason }]));
  if (usage !== null)
    frames.push(piece([], { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }));
  if (done) frames.push("data: [DONE]\n\n");
  return frames;
}

export const EVENT_STREAM = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

/** The frames, written one by one. */
export function sseAnswer(frames: readonly string[], headers: Record<string, string> = EVENT_STREAM): Script {
  return async ({ response }) => {
    response.writeHead(200, headers);
    for (const frame of frames) await write(response, frame);
    response.end();
  };
}

/** The bytes of a whole stream in pieces of `size` bytes: characters, lines and events are cut anywhere. */
export function cutUpAnswer(body: string, size: number): Script {
  return async ({ response }) => {
    response.writeHead(200, EVENT_STREAM);
    const bytes = Buffer.from(body, "utf8");
    for (let start = 0; start < bytes.length; start += size) {
      await write(response, bytes.subarray(start, start + size));
      // The socket sends what it has before the next piece is written.
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
}

/** Never answers; ends when the client hangs up. */
export const hang: Script = ({ gone }) => gone;

/** Sends the frames, then nothing more; ends when the client hangs up. */
export function hangAfter(frames: readonly string[], headers: Record<string, string> = EVENT_STREAM): Script {
  return async ({ response, gone }) => {
    response.writeHead(200, headers);
    response.flushHeaders();
    for (const frame of frames) await write(response, frame);
    await gone;
  };
}

/** Sends the frames, then resets the connection. */
export function cutAfter(frames: readonly string[]): Script {
  return async ({ response, socket }) => {
    response.writeHead(200, EVENT_STREAM);
    for (const frame of frames) await write(response, frame);
    socket.destroy();
  };
}

/** Sends comments for as long as the client listens: never silent, never done. */
export const slowLoris: Script = async ({ response, gone }) => {
  response.writeHead(200, EVENT_STREAM);
  let isOpen = true;
  void gone.then(() => {
    isOpen = false;
  });
  while (isOpen) {
    await write(response, ": still here\n\n");
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** A body of so many bytes, made while it is sent. `sent` tells how many went out before the client hung up. */
export function giantAnswer(bytes: number, headers: Record<string, string>, sent: { bytes: number }): Script {
  return async ({ response, gone }) => {
    response.writeHead(200, headers);
    const block = Buffer.alloc(256 * 1024, "x");
    let isOpen = true;
    void gone.then(() => {
      isOpen = false;
    });
    while (isOpen && sent.bytes < bytes) {
      await write(response, block);
      sent.bytes += block.length;
    }
    response.end();
  };
}

/** 64 MiB of zeros in 64 kB. */
export const gzipBomb: Script = ({ response }) => {
  response
    .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
    .end(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
};

/** Bytes that are not HTTP. */
export const notHttp: Script = ({ socket }) => {
  socket.end("SSH-2.0-OpenSSH_9.6\r\n");
};

/** Resolves when the piece is handed over, or when there is nobody left to take it. */
function write(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", resolve);
    response.write(piece, () => {
      response.off("close", resolve);
      resolve();
    });
    if (response.destroyed) resolve();
  });
}
