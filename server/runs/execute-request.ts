import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { RequestArtifact } from "@/server/artifacts/request-artifact.schema";
import { RESULT_VERSION } from "@/server/artifacts/result-artifact.schema";
import { BackendError } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import { isSecretUnavailableError } from "@/server/config/secret-reference";
import type { NewEvent } from "@/server/events/event.schema";
import type { Redactor } from "@/server/events/redact";
import { isCancellation } from "@/server/inference/cancellation";
import type { InferenceProvider } from "@/server/inference/inference-provider";
import { answerCheckOf } from "@/server/pipeline/answer-schema";
import type { Clock } from "@/server/shared/clock";
import type { Secret } from "@/server/shared/secret";
import { type Executed, type FailureMore, failedAnswer, type Judgement, judgeAnswer, type ResultIdentity } from "./judge-answer";

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
  /** The most tokens the answer may have; undefined = as the runtime does without a word. */
  maxTokens?: number | undefined;
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
  } as const satisfies ResultIdentity;

  const judgement = (): Judgement => ({ identity, schema: request.expect.schema, redactor, clock });
  const failed = (kind: FailureKind, message: string, more?: FailureMore): Executed =>
    failedAnswer(judgement(), kind, message, clock.now() - began, more);

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
          generationConfig: order.maxTokens === undefined ? {} : { maxTokens: order.maxTokens },
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
          usage: error.usage,
        });
      // An adapter that throws anything else broke its contract: a chunk's failure stays a chunk's failure.
      return failed("backend-failed", error instanceof Error ? error.message : String(error));
    }
    return judgeAnswer(
      judgement(),
      {
        usage: response.tokensUsed,
        finishReason: response.finishReason,
        servedModel: response.servedModel === undefined ? null : redactor.text(response.servedModel),
        servedProvider: response.servedProvider === undefined ? null : redactor.text(response.servedProvider).slice(0, 200),
      },
      response.text,
      response.latencyMs,
      () => clock.now() - began,
    );
  }
}
