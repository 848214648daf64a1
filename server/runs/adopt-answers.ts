/** Answers that were made elsewhere become attempts of their chunks, judged as every other answer is. */
import { createHash } from "node:crypto";
import { artifactText } from "@/server/artifacts/artifact-text";
import { DISTILL_TASK, requestArtifactSchema } from "@/server/artifacts/request-artifact.schema";
import { RESULT_VERSION } from "@/server/artifacts/result-artifact.schema";
import type { Database } from "@/server/db/client";
import type { NewEvent } from "@/server/events/event.schema";
import { prepareEvent } from "@/server/events/event-writes.store";
import { AppError } from "@/server/shared/app-error";
import { newId } from "@/server/shared/ids";
import type { AdoptOutcome, MadeAnswer } from "./adopt-answers.schema";
import { adoptingStatuses, finishReasonOf, UNTOLD_NAME } from "./adopted-answer.rules";
import { type AdoptableChunk, adoptableChunks, recordAdoption } from "./adoption.store";
import { readAnswerId } from "./answer-id";
import type { TurnEnd } from "./end-turn.store";
import { type Executed, failedAnswer, type Judgement, judgeAnswer, type Seen } from "./judge-answer";
import type { RunSummary } from "./run.schema";
import { type SettleDeps, settleRun } from "./settle-run";
import { standingAnswer } from "./turn-end";

export interface AdoptDeps {
  database: Database;
  settle: SettleDeps;
}

/** An answer that found its chunk. */
interface Placed {
  answer: MadeAnswer;
  chunk: AdoptableChunk;
}

type Fate =
  | { kind: "recorded"; end: TurnEnd; isRepaired: boolean; isError: boolean }
  | { kind: "skipped"; reason: string }
  | { kind: "problem"; problem: string };

/** Answers of a batch job of this run: they belong to the chunks that it holds, and to no others. */
export interface OfJob {
  job: string;
  /** The model that answered, where the service named it, by the id of its answer. */
  servedModels: ReadonlyMap<string, string>;
}

/** Answers that are judged before anything else gets its turn; their writes share a commit. */
const AT_ONCE = 25;

const RESUMED = "Every chunk that was open has an answer now.";

/**
 * Each answer is recorded as an attempt of its chunk, or is told why not; one never stands in the way of the others. Nothing is
 * asked and nothing is retried by itself: an answer that cannot be used fails its chunk, which another answer or a retry takes
 * up. When nothing of the run is open any more it settles, also when it was paused. Throws `conflict` for a run that takes none.
 */
export async function adoptAnswers(
  deps: AdoptDeps,
  id: string,
  answers: readonly MadeAnswer[],
  of: OfJob | null = null,
): Promise<AdoptOutcome> {
  const run = await deps.settle.runs.summary(id);
  refuseRun(run, of);
  const places = new Map(answers.map((answer) => [answer, placeOf(run, answer)]));
  const indexes = [...new Set(places.values())].filter((place) => typeof place === "number");
  const chunks = await adoptableChunks(deps.database, id, indexes);
  const fates = new Map<MadeAnswer, Fate>();
  const placed: Placed[] = [];
  const taken = new Set<AdoptableChunk>();
  for (const [answer, place] of places) {
    const chunk = typeof place === "number" ? chunks.get(place) : undefined;
    if (typeof place === "string") fates.set(answer, { kind: "problem", problem: place });
    else if (!chunk) fates.set(answer, { kind: "problem", problem: `This run has no chunk ${place}.` });
    else {
      const fate = fateOf(chunk, answer, taken.has(chunk));
      if (fate) fates.set(answer, fate);
      else {
        taken.add(chunk);
        placed.push({ answer, chunk });
      }
    }
  }
  const owner = newId("adp", deps.settle.clock.now());
  const adopt = async ({ answer, chunk }: Placed) => void fates.set(answer, await adoptOne(deps, run, owner, chunk, answer, of));
  for (let at = 0; at < placed.length; at += AT_ONCE) await Promise.all(placed.slice(at, at + AT_ONCE).map(adopt));
  await settleRun(deps.settle, id);
  return outcomeOf(deps, answers, fates, places);
}

