import type { I18n } from "@/components/i18n/i18n-provider";
import type { MessageKey } from "@/components/i18n/messages";
import { serverSentence } from "@/components/i18n/server-words";
import type { EventType } from "@/server/events/event.rules";
import type { EventPayload, StoredEvent } from "@/server/events/event.schema";
import { BATCH_STATES, type BatchState } from "@/server/runs/batch-job.rules";
import { isWholePayload } from "./event-payload";

const LONGEST = 240;
/** Candidates that were not chosen, told on one line. */
const REJECTED_SHOWN = 3;
/** Names of things that the row says in other words already. */
const IDENTIFIERS = new Set(["requestId", "sessionId", "stageId", "itemId"]);

const PHASES: ReadonlyMap<string, MessageKey> = new Map([
  ["started", "eventWords.phase.started"],
  ["backend-turn-started", "eventWords.phase.started"],
  ["responding", "eventWords.phase.responding"],
  ["working", "eventWords.phase.working"],
  ["thread-started", "eventWords.phase.threadStarted"],
  ["thread-resumed", "eventWords.phase.threadResumed"],
  ["thread-continued", "eventWords.phase.threadContinued"],
]);

/** The phase of the one event that counts what an adapter left out. */
export const SUPPRESSED = "codex-app-server-notifications-suppressed";

/** Parts of the line; what an event does not have is left out. */
type Parts = (string | undefined)[];
type Sayings = { [T in EventType]: (payload: EventPayload<T>, i18n: I18n) => Parts };

/** Somebody else's words are quoted; ours are said in the reader's language. */
function said({ t }: I18n, text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const ours = serverSentence(t, text);
  return ours === text ? `“${text}”` : ours;
}

/** The operator's reason as it is, or our sentence where none was given. */
function reasonOf({ t }: I18n, reason: unknown): string | undefined {
  return typeof reason === "string" ? serverSentence(t, reason) : undefined;
}

function modelName(provider: string, model: unknown): string {
  return typeof model === "string" ? `${provider}/${model}` : provider;
}

