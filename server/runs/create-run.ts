import type { Writer } from "@/server/db/writer";
import type { NewEvent } from "@/server/events/event.schema";
import { type PreparedEvent, prepareEvent } from "@/server/events/event-writes.store";
import type { Redactor } from "@/server/events/redact";
import type { InferenceProvider } from "@/server/inference/inference-provider";
import type { PrepReport } from "@/server/pipeline/pipeline.schema";
import type { PlanInput, RunPlan } from "@/server/pipeline/plan-run";
import type { PrepareInput } from "@/server/pipeline/prepare";
import { sourceDateOf } from "@/server/pipeline/source-date";
import { AppError } from "@/server/shared/app-error";
import type { Clock } from "@/server/shared/clock";
import { groupBy } from "@/server/shared/group-by";
import { newId } from "@/server/shared/ids";
import { MAX_RUN_BYTES, type RunOptions } from "./run.rules";
import { type DistillOrder, type DocumentInput, type Preview, runOptionsSchema } from "./run.schema";
import { createRun, type NewRun } from "./run-actions.store";

export interface CreateDeps {
  writer: Writer;
  providers: ReadonlyMap<string, InferenceProvider>;
  defaultBackend: string;
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
  provider: InferenceProvider;
  model: string;
  options: RunOptions;
  plans: Plan[];
}

/** Checks what the order names, and groups its documents into one run a date. Throws AppErrors with one sentence. */
function resolveOrder(deps: CreateDeps, order: DistillOrder): Resolved {
  const name = order.backend ?? deps.defaultBackend;
  const provider = deps.providers.get(name);
  if (!provider) {
    const known = [...deps.providers.keys()].join(", ");
    throw new AppError("unknown_backend", `There is no backend "${name}"; there are: ${known}.`, {
      details: { backend: name, known: [...deps.providers.keys()] },
    });
  }
  const bytes = order.documents.reduce((sum, document) => sum + Buffer.byteLength(document.text), 0);
  if (bytes > MAX_RUN_BYTES) {
    throw new AppError(
      "too_large",
      `The text is ${(bytes / 1024 / 1024).toFixed(1)} MiB; at most ${MAX_RUN_BYTES / 1024 / 1024} MiB can be run at once. Split it into several orders.`,
    );
  }
  const now = deps.clock.now();
  const dated = groupBy(order.documents, (document) => sourceDateOf(document.name, document.sourceDate ?? order.sourceDate, now));
  const plans = [...dated]
    .map(([sourceDate, documents]) => ({ sourceDate, documents }))
    .sort((a, b) => (a.sourceDate < b.sourceDate ? -1 : 1));
  return {
    provider,
    model: order.model ?? provider.backend.profile.defaultModel,
    options: runOptionsSchema.parse(order.options ?? {}),
    plans,
  };
}

function prepareInput(deps: CreateDeps, resolved: Resolved, plan: Plan): PrepareInput {
  const { profile } = resolved.provider.backend;
  return {
    // Names are stored and shown as they are here; the text itself is masked by prep.
    documents: plan.documents.map(({ name, text }) => ({ name: deps.redactor.text(name), text })),
    chunkTokens: resolved.options.chunkTokens,
    tokenizer: profile.tokenizer,
    tokenizerIsEstimate: profile.tokenizerIsEstimate,
    knownSecrets: deps.knownSecrets(),
  };
}

/** What a start would do; nothing is stored. */
export async function previewOrder(deps: CreateDeps, order: DistillOrder): Promise<Preview> {
  const resolved = resolveOrder(deps, order);
  const runs: Preview["runs"] = [];
  for (const plan of resolved.plans) {
    runs.push({ sourceDate: plan.sourceDate, report: await deps.preview(prepareInput(deps, resolved, plan)) });
  }
  return { runs, backend: resolved.provider.id, model: resolved.model };
}

/** Prepares and stores one run a date; returns their ids in order of date. Nothing is inferred here. */
export async function createRuns(deps: CreateDeps, order: DistillOrder): Promise<string[]> {
  const resolved = resolveOrder(deps, order);
  const ids: string[] = [];
  for (const plan of resolved.plans) {
    const { sourceDate } = plan;
    const planned = await deps.plan({ ...prepareInput(deps, resolved, plan), sourceDate, createdAt: deps.clock.now() });
    const now = deps.clock.now();
    const run = toNewRun(resolved, plan, planned, runName(order, plan, resolved.plans.length), now, deps.redactor);
    await createRun(deps.writer, run, now, creationEvents(planned.report, now, deps.redactor));
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
  return {
    id,
    name: redactor.text(name),
    sourceDate: plan.sourceDate,
    backend: resolved.provider.id,
    model: resolved.model,
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

function creationEvents(report: PrepReport, now: number, redactor: Redactor): PreparedEvent[] {
  const events: NewEvent[] = [
    { type: "run_queued", payload: { chunks: report.chunks, documents: report.documents.length } },
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
