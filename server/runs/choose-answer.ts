/** Which of a chunk's answers counts, by a person's word. */
import { resultArtifactSchema } from "@/server/artifacts/result-artifact.schema";
import type { Database } from "@/server/db/client";
import { prepareEvent } from "@/server/events/event-writes.store";
import { isInsight } from "@/server/pipeline/is-insight";
import { AppError } from "@/server/shared/app-error";
import { ADOPTING_STATUSES } from "./adopted-answer.rules";
import { type ChoosableAnswer, choosableAnswer, recordChoice } from "./answer-choice.store";
import type { RunSummary } from "./run.schema";
import type { RunStatus } from "./run-state.rules";
import { type SettleDeps, settleRun } from "./settle-run";

interface ChooseDeps {
  database: Database;
  settle: SettleDeps;
}

const RESUMED = "Another answer was chosen.";

/**
 * From now on the answer of that attempt counts. One that was accepted before, or that came after its lease had ended, makes the
 * chunk succeed; one that failed makes it fail again, as before it was retried. All attempts stay. A run that had ended settles anew: its insights are gathered from the
 * answers of now. Throws `not_found` for a chunk or attempt that is not there, `conflict` with a sentence where it cannot be.
 */
export async function chooseAnswer(deps: ChooseDeps, runId: string, index: number, number: number): Promise<void> {
  const { settle } = deps;
  refuseRun(await settle.runs.summary(runId));
  const found = await choosableAnswer(deps.database, runId, index, number);
  if (!found) throw new AppError("not_found", `This run has no chunk ${index}.`);
  const { chunk } = found;
  const verdict = verdictOf(found, number);
  // Said twice is said once.
  if (verdict.accepted === null ? chunk.accepted === null : chunk.accepted === verdict.accepted) return;
  const now = settle.clock.now();
  const event = prepareEvent(
    { type: "answer_chosen", payload: { accepted: verdict.accepted, instead: chunk.accepted, by: "operator" } },
    { ts: now, chunk: index, attempt: number },
    settle.redactor,
  );
  const isWritten = await recordChoice(
    settle.writer,
    {
      runId,
      chunk,
      ...verdict,
      events: [event],
      resumed: { type: "run_resumed", payload: JSON.stringify({ reason: RESUMED }) },
    },
    now,
  );
  if (!isWritten) throw new AppError("conflict", `Chunk ${index} has just become another; look at it again.`);
  await settleRun(settle, runId);
}

function refuseRun(run: RunSummary): void {
  if (run.kind === "thread") throw new AppError("conflict", "An agent run has no chunks, so there is no answer to choose.");
  if (!(ADOPTING_STATUSES as readonly RunStatus[]).includes(run.status))
    throw new AppError("conflict", `The answers of a run that was ${run.status} stay as they are.`, {
      details: { status: run.status },
    });
}

/** What the choice makes of the chunk. */
function verdictOf({ chunk, attempt }: ChoosableAnswer, number: number) {
  const { index } = chunk;
  if (!attempt) throw new AppError("not_found", `Chunk ${index} has no attempt ${number}.`);
  if (chunk.isClaimed || (chunk.status !== "succeeded" && chunk.status !== "failed"))
    throw new AppError("conflict", `Chunk ${index} is ${chunk.status}; an answer can be chosen when it has ended.`, {
      details: { status: chunk.status },
    });
  if (attempt.resultBody === null) throw new AppError("conflict", `Attempt ${number} of chunk ${index} has no answer.`);
  const result = resultArtifactSchema.parse(JSON.parse(attempt.resultBody));
  const marks = { repaired: attempt.repaired === 1, truncated: attempt.truncated === 1 };
  if (!result.ok) {
    const failure = { kind: attempt.failureKind ?? "backend-failed", message: attempt.errorMessage ?? result.error.message };
    return { accepted: null, insights: null, failure, ...marks };
  }
  const { insights } = result.output;
  return {
    accepted: number,
    insights: Array.isArray(insights) ? insights.filter(isInsight).length : null,
    failure: null,
    ...marks,
  };
}
