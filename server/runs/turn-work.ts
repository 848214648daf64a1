/** What a turn does outside the executor's bookkeeping: the request itself, and what it teaches of its provider. */
import { artifactText, type StoredText } from "@/server/artifacts/artifact-text";
import { type RequestArtifact, requestArtifactSchema } from "@/server/artifacts/request-artifact.schema";
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import type { StateChange } from "@/server/inference/provider-state";
import { buildRepairRequest } from "@/server/pipeline/repair-request";
import { executeRequest } from "./execute-request";
import type { ExecutorDeps } from "./executor-deps";
import type { Turn } from "./held-run";
import type { Executed } from "./judge-answer";
import type { RoutedChunk } from "./run-routes";
import { type ClaimedChunk, requestIdOf } from "./run-writes.store";
import type { Outlook } from "./turn-end";

/** A turn as far as its model is concerned: all that `exec` has of one. */
export interface RoutedTurn extends Pick<Turn, "routed" | "isDown"> {
  run: Pick<Turn["run"], "routes">;
  abort: Pick<AbortController, "signal">;
}

/** What a turn has led to, and the request of the repair round that it calls for. */
export interface TurnWork extends Executed {
  repairRequest: StoredText | null;
}

export async function executeTurn(deps: ExecutorDeps, turn: Turn, chunk: ClaimedChunk): Promise<TurnWork> {
  const { run } = turn.run;
  const { provider, model } = turn.routed;
  const request = requestArtifactSchema.parse(JSON.parse(chunk.requestBody));
  // Parsed, it is of no more use: many turns are under way, and texts that live as long as they do are dear to collect.
  chunk.requestBody = "";
  const executed = await executeRequest({
    request,
    requestSha256: chunk.requestSha256,
    requestId: requestIdOf(chunk),
    sessionId: chunk.runId,
    attempt: chunk.attempt,
    repairOf: chunk.repairOf ?? undefined,
    model,
    timeoutMs: run.options.timeoutMs,
    // 0 among the options: none.
    maxTokens: (turn.run.routes.maxTokensOf(chunk) ?? run.options.maxTokens) || undefined,
    provider,
    access: () => deps.access(provider.backend.settings),
    redactor: deps.redactor,
    clock: deps.clock,
    signal: turn.abort.signal,
    emit: (event, redactor) => turn.recorder.add(event, redactor),
    firstText: () => turn.recorder.firstText(),
  });
  const isRepairDue = executed.isMendable && chunk.repairs < run.options.repairRounds && !turn.abort.signal.aborted;
  return { ...executed, repairRequest: isRepairDue ? repairRequestOf(request, executed, chunk.attempt) : null };
}

/** From the stored result, so that it holds nothing that was redacted there. */
function repairRequestOf(request: RequestArtifact, { result }: Executed, attempt: number): StoredText {
  const errors = result.normalization?.errors ?? (result.ok ? [] : [result.error.message]);
  return artifactText(buildRepairRequest(request, { attempt, text: result.raw_text ?? "", errors }));
}

/** What else the chunk could do, after what the turn has taught. */
export function outlookOf(
  { state }: Pick<ExecutorDeps, "state">,
  { run, routed, isDown }: RoutedTurn,
  chunk: RoutedChunk,
): Outlook {
  const { provider, model } = routed;
  const elsewhere = run.routes.hasFreshCandidate(chunk);
  const outlook = {
    elsewhere,
    wasDown: isDown && !state.isLongDown(provider.id, model),
    ownPauseMs: state.refuses(provider.id, model) ? null : state.pauseMs(provider.id, model),
    othersPauseMs: run.routes.pauseBeside(chunk, routed.id),
  };
  // All have had their turn: the next one begins with the first again.
  if (!elsewhere) run.routes.forget(chunk);
  return outlook;
}

/** What the turn says of its provider, for the next choices of every run. A turn that we called off says nothing. */
export function learnOfProvider(
  deps: Pick<ExecutorDeps, "state" | "keepState">,
  turn: RoutedTurn,
  chunk: RoutedChunk,
  executed: Pick<Executed, "failure"> & Partial<Pick<TurnWork, "repairRequest">>,
): StateChange[] {
  if (turn.abort.signal.aborted) return [];
  const { provider, model, id } = turn.routed;
  const { failure } = executed;
  const { routes } = turn.run;
  // Who gave the answer is the first to be asked to mend it.
  if (failure && !executed.repairRequest) routes.failed(chunk, id);
  else if (!failure) routes.forget(chunk);
  // A kind that runs inside this process has nobody to be left alone; its failures are the text's.
  if (BACKEND_KIND_FACTS[provider.backend.kind].transport === "in-process") return [];
  const changes = failure
    ? deps.state.failed(provider.id, model, { ...failure, failureKind: failure.kind })
    : deps.state.succeeded(provider.id, model);
  deps.keepState(changes);
  return changes;
}