function refuseRun(run: RunSummary, of: OfJob | null): void {
  if (run.kind === "thread")
    throw new AppError("conflict", "An agent run has no chunks, so it takes no answers.", { details: { kind: run.kind } });
  if (!adoptingStatuses(of?.job ?? null).includes(run.status))
    throw new AppError("conflict", `A run that was ${run.status} takes no answers.`, { details: { status: run.status } });
}

/** The chunk that an answer names, or a sentence why it names none of this run. */
function placeOf(run: RunSummary, { id }: MadeAnswer): number | string {
  const place = readAnswerId(id);
  if (place === null) return "Its id names no chunk; write it as task/date/chunk-0001, or as the export wrote it.";
  if (place.kind === "run") return place.runId === run.id ? place.index : `It belongs to another run, ${place.runId}.`;
  if (place.sourceDate !== run.sourceDate) return `It is of ${place.sourceDate}; this run is of ${run.sourceDate}.`;
  return place.task === DISTILL_TASK ? place.index : `It is not of the task of this run, ${DISTILL_TASK}.`;
}

/** What stands in the way of an answer whatever the state of its chunk is; null when nothing does. */
function fateOf(chunk: AdoptableChunk, answer: MadeAnswer, isTaken: boolean): Fate | null {
  const { index } = chunk;
  const own = answer.requestId === undefined ? undefined : chunk.attempts.get(answer.requestId);
  if (own !== undefined) return { kind: "skipped", reason: `it is this run's own attempt ${own}` };
  if (answer.requestSha256 !== undefined && answer.requestSha256 !== chunk.requestSha256)
    return { kind: "problem", problem: `It answers another request than that of chunk ${index}: their SHA-256 differ.` };
  return isTaken
    ? { kind: "problem", problem: `Chunk ${index} has an answer before this one here; the first one counts.` }
    : null;
}

async function adoptOne(
  deps: AdoptDeps,
  run: RunSummary,
  owner: string,
  chunk: AdoptableChunk,
  answer: MadeAnswer,
  of: OfJob | null,
): Promise<Fate> {
  const { status } = chunk;
  if (status === "succeeded") return { kind: "skipped", reason: "it has succeeded already" };
  if (status === "running") return { kind: "skipped", reason: "it is running" };
  if (status === "cancelled") return { kind: "skipped", reason: "it was cancelled" };
  if (chunk.isClaimed) return { kind: "skipped", reason: "a worker has just taken it to ask for it" };
  if (chunk.heldBy !== (of?.job ?? null))
    return { kind: "skipped", reason: of ? "its batch does not hold it any more" : "a batch job holds it" };
  return record(deps, run, owner, { ...chunk, status }, answer, of);
}

async function record(
  { settle }: AdoptDeps,
  run: RunSummary,
  owner: string,
  chunk: AdoptableChunk & { status: "queued" | "failed" },
  answer: MadeAnswer,
  of: OfJob | null,
): Promise<Fate> {
  const request = requestArtifactSchema.parse(JSON.parse(chunk.requestBody));
  const { redactor, clock, writer } = settle;
  const now = clock.now();
  const plain = (text: string) => redactor.text(text);
  const requestId = of
    ? `${of.job}.${chunk.index}`
    : answerIdentity(redactor.json({ text: answer.text ?? null, error: answer.error ?? null }));
  if (chunk.attempts.has(requestId)) return { kind: "skipped", reason: "this very answer was adopted before" };
  const source = answer.source === undefined ? undefined : plain(answer.source);
  const backend = plain(answer.backend ?? UNTOLD_NAME);
  const model = plain(answer.model ?? UNTOLD_NAME);
  const executed = judge(
    {
      identity: {
        version: RESULT_VERSION,
        backend,
        model,
        source_date: request.source_date,
        chunk_index: request.chunk_index,
        task: request.task,
        attempt: chunk.attempt + 1,
        request_id: requestId,
        request_sha256: chunk.requestSha256,
        origin: "import",
        ...(source === undefined ? {} : { source }),
      },
      schema: request.expect.schema,
      redactor,
      clock,
    },
    answer,
    of?.servedModels.get(answer.id) ?? null,
  );
  const end = endOf(executed);
  const at = { ts: now, chunk: chunk.index, attempt: chunk.attempt + 1 };
  const from = { origin: "import" as const, ...(source === undefined ? {} : { source }) };
  const events: NewEvent[] = [
    { type: "chunk_claimed", payload: { worker: owner, ...from } },
    endEvent(end, from),
    ...standingAnswer(chunk, end),
  ];
  const isRecorded = await recordAdoption(writer, {
    runId: run.id,
    chunk,
    owner,
    requestId,
    backend,
    model,
    outcome: {
      end,
      times: { startedAt: null, firstTokenAt: null },
      endedAt: now,
      result: { id: newId("art", now), kind: "result", ...artifactText(executed.result) },
      usage: executed.usage,
      finishReason: executed.finishReason,
      servedModel: executed.servedModel,
      servedProvider: null,
      repaired: executed.result.normalization?.repaired ?? false,
      truncated: executed.result.normalization?.truncated ?? false,
      repairRequest: null,
    },
    events: events.map((event) => prepareEvent(event, at, redactor)),
    resumed: { type: "run_resumed", payload: JSON.stringify({ reason: RESUMED }) },
  });
  if (!isRecorded) return { kind: "skipped", reason: "it has just become another; hand the answer in again" };
  return {
    kind: "recorded",
    end,
    isRepaired: executed.result.normalization?.repaired ?? false,
    isError: answer.error !== undefined,
  };
}

