import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type LoopbackSocket,
  type LoopbackWebSocketEars,
  startLoopbackWebSocketServer,
} from "@/server/testing/loopback-web-socket";
import type { TransportError } from "./http-sse";
import { openWebSocket } from "./web-socket";

async function serve(ears: Partial<LoopbackWebSocketEars> = {}) {
  const heard: string[] = [];
  const server = await startLoopbackWebSocketServer({
    onOpen: () => undefined,
    onMessage: (_socket, text) => heard.push(text),
    ...ears,
  });
  onTestFinished(() => server.close());
  return { server, heard };
}

function open(url: string, options: { connectMs?: number; signal?: AbortSignal } = {}) {
  const said: string[] = [];
  let end: (reason: TransportError) => void = () => undefined;
  const ended = new Promise<TransportError>((resolve) => {
    end = resolve;
  });
  const opened = openWebSocket(
    {
      url,
      connectMs: options.connectMs ?? 10_000,
      maxMessageBytes: 1_000,
      onMessage: (text) => said.push(text),
      onEnd: (reason) => end(reason),
    },
    options.signal ?? new AbortController().signal,
  );
  return { opened, said, ended };
}

const socketOf = ({ sockets }: { sockets: ReadonlySet<LoopbackSocket> }) => {
  const [socket] = sockets;
  if (!socket) throw new Error("nobody has connected");
  return socket;
};

describe("a connection", () => {
  it("tells what came with the handshake once it is listened to, and sends", async () => {
    const { server, heard } = await serve({ onOpen: (socket) => socket.send("welcome") });
    const { opened, said } = open(server.baseUrl);
    const socket = await opened;
    expect(said).toEqual([]);
    socket.listen();
    socket.send("漢字 and 😀");
    await server.until(() => heard.length === 1);
    expect([said, heard]).toEqual([["welcome"], ["漢字 and 😀"]]);
    await socket.close();
    await server.until(() => server.openConnections === 0);
  });

  it.each<[string, (socket: LoopbackSocket) => void, string, string]>([
    ["a goodbye", (socket) => socket.close(1012), "cut", "the connection was closed (1012)"],
    ["a cut", (socket) => socket.destroy(), "cut", "the connection was closed"],
    ["a frame that is none", (socket) => socket.raw(Buffer.from([0xff, 0])), "protocol", "what came is no frame of a WebSocket"],
  ])("ends with %s and says so once", async (_what, act, problem, message) => {
    const { server } = await serve();
    const { opened, ended } = open(server.baseUrl);
    (await opened).listen();
    act(socketOf(server));
    const reason = await ended;
    expect([reason.problem, reason.message]).toEqual([problem, message]);
    await server.until(() => server.openConnections === 0);
  });
});

describe("what is no WebSocket", () => {
  async function problemOf(url: string, connectMs = 10_000): Promise<[string, string]> {
    // The rejection of `openWebSocket` is a `TransportError` unless it was aborted.
    const error: TransportError = await open(url, { connectMs }).opened.then(
      () => {
        throw new Error("it was opened");
      },
      (reason) => reason,
    );
    return [error.problem, error.message];
  }

  it("is refused with what was answered", async () => {
    const { server } = await serve({
      onHandshake(_request, raw) {
        raw.end("HTTP/1.1 301 Moved\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n");
        return false;
      },
    });
    expect(await problemOf(server.baseUrl)).toEqual([
      "protocol",
      "there is no WebSocket at this address: it answered 301 to the handshake",
    ]);
  });

  it("is refused when its proof is wrong", async () => {
    const { server } = await serve({
      onHandshake(_request, raw) {
        raw.write("HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: x\r\n\r\n");
        return false;
      },
    });
    expect(await problemOf(server.baseUrl)).toEqual([
      "protocol",
      "the handshake was answered wrongly: what is there is no WebSocket",
    ]);
    await server.until(() => server.openConnections === 0);
  });

  it("is given up when nobody is there, or nobody answers", async () => {
    const { server } = await serve({ onHandshake: () => false });
    expect(await problemOf(server.baseUrl, 50)).toEqual(["unreachable", "no connection within 50 ms"]);
    await server.until(() => server.openConnections === 0);
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const address = taken.address();
    const port = typeof address === "object" ? address?.port : 0;
    await new Promise((resolve) => taken.close(resolve));
    expect(await problemOf(`http://127.0.0.1:${port}`)).toEqual(["unreachable", "the connection failed (ECONNREFUSED)"]);
  });

  it("leaves nothing behind when it is called off", async () => {
    const { server } = await serve({ onHandshake: () => false });
    const controller = new AbortController();
    const { opened } = open(server.baseUrl, { signal: controller.signal });
    const ended = expect(opened).rejects.toThrow("no longer wanted");
    await server.until(() => server.openConnections === 1);
    controller.abort(new Error("no longer wanted"));
    await ended;
    await server.until(() => server.openConnections === 0);
  });
});
