import { FAILURE_KINDS, type FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import { type Backend, BackendError, type Turn, type TurnResult, type TurnSink } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import { MODEL_CAPABILITIES } from "@/server/config/config.rules";
import type { NewEvent } from "@/server/events/event.schema";
import { type Clock, systemClock } from "@/server/shared/clock";
import { linkSignals } from "@/server/shared/linked-signal";
import { startPatientTimer } from "@/server/shared/patient-timer";
import { Cancellation, cancellationOf, isCancellation } from "./cancellation";
import type { CapabilityScore, InferenceRequest, InferenceResponse, ProviderHealth } from "./inference.schema";
import type { Tokenizer } from "./tokenizer";

export interface InferCall {
  model: string;
  /** Address and secrets of this provider, from the projection. */
  access: ProviderAccess;
  sink: TurnSink;
  signal: AbortSignal;
}

/** Stateless compute of one provider: one request in, one final text out. */
export interface InferenceProvider {
  /** The provider's name. */
  readonly id: string;
  readonly name: string;
  /** The provider's own; two providers never share counts. */
  readonly tokenizer: Tokenizer;
  readonly backend: Backend;

  /** From its profile, which the operator may change. */
  capabilities(): CapabilityScore[];

  /**
   * Runs one request. The sink gets `inference_started`, what the backend says, then exactly one of
   * `inference_completed`, `inference_failed`, `inference_timeout`; failures have an `error` event before it.
   * A backend that reports no usage gets counts by the tokenizer, marked `estimated`.
   *
   * Rejects with a `BackendError` for every failure, our own time limit included (`backend-timeout`), and with the
   * signal's `Cancellation` when it was called off. A result that arrives after the abort is not returned.
   */
  infer(request: InferenceRequest, call: InferCall): Promise<InferenceResponse>;

  /** Never throws for an unhealthy runtime. */
  healthCheck(signal: AbortSignal, access: ProviderAccess, model: string): Promise<ProviderHealth>;
}

/** How long an aborted backend may take to let go of its upstream before the caller goes on without it. */
const LET_GO_MS = 2_000;

export function createInferenceProvider(backend: Backend, tokenizer: Tokenizer, clock: Clock = systemClock): InferenceProvider {
  const { settings } = backend;
  return {
    id: settings.name,
    name: settings.description,
    tokenizer,
    backend,
    capabilities: () =>
      MODEL_CAPABILITIES.flatMap((capability) => {
        const score = settings.scores[capability];
        return score === undefined ? [] : [{ capability, score }];
      }),
    healthCheck: (signal, access, model) => backend.probe(signal, access, model),
    infer: (request, call) => infer(backend, tokenizer, clock, request, call),
  };
}

async function infer(
  backend: Backend,
  tokenizer: Tokenizer,
  clock: Clock,
  request: InferenceRequest,
  call: InferCall,
): Promise<InferenceResponse> {
  const { settings } = backend;
  // Called off before it began: no event says otherwise.
  if (call.signal.aborted) throw cancellationOf(call.signal);
  const identity = {
    requestId: request.requestId,
    sessionId: request.sessionId,
    stageId: request.stageId,
    providerId: settings.name,
  };
  const timeoutMs = Math.min(request.timeoutMs ?? settings.timeoutMs, settings.timeoutMs);
  const startedAt = clock.now();
  const elapsed = () => Math.max(0, clock.now() - startedAt);
  const gate = gateSink(call.sink);
  const { signal, abort, unlink } = linkSignals(call.signal);
  // Made when it is needed: an error takes its stack along, which is dear for one that most turns never see.
  let timeUp: Cancellation | null = null;
  const timer = startPatientTimer(timeoutMs, () => {
    timeUp = new Cancellation("stage_timeout");
    abort(timeUp);
  });
  try {
    gate.event({ type: "inference_started", payload: { ...identity, model: call.model } });
    const result = await runLettingGo(backend, turnOf(request, call, timeoutMs), gate, signal);
    signal.throwIfAborted();
    const tokensUsed = result.usage ?? estimateUsage(tokenizer, request, result);
    const latencyMs = elapsed();
    gate.event({
      type: "inference_completed",
      payload: {
        ...identity,
        ...tokensUsed,
        latencyMs,
        finishReason: result.finishReason,
        ...(result.servedModel === undefined ? {} : { servedModel: result.servedModel }),
      },
    });
    return {
      requestId: request.requestId,
      text: result.text,
      finishReason: result.finishReason,
      tokensUsed,
      latencyMs,
      ...(result.servedModel === undefined ? {} : { servedModel: result.servedModel }),
      ...(result.servedProvider === undefined ? {} : { servedProvider: result.servedProvider }),
      ...(result.firstTokenMs === undefined ? {} : { firstTokenMs: result.firstTokenMs }),
    };
  } catch (error) {
    const failure = failureOf(error, signal, timeUp, settings.name, timeoutMs);
    for (const event of closingEvents(failure, identity, timeoutMs)) gate.event(event);
    throw failure;
  } finally {
    timer.clear();
    unlink();
    gate.close();
  }
}

function turnOf(request: InferenceRequest, call: InferCall, timeoutMs: number): Turn {
  const { system, user, expect } = request.contextPack;
  return {
    requestId: request.requestId,
    model: call.model,
    system,
    user,
    expect,
    generation: request.generationConfig,
    timeoutMs,
    ...call.access,
  };
}

/** Waits for the backend, but no longer than `LET_GO_MS` after an abort: one that ignores its signal holds nobody up. */
async function runLettingGo(backend: Backend, turn: Turn, sink: TurnSink, signal: AbortSignal): Promise<TurnResult> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const abandoned = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason), LET_GO_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([backend.runTurn(turn, sink, signal), abandoned]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener("abort", onAbort);
  }
}

