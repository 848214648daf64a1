import type { PinnedRoute } from "@/server/config/pinned-route.schema";
import type { Database } from "@/server/db/client";
import type { NewEvent } from "@/server/events/event.schema";
import { EventStore } from "@/server/events/event.store";
import { prepareEvent } from "@/server/events/event-writes.store";
import { AppError } from "@/server/shared/app-error";
import { adoptAnswers } from "./adopt-answers";
import { chooseAnswer } from "./choose-answer";
import { ChunksStore } from "./chunks.store";
import { createRunComparisons } from "./compare-runs";
import type { Prices } from "./cost";
import { costOfRun } from "./cost.store";
import { type CreateDeps, createRuns, previewOrder } from "./create-run";
import { rerun } from "./rerun";
import { retryChunks } from "./retry-chunks";
import type { ChunkDetail, RunConfig, RunSummary } from "./run.schema";
import { cancelRun, pauseRun, resumeRun } from "./run-actions.store";
import type { RunService } from "./run-service";
import { actionRefusal, type RunAction } from "./run-state.rules";
import { RunsStore } from "./runs.store";
import { sampleOrder } from "./sample-day";
import { consolidateRun, type SettleDeps } from "./settle-run";

export interface LocalRunDeps extends CreateDeps {
  database: Database;
  settle: SettleDeps;
  /** What became of the configuration since the run was pinned to it. */
  configOf(run: { scene: string | null; routes: readonly PinnedRoute[] }): Promise<RunConfig>;
  /** The price table of now: what has been asked is told by it, so that a corrected price corrects what is told. */
  prices(): Promise<Prices>;
  /** Something changed that the executor should look at. */
  kick(): void;
  /** Agent runs end in their own way. */
  cancelAgentRun(id: string, reason: string | undefined): Promise<unknown>;
}

const REFUSALS: Record<RunAction, string> = {
  pause: "Only a queued or running run can be paused",
  resume: "Only a paused run can be resumed",
  cancel: "Only a run that has not ended can be cancelled",
  retry: "Only a run that has begun and was neither cancelled nor blocked can be retried",
  finish: "Only an incomplete run can be finished with gaps",
};

