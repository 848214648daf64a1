/** One line of a batch service's file as an answer. Pure. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { MadeAnswer } from "@/server/runs/adopt-answers.schema";
import { anthropicLineSchema, openAiLineSchema, providerErrorSchema } from "./batch-line.schema";
import { type Answered, readChatBody, readMessageBody, readResponsesBody } from "./read-body";

export type ReadLine = { answer: MadeAnswer } | { problem: string };

/** Services cancel or drop requests that had not had their turn: nobody was asked for them. */
const EXPIRED = "The batch ended before this request had its turn.";
const CANCELLED = "The batch was cancelled before this request had its turn.";
const WORDLESS = "The batch tells an error without a word about it.";

const LONGEST_ERROR = 4_000;

/** OpenAI's form (chat completions or Responses in `response.body`) and Anthropic's (`result`); a problem says why it is neither. */
export function readBatchLine(text: string): ReadLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return { problem: "It is not JSON." };
  }
  if (!isObject(line)) return { problem: "It is JSON, but no object." };
  const id = line.custom_id;
  if (typeof id !== "string" || id === "") return { problem: "It has no custom_id, so nobody knows what it answers." };
  const read = "result" in line ? readAnthropic(line) : readOpenAi(line);
  return "problem" in read ? read : { answer: { id, ...read } };
}

type Read = Omit<MadeAnswer, "id"> | { problem: string };

function readOpenAi(line: Record<string, unknown>): Read {
  const parsed = openAiLineSchema.safeParse(line);
  if (!parsed.success) return { problem: "Its response or its error is not of the form that batch files have." };
  const { response, error } = parsed.data;
  if (!response) {
    if (error) return { error: failureOf(error.code ?? error.type, error.message) };
    const isRequest = "body" in line || "params" in line;
    return {
      problem: isRequest
        ? "It is a request and no answer: the file to import is the one that the service gave back."
        : "It has neither a response, nor a result, nor an error.",
    };
  }
  const { body } = response;
  const status = response.status_code ?? 200;
  if (status < 200 || status > 299) return { error: failureOfStatus(status, body) };
  const answered = readChatBody(body) ?? readResponsesBody(body) ?? readMessageBody(body);
  return answered === null
    ? { problem: "Its response has no form that is known: neither choices, nor the output of a Responses body." }
    : toAnswer(answered);
}

function readAnthropic(line: Record<string, unknown>): Read {
  const parsed = anthropicLineSchema.safeParse(line);
  if (!parsed.success) return { problem: "Its result is not of the form that batch files have." };
  const { type, message, error } = parsed.data.result;
  switch (type) {
    case "succeeded": {
      const answered = readMessageBody(message);
      return answered === null ? { problem: "Its message has no content that is known." } : toAnswer(answered);
    }
    case "errored": {
      const inner = error?.error ?? error;
      return { error: failureOf(inner?.type, inner?.message) };
    }
    case "canceled":
    case "expired":
      return { error: failureOf(type, null) };
    default:
      return { problem: "Its result is neither succeeded, errored, canceled nor expired." };
  }
}

function toAnswer({ refusal, error, ...answer }: Answered): Read {
  if (error) return { ...answer, error: failureOf(error.code ?? error.type, error.message) };
  if (refusal !== "" && answer.text.trim() === "")
    return {
      ...answer,
      error: { message: `batch: the model refused: ${refusal}`.slice(0, LONGEST_ERROR), failureKind: "backend-response-invalid" },
    };
  return answer;
}

const KINDS: ReadonlyMap<string, FailureKind> = new Map([
  ["batch_expired", "backend-timeout"],
  ["expired", "backend-timeout"],
  ["timeout_error", "backend-timeout"],
  ["batch_cancelled", "cancelled"],
  ["canceled", "cancelled"],
  ["authentication_error", "provider-auth-failed"],
  ["permission_error", "provider-auth-failed"],
  ["billing_error", "provider-auth-failed"],
  ["rate_limit_error", "provider-rate-limited"],
  ["rate_limit_exceeded", "provider-rate-limited"],
  ["overloaded_error", "provider-unavailable"],
  ["api_error", "provider-unavailable"],
  ["server_error", "provider-unavailable"],
]);

function failureOf(
  word: string | number | null | undefined,
  message: string | null | undefined,
): NonNullable<MadeAnswer["error"]> {
  const code = word === null || word === undefined ? "" : String(word);
  const failureKind = KINDS.get(code) ?? "backend-failed";
  const own = failureKind === "cancelled" ? CANCELLED : code === "expired" || code === "batch_expired" ? EXPIRED : null;
  const said = message?.trim() || own || code || WORDLESS;
  return { message: said.slice(0, LONGEST_ERROR), failureKind };
}

function failureOfStatus(status: number, body: unknown): NonNullable<MadeAnswer["error"]> {
  const error = providerErrorSchema.safeParse(isObject(body) ? (body.error ?? body) : null).data;
  const said = error?.message?.trim() ?? "";
  const message = `batch answered ${status}${said === "" ? "" : `: ${said}`}`;
  return { message: message.slice(0, LONGEST_ERROR), failureKind: kindOfStatus(status) };
}

function kindOfStatus(status: number): FailureKind {
  if (status === 401 || status === 402 || status === 403) return "provider-auth-failed";
  if (status === 408) return "backend-timeout";
  if (status === 429) return "provider-rate-limited";
  return status >= 500 ? "provider-unavailable" : "backend-failed";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
