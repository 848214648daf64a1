import type { PinnedRoute } from "@/server/config/pinned-route.schema";
import type { Writer } from "@/server/db/writer";
import type { NewEvent } from "@/server/events/event.schema";
import { type PreparedEvent, prepareEvent } from "@/server/events/event-writes.store";
import type { Redactor } from "@/server/events/redact";
import type { PrepReport } from "@/server/pipeline/pipeline.schema";
import type { PlanInput, RunPlan } from "@/server/pipeline/plan-run";
import type { PrepareInput } from "@/server/pipeline/prepare";
import { sourceDateOf } from "@/server/pipeline/source-date";
import { AppError } from "@/server/shared/app-error";
import type { Clock } from "@/server/shared/clock";
import { groupBy } from "@/server/shared/group-by";
import { newId } from "@/server/shared/ids";
import { type ModelChoice, withOutputLimit } from "./pin-route";
import { MAX_RUN_BYTES, type RunOptions } from "./run.rules";
import { type DistillOrder, type DocumentInput, type Preview, runOptionsSchema } from "./run.schema";
import { createRun, type NewRun } from "./run-actions.store";

export interface CreateDeps {
  writer: Writer;
  /** The models that an order is pinned to, by the newest revision. Throws AppErrors with one sentence. */
  pin(choice: ModelChoice): Promise<PinnedRoute>;
  /** Values of every secret this process knows: they are masked in the text too. */
  knownSecrets(): string[];
  preview(input: PrepareInput): Promise<PrepReport>;
  plan(input: PlanInput): Promise<RunPlan>;
  redactor: Redactor;
  clock: Clock;
}

interface Plan {
  sourceDate: string;
  documents: DocumentInput[];
}

interface Resolved {
  route: PinnedRoute;
  options: RunOptions;
  plans: Plan[];
}

/** Checks what the order names, and groups its documents into one run a date. Throws AppErrors with one sentence. */
async function resolveOrder(deps: CreateDeps, order: DistillOrder): Promise<Resolved> {
  const route = await deps.pin(order);
  const bytes = order.documents.reduce((sum, document) => sum + Buffer.byteLength(document.text), 0);
  if (bytes > MAX_RUN_BYTES) {
    throw new AppError(
      "too_large",
      `The text is ${(bytes / 1024 / 1024).toFixed(1)} MiB; at most ${MAX_RUN_BYTES / 1024 / 1024} MiB can be run at once. Split it into several orders.`,
    );
  }
  const now = deps.clock.now();
  const dated = groupBy(order.documents, ({ name, sourceDate, text }) =>
    sourceDateOf(name, sourceDate ?? order.sourceDate, now, text),
  );
  const plans = [...dated]
    .map(([sourceDate, documents]) => ({ sourceDate, documents }))
    .sort((a, b) => (a.sourceDate < b.sourceDate ? -1 : 1));
  const options = runOptionsSchema.parse(order.options ?? {});
  if (options.maxTokens > 0) withOutputLimit(route, options.maxTokens);
  return { route, options, plans };
}

function firstOf(route: PinnedRoute): PinnedRoute["candidates"][number] {
  const [first] = route.candidates;
  if (!first) throw new Error("a pinned route without a candidate");
  return first;
}

function prepareInput(deps: CreateDeps, resolved: Resolved, plan: Plan): PrepareInput {
  // Chunks are cut before it is known who gets them: by the tokens of the first candidate.
  const { settings } = firstOf(resolved.route);
  return {
    // Names are stored and shown as they are here; the text itself is masked by prep.
    documents: plan.documents.map(({ name, text }) => ({ name: deps.redactor.text(name), text })),
    chunkTokens: resolved.options.chunkTokens,
    tokenizer: settings.tokenizer,
    tokenizerIsEstimate: settings.tokenizerIsEstimate,
    knownSecrets: deps.knownSecrets(),
  };
}

