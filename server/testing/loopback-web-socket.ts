/** The server's end of WebSocket connections on 127.0.0.1, for tests: what is sent, and in which pieces, is up to them. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type RawData, WebSocketServer } from "ws";
import { encodeFrame, OPCODES } from "./web-socket-frame";

export interface LoopbackSocket {
  /** One message in one frame. */
  send(text: string): void;
  /** Bytes as they are. */
  raw(bytes: Buffer): void;
  /** Bytes one by one, each for itself on the wire. */
  dribble(bytes: Buffer): Promise<void>;
  /** Says goodbye with that code. */
  close(code: number): void;
  /** Gone without a word. */
  destroy(): void;
}

export interface LoopbackWebSocketServer {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string;
  readonly sockets: ReadonlySet<LoopbackSocket>;
  /** Connections of any kind that are open now. */
  readonly openConnections: number;
  /** Resolves as soon as the condition holds; looked at whenever something happens, and after `changed`. */
  until(condition: () => boolean): Promise<void>;
  changed(): void;
  close(): Promise<void>;
}

export interface LoopbackWebSocketEars {
  onOpen(socket: LoopbackSocket): void;
  onMessage(socket: LoopbackSocket, text: string): void;
  /** Usual: 404. */
  onRequest?(request: IncomingMessage, response: ServerResponse): void;
  /** Whether to take the handshake, or answer it otherwise; usual: take it. */
  onHandshake?(request: IncomingMessage, raw: Socket): boolean;
}

export async function startLoopbackWebSocketServer(ears: LoopbackWebSocketEars): Promise<LoopbackWebSocketServer> {
  const sockets = new Set<LoopbackSocket>();
  const connections = new Set<Socket>();
  const changes = new EventTarget();
  const changed = () => changes.dispatchEvent(new Event("change"));
  const server = createServer((request, response) => {
    if (ears.onRequest) ears.onRequest(request, response);
    else response.writeHead(404).end();
  });
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    changed();
    socket.on("error", () => undefined);
    socket.on("close", () => {
      connections.delete(socket);
      changed();
    });
  });
  const upgrader = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 64 * 1024 * 1024 });
  server.on("upgrade", (request: IncomingMessage, raw: Socket, head: Buffer) => {
    // Sockets of an HTTP server stay open on their own side.
    raw.on("end", () => raw.end());
    if (ears.onHandshake?.(request, raw) === false) {
      raw.resume();
      return;
    }
    const write = (bytes: Buffer) => {
      if (raw.writable) raw.write(bytes);
    };
    const socket: LoopbackSocket = {
      send: (text) => write(encodeFrame(OPCODES.text, Buffer.from(text))),
      raw: write,
      async dribble(bytes) {
        raw.setNoDelay(true);
        for (const byte of bytes) {
          write(Buffer.from([byte]));
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
      close(code) {
        const payload = Buffer.alloc(2);
        payload.writeUInt16BE(code);
        write(encodeFrame(OPCODES.close, payload));
        raw.end();
      },
      destroy: () => raw.destroy(),
    };
    raw.on("close", () => sockets.delete(socket));
    upgrader.handleUpgrade(request, raw, head, (peer) => {
      peer.on("error", () => undefined);
      peer.on("message", (data: RawData) => {
        ears.onMessage(socket, data.toString());
        changed();
      });
      sockets.add(socket);
      ears.onOpen(socket);
      changed();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    sockets,
    get openConnections() {
      return connections.size;
    },
    async until(condition) {
      while (!condition()) await once(changes, "change");
    },
    changed,
    async close() {
      for (const connection of connections) connection.destroy();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