const SAYINGS: Sayings = {
  backend_status: ({ phase, model, message, total }, i18n) => {
    if (phase === SUPPRESSED && typeof total === "number") return [i18n.t("eventWords.phase.suppressed", { count: total })];
    const word = PHASES.get(phase);
    return [word === undefined ? phase : i18n.t(word), model, said(i18n, message)];
  },
  assistant_message: ({ text }) => [text],
  tool_call: ({ toolName, status, command, exitCode }, { t }) => [
    typeof command === "string" ? command : t("eventWords.tool", { tool: toolName }),
    status,
    typeof exitCode === "number" ? t("eventWords.exitCode", { code: exitCode }) : undefined,
  ],
  command_output: ({ text }) => [text],
  diff: ({ text }) => [text],
  error: ({ failureKind, message, willRetry }, i18n) => [
    i18n.t(`failure.title.${failureKind}`),
    said(i18n, message),
    willRetry === true ? i18n.t("eventWords.willRetry") : undefined,
  ],
  terminal_status: ({ status, failureKind }, { t }) => [
    t(`eventWords.ended.${status}`),
    failureKind === undefined ? undefined : t(`failure.title.${failureKind}`),
  ],
  inference_started: ({ model, providerId }, { t }) => [
    t("eventWords.sentTo", { model: typeof model === "string" ? model : providerId }),
  ],
  inference_completed: ({ promptTokens, completionTokens, latencyMs }, { t, formatNumber, formatDuration }) => [
    t("eventWords.answered", { prompt: formatNumber(promptTokens), completion: formatNumber(completionTokens) }),
    t("eventWords.after", { duration: formatDuration(latencyMs) }),
  ],
  inference_failed: ({ failureKind, reason }, i18n) => [i18n.t(`failure.title.${failureKind}`), said(i18n, reason)],
  inference_timeout: ({ timeoutMs }, { t, formatDuration }) => [
    t("failure.title.backend-timeout"),
    t("eventWords.limit", { duration: formatDuration(timeoutMs) }),
  ],
  model_loaded: ({ providerId, model, pid }, { t }) => [
    modelName(providerId, model),
    typeof pid === "number" ? t("eventWords.process", { pid }) : undefined,
  ],
  model_unloaded: ({ providerId, model, pid, exitCode, signal, groupEnded }, { t }) => [
    modelName(providerId, model),
    typeof pid === "number" ? t("eventWords.processEnded", { pid }) : undefined,
    typeof exitCode === "number" ? t("eventWords.exitCode", { code: exitCode }) : undefined,
    typeof signal === "string" ? t("eventWords.signal", { signal }) : undefined,
    groupEnded === false ? t("eventWords.groupLeft") : undefined,
  ],
  run_queued: ({ chunks, documents }, { t }) => [t("eventWords.queued", { chunks, documents })],
  prep_completed: ({ chunks, droppedLines, maskedSecrets }, { t }) => [
    t("eventWords.prepared", { chunks, dropped: droppedLines, masked: maskedSecrets }),
  ],
  run_started: ({ worker }, { t }) => [t("eventWords.byWorker", { worker })],
  run_paused: ({ reason }, i18n) => [reasonOf(i18n, reason)],
  run_resumed: ({ reason }, i18n) => [reasonOf(i18n, reason) ?? i18n.t("eventWords.byOperator")],
  run_cancelled: ({ reason }, i18n) => [reasonOf(i18n, reason)],
  run_incomplete: ({ succeeded, failed, cancelled }, { t }) => [t("eventWords.incomplete", { succeeded, failed, cancelled })],
  run_completed: ({ insights, withGaps, reason }, i18n) => [
    i18n.t("eventWords.insights", { count: insights }),
    withGaps ? i18n.t("eventWords.withGaps") : undefined,
    reasonOf(i18n, reason),
  ],
  run_failed: ({ message }, i18n) => [said(i18n, message)],
  consolidate_completed: ({ insights, done, duplicates, partial }, { t }) => [
    t("eventWords.consolidated", { insights, done, duplicates }),
    partial ? t("eventWords.withGaps") : undefined,
  ],
  chunk_claimed: ({ worker, origin, source }, { t }) => [
    origin === undefined
      ? t("eventWords.byWorker", { worker })
      : source === undefined
        ? t("eventWords.adopted")
        : t("eventWords.adoptedFrom", { source }),
  ],
  chunk_succeeded: ({ insights, latencyMs }, { t, formatDuration }) => [
    insights === undefined ? undefined : t("eventWords.insights", { count: insights }),
    latencyMs === undefined ? undefined : t("eventWords.after", { duration: formatDuration(latencyMs) }),
  ],
  chunk_failed: ({ failureKind, message }, i18n) => [i18n.t(`failure.title.${failureKind}`), said(i18n, message)],
  chunk_cancelled: ({ cancellationReason }, { t }) => [t(`eventWords.cancel.${cancellationReason}`)],
  chunk_retry_scheduled: ({ failureKind, delayMs, repairRound }, { t, formatDuration }) => [
    t(`failure.title.${failureKind}`),
    repairRound ? t("eventWords.repairRound") : undefined,
    delayMs === 0 ? t("eventWords.nextNow") : t("eventWords.next", { duration: formatDuration(delayMs) }),
  ],
  route_decided: ({ provider, model, reason, rejected }, i18n) => [
    i18n.t("eventWords.routedTo", { model: `${provider}/${model}` }),
    serverSentence(i18n.t, reason),
    ...rejected.slice(0, REJECTED_SHOWN).map((each) => `${each.candidate}: ${serverSentence(i18n.t, each.reason)}`),
  ],
  cooldown_started: ({ provider, model, reason, milliseconds }, i18n) => [
    i18n.t("eventWords.cooling", { model: `${provider}/${model}`, duration: i18n.formatDuration(milliseconds) }),
    said(i18n, reason),
  ],
  batch_submitted: ({ provider, model, requests, nativeId, foundAgain }, { t }) => [
    t(foundAgain ? "eventWords.batch.foundAgain" : "eventWords.batch.submitted", {
      count: requests,
      model: `${provider}/${model}`,
    }),
    nativeId,
  ],
  batch_state: ({ state, nativeState, problem, message }, i18n) => [
    isBatchState(state) ? i18n.t(`batchState.${state}`) : state,
    nativeState,
    said(i18n, problem),
    said(i18n, message),
  ],
  batch_collected: ({ outcome, adopted, unusable, returned, badLines, badLine }, i18n) => [
    isBatchState(outcome) ? i18n.t(`batchState.${outcome}`) : outcome,
    i18n.t("eventWords.batch.collected", { adopted, unusable, returned }),
    badLines === undefined ? undefined : i18n.t("eventWords.batch.badLines", { count: badLines }),
    badLine,
  ],
  command_queued: ({ index, type, text }, { t }) => [
    type === "turn" ? t("eventWords.command.turn", { number: index + 1 }) : t("eventWords.command.interrupt"),
    text,
  ],
  command_started: ({ index }, { t }) => [t("eventWords.command.started", { number: index + 1 })],
  command_ended: ({ index, status, message }, i18n) => [
    i18n.t(`eventWords.command.${status}`, { number: index + 1 }),
    said(i18n, message),
  ],
  approval_requested: ({ kind, subject }, { t }) => [t(`eventWords.approval.${kind}`), subject],
  approval_resolved: ({ status, by }, { t }) => [
    t(`eventWords.approval.${status}`),
    by === undefined ? undefined : t("eventWords.approval.by", { name: by }),
  ],
  cooldown_ended: ({ provider, model }, { t }) => [t("eventWords.cooledDown", { model: `${provider}/${model}` })],
  answer_chosen: ({ accepted, instead, by }, { t }) => [
    accepted === null ? t("eventWords.noAnswer") : t("eventWords.answerChosen", { number: accepted }),
    instead === null ? undefined : t("eventWords.answerInstead", { number: instead }),
    by === "operator" ? t("eventWords.byOperator") : t("eventWords.answerStands"),
  ],
  chunk_requeued: ({ by, reason, maxTokens }, { t, formatNumber }) => {
    // "with" and the models that a retry named, by the server; nobody else's words.
    const models = /^with (.+)$/.exec(reason ?? "")?.[1];
    if (by === "operator")
      return [
        t("eventWords.byOperator"),
        models === undefined ? reason : t("eventWords.retriedWith", { models }),
        maxTokens === undefined ? undefined : t("eventWords.outputLimit", { count: formatNumber(maxTokens) }),
      ];
    return [
      reason === undefined ? t("eventWords.bySweeperOnly") : t("eventWords.bySweeper", { reason: serverSentence(t, reason) }),
    ];
  },
};

function isBatchState(word: string): word is BatchState {
  return (BATCH_STATES as readonly string[]).includes(word);
}

/** The plain fields, for a payload that was cut or that another version wrote. */
function plainFields(payload: Record<string, unknown>): Parts {
  return Object.entries(payload)
    .filter(([field, value]) => !IDENTIFIERS.has(field) && ["number", "boolean", "string"].includes(typeof value))
    .map(([field, value]) => `${field} ${String(value)}`);
}

/** One line that says what an event holds, in the reader's language; words of models, providers and operators stay as they came. */
export function eventSummary({ type, payload }: Pick<StoredEvent, "type" | "payload">, i18n: I18n): string {
  // The payload is checked for this very type in the same breath; the compiler cannot tie the two tables together.
  const say = SAYINGS[type] as (payload: unknown, i18n: I18n) => Parts;
  const parts = isWholePayload(type, payload) ? say(payload, i18n) : plainFields(payload);
  return parts
    .filter((part) => part !== undefined && part !== "")
    .join(" · ")
    .replace(/\s+/g, " ")
    .slice(0, LONGEST);
}
