/** The same text, cut the same way, through other models: a run of its own beside the first. */
import type { PinnedRoute } from "@/server/config/pinned-route.schema";
import type { Database } from "@/server/db/client";
import { prepReportSchema } from "@/server/pipeline/pipeline.schema";
import { AppError } from "@/server/shared/app-error";
import { newId } from "@/server/shared/ids";
import { type CreateDeps, creationEvents } from "./create-run";
import { withOutputLimit } from "./pin-route";
import { preparedText } from "./rerun.store";
import type { RerunInput } from "./run.schema";
import { runOptionsSchema } from "./run.schema";
import { createRun } from "./run-actions.store";
import type { RunsStore } from "./runs.store";

interface RerunDeps extends Pick<CreateDeps, "pin" | "writer" | "redactor" | "clock"> {
  database: Database;
  runs: RunsStore;
}

/**
 * Stores a new run with the documents, chunks and request artifacts of another, to the byte, and returns its id. Nothing is cut
 * anew, whatever the tokens of the new models are: so both can be compared chunk by chunk. Throws AppErrors with one sentence.
 */
export async function rerun(deps: RerunDeps, from: string, order: RerunInput): Promise<string> {
  const { summary, routes } = await deps.runs.whole(from);
  if (summary.kind === "thread")
    throw new AppError("conflict", "An agent run has no text to run again; order another turn, or another agent run.", {
      details: { kind: summary.kind },
    });
  const route = await routeOf(deps, routes, order);
  const [first] = route.candidates;
  if (!first) throw new Error("a pinned route without a candidate");
  const prepared = await preparedText(deps.database, from);
  const now = deps.clock.now();
  const id = newId("run", now);
  const options = runOptionsSchema.parse(JSON.parse(prepared.options));
  if (order.maxTokens !== undefined) options.maxTokens = order.maxTokens;
  if (options.maxTokens > 0) withOutputLimit(route, options.maxTokens);
  const events = creationEvents(route, prepReportSchema.parse(JSON.parse(prepared.prep)), now, deps.redactor, from);
  await createRun(
    deps.writer,
    {
      id,
      name: deps.redactor.text(order.name ?? summary.name),
      sourceDate: summary.sourceDate,
      backend: first.settings.name,
      model: first.model,
      scene: route.scene,
      configRevision: route.revision,
      routes: JSON.stringify([route]),
      options: JSON.stringify(options),
      promptVersion: prepared.promptVersion,
      prep: prepared.prep,
      documents: prepared.documents.map((document) => ({ id: newId("doc", now), ...document })),
      artifacts: prepared.artifacts.map((artifact) => ({ id: newId("art", now), ...artifact })),
      chunks: prepared.chunks.map(({ request, ...chunk }) => ({
        id: `${id}.${chunk.index}`,
        ...chunk,
        request: { id: newId("art", now), kind: "request", ...request },
      })),
    },
    now,
    events,
  );
  return id;
}

/** Without a word about models: those that the first run was ordered with, as they were then. */
async function routeOf(deps: RerunDeps, routes: readonly PinnedRoute[], order: RerunInput): Promise<PinnedRoute> {
  const { scene, backend, model } = order;
  const [own] = routes;
  const isOther = scene !== undefined || backend !== undefined || model !== undefined;
  return !isOther && own ? own : deps.pin({ scene, backend, model });
}
