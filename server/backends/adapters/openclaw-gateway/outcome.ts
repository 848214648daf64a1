/** What a run came to, from the last frame about it. Pure. */
import { ANSWER_TEXT_LIMIT } from "@/server/backends/answer-limit";
import { BackendError, type FinishReason, type TurnResult } from "@/server/backends/backend";
import { type FailureContext, partialTextOf } from "@/server/backends/http/failure";
import { usageOfCounts } from "@/server/backends/token-counts";
import { failureOfRefusal, failureOfRun, unknownForm } from "./failure";
import { type ResponseFrame, type RunPayload, runPayloadSchema } from "./protocol.schema";

/** How the gateway says in a payload of its own that the model reached its limit. */
const TRUNCATED = /^⚠️.*truncated/su;

/** The frame about a run once its form is known; a refusal has no payload. Throws for a form that is none. */
export function runPayloadOf(context: FailureContext, frame: ResponseFrame): RunPayload {
  const parsed = runPayloadSchema.safeParse(frame.payload ?? {});
  if (parsed.success) return parsed.data;
  throw unknownForm(context, parsed.error.issues[0]?.path);
}

/** Throws a `BackendError` for every run without an answer, also for one that failed inside an `ok: true`. */
export function outcomeOf(context: FailureContext, frame: ResponseFrame, payload: RunPayload): TurnResult {
  try {
    return answerOf(context, frame, payload);
  } catch (error) {
    if (error instanceof BackendError) error.usage ??= usageOf(payload);
    throw error;
  }
}

function answerOf(context: FailureContext, frame: ResponseFrame, payload: RunPayload): TurnResult {
  const { providerName } = context;
  const { result, status } = payload;
  const [first, ...others] = result?.payloads ?? [];
  const raw = result?.meta?.finalAssistantRawText ?? "";
  // Of a failed run the model's text may be there all the same, or the gateway's own words again.
  const said = raw === (first?.text ?? "") && first?.isError ? "" : raw;
  if (!frame.ok && !payload.status) throw failureOfRefusal(context, frame.error);
  if (status === "in_flight") {
    throw new BackendError(
      "backend-failed",
      `${providerName}: the gateway runs a request of this id already; no model was asked.`,
    );
  }
  if (!frame.ok || status !== "ok" || first?.isError) throw failedRun(context, frame, payload, said);
  if (first?.isStatusNotice) {
    throw new BackendError("backend-failed", `${providerName}: the gateway answered by itself and asked no model.`);
  }
  // Without the lines that the gateway takes out for chats, such as those that begin with "MEDIA:".
  const text = raw === "" ? (first?.text ?? "") : raw;
  const isCut = others.some((other) => TRUNCATED.test(other.text ?? ""));
  if (text.trim() === "") {
    throw new BackendError(
      "backend-response-invalid",
      isCut
        ? `${providerName}: the token limit was reached before the model said anything.`
        : `${providerName} answered without any text.`,
    );
  }
  if (Buffer.byteLength(text) > ANSWER_TEXT_LIMIT) {
    throw new BackendError(
      "backend-response-invalid",
      `${providerName}: the answer is longer than ${ANSWER_TEXT_LIMIT} bytes, which are accepted at most; it was not read further.`,
      { retryable: false, ...partialTextOf(context, text) },
    );
  }
  const meta = result?.meta?.agentMeta;
  const usage = usageOf(payload);
  if ((meta?.assistantTurns ?? 1) > 1) {
    // A run of this mode keeps nothing to go on from: whoever answered was told to continue, and never saw the request.
    throw new BackendError(
      "provider-unavailable",
      `${providerName}: the model's first answer failed, and the gateway asked again without the request; what came then answers nothing.`,
      partialTextOf(context, text),
    );
  }
  return {
    text,
    finishReason: isCut ? "length" : finishReasonOf(result?.meta?.stopReason),
    ...(usage ? { usage } : {}),
    ...(meta?.model ? { servedModel: meta.provider ? `${meta.provider}/${meta.model}` : meta.model } : {}),
  };
}

function failedRun(context: FailureContext, frame: ResponseFrame, payload: RunPayload, said: string): BackendError {
  const { result, summary, status } = payload;
  const first = result?.payloads?.[0];
  const error = result?.meta?.error;
  if (error?.kind === "context_overflow") {
    // The provider's own words say how much it can hold.
    return failureOfRun(context, `Context overflow: ${error.message ?? first?.text ?? ""}`, said);
  }
  const words = (first?.isError ? first.text : "") || error?.message || frame.error?.message || summary || "";
  if (status === "timeout" && payload.stopReason === "rpc") {
    return new BackendError("backend-failed", `${context.providerName}: the run was called off at the gateway.`);
  }
  return failureOfRun(context, words, said);
}

/** Counts of the gateway leave cached tokens out of its input. */
function usageOf({ result }: RunPayload) {
  const usage = result?.meta?.agentMeta?.usage;
  if (!usage) return undefined;
  const { input, output, cacheRead, cacheWrite, reasoningTokens } = usage;
  return usageOfCounts({
    prompt: typeof input === "number" ? input + (cacheRead ?? 0) + (cacheWrite ?? 0) : undefined,
    completion: output,
    cached: cacheRead,
    cacheWrite,
    reasoning: reasoningTokens,
  });
}

function finishReasonOf(stopReason: string | null | undefined): FinishReason {
  switch (stopReason) {
    case "stop":
    case "end_turn":
      return "stop";
    case "length":
    case "max_tokens":
      return "length";
    case "content_filter":
    case "refusal":
      return "content_filter";
    default:
      return "unknown";
  }
}