/** Passes events on until it is closed: what a backend says after its turn ended belongs to no turn. */
function gateSink(sink: TurnSink): TurnSink & { close(): void } {
  let open = true;
  return {
    event: (event) => {
      if (open) sink.event(event);
    },
    progress: (progress) => {
      if (open) sink.progress(progress);
    },
    close: () => {
      open = false;
    },
  };
}

/** What was aborted first counts, whatever the backend made of the abort. */
function failureOf(
  error: unknown,
  signal: AbortSignal,
  timeUp: Cancellation | null,
  providerName: string,
  timeoutMs: number,
): Cancellation | BackendError {
  const partial = error instanceof BackendError ? keptOf(error) : {};
  if (signal.aborted) {
    if (timeUp !== null && signal.reason === timeUp) {
      return new BackendError("backend-timeout", `${providerName} timed out after ${formatSeconds(timeoutMs)}`, partial);
    }
    return cancellationOf(signal);
  }
  if (error instanceof BackendError || isCancellation(error)) return error;
  // A fault of the adapter, not of the runtime: it owes a BackendError for every failure.
  return new BackendError("backend-failed", `${providerName} failed: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}

/** What was said and counted is kept, whoever ended it. */
function keptOf({ partialText, usage }: BackendError): { partialText?: string; usage?: TokenUsage } {
  return { ...(partialText === undefined ? {} : { partialText }), ...(usage === undefined ? {} : { usage }) };
}

interface Identity {
  requestId: string;
  sessionId: string;
  stageId: string;
  providerId: string;
}

function closingEvents(failure: Cancellation | BackendError, identity: Identity, timeoutMs: number): NewEvent[] {
  if (isCancellation(failure)) {
    const payload = { ...identity, reason: failure.message, cancellationReason: failure.reason };
    if (failure.reason === "stage_timeout") return [{ type: "inference_timeout", payload: { ...payload, timeoutMs } }];
    return [{ type: "inference_failed", payload: { ...payload, failureKind: "cancelled" } }];
  }
  const { failureKind, message } = failure;
  return [
    { type: "error", payload: { failureKind, message, requestId: identity.requestId } },
    lifecycleEvent(failureKind, message, identity, timeoutMs),
  ];
}

function lifecycleEvent(failureKind: FailureKind, message: string, identity: Identity, timeoutMs: number): NewEvent {
  if (FAILURE_KINDS[failureKind].event === "inference_timeout") {
    return { type: "inference_timeout", payload: { ...identity, timeoutMs, reason: message, failureKind } };
  }
  return { type: "inference_failed", payload: { ...identity, reason: message, failureKind } };
}

function estimateUsage(tokenizer: Tokenizer, request: InferenceRequest, result: TurnResult): InferenceResponse["tokensUsed"] {
  const { system, user } = request.contextPack;
  return {
    promptTokens: tokenizer.countTokens(system) + tokenizer.countTokens(user),
    completionTokens: tokenizer.countTokens(result.text),
    estimated: true,
  };
}

/** `60s`, `1.5s`: as messages name a limit. */
export function formatSeconds(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(3))}s`;
}
