/** Requests, answers and notifications over lines of JSON, both sides asking. A missing `jsonrpc` member is accepted. Names no runtime. */
import { setMaxListeners } from "node:events";

export type JsonRpcId = string | number;

export interface JsonRpcRequest {
  id: JsonRpcId;
  method: string;
  params: unknown;
}

export interface JsonRpcPeerOptions {
  /** Gets one line, its end included. */
  write(line: string): void;
  onNotification(method: string, params: unknown): void;
  /** The other side asks; it waits until `respond` or `respondError` is called with that id. */
  onRequest(request: JsonRpcRequest): void;
  /** A line that is no message: `not-json`, or JSON of another form. */
  onBadLine(problem: "not-json" | "not-a-message", head: string): void;
}

/** The other side answered a request with an error. */
export class JsonRpcError extends Error {
  readonly code: number;
  readonly method: string;

  constructor(method: string, code: number, message: string) {
    super(message);
    this.name = "JsonRpcError";
    this.code = code;
    this.method = method;
  }
}

/** The other side did not answer in time. */
export class JsonRpcTimeoutError extends Error {
  readonly method: string;

  constructor(method: string, milliseconds: number) {
    super(`${method} was not answered within ${milliseconds / 1000}s`);
    this.name = "JsonRpcTimeoutError";
    this.method = method;
  }
}

interface Pending {
  method: string;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const HEAD_LENGTH = 200;

export class JsonRpcPeer {
  readonly #options: JsonRpcPeerOptions;
  readonly #pending = new Map<JsonRpcId, Pending>();
  #nextId = 1;
  #closedWith: Error | null = null;

  constructor(options: JsonRpcPeerOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the `result`. Rejects with a `JsonRpcError`, a `JsonRpcTimeoutError`, the signal's reason, or what the peer was
   * closed with. An answer that comes after that is dropped.
   */
  async request(method: string, params: unknown, limit: { timeoutMs: number; signal?: AbortSignal }): Promise<unknown> {
    limit.signal?.throwIfAborted();
    if (this.#closedWith) throw this.#closedWith;
    const id = this.#nextId++;
    const { signal, timeoutMs } = limit;
    if (signal) setMaxListeners(0, signal);
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.#pending.set(id, { method, resolve, reject });
        timer = setTimeout(() => reject(new JsonRpcTimeoutError(method, timeoutMs)), timeoutMs);
        onAbort = () => reject(signal?.reason);
        signal?.addEventListener("abort", onAbort, { once: true });
        this.#send({ id, method, ...(params === undefined ? {} : { params }) });
      });
    } finally {
      clearTimeout(timer);
      if (onAbort) signal?.removeEventListener("abort", onAbort);
      this.#pending.delete(id);
    }
  }

  notify(method: string, params?: unknown): void {
    this.#send({ method, ...(params === undefined ? {} : { params }) });
  }

  respond(id: JsonRpcId, result: unknown): void {
    this.#send({ id, result });
  }

  respondError(id: JsonRpcId, code: number, message: string): void {
    this.#send({ id, error: { code, message } });
  }

  /** One line from the other side. */
  receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#options.onBadLine("not-json", line.slice(0, HEAD_LENGTH));
      return;
    }
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      this.#options.onBadLine("not-a-message", line.slice(0, HEAD_LENGTH));
      return;
    }
    const { id, method, params, result, error } = message as Record<string, unknown>;
    const hasId = typeof id === "string" || typeof id === "number";
    if (typeof method === "string") {
      if (hasId) this.#options.onRequest({ id, method, params });
      else this.#options.onNotification(method, params);
      return;
    }
    if (!hasId) {
      this.#options.onBadLine("not-a-message", line.slice(0, HEAD_LENGTH));
      return;
    }
    // Unknown ids are answers nobody waits for any more.
    const pending = this.#pending.get(id);
    if (error !== undefined && error !== null) pending?.reject(errorOf(pending.method, error));
    else pending?.resolve(result);
  }

  /** Every open request is rejected with `error`, and so is each later one. */
  close(error: Error): void {
    this.#closedWith ??= error;
    for (const { reject } of [...this.#pending.values()]) reject(error);
  }

  #send(message: object): void {
    if (!this.#closedWith) this.#options.write(`${JSON.stringify(message)}\n`);
  }
}

function errorOf(method: string, error: unknown): JsonRpcError {
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  return new JsonRpcError(
    method,
    typeof code === "number" ? code : 0,
    typeof message === "string" && message !== "" ? message : "an error without a message",
  );
}
