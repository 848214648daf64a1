/** Any server that speaks OpenAI's chat completions: MiniMax, DeepSeek, OpenRouter, Ollama, llama.cpp … as profiles. */
import { Agent } from "undici";
import { ANSWER_TEXT_LIMIT } from "@/server/backends/answer-limit";
import {
  BACKEND_CONTRACT_VERSION,
  type Backend,
  type BackendCapabilities,
  BackendError,
  type ProbeResult,
  type Turn,
  type TurnResult,
  type TurnSink,
} from "@/server/backends/backend";
import { healthOfFailure } from "@/server/backends/health-of-failure";
import type { ProviderAccess } from "@/server/backends/provider-access";
import {
  createEventReader,
  exchange,
  type HttpAnswer,
  type HttpRequest,
  readBeginning,
  TransportError,
} from "@/server/backends/transport/http-sse";
import { createTurnScope } from "@/server/backends/transport/turn-scope";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { redactorOf } from "@/server/events/redactor-of";
import { type FailureContext, failureOfStatus, failureOfTransport, partialTextOf } from "./failure";
import { modelListSchema } from "./protocol.schema";
import { requestBody } from "./request-body";
import { type ChatTranslator, createChatTranslator } from "./translate";

/** `structuredOutput` is false: no response format is asked for, because servers that do not know it answer 400 (MiniMax) or nothing (DeepSeek). */
export const OPENAI_CHAT_CAPABILITIES: BackendCapabilities = {
  streaming: true,
  structuredOutput: false,
  usage: true,
  cancel: true,
};

export interface OpenAiChatLimits {
  /** Bytes of one answer as it comes over the wire. */
  maxBytes: number;
  /** UTF-8 bytes of the model's text in it: beyond them nothing more is read. */
  maxTextBytes: number;
  /** Characters of one event. */
  maxEventLength: number;
  /** Milliseconds for what follows the finish reason (usage, `[DONE]`, the end). */
  afterFinishMs: number;
  /** Milliseconds of a probe. */
  probeMs: number;
}

const LIMITS: OpenAiChatLimits = {
  maxBytes: 32 * 1024 * 1024,
  maxTextBytes: ANSWER_TEXT_LIMIT,
  maxEventLength: 8 * 1024 * 1024,
  afterFinishMs: 2_000,
  probeMs: 10_000,
};

const KEEP_ALIVE_MS = 10_000;
/** Characters of an error body that are read. */
const ERROR_BODY_LENGTH = 64 * 1024;
/** After `[DONE]` the connection is worth keeping only if it ends at once. */
const AFTER_DONE_MS = 100;

/** Tokens a probe may cost: reasoning models refuse fewer. */
const PROBE_TOKENS = 16;
/** Characters of a list of models that are read. */
const MODELS_BODY_LENGTH = 4 * 1024 * 1024;

type Secrets = ProviderAccess["secrets"];

