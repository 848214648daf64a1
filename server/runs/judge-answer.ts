import { FAILURE_KINDS, type FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { Normalization } from "@/server/artifacts/normalization.schema";
import type { RESULT_VERSION, ResultArtifact, TokenUsage } from "@/server/artifacts/result-artifact.schema";
import { ANSWER_TEXT_LIMIT } from "@/server/backends/answer-limit";
import type { Redactor } from "@/server/events/redact";
import { isInsight } from "@/server/pipeline/is-insight";
import { normalizeOutput, type OutputProblem } from "@/server/pipeline/normalize-output";
import { type Clock, isoTime } from "@/server/shared/clock";

/** Faults that a model can put right when it is told of them. A cut answer would be cut again; of an empty one there is nothing to put right. */
const MENDABLE: ReadonlySet<OutputProblem> = new Set(["no_json", "broken", "ambiguous", "wrong_shape"]);

/** Model text kept in a result, in UTF-8 bytes; what is longer is cut and says so. */
const RAW_TEXT_LIMIT = 1024 * 1024;

/** What an answer led to: its result artifact, and what the rows say of it. */
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

/** What came with an answer. Texts are redacted already. */
export interface Seen {
  usage: TokenUsage | undefined;
  finishReason: string | null;
  servedModel: string | null;
  servedProvider: string | null;
}

/** What a result says of itself, whatever the answer is. */
export interface ResultIdentity {
  version: typeof RESULT_VERSION;
  backend: string;
  model: string;
  source_date: string;
  chunk_index: number;
  task: string;
  attempt: number;
  request_id: string;
  request_sha256: string;
  repair_of?: number;
  origin?: "import";
  source?: string;
}

/** For one answer: who it is of, what was expected, and what must not be shown of it. */
export interface Judgement {
  identity: ResultIdentity;
  /** The request's `expect.schema`. */
  schema: Record<string, unknown>;
  redactor: Redactor;
  clock: Clock;
}

export interface FailureMore {
  retryable?: boolean | undefined;
  retryAfterMs?: number | undefined;
  httpStatus?: number | undefined;
  /** What was said nevertheless. */
  text?: string | undefined;
  seen?: Seen;
  /** Without an answer there is nothing else to be seen of it. */
  usage?: TokenUsage | undefined;
  normalization?: Normalization;
  isMendable?: boolean;
}

/** The result of a request without an answer that can be used. `milliseconds`: how long it took. */
export function failedAnswer(
  { identity, redactor, clock }: Judgement,
  kind: FailureKind,
  message: string,
  milliseconds: number,
  more: FailureMore = {},
): Executed {
  const sentence = redactor.text(message).slice(0, 2_000);
  const { seen } = more;
  return {
    result: {
      ...identity,
      ok: false,
      error: {
        type: FAILURE_KINDS[kind].errorType,
        message: sentence,
        failureKind: kind,
        ...(more.retryable === undefined ? {} : { retryable: more.retryable }),
      },
      ...(more.text === undefined ? {} : boundedRaw(redactor.text(more.text))),
      ...(seen ? seenFields(seen) : more.usage ? { usage: more.usage } : {}),
      ...(more.normalization ? { normalization: more.normalization } : {}),
      timing_ms: Math.max(0, milliseconds),
      finished_at: isoTime(clock.now()),
    },
    failure: {
      kind,
      message: sentence,
      retryable: more.retryable,
      retryAfterMs: more.retryAfterMs,
      httpStatus: more.httpStatus,
    },
    usage: seen?.usage ?? more.usage,
    finishReason: seen ? seen.finishReason : FAILURE_KINDS[kind].finish,
    servedModel: seen?.servedModel ?? null,
    servedProvider: seen?.servedProvider ?? null,
    isMendable: more.isMendable ?? false,
    insights: null,
  };
}

/** The one way from a model's text to a result, whoever brought the text. `failedMs`, when it is no use: how long that took. */
export function judgeAnswer(
  judgement: Judgement,
  seen: Seen,
  text: string,
  latencyMs: number,
  failedMs: () => number = () => latencyMs,
): Executed {
  const { identity, schema, redactor, clock } = judgement;
  const failed = (message: string, more: FailureMore) =>
    failedAnswer(judgement, "backend-response-invalid", message, failedMs(), { text, seen, ...more });
  if (Buffer.byteLength(text) > ANSWER_TEXT_LIMIT) {
    return failed(`The answer is ${Buffer.byteLength(text)} bytes long; at most ${ANSWER_TEXT_LIMIT} are accepted.`, {
      retryable: false,
    });
  }
  const normalized = normalizeOutput(text, { schema, finishReason: seen.finishReason ?? undefined });
  // Key names of the answer stand in the sentences: they are the model's words, as the text is.
  const { ledger } = normalized;
  const normalization = ledger.errors ? { ...ledger, errors: ledger.errors.map((error) => redactor.text(error)) } : ledger;
  if (!normalized.ok) {
    // The same budget would cut it again.
    const isFinal = seen.finishReason === "length" || normalized.problem === "bad_schema";
    return failed(normalized.reason, {
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

function seenFields(seen: Seen) {
  return {
    ...(seen.usage ? { usage: seen.usage } : {}),
    ...(seen.finishReason ? { finish_reason: seen.finishReason } : {}),
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
