/** One connection to a gateway: challenge, `connect`, then requests and their answers, many at once. */
import { BackendError } from "@/server/backends/backend";
import type { FailureContext } from "@/server/backends/http/failure";
import { TransportError } from "@/server/backends/transport/http-sse";
import { type OpenWebSocket, openWebSocket } from "@/server/backends/transport/web-socket";
import { type PatientTimer, startPatientTimer } from "@/server/shared/patient-timer";
import { failureOfRefusal, unknownForm, withoutScope } from "./failure";
import { gatewayFrameSchema, type Hello, helloSchema, type ResponseFrame } from "./protocol.schema";
import { connectParams, PROTOCOL, SCOPES } from "./request";
import { versionProblem } from "./version";

export interface GatewayOrder {
  /** `http://` or `https://`; the gateway answers both kinds of request on one port. */
  baseUrl: string;
  token: string;
  context: FailureContext;
  /** Milliseconds until the gateway has taken the token. */
  connectMs: number;
  /** Milliseconds in which nothing at all is heard of a gateway that has work; never fewer than two of its ticks. */
  silenceMs: number;
  maxFrameBytes: number;
  /** Milliseconds after which a connection without work is given up. */
  restMs: number;
}

/** Who waits for the answers to one request. */
export interface CallEars {
  /** True when nothing more is expected; a run is answered twice. May throw a `BackendError`, which `lost` gets. */
  answer(frame: ResponseFrame): boolean;
  /** The connection is over, or an answer could not be read. */
  lost(reason: TransportError | BackendError): void;
}

/** Ticks that may stay out before a gateway counts as gone. */
const MISSED_TICKS = 2.5;
const USUAL_TICK_MS = 30_000;

export class GatewayConnection {
  readonly #order: GatewayOrder;
  readonly #calls = new Map<string, CallEars>();
  readonly #onEnd: () => void;
  #socket: OpenWebSocket | null = null;
  #hello: Hello | null = null;
  #opening: { onFrame(frame: unknown): void; fail(reason: unknown): void } | null = null;
  #silence: PatientTimer | null = null;
  #rest: NodeJS.Timeout | null = null;
  #serial = 0;
  #isOver = false;

  private constructor(order: GatewayOrder, onEnd: () => void) {
    this.#order = order;
    this.#onEnd = onEnd;
  }