/** What a start would do; nothing is stored. */
export async function previewOrder(deps: CreateDeps, order: DistillOrder): Promise<Preview> {
  const resolved = await resolveOrder(deps, order);
  const runs: Preview["runs"] = [];
  for (const plan of resolved.plans) {
    runs.push({ sourceDate: plan.sourceDate, report: await deps.preview(prepareInput(deps, resolved, plan)) });
  }
  const { settings, model } = firstOf(resolved.route);
  return { runs, scene: resolved.route.scene, backend: settings.name, model };
}

/** Prepares and stores one run a date; returns their ids in order of date. Nothing is inferred here. */
export async function createRuns(deps: CreateDeps, order: DistillOrder): Promise<string[]> {
  const resolved = await resolveOrder(deps, order);
  const ids: string[] = [];
  for (const plan of resolved.plans) {
    const { sourceDate } = plan;
    const planned = await deps.plan({ ...prepareInput(deps, resolved, plan), sourceDate, createdAt: deps.clock.now() });
    const now = deps.clock.now();
    const run = toNewRun(resolved, plan, planned, runName(order, plan, resolved.plans.length), now, deps.redactor);
    await createRun(deps.writer, run, now, creationEvents(resolved.route, planned.report, now, deps.redactor));
    ids.push(run.id);
  }
  return ids;
}

function runName(order: DistillOrder, plan: Plan, plans: number): string {
  if (order.name) return plans > 1 ? `${order.name} · ${plan.sourceDate}`.slice(0, 200) : order.name;
  const [first, ...rest] = plan.documents;
  const name = first?.name ?? plan.sourceDate;
  return rest.length === 0 ? name : `${name} +${rest.length}`.slice(0, 200);
}

function toNewRun(resolved: Resolved, plan: Plan, planned: RunPlan, name: string, now: number, redactor: Redactor): NewRun {
  const id = newId("run", now);
  const first = firstOf(resolved.route);
  return {
    id,
    name: redactor.text(name),
    sourceDate: plan.sourceDate,
    backend: first.settings.name,
    model: first.model,
    scene: resolved.route.scene,
    configRevision: resolved.route.revision,
    routes: JSON.stringify([resolved.route]),
    options: JSON.stringify(resolved.options),
    promptVersion: planned.promptVersion,
    prep: JSON.stringify(planned.report),
    documents: planned.documents.map((document, index) => ({ id: newId("doc", now), index, ...document })),
    artifacts: [
      { id: newId("art", now), kind: "manifest", ...planned.manifest },
      { id: newId("art", now), kind: "cleaned", ...planned.cleaned },
    ],
    chunks: planned.chunks.map(({ request, ...chunk }) => ({
      id: `${id}.${chunk.index}`,
      ...chunk,
      request: { id: newId("art", now), kind: "request", ...request },
    })),
  };
}

/** What a new run's log begins with. `rerunOf` is the run whose text it takes over. */
export function creationEvents(
  route: PinnedRoute,
  report: PrepReport,
  now: number,
  redactor: Redactor,
  rerunOf?: string,
): PreparedEvent[] {
  const events: NewEvent[] = [
    {
      type: "run_queued",
      payload: {
        chunks: report.chunks,
        documents: report.documents.length,
        revision: route.revision,
        ...(route.scene === null ? {} : { scene: route.scene }),
        ...(rerunOf === undefined ? {} : { rerunOf }),
        models: route.candidates.map(({ settings, model }) => `${settings.name}/${model}`),
      },
    },
    {
      type: "prep_completed",
      payload: {
        chunks: report.chunks,
        droppedLines: report.dropped.reduce((sum, entry) => sum + entry.lines, 0),
        maskedSecrets: report.masked.reduce((sum, entry) => sum + entry.count, 0),
        cleanedCharacters: report.cleanedCharacters,
        tokens: report.tokens,
      },
    },
  ];
  return events.map((event) => prepareEvent(event, { ts: now }, redactor));
}