/** One request a turn: no retry, no redirect. Opens its sockets at the first turn. */
export function createOpenAiChatBackend(settings: ProviderSettings, limits: Partial<OpenAiChatLimits> = {}): Backend {
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
      url: `${baseUrl.replace(/\/+$/, "")}${path}`,
      method,
      headers: {
        accept: method === "POST" ? "text/event-stream, application/json" : "application/json",
        ...(key ? { authorization: `Bearer ${key.expose()}` } : {}),
      },
      dispatcher: agent,
      signals: [signal, scope.closing],
      totalMs,
      idleMs: Math.min(settings.idleMs, totalMs),
      maxBytes: bounds.maxBytes,
    };
  }

  function contextOf(secrets: Secrets): FailureContext {
    return { providerName: settings.name, redactor: redactorOf(secrets), now: Date.now };
  }

  async function run(turn: Turn, sink: TurnSink, signal: AbortSignal): Promise<TurnResult> {
    const context = contextOf(turn.secrets);
    const translator = createChatTranslator(context, bounds.maxTextBytes);
    const request = httpRequest("POST", "/chat/completions", turn, signal, turn.timeoutMs);
    request.headers["content-type"] = "application/json";
    request.body = () => JSON.stringify(requestBody(turn));
    sink.event({
      type: "backend_status",
      payload: { phase: "started", backend: settings.name, backendKind: settings.kind, model: turn.model },
    });
    const startedAt = performance.now();
    let firstTokenMs: number | undefined;
    const onText = () => {
      if (firstTokenMs === undefined) {
        firstTokenMs = performance.now() - startedAt;
        sink.event({
          type: "backend_status",
          payload: { phase: "responding", backend: settings.name, backendKind: settings.kind, model: turn.model },
        });
      }
      sink.progress({ characters: translator.characters });
    };
    const say = (text: string, final: boolean) =>
      sink.event({
        type: "assistant_message",
        payload: {
          text,
          itemId: `${turn.requestId}-message-0`,
          messageIndex: 0,
          messageCount: 1,
          replyAuthority: final,
          final,
        },
      });
    try {
      await exchange(request, (answer) => readAnswer(context, answer, translator, onText, bounds));
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
      throw failure;
    }
  }

  /** One tiny answer, which a wrong key, an empty account or an unknown model does not get; a list of models would tell none of it. */
  async function probe(signal: AbortSignal, access: ProviderAccess, model: string): Promise<ProbeResult> {
    const startedAt = performance.now();
    const done = (state: ProbeResult["state"], reason: string): ProbeResult => ({
      state,
      reason,
      latencyMs: Math.max(0, performance.now() - startedAt),
    });
    const turn: Turn = {
      ...access,
      requestId: "probe",
      model,
      system: "",
      user: "Reply with the word OK.",
      expect: { format: "json", schema: {} },
      generation: { maxTokens: PROBE_TOKENS },
      timeoutMs: bounds.probeMs,
    };
    try {
      await run(turn, { event: () => undefined, progress: () => undefined }, signal);
      return done("healthy", "");
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof BackendError)) throw error;
      const { state, reason } = healthOfFailure(error);
      return done(state, reason);
    }
  }

  async function listModels(signal: AbortSignal, access: ProviderAccess): Promise<string[] | null> {
    const context = contextOf(access.secrets);
    try {
      return await exchange(httpRequest("GET", "/models", access, signal, bounds.probeMs), async (answer) => {
        const body = await readBeginning(answer, MODELS_BODY_LENGTH);
        if (answer.status === 404 || answer.status === 405) return null;
        if (answer.status !== 200) throw failureOfStatus(context, { ...answer, body: body.slice(0, ERROR_BODY_LENGTH) });
        const models = modelListSchema.safeParse(parseOrNull(body));
        if (!models.success)
          throw new BackendError("backend-protocol-error", `${settings.name} answered with something that is no list of models.`);
        return [...new Set(models.data.data.map(({ id }) => context.redactor.text(id)))];
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TransportError)
        throw failureOfTransport(context, error, { timeoutMs: bounds.probeMs, idleMs: bounds.probeMs }, "");
      throw error;
    }
  }

  return {
    contractVersion: BACKEND_CONTRACT_VERSION,
    kind: settings.kind,
    settings,
    capabilities: OPENAI_CHAT_CAPABILITIES,
    probe: (signal, access, model) => scope.run(signal, () => probe(signal, access, model)),
    listModels: (signal, access) => scope.run(signal, () => listModels(signal, access)),
    runTurn: (turn, sink, signal) => scope.run(signal, () => run(turn, sink, signal)),
    close() {
      closed ??= scope.close().then(() => agent.destroy());
      return closed;
    },
  };
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function readAnswer(
  context: FailureContext,
  answer: HttpAnswer,
  translator: ChatTranslator,
  onText: () => void,
  bounds: OpenAiChatLimits,
): Promise<void> {
  if (answer.status !== 200) throw failureOfStatus(context, { ...answer, body: await readBeginning(answer, ERROR_BODY_LENGTH) });
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase();
  if (encoding && encoding !== "identity") {
    throw new BackendError(
      "backend-protocol-error",
      `${context.providerName} compressed its answer (${encoding.slice(0, 20)}), which was not asked for.`,
    );
  }
  const type = answer.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "text/html" || type.startsWith("image/") || type === "application/xml" || type === "text/xml") {
    throw new BackendError(
      "backend-protocol-error",
      `${context.providerName} answered with ${type} where a chat answer was expected. Does the base URL end in /v1?`,
    );
  }
  const isSingle = await readPieces(context, answer, translator, onText, bounds, type);
  if (isSingle !== null) {
    if (isSingle.trim() === "")
      throw new BackendError("backend-json-parse-error", `${context.providerName} answered with an empty body.`);
    translator.push(isSingle);
    if (translator.characters > 0) onText();
  }
}

/** Reads a stream of events to its end, or returns the whole body when the server sent a single JSON answer instead. */
async function readPieces(
  context: FailureContext,
  answer: HttpAnswer,
  translator: ChatTranslator,
  onText: () => void,
  bounds: OpenAiChatLimits,
  type: string,
): Promise<string | null> {
  const bodyParts: string[] = [];
  let isStream: boolean | undefined = type === "text/event-stream" ? true : type === "application/json" ? false : undefined;
  const reader = createEventReader(bounds.maxEventLength, (data) => {
    const before = translator.characters;
    translator.push(data);
    if (translator.characters > before) onText();
  });
  let wasFinished = false;
  try {
    await answer.read((piece) => {
      // Without a content type the first character tells: `{` begins JSON, anything else is a line of events.
      isStream ??= piece.trim() === "" ? undefined : !piece.trimStart().startsWith("{");
      if (!isStream) {
        bodyParts.push(piece);
        return;
      }
      reader.feed(piece);
      if (translator.isDone) answer.setIdleLimit(AFTER_DONE_MS);
      else if (translator.isFinished && !wasFinished) answer.setIdleLimit(bounds.afterFinishMs);
      wasFinished = translator.isFinished;
    });
  } catch (error) {
    // The model had finished: a rest that is slow, cut or missing takes nothing from the answer.
    if (error instanceof TransportError && translator.isFinished) return null;
    throw error;
  }
  if (!isStream) return bodyParts.join("");
  endStream(context, reader, translator);
  return null;
}

function endStream(context: FailureContext, reader: { end(): void; strayLines: number }, translator: ChatTranslator): void {
  try {
    reader.end();
  } catch (error) {
    // Half an event at the end is a stream that was cut, which `result()` reports.
    if (!(error instanceof BackendError) || error.failureKind !== "backend-json-parse-error") throw error;
  }
  if (!translator.isFinished && translator.characters === 0 && reader.strayLines > 0) {
    throw new BackendError("backend-protocol-error", `${context.providerName} sent text that is no event stream.`);
  }
}