/** The same answer has the same id, so that it is adopted once. Of the redacted answer: nothing of a secret goes into it. */
function answerIdentity(answer: { text: string | null; error: MadeAnswer["error"] | null }): string {
  return `ans_${createHash("sha256").update(JSON.stringify(answer)).digest("hex").slice(0, 40)}`;
}

function judge(judgement: Judgement, answer: MadeAnswer, servedModel: string | null): Executed {
  const { redactor } = judgement;
  const seen: Seen = {
    usage: answer.usage,
    finishReason: answer.finishReason === undefined ? null : redactor.text(finishReasonOf(answer.finishReason)),
    servedModel: servedModel === null ? null : redactor.text(servedModel),
    servedProvider: null,
  };
  const { text, error, timingMs = 0 } = answer;
  if (error !== undefined)
    return failedAnswer(judgement, error.failureKind ?? "backend-failed", error.message, timingMs, { seen, text });
  return judgeAnswer(judgement, seen, text ?? "", timingMs);
}

/** Nobody here can be asked again, so a failure is final until somebody orders otherwise. */
function endOf({ failure, insights }: Executed): TurnEnd {
  return failure
    ? { status: "failed", failureKind: failure.kind, message: failure.message, dueAt: null, isCounted: true }
    : { status: "succeeded", insights };
}

function endEvent(end: TurnEnd, from: { origin: "import"; source?: string }): NewEvent {
  if (end.status === "failed")
    return { type: "chunk_failed", payload: { failureKind: end.failureKind, message: end.message, ...from } };
  const insights = end.status === "succeeded" && end.insights !== null ? { insights: end.insights } : {};
  return { type: "chunk_succeeded", payload: { ...insights, ...from } };
}

function outcomeOf(
  { settle }: AdoptDeps,
  answers: readonly MadeAnswer[],
  fates: ReadonlyMap<MadeAnswer, Fate>,
  places: ReadonlyMap<MadeAnswer, number | string>,
): AdoptOutcome {
  const outcome: AdoptOutcome = { adopted: 0, repaired: 0, invalid: 0, failed: 0, skipped: [], problems: [] };
  for (const answer of answers) {
    const fate = fates.get(answer);
    // What the caller said goes back to it, but also into its log.
    const told = {
      id: settle.redactor.text(answer.id),
      source: answer.source === undefined ? null : settle.redactor.text(answer.source),
    };
    if (fate?.kind === "problem") outcome.problems.push({ ...told, problem: fate.problem });
    else if (fate?.kind === "skipped") outcome.skipped.push({ ...told, chunk: Number(places.get(answer)), reason: fate.reason });
    else if (fate?.kind === "recorded" && fate.end.status === "succeeded") {
      outcome.adopted += 1;
      if (fate.isRepaired) outcome.repaired += 1;
    } else if (fate?.isError) outcome.failed += 1;
    else outcome.invalid += 1;
  }
  return outcome;
}
