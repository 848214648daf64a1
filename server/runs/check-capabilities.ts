/**
 * Asks a model itself what it can do, through the contract that every adapter keeps: one small turn that is answered, and one that
 * is called off. What an adapter declares is not looked at.
 */
import { wrapChunkText } from "@/server/artifacts/chunk-text";
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import {
  type Backend,
  BackendError,
  type ProbeResult,
  type Turn,
  type TurnResult,
  type TurnSink,
} from "@/server/backends/backend";
import { CHECK_ANSWER_TOKENS, CHECK_CANCEL_TOKENS } from "@/server/backends/capability.rules";
import { healthOfFailure } from "@/server/backends/health-of-failure";
import type { ProviderAccess } from "@/server/backends/provider-access";
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import type { NewEvent } from "@/server/events/event.schema";
import { Cancellation } from "@/server/inference/cancellation";
import { normalizeOutput } from "@/server/pipeline/normalize-output";
import { newId } from "@/server/shared/ids";
import { linkSignals } from "@/server/shared/linked-signal";
import type { CapabilityFinding, CapabilityFindings } from "./backend-view.schema";

/** Milliseconds. */
export interface CheckLimits {
  /** For the whole answer. */
  answerMs: number;
  /** Without a sign of life the second turn is called off after so long. */
  callOffMs: number;
  /** A turn that was called off must have ended by then. */
  letGoMs: number;
}

const LIMITS: CheckLimits = { answerMs: 60_000, callOffMs: 3_000, letGoMs: 5_000 };

/** The form that the product's requests ask for, so that what works here works there. */
const EXPECT = { format: "json", schema: { insights: "array" } } as const satisfies Turn["expect"];
const SYSTEM =
  'Answer with one JSON object and nothing else: {"insights": [{"topic": "...", "section": "decision", "content": "...", "confidence": "high", "quote": "..."}]}';
const NOTES = "On 2026-04-19 we decided to move the database to Oslo, because the old host was too slow.";
const ANSWERED = `This is a check. Write down the one decision of these notes, with the sentence it rests on as its quote.\n\n${wrapChunkText(NOTES)}`;
const CALLED_OFF = `This is a check that will be called off. Make an entry of each whole number from 1 to 100, in words.\n\n${wrapChunkText(NOTES)}`;

/** An answer that is longer than this and comes in one piece was not streamed. */
const STREAMED_FROM_CHARACTERS = 200;

export interface CapabilityCheckOrder {
  model: string;
  access: ProviderAccess;
  /** Ends the check, which then rejects with its reason. */
  signal: AbortSignal;
  now(): number;
}

export interface CapabilityCheckResult {
  health: ProbeResult;
  findings: CapabilityFindings;
}

const WORKS: CapabilityFinding = { outcome: "works", reason: "" };
const failed = (reason: string): CapabilityFinding => ({ outcome: "failed", reason });
const notSeen = (reason: string): CapabilityFinding => ({ outcome: "not_seen", reason });
const notChecked = (reason: string): CapabilityFinding => ({ outcome: "not_checked", reason });

/** For a check that could not be made: the reason stands at each capability. */
export function nothingChecked(reason: string): CapabilityFindings {
  const finding = notChecked(reason);
  return { streaming: finding, usage: finding, structuredOutput: finding, cancel: finding };
}

/** Never throws for what the provider does. Takes no longer than both turns' limits, whatever the adapter makes of an abort. */
export async function checkCapabilities(
  backend: Backend,
  order: CapabilityCheckOrder,
  limits: Partial<CheckLimits> = {},
): Promise<CapabilityCheckResult> {
  const bounds = { ...LIMITS, ...limits };
  const startedAt = performance.now();
  const answer = await askWhole(backend, order, bounds);
  const latencyMs = performance.now() - startedAt;
  if (answer instanceof BackendError)
    return { health: { ...healthOfFailure(answer), latencyMs }, findings: nothingChecked(answer.message) };
  const { text, finishReason, usage } = answer.result;
  return {
    health: { state: "healthy", reason: "", latencyMs },
    findings: {
      streaming: streamingOf(answer.characters, text),
      usage: usageOf(usage),
      structuredOutput: formOf(text, finishReason),
      cancel: await callOff(backend, order, bounds),
    },
  };
}

function turnOf(
  backend: Backend,
  { model, access, now }: CapabilityCheckOrder,
  user: string,
  maxTokens: number,
  timeoutMs: number,
): Turn {
  return {
    ...access,
    requestId: newId("req", now()),
    model,
    system: SYSTEM,
    user,
    expect: EXPECT,
    generation: { maxTokens },
    timeoutMs: Math.min(timeoutMs, backend.settings.timeoutMs),
  };
}

interface Heard {
  result: TurnResult;
  /** What was told of the text's length, in that order. */
  characters: number[];
}

async function askWhole(backend: Backend, order: CapabilityCheckOrder, bounds: CheckLimits): Promise<Heard | BackendError> {
  const characters: number[] = [];
  const turn = turnOf(backend, order, ANSWERED, CHECK_ANSWER_TOKENS, bounds.answerMs);
  const { signal, abort, unlink } = linkSignals(order.signal);
  const timer = setTimeout(() => abort(new Cancellation("stage_timeout")), turn.timeoutMs);
  try {
    const sink = { event: () => undefined, progress: (told: { characters: number }) => characters.push(told.characters) };
    const ending = await endingOf(backend, turn, sink, signal, bounds.letGoMs);
    order.signal.throwIfAborted();
    if (signal.aborted)
      return new BackendError("backend-timeout", `${backend.settings.name} did not answer within ${turn.timeoutMs / 1_000} s.`);
    // Only an abort lets a turn be abandoned.
    if (ending.kind === "result") return { result: ending.result, characters };
    return asBackendError(backend, ending.kind === "error" ? ending.error : null);
  } finally {
    clearTimeout(timer);
    unlink();
  }
}

