import { runtimeDir } from "@/server/artifacts/artifact-paths";
import type { Writer } from "@/server/db/writer";
import type { NewEvent } from "@/server/events/event.schema";
import { type PreparedEvent, prepareEvent } from "@/server/events/event-writes.store";
import type { Redactor } from "@/server/events/redact";
import type { InferenceProvider } from "@/server/inference/inference-provider";
import { buildManifest } from "@/server/pipeline/manifest";
import type { Prepared } from "@/server/pipeline/pipeline.schema";
import type { PrepareInput } from "@/server/pipeline/prepare";
import { buildDistillRequest, PROMPT_VERSION } from "@/server/pipeline/prompt";
import { sourceDateOf } from "@/server/pipeline/source-date";
import { AppError } from "@/server/shared/app-error";
import { type Clock, isoTime } from "@/server/shared/clock";
import { groupBy } from "@/server/shared/group-by";
import { newId } from "@/server/shared/ids";
import { artifactText, textArtifact } from "./execute-request";
import {
  type DistillOrder,
  type DocumentInput,
  MAX_RUN_BYTES,
  type Preview,
  type RunOptions,
  runOptionsSchema,
} from "./run.schema";
import { createRun, type NewRun } from "./run-actions.store";

export interface CreateDeps {
  writer: Writer;
  providers: ReadonlyMap<string, InferenceProvider>;
  defaultBackend: string;
  /** Values of every secret this process knows: they are masked in the text too. */
  knownSecrets(): string[];
  prepare(input: PrepareInput): Promise<Prepared>;
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
    runs.push({ sourceDate: plan.sourceDate, report: (await deps.prepare(prepareInput(deps, resolved, plan))).report });
  }
  return { runs, backend: resolved.provider.id, model: resolved.model };
}

/** Prepares and stores one run a date; returns their ids in order of date. Nothing is inferred here. */
export async function createRuns(deps: CreateDeps, order: DistillOrder): Promise<string[]> {
  const resolved = resolveOrder(deps, order);
  const ids: string[] = [];
  for (const plan of resolved.plans) {
    const prepared = await deps.prepare(prepareInput(deps, resolved, plan));
    const now = deps.clock.now();
    const run = toNewRun(resolved, plan, prepared, runName(order, plan, resolved.plans.length), now, deps.redactor);
    await createRun(deps.writer, run, now, creationEvents(prepared, now, deps.redactor));
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

function toNewRun(resolved: Resolved, plan: Plan, prepared: Prepared, name: string, now: number, redactor: Redactor): NewRun {
  const id = newId("run", now);
  const directory = runtimeDir(plan.sourceDate);
  const createdAt = isoTime(now);
  const manifest = buildManifest(prepared, {
    sourceDate: plan.sourceDate,
    createdAt,
    promptVersion: PROMPT_VERSION,
    runtimeDir: directory,
  });
  return {
    id,
    name: redactor.text(name),
    sourceDate: plan.sourceDate,
    backend: resolved.provider.id,
    model: resolved.model,
    options: JSON.stringify(resolved.options),
    promptVersion: PROMPT_VERSION,
    prep: JSON.stringify(prepared.report),
    documents: prepared.documents.map((document, index) => ({
      id: newId("doc", now),
      index,
      name: document.name,
      bytes: Buffer.byteLength(document.text),
      sha256: document.sha256,
      text: document.text,
    })),
    artifacts: [
      { id: newId("art", now), kind: "manifest", ...artifactText(manifest) },
      { id: newId("art", now), kind: "cleaned", ...textArtifact(prepared.cleaned) },
    ],
    chunks: prepared.chunks.map((chunk) => {
      const request = buildDistillRequest({
        sourceDate: plan.sourceDate,
        chunkIndex: chunk.index,
        chunkTotal: prepared.chunks.length,
        text: chunk.text,
        runtimeDir: directory,
        createdAt,
      });
      const { index, document, tokens, start, end, sourceStart, sourceEnd } = chunk;
      return {
        id: `${id}.${index}`,
        index,
        document,
        tokens,
        start,
        end,
        sourceStart,
        sourceEnd,
        request: { id: newId("art", now), kind: "request", ...artifactText(request) },
      };
    }),
  };
}

function creationEvents(prepared: Prepared, now: number, redactor: Redactor): PreparedEvent[] {
  const { report } = prepared;
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
