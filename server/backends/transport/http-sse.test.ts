import { Agent } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chatFrames, EVENT_STREAM, type LoopbackUpstream, startLoopbackUpstream } from "@/server/testing/loopback-upstream";
import { createEventReader, exchange, type HttpRequest, TransportError } from "./http-sse";

describe("events", () => {
  function read(pieces: readonly string[]): string[] {
    const heard: string[] = [];
    const reader = createEventReader(10_000, (data) => heard.push(data));
    for (const piece of pieces) reader.feed(piece);
    reader.end();
    return heard;
  }

  const body = "data: a\n\n: comment\n\ndata: b\ndata: c\n\nid: 1\ndata: d";

  it.each(["\n", "\r\n", "\r"])("are the same with line ends %j, cut anywhere", (end) => {
    const text = body.replaceAll("\n", end);
    const expected = ["a", "b\nc", "d"];
    expect(read([text])).toEqual(expected);
    for (let size = 1; size < 6; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
      expect(read(pieces), `pieces of ${size}`).toEqual(expected);
    }
  });

  it("counts lines that are none and gives up when there are too many", () => {
    const reader = createEventReader(10_000, () => undefined);
    reader.feed("x\n".repeat(1000));
    expect(reader.strayLines).toBe(1000);
    expect(() => reader.feed("x\n")).toThrow(TransportError);
  });
});

describe("a limit that passed while the loop was busy", () => {
  const LIMIT_MS = 400;
  let upstream: LoopbackUpstream;
  let agent: Agent;

  beforeEach(async () => {
    upstream = await startLoopbackUpstream();
    agent = new Agent();
  });

  afterEach(async () => {
    await agent.destroy();
    await upstream.close();
  });

  /** Nothing runs meanwhile, as under a long parse: timers and sockets are due together afterwards. */
  function keepLoopBusy(): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LIMIT_MS + 100);
  }

  function request(limits: Partial<HttpRequest>): HttpRequest {
    return {
      url: `${upstream.baseUrl}/x`,
      method: "GET",
      headers: {},
      dispatcher: agent,
      signals: [],
      totalMs: 60_000,
      idleMs: 60_000,
      maxBytes: 1_000_000,
      ...limits,
    };
  }

  const problemOf = (limits: Partial<HttpRequest>) =>
    exchange(request(limits), (answer) => answer.read(() => undefined)).then(
      () => "none",
      (error: unknown) => (error instanceof TransportError ? error.problem : error),
    );

  it.each([[{ totalMs: LIMIT_MS }], [{ idleMs: LIMIT_MS }]])("does not hide that the connection was cut (%j)", async (limits) => {
    upstream.next(async ({ response, socket }) => {
      response.writeHead(200, EVENT_STREAM);
      await new Promise((resolve) => response.write(chatFrames()[0] ?? "", resolve));
      // The client has heard the beginning, so the idle limit runs.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      socket.destroy();
      keepLoopBusy();
    });
    expect(await problemOf(limits)).toBe("cut");
  });

  it.each([[{ totalMs: LIMIT_MS }], [{ idleMs: LIMIT_MS }]])("does not lose an answer that had arrived (%j)", async (limits) => {
    upstream.next(async ({ response, socket }) => {
      response.writeHead(200, EVENT_STREAM);
      await new Promise((resolve) => response.write(chatFrames()[0] ?? "", resolve));
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      await new Promise((resolve) => socket.write("1\r\nx\r\n0\r\n\r\n", resolve));
      keepLoopBusy();
    });
    expect(await problemOf(limits)).toBe("none");
  });
});