/** The service over the database of this process. */
export function createLocalRunService(deps: LocalRunDeps): RunService {
  const runs = new RunsStore(deps.database);
  const chunks = new ChunksStore(deps.database);
  const events = new EventStore(deps.database);

  const now = () => deps.clock.now();
  const said = (event: NewEvent) => prepareEvent(event, { ts: now() }, deps.redactor);
  /** A reason is the operator's text: it is stored, so it is redacted. */
  const words = (reason: string | undefined, otherwise: string) => deps.redactor.text(reason ?? otherwise);

  async function allow(id: string, action: RunAction): Promise<RunSummary> {
    const run = await runs.summary(id);
    if (run.kind === "thread")
      throw new AppError("conflict", `An agent run has no ${action}; order another turn, interrupt it or cancel it.`, {
        details: { kind: run.kind },
      });
    const refusal = actionRefusal(action, run);
    if (refusal === "wrong_status")
      throw new AppError("conflict", `${REFUSALS[action]}; this one is ${run.status}.`, { details: { status: run.status } });
    if (refusal === "nothing_failed")
      throw new AppError("conflict", "No chunk of this run has failed, so there is nothing to retry.", {
        details: { status: run.status },
      });
    return run;
  }

  /** The compare-and-set lost: say what the run is now. */
  async function changedMeanwhile(id: string, action: RunAction): Promise<AppError> {
    const run = await runs.summary(id);
    return new AppError("conflict", `${REFUSALS[action]}; this one has just become ${run.status}.`, {
      details: { status: run.status },
    });
  }

  async function after(id: string, applied: boolean, action: RunAction): Promise<RunSummary> {
    if (!applied) throw await changedMeanwhile(id, action);
    deps.kick();
    return runs.summary(id);
  }

  async function chunkOf(id: string, index: number): Promise<ChunkDetail> {
    await runs.summary(id);
    const cleaned = await runs.artifactOfKind(id, "cleaned");
    return chunks.detail(id, index, cleaned?.body ?? "", now(), await deps.prices());
  }

  return {
    preview: (order) => previewOrder(deps, order),
    async start(order) {
      const ids = await createRuns(deps, order);
      deps.kick();
      return Promise.all(ids.map((id) => runs.summary(id)));
    },
    async create(body) {
      const { kind: _kind, name, sourceDate, text, scene, backend, model, ...options } = body;
      const [id] = await createRuns(deps, {
        ...(name === undefined ? {} : { name }),
        ...(sourceDate === undefined ? {} : { sourceDate }),
        ...(scene === undefined ? {} : { scene }),
        ...(backend === undefined ? {} : { backend }),
        ...(model === undefined ? {} : { model }),
        documents: [{ name: documentName(name), text }],
        options,
      });
      if (!id) throw new Error("a single text made no run");
      deps.kick();
      return runs.summary(id);
    },
    async startSample() {
      const [id] = await createRuns(deps, sampleOrder(now()));
      if (!id) throw new Error("the sample made no run");
      deps.kick();
      return runs.summary(id);
    },
    list: (query) => runs.list(query),
    summary: (id) => runs.summary(id),
    async get(id) {
      const whole = await runs.whole(id);
      const [errorGroups, marks, waiting, asked, cost, config] = await Promise.all([
        chunks.errorGroups(id),
        chunks.marks(id),
        chunks.waiting(id, now()),
        chunks.asked(id),
        deps.prices().then((prices) => costOfRun(deps.database, id, prices)),
        deps.configOf({ scene: whole.summary.scene, routes: whole.routes }),
      ]);
      return {
        ...whole.summary,
        options: whole.options,
        prep: whole.prep,
        promptVersion: whole.promptVersion,
        coverage: whole.coverage,
        errorGroups,
        marks,
        waiting,
        config,
        cost,
        asked,
      };
    },
    async chunks(id, query) {
      await runs.summary(id);
      return chunks.list(id, { ...query, afterIndex: query.afterIndex ?? 0 }, now());
    },
    chunk: chunkOf,
    async events(id, query) {
      const run = await runs.summary(id);
      const at = query.beforeSeq === undefined ? { afterSeq: query.afterSeq ?? 0 } : { beforeSeq: query.beforeSeq };
      const page = await events.page(id, at, query.limit, query);
      return { ...page, nextAfterSeq: page.items.at(-1)?.seq ?? query.afterSeq ?? 0, lastSeq: run.lastSeq };
    },
    async eventCounts(id) {
      await runs.summary(id);
      return events.counts(id);
    },
    async insights(id) {
      const whole = await runs.whole(id);
      const items = await runs.insights(id);
      const { coverage } = whole;
      return { items, coverage, duplicates: whole.duplicates, partial: coverage !== null && coverage.done < coverage.total };
    },
    async stagedMarkdown(id) {
      await runs.summary(id);
      return (await runs.artifactOfKind(id, "staged-markdown"))?.body ?? null;
    },
    async artifact(id, artifactId) {
      await runs.summary(id);
      return runs.artifact(id, artifactId);
    },
    async retry(id, order = {}) {
      const run = await runs.summary(id);
      // Naming chunks that cannot be asked again is answered chunk by chunk; only "all failed" with none failed is a conflict.
      const wantsFailed = order.chunks === undefined && !order.again;
      if (run.kind === "thread" || wantsFailed || actionRefusal("retry", run) === "wrong_status") await allow(id, "retry");
      const outcome = await retryChunks({ ...deps, runs, chunks }, run, order);
      if (!outcome) throw await changedMeanwhile(id, "retry");
      deps.kick();
      return outcome;
    },
    async rerun(id, order = {}) {
      const fresh = await rerun({ ...deps, runs }, id, order);
      deps.kick();
      return runs.summary(fresh);
    },
    async choose(id, index, attempt) {
      await chooseAnswer(deps, id, index, attempt);
      deps.kick();
      return chunkOf(id, index);
    },
    async adopt(id, answers) {
      const outcome = await adoptAnswers(deps, id, answers);
      deps.kick();
      return outcome;
    },
    async cancel(id, reason) {
      if ((await runs.summary(id)).kind === "thread") {
        await deps.cancelAgentRun(id, reason);
        return runs.summary(id);
      }
      await allow(id, "cancel");
      const sentence = words(reason, "Cancelled by the operator.");
      const event = said({ type: "run_cancelled", payload: { reason: sentence, cancellationReason: "user_requested" } });
      return after(id, await cancelRun(deps.writer, id, sentence, now(), [event]), "cancel");
    },
    async pause(id, reason) {
      await allow(id, "pause");
      const sentence = words(reason, "Paused by the operator.");
      return after(
        id,
        await pauseRun(deps.writer, id, sentence, now(), [said({ type: "run_paused", payload: { reason: sentence } })]),
        "pause",
      );
    },
    async resume(id, reason) {
      await allow(id, "resume");
      const event = said({ type: "run_resumed", payload: reason === undefined ? {} : { reason: words(reason, "") } });
      return after(id, await resumeRun(deps.writer, id, now(), [event]), "resume");
    },
    async finish(id, reason) {
      await allow(id, "finish");
      const sentence = words(reason, "Finished with gaps by the operator.");
      return after(id, await consolidateRun(deps.settle, id, { allowPartial: true, reason: sentence }), "finish");
    },
    changes: (cursor) => runs.changes(cursor),
    ...createRunComparisons(deps.database, deps.prices),
  };
}

/** A run's name is free text; a document's is a plain file name, and may carry the date. */
function documentName(name: string | undefined): string {
  const base = name?.split(/[/\\]/).at(-1)?.trim() ?? "";
  return base === "" || base === "." || base === ".." ? "pasted text" : base.slice(0, 255);
}
