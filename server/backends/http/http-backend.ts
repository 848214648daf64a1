/** A backend over HTTP for any protocol that answers a POST with server-sent events. What differs between protocols is an `HttpProtocol`. */
import { Agent } from "undici";
import { ANSWER_TEXT_LIMIT } from "@/server/backends/answer-limit";
import {
  BACKEND_CONTRACT_VERSION,
  type Backend,
  type BackendCapabilities,
  BackendError,
  type Turn,
  type TurnResult,
  type TurnSink,
} from "@/server/backends/backend";
import type { BatchBackend, BatchLimits } from "@/server/backends/batch-backend";
import { probeByTurn } from "@/server/backends/probe-by-turn";
import type { ProviderAccess } from "@/server/backends/provider-access";
import { exchange, type HttpRequest, TransportError } from "@/server/backends/transport/http-sse";
import { createTurnScope } from "@/server/backends/transport/turn-scope";
import { turnEventsOf } from "@/server/backends/turn-events";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { redactorOf } from "@/server/events/redactor-of";
import type { Secret } from "@/server/shared/secret";
import type { AnswerTranslator } from "./answer-translator";
import { type BatchBounds, type BatchCalls, createBatchCalls, USUAL_BATCH_BOUNDS } from "./batch-calls";
import { type FailureContext, failureOfTransport, partialTextOf } from "./failure";
import { readModelPage } from "./model-page";
import { type AnswerBounds, type AnswerForm, readAnswer } from "./read-answer";

/** What a protocol is made of. Pure: it opens nothing and reads no clock. */
export interface HttpProtocol extends AnswerForm {
  capabilities: BackendCapabilities;
  /** The address that the paths below are added to, from a base URL without a slash at its end. */
  addressOf(baseUrl: string): string;
  /** Where a turn is posted, from its slash on. */
  turnPath: string;
  /** A page of the list of models, from its slash on; the first for null, else the one after that model. Null = there are no further pages. */
  modelsPath(after: string | null): string | null;
  /** Every header that says who asks and in which version of the protocol. Without a key for servers that need none. */
  headers(key: Secret | undefined): Record<string, string>;
  body(turn: Turn): Record<string, unknown>;
  /** `maxTextBytes` bounds the text of the answer in UTF-8. */
  createTranslator(context: FailureContext, maxTextBytes: number): AnswerTranslator;
  /** How the protocol takes many requests as one job; used for providers whose settings say that they do. */
  batch?: { limits: BatchLimits; create(calls: BatchCalls): BatchBackend };
}

export interface HttpLimits extends AnswerBounds {
  /** Bytes of one answer as it comes over the wire. */
  maxBytes: number;
  /** UTF-8 bytes of the model's text in it: beyond them nothing more is read. */
  maxTextBytes: number;
  /** Milliseconds of a probe. */
  probeMs: number;
  /** Other bounds of batches than the protocol's and the usual ones. */
  batch: Partial<BatchBounds>;
}

const LIMITS: HttpLimits = {
  maxBytes: 32 * 1024 * 1024,
  maxTextBytes: ANSWER_TEXT_LIMIT,
  maxEventLength: 8 * 1024 * 1024,
  afterFinishMs: 2_000,
  probeMs: 10_000,
  batch: {},
};

const KEEP_ALIVE_MS = 10_000;

/** Tokens a probe may cost: reasoning models refuse fewer. */
const PROBE_TOKENS = 16;
/** Pages of a list of models that are asked for. */
const MOST_MODEL_PAGES = 20;

