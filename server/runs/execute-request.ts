import { FAILURE_KINDS, type FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { Normalization } from "@/server/artifacts/normalization.schema";
import type { RequestArtifact } from "@/server/artifacts/request-artifact.schema";
import { RESULT_VERSION, type ResultArtifact, type TokenUsage } from "@/server/artifacts/result-artifact.schema";
import { ANSWER_TEXT_LIMIT } from "@/server/backends/answer-limit";
import { BackendError } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import { isSecretUnavailableError } from "@/server/config/secret-reference";
import type { NewEvent } from "@/server/events/event.schema";
import type { Redactor } from "@/server/events/redact";
import { isCancellation } from "@/server/inference/cancellation";
import type { InferenceProvider } from "@/server/inference/inference-provider";
import { answerCheckOf } from "@/server/pipeline/answer-schema";
import { isInsight } from "@/server/pipeline/is-insight";
import { normalizeOutput, type OutputProblem } from "@/server/pipeline/normalize-output";
import { type Clock, isoTime } from "@/server/shared/clock";
import type { Secret } from "@/server/shared/secret";

/** Faults that a model can put right when it is told of them. A cut answer would be cut again; of an empty one there is nothing to put right. */
const MENDABLE: ReadonlySet<OutputProblem> = new Set(["no_json", "broken", "ambiguous", "wrong_shape"]);

/** Model text kept in a result, in UTF-8 bytes; what is longer is cut and says so. */
const RAW_TEXT_LIMIT = 1024 * 1024;

export interface ExecuteOrder {
  request: RequestArtifact;
  /** sha256 of the exact bytes of the request. */
  requestSha256: string;
  requestId: string;
  sessionId: string;
  attempt: number;
  /** Of a repair round: the attempt whose answer it is to mend. */
  repairOf?: number | undefined;
  model: string;
  timeoutMs: number;
  provider: InferenceProvider;
  /** Reads the provider's address and secrets: called once, when they are needed. */
  access(): ProviderAccess;
  redactor(secrets: Readonly<Record<string, Secret>>): Redactor;
  clock: Clock;
  signal: AbortSignal;
  emit(event: NewEvent, redactor: Redactor): void;
  /** Called once, when the first piece of text arrives. */
  firstText?(): void;
}

export interface Executed {
  result: ResultArtifact;
  failure: {
    kind: FailureKind;
    message: string;
    retryable: boolean | undefined;
    retryAfterMs: number | undefined;
    httpStatus: number | undefined;
  } | null;
  usage: TokenUsage | undefined;
  finishReason: string | null;
  servedModel: string | null;
  servedProvider: string | null;
  /** The answer was whole and not what was asked for: a repair round may mend it. */
  isMendable: boolean;
  /** Valid insights in the output, when the task makes insights. */
  insights: number | null;
}

/**
 * One request artifact in, one result artifact out (X22-X23, X39-X49): the executor and `exec` both come through here.
 * Never throws for what a backend does; a cancellation is a result too.
 */
export async function executeRequest(order: ExecuteOrder): Promise<Executed> {
  const { request, provider, clock } = order;
  const began = clock.now();
  let redactor = order.redactor({});
  const identity = {
    version: RESULT_VERSION,
    backend: provider.id,
    model: order.model,
    source_date: request.source_date,
    chunk_index: request.chunk_index,
    task: request.task,
    attempt: order.attempt,
    request_id: order.requestId,
    request_sha256: order.requestSha256,
    ...(order.repairOf === undefined ? {} : { repair_of: order.repairOf }),
  } as const;

  const failed = (
    kind: FailureKind,
    message: string,
    rest: {
      retryable?: boolean | undefined;
      retryAfterMs?: number | undefined;
      httpStatus?: number | undefined;
      text?: string | undefined;
      seen?: Seen;
      normalization?: Normalization;
      isMendable?: boolean;
    } = {},
  ): Executed => {
    const sentence = redactor.text(message).slice(0, 2_000);
    const seen = rest.seen;
    return {
      result: {
        ...identity,
        ok: false,
        error: {
          type: FAILURE_KINDS[kind].errorType,
          message: sentence,
          failureKind: kind,
          ...(rest.retryable === undefined ? {} : { retryable: rest.retryable }),
        },
        ...(rest.text === undefined ? {} : boundedRaw(redactor.text(rest.text))),
        ...(seen ? seenFields(seen) : {}),
        ...(rest.normalization ? { normalization: rest.normalization } : {}),
        timing_ms: Math.max(0, clock.now() - began),
        finished_at: isoTime(clock.now()),
      },
      failure: {
        kind,
        message: sentence,
        retryable: rest.retryable,
        retryAfterMs: rest.retryAfterMs,
        httpStatus: rest.httpStatus,
      },
      usage: seen?.usage,
      finishReason: seen?.finishReason ?? FAILURE_KINDS[kind].finish,
      servedModel: seen?.servedModel ?? null,
      servedProvider: seen?.servedProvider ?? null,
      isMendable: rest.isMendable ?? false,
      insights: null,
    };
  };

  /** A request that fails before it is sent. */
  const unsent = (failureKind: FailureKind, message: string): Executed => {
    order.emit({ type: "error", payload: { failureKind, message } }, redactor);
    order.emit({ type: "terminal_status", payload: { status: "failed", failureKind } }, redactor);
    return failed(failureKind, message, { retryable: false });
  };

  // What nothing could fit is not paid for.
  const check = answerCheckOf(request.expect.schema);
  if ("problem" in check) return unsent("backend-response-invalid", check.problem);
  let access: ProviderAccess;
  try {
    access = order.access();
  } catch (error) {
    if (!isSecretUnavailableError(error)) throw error;
    return unsent("secret-unavailable", error.message);
  }
  redactor = order.redactor(access.secrets);

  let heard = false;
  const executed = await infer();
  const kind = executed.failure?.kind;
  order.emit(
    {
      type: "terminal_status",
      payload: kind ? { status: kind === "cancelled" ? "cancelled" : "failed", failureKind: kind } : { status: "completed" },
    },
    redactor,
  );
  return executed;

  async function infer(): Promise<Executed> {
    let response: Awaited<ReturnType<InferenceProvider["infer"]>>;
    try {
      response = await provider.infer(
        {
          requestId: order.requestId,
          sessionId: order.sessionId,
          stageId: "infer",
          contextPack: {
            system: request.input.system,
            user: request.input.user,
            expect: { format: request.expect.format, schema: request.expect.schema },
          },
          generationConfig: {},
          timeoutMs: order.timeoutMs,
        },
        {
          model: order.model,
          access,
          signal: order.signal,
          sink: {
            event: (event) => order.emit(event, redactor),
            progress: ({ characters }) => {
              if (heard || characters <= 0) return;
              heard = true;
              order.firstText?.();
            },
          },
        },
      );
    } catch (error) {
      if (isCancellation(error)) return failed("cancelled", error.message);
      if (error instanceof BackendError)
        return failed(error.failureKind, error.message, {
          retryable: error.retryable,
          retryAfterMs: error.retryAfterMs,
          httpStatus: error.httpStatus,
          text: error.partialText,
        });
      // An adapter that throws anything else broke its contract: a chunk's failure stays a chunk's failure.
      return failed("backend-failed", error instanceof Error ? error.message : String(error));
    }
    return judge(
      {
        usage: response.tokensUsed,
        finishReason: response.finishReason,
        servedModel: response.servedModel === undefined ? null : redactor.text(response.servedModel),
        servedProvider: response.servedProvider === undefined ? null : redactor.text(response.servedProvider).slice(0, 200),
      },
      response.text,
      response.latencyMs,
    );
  }

  function judge(seen: Seen, text: string, latencyMs: number): Executed {
    if (Buffer.byteLength(text) > ANSWER_TEXT_LIMIT) {
      return failed(
        "backend-response-invalid",
        `The answer is ${Buffer.byteLength(text)} bytes long; at most ${ANSWER_TEXT_LIMIT} are accepted.`,
        { text, seen, retryable: false },
      );
    }
    const normalized = normalizeOutput(text, { schema: request.expect.schema, finishReason: seen.finishReason });
    // Key names of the answer stand in the sentences: they are the model's words, as the text is.
    const { ledger } = normalized;
    const normalization = ledger.errors ? { ...ledger, errors: ledger.errors.map((error) => redactor.text(error)) } : ledger;
    if (!normalized.ok) {
      // The same budget would cut it again.
      const isFinal = seen.finishReason === "length" || normalized.problem === "bad_schema";
      return failed("backend-response-invalid", normalized.reason, {
        text,
        seen,
        normalization,
        isMendable: MENDABLE.has(normalized.problem) && seen.finishReason !== "content_filter",
        ...(isFinal ? { retryable: false } : {}),
      });
    }
    const rawText = redactor.text(text);
    // Without an escape every string of the output stands word for word in the text, which was just looked through.
    const isAsWritten = rawText === text && !normalization.repaired && !text.includes("\\");
    const output = isAsWritten ? normalized.output : redactor.json(normalized.output);
    const entries = Array.isArray(output.insights) ? output.insights : null;
    return {
      result: {
        ...identity,
        ok: true,
        output,
        ...boundedRaw(rawText),
        ...seenFields(seen),
        normalization,
        timing_ms: Math.max(0, latencyMs),
        finished_at: isoTime(clock.now()),
      },
      failure: null,
      usage: seen.usage,
      finishReason: seen.finishReason,
      servedModel: seen.servedModel,
      servedProvider: seen.servedProvider,
      isMendable: false,
      insights: entries ? entries.filter(isInsight).length : null,
    };
  }
}

interface Seen {
  usage: TokenUsage | undefined;
  finishReason: string;
  servedModel: string | null;
  servedProvider: string | null;
}

function seenFields(seen: Seen) {
  return {
    ...(seen.usage ? { usage: seen.usage } : {}),
    finish_reason: seen.finishReason,
    ...(seen.servedModel ? { served_model: seen.servedModel } : {}),
    ...(seen.servedProvider ? { served_provider: seen.servedProvider } : {}),
  };
}

function boundedRaw(text: string): { raw_text: string; raw_text_bytes?: number; raw_text_truncated?: boolean } {
  const bytes = Buffer.byteLength(text);
  if (bytes <= RAW_TEXT_LIMIT) return { raw_text: text };
  // Decoding drops a character that the cut went through.
  const cut = new TextDecoder("utf-8").decode(Buffer.from(text).subarray(0, RAW_TEXT_LIMIT)).replace(/\uFFFD$/, "");
  return { raw_text: cut, raw_text_bytes: bytes, raw_text_truncated: true };
}