  /**
   * Resolves when the gateway has taken the token, speaks our protocol, is of a version that is known here and gave the rights of a run.
   * Rejects with a `TransportError`, a `BackendError` or the reason of an abort; nothing is left open then. `onEnd` is called once it is
   * over, also then.
   */
  static async open(order: GatewayOrder, signal: AbortSignal, onEnd: () => void): Promise<GatewayConnection> {
    const connection = new GatewayConnection(order, onEnd);
    try {
      await connection.#open(signal);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** The agent that the gateway takes for its usual one. */
  get agentId(): string {
    return this.#hello?.snapshot?.sessionDefaults?.defaultAgentId || "main";
  }

  /** Milliseconds in which a gateway that has work must be heard of. */
  get silenceMs(): number {
    return Math.max(this.#order.silenceMs, MISSED_TICKS * (this.#hello?.policy?.tickIntervalMs ?? USUAL_TICK_MS));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** False once it is over, or the gateway has said goodbye: no further work is given to it. */
  get isUsable(): boolean {
    return !this.#isOver && this.#socket?.isOpen === true;
  }

  /** Sends a request; what comes back is forgotten once `forget` was called. */
  call(method: string, params: Record<string, unknown>, ears: CallEars): { forget(): void } {
    const id = `${method}-${++this.#serial}`;
    if (this.#isOver) {
      queueMicrotask(() => ears.lost(new TransportError("unreachable", "the connection was closed")));
      return { forget: () => undefined };
    }
    this.#calls.set(id, ears);
    this.#watch();
    this.#send(id, method, params);
    return {
      forget: () => {
        if (this.#calls.delete(id)) this.#watch();
      },
    };
  }

  /** Says goodbye. Whoever still waits hears that it was closed. */
  async close(): Promise<void> {
    this.#end(new TransportError("cut", "the connection was closed"));
    await this.#socket?.close();
  }

  destroy(): void {
    this.#end(new TransportError("cut", "the connection was closed"));
    this.#socket?.destroy();
  }

  async #open(signal: AbortSignal): Promise<void> {
    const { baseUrl, connectMs, maxFrameBytes } = this.#order;
    const until = performance.now() + connectMs;
    let timer: NodeJS.Timeout | undefined;
    const opened = new Promise<Hello>((resolve, reject) => {
      this.#opening = { onFrame: (frame) => this.#shakeHands(frame, resolve), fail: reject };
    });
    // Whoever fails first is waited for below; a later one is nobody's.
    opened.catch(() => undefined);
    const onAbort = () => this.#opening?.fail(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      this.#socket = await openWebSocket(
        {
          url: baseUrl,
          connectMs,
          maxMessageBytes: maxFrameBytes,
          onMessage: (text) => this.#take(text),
          onEnd: (reason) => this.#end(reason),
        },
        signal,
      );
      this.#socket.listen();
      timer = setTimeout(
        () => this.#opening?.fail(new TransportError("unreachable", `no connection within ${connectMs} ms`)),
        Math.max(1, until - performance.now()),
      );
      this.#hello = await opened;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      this.#opening = null;
    }
    this.#watch();
  }

  #shakeHands(frame: unknown, resolve: (hello: Hello) => void): void {
    const { context, token } = this.#order;
    const read = gatewayFrameSchema.safeParse(frame);
    if (!read.success) return;
    if (read.data.type === "event") {
      if (read.data.event === "connect.challenge") this.#send(CONNECT_ID, "connect", connectParams(token));
      return;
    }
    if (read.data.id !== CONNECT_ID) return;
    if (!read.data.ok) throw failureOfRefusal(context, read.data.error);
    const hello = helloSchema.safeParse(read.data.payload);
    if (!hello.success) throw unknownForm(context, hello.error.issues[0]?.path);
    const { protocol, server, auth } = hello.data;
    if (protocol !== PROTOCOL)
      throw failureOfRefusal(context, { details: { code: "PROTOCOL_MISMATCH", expectedProtocol: protocol } });
    const problem = versionProblem(context.providerName, server.version);
    if (problem !== null) throw new BackendError("backend-failed", problem);
    const missing = auth?.scopes ? SCOPES.find((scope) => !auth.scopes?.includes(scope)) : undefined;
    if (missing) throw withoutScope(context.providerName, missing);
    resolve(hello.data);
  }

  #take(text: string): void {
    if (this.#isOver) return;
    this.#silence?.refresh();
    const { context } = this.#order;
    let frame: unknown;
    try {
      frame = JSON.parse(text);
    } catch {
      // One of them may have been an answer that somebody waits for. No cause: the parser's message repeats the text.
      this.#end(new BackendError("backend-json-parse-error", `${context.providerName} sent a piece that is not JSON.`));
      this.#socket?.destroy();
      return;
    }
    if (this.#opening) {
      try {
        this.#opening.onFrame(frame);
      } catch (error) {
        this.#opening.fail(error);
      }
      return;
    }
    const id = idOf(frame);
    const ears = id === null ? undefined : this.#calls.get(id);
    if (id === null || !ears) return;
    const read = gatewayFrameSchema.safeParse(frame);
    if (!read.success || read.data.type !== "res") {
      this.#drop(id);
      ears.lost(unknownForm(context, read.error?.issues[0]?.path));
      return;
    }
    try {
      if (ears.answer(read.data)) this.#drop(id);
    } catch (error) {
      this.#drop(id);
      if (!(error instanceof BackendError)) throw error;
      ears.lost(error);
    }
  }

  #drop(id: string): void {
    this.#calls.delete(id);
    this.#watch();
  }

  #send(id: string, method: string, params: Record<string, unknown>): void {
    this.#socket?.send(JSON.stringify({ type: "req", id, method, params }));
  }

  /** With work, silence is a fault; without, the connection is given up after a while. */
  #watch(): void {
    if (this.#isOver) return;
    const isBusy = this.#calls.size > 0;
    if (isBusy && this.#rest) {
      clearTimeout(this.#rest);
      this.#rest = null;
    }
    if (isBusy && !this.#silence) {
      const { silenceMs } = this;
      this.#silence = startPatientTimer(silenceMs, () => {
        this.#end(new TransportError("idle-timeout", `no data for ${silenceMs} ms`));
        this.#socket?.destroy();
      });
    }
    if (isBusy) return;
    this.#silence?.clear();
    this.#silence = null;
    this.#rest ??= setTimeout(() => void this.close(), this.#order.restMs).unref();
  }

  #end(reason: TransportError | BackendError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#silence?.clear();
    if (this.#rest) clearTimeout(this.#rest);
    this.#opening?.fail(reason);
    const waiting = [...this.#calls.values()];
    this.#calls.clear();
    for (const ears of waiting) ears.lost(reason);
    this.#onEnd();
  }
}

const CONNECT_ID = "connect";

/** Of an answer; null for whatever is none. Most frames are events of others, which are not looked at any further. */
function idOf(frame: unknown): string | null {
  if (typeof frame !== "object" || frame === null || !("type" in frame) || frame.type !== "res") return null;
  return "id" in frame && typeof frame.id === "string" ? frame.id : null;
}
