import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import type { BackendKind } from "@/server/config/backend-kind.rules";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { NewEvent } from "@/server/events/event.schema";
import type { AgentBackend } from "./agent-backend";
import type { BatchBackend } from "./batch-backend";
import type { ProviderAccess } from "./provider-access";

/** Raised when the contract below changes in a way an adapter must follow. */
export const BACKEND_CONTRACT_VERSION = 2;

/** What an adapter says it can do. The contract suite exercises each declared one and expects a refusal of each other. */
export interface BackendCapabilities {
  /** Emits progress before the reply is complete. */
  streaming: boolean;
  /** Asks the runtime itself for JSON (a response format or schema), beyond the prompt. */
  structuredOutput: boolean;
  /** Reports the tokens that were really used. False: the caller estimates. */
  usage: boolean;
  /** Aborting the signal ends the upstream work, not only the wait. */
  cancel: boolean;
}

/** One real request to the runtime. Everything an adapter may know is in here; it reads no environment. */
export interface Turn extends ProviderAccess {
  /** Made by the caller, passed through untouched. */
  requestId: string;
  /** The model asked for; the adapter passes it on and never maps it to another. */
  model: string;
  system: string;
  user: string;
  /** The form of the answer the request artifact expects. */
  expect: { format: "json"; schema: Record<string, unknown> };
  generation: { temperature?: number; topP?: number; maxTokens?: number; stopSequences?: string[]; seed?: number };
  /** Milliseconds for the whole turn. The caller aborts at the same time; an adapter with a stricter limit of its own says which fired. */
  timeoutMs: number;
}

export type FinishReason = "stop" | "length" | "content_filter" | "unknown";

/** A finished turn. `text` is the model's text, unparsed and unredacted: the caller redacts before it stores. */
export interface TurnResult {
  text: string;
  finishReason: FinishReason;
  /** Absent when the runtime reported none. */
  usage?: TokenUsage;
  /** The model the runtime says it served, when it says so. */
  servedModel?: string;
  /** Who served it behind this provider, when a router (OpenRouter) says so. */
  servedProvider?: string;
  /** Milliseconds from the write to the first piece of text, when streamed. */
  firstTokenMs?: number;
}

export interface ProbeResult {
  state: "healthy" | "degraded" | "unavailable" | "unknown";
  /** Why it is not healthy, in one sentence; empty when healthy. */
  reason: string;
  latencyMs: number;
}

/** Live progress, never stored: how many characters of text have arrived. */
export interface TurnProgress {
  characters: number;
}

/** Where an adapter says what happens. Both may be called any number of times until `runTurn` settles, and not after. */
export interface TurnSink {
  event(event: NewEvent): void;
  progress(progress: TurnProgress): void;
}

/** Transport to one runtime, for one provider. */
export interface Backend {
  readonly contractVersion: typeof BACKEND_CONTRACT_VERSION;
  readonly kind: BackendKind;
  readonly settings: ProviderSettings;
  readonly capabilities: BackendCapabilities;

  /**
   * Asks the runtime whether it would serve a turn of that model now, by a request that a wrong key fails (a tiny one, not a list
   * that anyone may read). Never throws for an unhealthy runtime; throws only when aborted.
   */
  probe(signal: AbortSignal, access: ProviderAccess, model: string): Promise<ProbeResult>;

  /** The models the runtime offers, as it names them; null when it has no list. Throws a `BackendError` when it could not be asked. */
  listModels(signal: AbortSignal, access: ProviderAccess): Promise<string[] | null>;

  /**
   * Runs exactly one request: no hidden retries, so that one attempt row is one real request.
   *
   * The adapter must: check `signal` before it writes to the wire, after each streamed piece and before the
   * final parse; end the upstream work when aborted and reject with the signal's reason; throw a `BackendError`
   * for every failure; put no secret into events, errors or results; bound everything it buffers; emit one
   * `assistant_message` with `final: true` for the reply before it resolves; leave no process, socket or timer behind.
   */
  runTurn(turn: Turn, sink: TurnSink, signal: AbortSignal): Promise<TurnResult>;

  /** Set where the provider takes many requests as one job. */
  readonly batch?: BatchBackend;

  /** Set by runtimes that work as agents: threads with a workspace. */
  readonly agent?: AgentBackend;

  /** Releases what the backend holds. May be called twice; turns in flight are aborted. */
  close(): Promise<void>;
}

/** The one error an adapter throws. `retryable` may narrow the failure kind's default (quota), never widen it. */
export class BackendError extends Error {
  readonly failureKind: FailureKind;
  readonly retryable: boolean | undefined;
  /** Milliseconds the upstream asked to wait, from Retry-After (seconds or date), bounded by the caller. */
  readonly retryAfterMs: number | undefined;
  readonly httpStatus: number | undefined;
  /** What the model had said when it failed, if anything: a paid answer is never thrown away. */
  readonly partialText: string | undefined;
  /** What the runtime had counted of the request all the same. Whoever knows it adds it on the error's way: it is paid for. */
  usage: TokenUsage | undefined;

  constructor(
    failureKind: FailureKind,
    message: string,
    options: {
      retryable?: boolean;
      retryAfterMs?: number;
      httpStatus?: number;
      partialText?: string;
      usage?: TokenUsage;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "BackendError";
    this.failureKind = failureKind;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.httpStatus = options.httpStatus;
    this.partialText = options.partialText;
    this.usage = options.usage;
  }
}
