/** What a turn came to, from what the process said and how it ended. Pure. */
import { BackendError, type FinishReason, type TurnResult } from "@/server/backends/backend";
import { type FailureContext, failureOfResult, oneLine, partialTextOf, withoutObject } from "./failure";
import type { ResultLine } from "./protocol.schema";
import type { ClaudeTranslator } from "./translate";

export interface ProcessEnd {
  code: number | null;
  signal: string | null;
  /** The last of stderr, unredacted. */
  stderr: string;
  /** We ended it because nothing more was wanted, so how it ended says nothing. */
  wasStopped: boolean;
  /** The first line that was no message of the program, if there was one; unredacted. */
  badLine: string | null;
}

type Said = Pick<ClaudeTranslator, "said" | "earlyEnd" | "result" | "servedModel" | "stopReason" | "usage">;

/**
 * A turn succeeds only with exit code 0, a result that is no error and asked its model at least once, and the object where one was
 * asked for; or when its answer was cut at the limit, of which the caller is told by the finish reason. Throws a `BackendError` else.
 */
export function outcomeOf(
  turn: { providerName: string; wantsObject: boolean; redact(text: string): string },
  told: Said,
  end: ProcessEnd,
): TurnResult {
  const { providerName, redact } = turn;
  const context: FailureContext = { providerName, redact, said: told.said };
  const invalid = (message: string) => new BackendError("backend-response-invalid", message, partialTextOf(context));
  const answer = (text: string, finishReason: FinishReason): TurnResult => ({
    text,
    finishReason,
    ...(told.usage ? { usage: told.usage } : {}),
    ...(told.servedModel ? { servedModel: told.servedModel } : {}),
  });
  const { result } = told;

  if (told.stopReason === "refusal") {
    if (told.said === "") throw invalid(`${providerName}: a content filter of the provider left nothing of the answer.`);
    return answer(told.said, "content_filter");
  }
  if (told.earlyEnd === "length" || result?.api_error === "max_output_tokens") {
    if (told.said === "") throw invalid(`${providerName}: the token limit was reached before the model said anything.`);
    return answer(told.said, "length");
  }
  if (told.earlyEnd === "empty") throw invalid(`${providerName} answered without any text.`);
  if (told.earlyEnd === "repeated")
    throw invalid(`${providerName}: Claude Code asked its model a second time for one request, and was stopped.`);
  if (result === null) throw deathOf(context, end);
  if (result.is_error || !(end.wasStopped || end.code === 0)) throw failureOfResult(context, result);
  if (!((result.num_turns ?? 0) > 0)) {
    const words = oneLine(context, result.result ?? "");
    throw new BackendError("backend-failed", `${providerName}: Claude Code answered by itself and asked no model: ${words}`);
  }
  if (turn.wantsObject && !isObject(result.structured_output)) throw withoutObject(context, result);
  const text = turn.wantsObject ? JSON.stringify(result.structured_output) : (result.result ?? "");
  if (text.trim() === "") throw invalid(`${providerName} answered without any text.`);
  return answer(text, finishReasonOf(told.stopReason));
}

/** Without a result nothing can be believed, whatever the exit code was. */
function deathOf(context: FailureContext, { code, signal, stderr, badLine }: ProcessEnd): BackendError {
  const { providerName } = context;
  if (badLine !== null) {
    return new BackendError(
      "backend-json-parse-error",
      `${providerName}: Claude Code ended without a result, and a line of its output is no message: ${oneLine(context, badLine)}`,
      partialTextOf(context),
    );
  }
  const what =
    signal === null
      ? `${providerName}: Claude Code ended with exit code ${code ?? "unknown"} without a result`
      : `${providerName}: Claude Code was ended by ${signal} without a result`;
  const last = oneLine(context, stderr.split("\n").at(-1) ?? "");
  return new BackendError("backend-failed", last === "" ? what : `${what}: ${last}`, partialTextOf(context));
}

function finishReasonOf(stopReason: ResultLine["stop_reason"]): FinishReason {
  switch (stopReason) {
    case "end_turn":
    case "stop_sequence":
    // The object is handed over as a call of a tool.
    case "tool_use":
      return "stop";
    case "max_tokens":
      return "length";
    default:
      return "unknown";
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
