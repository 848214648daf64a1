/**
 * An OpenClaw gateway on 127.0.0.1 that obeys marks in the text of a run (fake-gateway-runs.ts). Its frames have the form of the
 * recordings beside the adapter. Nothing in it waits for a time.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { chatter, endOfRun, type FakeGatewayBehaviour, misdeedOf, sendEnd } from "./fake-gateway-runs";
import { type LoopbackSocket, startLoopbackWebSocketServer } from "./loopback-web-socket";

export interface FakeGatewayOptions {
  /** Usual: any token is taken but the refused one. */
  refusedToken?: string;
  version?: string;
  protocol?: number;
  scopes?: readonly string[];
  agentId?: string;
  tickMs?: number;
  answer?: string;
  /** What happens instead of an orderly handshake. */
  handshake?: "not-found" | "silent" | "no-challenge" | "hang-up" | "no-pairing" | "wrong-hello";
}

/** A run as it was asked for. */
export interface FakeRun {
  params: Record<string, unknown>;
  /** The connection's number, from 1. */
  connection: number;
}

export async function startFakeGateway(options: FakeGatewayOptions = {}) {
  const { answer = '{"insights":[]}', agentId = "main" } = options;
  const runs: FakeRun[] = [];
  const aborted: string[] = [];
  const invocations: { headers: IncomingMessage["headers"]; body: string }[] = [];
  const tokens = new Map<LoopbackSocket, string>();
  const numbers = new Map<LoopbackSocket, number>();
  /** Runs that wait to be called off, by id. */
  const waiting = new Map<string, { socket: LoopbackSocket; id: string; isLate: boolean }>();
  /** Ends of runs that came to one, by id: a second request of the same one gets them again. */
  const ended = new Map<string, object>();
  const scripts: (readonly FakeGatewayBehaviour[])[] = [];
  let isForgetful = false;
  let connections = 0;
  let hungUp = 0;
  let invoke: (request: { headers: IncomingMessage["headers"]; body: string }, response: ServerResponse) => void = (
    _request,
    response,
  ) => json(response, 404, { ok: false, error: { type: "not_found", message: "Tool not available: llm-task" } });

  const server = await startLoopbackWebSocketServer({
    onHandshake(_request, raw) {
      if (options.handshake === "not-found") {
        raw.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
        return false;
      }
      return options.handshake !== "silent";
    },
    onOpen(socket) {
      numbers.set(socket, ++connections);
      if (options.handshake === "hang-up") socket.destroy();
      else if (options.handshake !== "no-challenge")
        socket.send(frame({ type: "event", event: "connect.challenge", payload: { nonce: "n", ts: 1, capabilities: [] } }));
    },
    onMessage(socket, text) {
      // What our own adapter wrote.
      const { id, method, params } = JSON.parse(text) as { id: string; method: string; params: Record<string, unknown> };
      if (method === "connect") connect(socket, id, params);
      else if (method === "agent") startRun(socket, id, params);
      else if (method === "chat.abort") abort(socket, id, String(params.runId));
      else if (method === "models.list")
        socket.send(
          frame({
            type: "res",
            id,
            ok: true,
            payload: {
              models: [
                { id: "m1", provider: "fake" },
                { id: "m2", provider: "fake" },
              ],
            },
          }),
        );
    },
    onRequest(incoming, response) {
      const parts: Buffer[] = [];
      response.on("close", () => {
        if (!response.writableEnded) hungUp += 1;
        server.changed();
      });
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("end", () => {
        const request = { headers: incoming.headers, body: Buffer.concat(parts).toString() };
        invocations.push(request);
        server.changed();
        invoke(request, response);
      });
    },
  });

  function connect(socket: LoopbackSocket, id: string, params: Record<string, unknown>): void {
    // What our own adapter wrote.
    const { token } = params.auth as { token: string };
    tokens.set(socket, token);
    const refuse = (error: object, code: number) => {
      socket.send(frame({ type: "res", id, ok: false, error }));
      socket.close(code);
    };
    if (options.protocol !== undefined && options.protocol !== params.maxProtocol) {
      const details = { code: "PROTOCOL_MISMATCH", expectedProtocol: options.protocol };
      refuse({ code: "INVALID_REQUEST", message: "protocol mismatch", details }, 1002);
    } else if (token === options.refusedToken) {
      refuse(
        {
          code: "INVALID_REQUEST",
          message: "unauthorized: gateway token mismatch (provide gateway auth token)",
          details: { code: "AUTH_TOKEN_MISMATCH", authReason: "token_mismatch" },
        },
        1008,
      );
    } else if (options.handshake === "no-pairing") {
      refuse({ code: "NOT_PAIRED", message: "pairing required", details: { code: "PAIRING_REQUIRED" } }, 1008);
    } else {
      const hello = {
        type: "hello-ok",
        protocol: params.maxProtocol,
        server: { version: options.version ?? "2026.9.6", connId: "c" },
        features: { methods: [] },
        snapshot: { sessionDefaults: { defaultAgentId: agentId } },
        auth: { method: "token", role: "operator", scopes: options.scopes ?? params.scopes },
        policy: { maxPayload: 26_214_400, tickIntervalMs: options.tickMs ?? 30_000 },
      };
      const payload = options.handshake === "wrong-hello" ? { type: "hello-ok", protocol: "four" } : hello;
      socket.send(frame({ type: "res", id, ok: true, payload }));
    }
  }

  function startRun(socket: LoopbackSocket, id: string, params: Record<string, unknown>): void {
    const runId = String(params.idempotencyKey);
    runs.push({ params, connection: numbers.get(socket) ?? 0 });
    server.changed();
    const marks = /\[\[claw:([^\]]+)\]\]/.exec(String(params.message))?.[1]?.split("+");
    const behaviours = new Set<string>(marks ?? scripts.shift() ?? []);
    const has = (behaviour: FakeGatewayBehaviour) => behaviours.has(behaviour);
    const known = ended.get(runId);
    if (known && !isForgetful) {
      socket.send(frame({ type: "res", id, ...known }));
      return;
    }
    if (waiting.has(runId)) {
      socket.send(frame({ type: "res", id, ok: true, payload: { runId, status: "in_flight", agentId } }));
      return;
    }
    const wait = () => {
      waiting.set(runId, { socket, id, isLate: has("answers-after-abort") });
      if (has("abort-unknown-once")) unknownOnce.add(runId);
      server.changed();
    };
    if (has("cut-before-accept")) {
      socket.destroy();
      return;
    }
    if (has("hang-before-accept")) {
      wait();
      return;
    }
    socket.send(
      frame({
        type: "res",
        id,
        ok: true,
        payload: { runId, sessionKey: params.sessionKey, agentId, status: "accepted", acceptedAt: 1 },
      }),
    );
    if (has("chatter")) chatter(socket, runId);
    if (has("hang")) {
      wait();
      return;
    }
    const misdeed = misdeedOf(behaviours);
    if (misdeed) {
      misdeed(socket, id);
      return;
    }
    const end = endOfRun(behaviours, { params, token: tokens.get(socket) ?? "", answer });
    ended.set(runId, end);
    sendEnd(socket, behaviours, frame({ type: "res", id, ...end }));
  }

  const unknownOnce = new Set<string>();
  let holdsAborts = false;

  function abort(socket: LoopbackSocket, id: string, runId: string): void {
    if (holdsAborts) return;
    const run = waiting.get(runId);
    const isKnown = run !== undefined && !unknownOnce.delete(runId);
    socket.send(frame({ type: "res", id, ok: true, payload: { ok: true, aborted: isKnown, runIds: isKnown ? [runId] : [] } }));
    if (!run) return;
    if (!isKnown) {
      // It is known from now on.
      run.socket.send(frame({ type: "res", id: run.id, ok: true, payload: { runId, status: "accepted" } }));
      return;
    }
    waiting.delete(runId);
    aborted.push(runId);
    run.socket.send(
      run.isLate
        ? frame({ type: "res", id: run.id, ...endOfRun(new Set(), { params: {}, token: "", answer }) })
        : frame({
            type: "res",
            id: run.id,
            ok: true,
            payload: { runId, status: "timeout", summary: "aborted", stopReason: "rpc" },
          }),
    );
    server.changed();
  }

  return {
    baseUrl: server.baseUrl,
    runs,
    /** Ids of runs that were called off, in order. */
    aborted,
    /** Requests to `/tools/invoke`. */
    invocations,
    get connections() {
      return connections;
    },
    get openConnections() {
      return server.openConnections;
    },
    /** Requests over HTTP whose caller hung up. */
    get hungUp() {
      return hungUp;
    },
    /** Runs that wait to be called off. */
    get waiting() {
      return waiting.size;
    },
    until: server.until,
    /** What the next run without a mark and without a script does; first come, first served. */
    next(behaviours: readonly FakeGatewayBehaviour[]) {
      scripts.push(behaviours);
    },
    /** From now on the same id may be run again. */
    forgetIds() {
      isForgetful = true;
    },
    /** From now on nothing is called off. */
    holdAborts() {
      holdsAborts = true;
    },
    /** How requests to `/tools/invoke` are answered. */
    onInvoke(answerer: typeof invoke) {
      invoke = answerer;
    },
    /** As when the gateway is started again: every connection ends, and no run goes on. */
    restart() {
      waiting.clear();
      for (const socket of server.sockets) socket.close(1012);
    },
    /** Only the connections are lost: runs go on. */
    cutConnections() {
      for (const socket of server.sockets) socket.destroy();
    },
    close: server.close,
  };
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers }).end(JSON.stringify(body));
}

function frame(content: object): string {
  return JSON.stringify(content);
}