function asBackendError(backend: Backend, error: unknown): BackendError {
  if (error instanceof BackendError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new BackendError("backend-failed", `${backend.settings.name} failed: ${message}`);
}

/** Before the end there must have been a part. */
function streamingOf(characters: readonly number[], text: string): CapabilityFinding {
  if (characters.some((count) => count < text.length)) return WORKS;
  if (characters.length === 0) return failed("Nothing of the reply was told before its end.");
  return text.length > STREAMED_FROM_CHARACTERS
    ? failed(`The whole reply of ${text.length} characters came in one piece.`)
    : notSeen(`The reply of ${text.length} characters came in one piece; it may be too short to come in several.`);
}

function usageOf(usage: TokenUsage | undefined): CapabilityFinding {
  if (usage === undefined) return failed("The reply came without token counts.");
  return usage.estimated ? failed("The token counts of the reply are an estimate.") : WORKS;
}

/** What the ledger's steps have done to a reply, in words. */
const WORK: Readonly<Record<string, string>> = {
  thinking: "removed thinking",
  residue: "removed control marks",
  fence: "unwrapped a code fence",
  decode: "decoded JSON inside a JSON string",
  extract: "took the JSON out of the text around it",
  repair: "repaired broken JSON",
  wrap: "wrapped a bare array",
};

/** Sure to be read by a program: JSON as it stands, in the form that was asked for. */
function formOf(text: string, finishReason: TurnResult["finishReason"]): CapabilityFinding {
  const parsed = normalizeOutput(text, EXPECT);
  const work = parsed.ledger.steps.flatMap(({ step, outcome }) => (outcome === "changed" ? (WORK[step] ?? step) : []));
  if (parsed.ok && work.length === 0) return WORKS;
  if (finishReason === "length") return notSeen(`The reply was cut off at ${CHECK_ANSWER_TOKENS} tokens.`);
  return parsed.ok
    ? failed(`The reply could be read only after work on it: ${work.join(", ")}.`)
    : failed(`The reply is not in the form that was asked for: ${parsed.reason}`);
}

/** Begins a turn, calls it off as soon as it shows life, and looks how it ends. */
async function callOff(backend: Backend, order: CapabilityCheckOrder, bounds: CheckLimits): Promise<CapabilityFinding> {
  const turn = turnOf(backend, order, CALLED_OFF, CHECK_CANCEL_TOKENS, bounds.answerMs);
  const calledOff = new Cancellation("user_requested");
  const { signal, abort, unlink } = linkSignals(order.signal);
  const timer = setTimeout(() => abort(calledOff), bounds.callOffMs);
  const isSign = signOfLife(backend);
  try {
    const sink: TurnSink = { event: (event) => isSign(event) && abort(calledOff), progress: () => abort(calledOff) };
    const ending = await endingOf(backend, turn, sink, signal, bounds.letGoMs);
    order.signal.throwIfAborted();
    if (ending.kind === "abandoned") return failed(`It had not let go ${bounds.letGoMs / 1_000} s after it was called off.`);
    if (ending.kind === "result")
      return signal.aborted
        ? failed("It replied all the same after it was called off.")
        : notSeen("The reply was complete before it could be called off.");
    if (ending.error === calledOff) return WORKS;
    const { message } = asBackendError(backend, ending.error);
    return signal.aborted ? failed(`It was called off and failed instead: ${message}`) : notChecked(message);
  } finally {
    clearTimeout(timer);
    unlink();
  }
}

/**
 * Across a wire, a status is the adapter's own word: it comes before the runtime has even been asked; but for `working`, which tells that
 * the runtime has taken the request. Inside this process there is no other side, so the first word is as good as any. The final message is
 * the end and no beginning.
 */
function signOfLife(backend: Backend): (event: NewEvent) => boolean {
  const isInProcess = BACKEND_KIND_FACTS[backend.kind].transport === "in-process";
  return ({ type, payload }) =>
    type === "backend_status"
      ? isInProcess || payload.phase === "working"
      : !(type === "assistant_message" && payload.final === true);
}

type Ending = { kind: "result"; result: TurnResult } | { kind: "error"; error: unknown } | { kind: "abandoned" };

/** How the turn ended. After an abort it is waited for no longer than `letGoMs`. Never rejects. */
async function endingOf(backend: Backend, turn: Turn, sink: TurnSink, signal: AbortSignal, letGoMs: number): Promise<Ending> {
  let timer: NodeJS.Timeout | undefined;
  const abandoned = new Promise<Ending>((resolve) => {
    const onAbort = () => {
      timer = setTimeout(() => resolve({ kind: "abandoned" }), letGoMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  const ended = backend.runTurn(turn, sink, signal).then(
    (result): Ending => ({ kind: "result", result }),
    (error: unknown): Ending => ({ kind: "error", error }),
  );
  try {
    return await Promise.race([ended, abandoned]);
  } finally {
    clearTimeout(timer);
  }
}