/** One request a turn: no retry, no redirect. Opens its sockets at the first turn. */
export function createHttpBackend(protocol: HttpProtocol, settings: ProviderSettings, limits: Partial<HttpLimits> = {}): Backend {
  const bounds = { ...LIMITS, ...limits };
  const agent = new Agent({ connect: { timeout: settings.connectMs }, keepAliveTimeout: KEEP_ALIVE_MS, pipelining: 1 });
  const scope = createTurnScope(settings.name);
  let closed: Promise<void> | undefined;

  function httpRequest(
    method: "GET" | "POST",
    path: string,
    { baseUrl, secrets }: ProviderAccess,
    signal: AbortSignal,
    totalMs: number,
  ): HttpRequest {
    if (baseUrl === null) throw new BackendError("backend-failed", `The provider ${settings.name} has no base URL.`);
    const key = secrets.apiKey;
    if (!key && settings.secretRefs.apiKey !== undefined) {
      throw new BackendError(
        "secret-unavailable",
        `The key of ${settings.name} (${settings.secretRefs.apiKey}) is not available.`,
      );
    }
    return {
      url: `${protocol.addressOf(baseUrl.replace(/\/+$/, ""))}${path}`,
      method,
      headers: {
        accept: method === "POST" ? "text/event-stream, application/json" : "application/json",
        ...protocol.headers(key),
      },
      dispatcher: agent,
      signals: [signal, scope.closing],
      totalMs,
      idleMs: Math.min(settings.idleMs, totalMs),
      maxBytes: bounds.maxBytes,
    };
  }

  function contextOf(secrets: ProviderAccess["secrets"]): FailureContext {
    return { providerName: settings.name, redactor: redactorOf(secrets), now: Date.now };
  }

  async function run(turn: Turn, sink: TurnSink, signal: AbortSignal): Promise<TurnResult> {
    const context = contextOf(turn.secrets);
    const translator = protocol.createTranslator(context, bounds.maxTextBytes);
    const request = httpRequest("POST", protocol.turnPath, turn, signal, turn.timeoutMs);
    request.headers["content-type"] = "application/json";
    request.body = () => JSON.stringify(protocol.body(turn));
    const { status, say } = turnEventsOf(settings, turn, sink);
    status("started");
    const startedAt = performance.now();
    let firstTokenMs: number | undefined;
    const onText = () => {
      if (firstTokenMs === undefined) {
        firstTokenMs = performance.now() - startedAt;
        status("responding");
      }
      sink.progress({ characters: translator.characters });
    };
    try {
      await exchange(request, (answer) => readAnswer(context, answer, translator, onText, bounds, protocol));
      signal.throwIfAborted();
      const result = translator.result();
      say(context.redactor.text(result.text), true);
      return { ...result, ...(firstTokenMs === undefined ? {} : { firstTokenMs }) };
    } catch (error) {
      signal.throwIfAborted();
      // What the model had said is kept, as text that answers nothing.
      const failure =
        error instanceof TransportError
          ? failureOfTransport(context, error, { timeoutMs: turn.timeoutMs, idleMs: request.idleMs }, translator.text)
          : error;
      const said = failure instanceof BackendError ? failure.partialText : undefined;
      const partial = said ?? partialTextOf(context, translator.text).partialText;
      if (partial !== undefined) say(partial, false);
      if (failure instanceof BackendError) failure.usage ??= translator.usage;
      throw failure;
    }
  }

  const probe = (signal: AbortSignal, access: ProviderAccess, model: string) =>
    probeByTurn({ access, model, tokens: PROBE_TOKENS, timeoutMs: bounds.probeMs }, run, signal);

  async function listModels(signal: AbortSignal, access: ProviderAccess): Promise<string[] | null> {
    const context = contextOf(access.secrets);
    const until = performance.now() + bounds.probeMs;
    const models = new Set<string>();
    let path = protocol.modelsPath(null);
    try {
      for (let pages = 0; path !== null && pages < MOST_MODEL_PAGES; pages++) {
        const leftMs = Math.max(1, Math.ceil(until - performance.now()));
        const page = await exchange(httpRequest("GET", path, access, signal, leftMs), (answer) => readModelPage(context, answer));
        if (page === null) return pages === 0 ? null : [...models];
        for (const model of page.models) models.add(context.redactor.text(model));
        path = page.after === null ? null : protocol.modelsPath(page.after);
      }
      return [...models];
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TransportError)
        throw failureOfTransport(context, error, { timeoutMs: bounds.probeMs, idleMs: bounds.probeMs }, "");
      throw error;
    }
  }

  function createBatch(): BatchBackend | null {
    if (!protocol.batch || settings.batch !== true) return null;
    const calls = createBatchCalls(
      {
        providerName: settings.name,
        request: httpRequest,
        context: contextOf,
        body: protocol.body,
        createTranslator: (context) => protocol.createTranslator(context, bounds.maxTextBytes),
        timeoutMs: settings.timeoutMs,
      },
      { ...USUAL_BATCH_BOUNDS, ...protocol.batch.limits, ...bounds.batch },
    );
    const inner = protocol.batch.create(calls);
    return {
      limits: inner.limits,
      sizeOf: inner.sizeOf,
      upload: (order, access, signal) => scope.run(signal, () => inner.upload(order, access, signal)),
      submit: (order, fileId, access, signal) => scope.run(signal, () => inner.submit(order, fileId, access, signal)),
      find: (order, since, others, access, signal) => scope.run(signal, () => inner.find(order, since, others, access, signal)),
      poll: (nativeId, access, signal) => scope.run(signal, () => inner.poll(nativeId, access, signal)),
      collect: (nativeId, take, access, signal) => scope.run(signal, () => inner.collect(nativeId, take, access, signal)),
      cancelJob: (nativeId, access, signal) => scope.run(signal, () => inner.cancelJob(nativeId, access, signal)),
    };
  }
  const batch = createBatch();

  return {
    contractVersion: BACKEND_CONTRACT_VERSION,
    kind: settings.kind,
    settings,
    capabilities: protocol.capabilities,
    probe: (signal, access, model) => scope.run(signal, () => probe(signal, access, model)),
    listModels: (signal, access) => scope.run(signal, () => listModels(signal, access)),
    runTurn: (turn, sink, signal) => scope.run(signal, () => run(turn, sink, signal)),
    ...(batch ? { batch } : {}),
    close() {
      closed ??= scope.close().then(() => agent.destroy());
      return closed;
    },
  };
}
