import { z } from "zod";
import { type PinnedRoute, pinnedRouteSchema } from "@/server/config/pinned-route.schema";
import type { Database } from "@/server/db/client";
import type { Run } from "@/server/db/generated/client";
import { coverageSchema, type PrepReport, prepReportSchema, stagedInsightSchema } from "@/server/pipeline/pipeline.schema";
import { AppError } from "@/server/shared/app-error";
import { isoTime } from "@/server/shared/clock";
import type { RunOptions } from "./run.rules";
import { type InsightsView, type RunSummary, runKindSchema, runOptionsSchema } from "./run.schema";
import type { RunListQuery } from "./run-service";
import type { RunStatus } from "./run-state.rules";
import { runStatusSchema } from "./run-state.schema";

function time(value: bigint | null): string | null {
  return value === null ? null : isoTime(Number(value));
}

/** Columns of a list: never `prep`, which is large for a run of many documents. */
const SUMMARY_OMIT = { prep: true } as const;

type SummaryRow = Omit<Run, keyof typeof SUMMARY_OMIT>;

/** What a list says of the routes; the rest of them is not looked at. */
const listedRoutesSchema = z.array(
  z.object({ candidates: z.array(z.object({ model: z.string(), settings: z.object({ name: z.string() }) })) }),
);

function candidatesOf({ routes, backend, model }: SummaryRow): string[] {
  const listed = listedRoutesSchema.parse(JSON.parse(routes)).flatMap(({ candidates }) => candidates);
  const references = listed.map(({ settings, model: name }) => `${settings.name}/${name}`);
  // Runs from before routes were pinned have their first candidate and nothing else.
  return references.length === 0 ? [`${backend}/${model}`] : [...new Set(references)];
}

/** What only agent runs have, from their own tables. */
type ThreadFacts = Pick<RunSummary, "turns" | "waitingFor">;

const NO_THREAD: ThreadFacts = { turns: null, waitingFor: null };

function toSummary(row: SummaryRow, thread: ThreadFacts): RunSummary {
  return {
    id: row.id,
    kind: runKindSchema.parse(row.kind),
    name: row.name,
    status: runStatusSchema.parse(row.status),
    statusReason: row.statusReason,
    sourceDate: row.sourceDate,
    scene: row.scene,
    configRevision: row.configRevision,
    backend: row.backend,
    model: row.model,
    candidates: candidatesOf(row),
    counts: {
      total: row.total,
      queued: row.queued,
      running: row.running,
      succeeded: row.succeeded,
      failed: row.failed,
      cancelled: row.cancelled,
    },
    retries: row.retries,
    tokens: {
      prompt: row.promptTokens,
      completion: row.completionTokens,
      cached: row.cachedTokens,
      cacheWrite: row.cacheWriteTokens,
      reasoning: row.reasoningTokens,
      estimated: row.tokensEstimated === 1,
    },
    insights: row.insights,
    ...thread,
    gapsAcceptedAt: time(row.gapsAcceptedAt),
    createdAt: isoTime(Number(row.createdAt)),
    startedAt: time(row.startedAt),
    endedAt: time(row.endedAt),
    updatedAt: isoTime(Number(row.updatedAt)),
    lastSeq: row.lastSeq,
  };
}

/** A run as the executor needs it. */
export interface ActiveRun {
  id: string;
  status: RunStatus;
  backend: string;
  model: string;
  sourceDate: string;
  /** The run's own first, then those of retries; empty for a run from before routes were pinned. */
  routes: PinnedRoute[];
  options: RunOptions;
  total: number;
  queued: number;
  running: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  /** Queued ones that batch jobs hold: nobody here asks for them. */
  held: number;
}

export function notFoundRun(id: string): AppError {
  return new AppError("not_found", `There is no run ${id}.`, { details: { run: id } });
}

/** Reads of runs. Lists never touch bodies; every page is keyset. */
export class RunsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(query: RunListQuery): Promise<{ items: RunSummary[]; nextCursor: string | null }> {
    const rows = await this.#database.run.findMany({
      omit: SUMMARY_OMIT,
      where: {
        ...(query.cursor ? { id: { lt: query.cursor } } : {}),
        ...(query.status && query.status.length > 0 ? { status: { in: [...query.status] } } : {}),
        // A run is listed under every provider it may ask, not only the first.
        ...(query.backend
          ? {
              AND: [
                {
                  OR: [
                    { backend: query.backend },
                    { routes: { contains: `"settings":{"name":${JSON.stringify(query.backend)},` } },
                  ],
                },
              ],
            }
          : {}),
        ...(query.search
          ? {
              OR: [
                { name: { contains: query.search } },
                { id: { contains: query.search } },
                { sourceDate: { contains: query.search } },
              ],
            }
          : {}),
      },
      orderBy: { id: "desc" },
      take: query.limit + 1,
    });
    const page = rows.slice(0, query.limit);
    return { items: await this.#summaries(page), nextCursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null };
  }

  async summary(id: string): Promise<RunSummary> {
    const row = await this.#database.run.findUnique({ where: { id }, omit: SUMMARY_OMIT });
    if (!row) throw notFoundRun(id);
    return this.#summaryOf(row);
  }

  /** The whole row: summary, options, what prep did, coverage. */
  async whole(id: string) {
    const row = await this.#database.run.findUnique({ where: { id } });
    if (!row) throw notFoundRun(id);
    return {
      summary: await this.#summaryOf(row),
      options: runOptionsSchema.parse(JSON.parse(row.options)),
      prep: prepReportSchema.parse(JSON.parse(row.prep)) satisfies PrepReport,
      promptVersion: row.promptVersion,
      routes: routesOf(row.routes),
      coverage: row.coverage === null ? null : coverageSchema.parse(JSON.parse(row.coverage)),
      duplicates: row.duplicates,
    };
  }

  /** Runs that something may be done for, oldest first. */
  async active(): Promise<ActiveRun[]> {
    const rows = await this.#database.run.findMany({
      omit: SUMMARY_OMIT,
      where: { kind: "distill", status: { in: ["queued", "running"] } },
      orderBy: { id: "asc" },
      take: 200,
    });
    const held = await this.#database.chunk.groupBy({
      by: ["runId"],
      where: { batchJob: { not: null }, runId: { in: rows.map(({ id }) => id) }, status: "queued" },
      _count: { _all: true },
    });
    const heldOf = new Map(held.map(({ runId, _count }) => [runId, _count._all]));
    return rows.map((row) => ({ ...toActive(row), held: heldOf.get(row.id) ?? 0 }));
  }

  async activeById(id: string): Promise<Omit<ActiveRun, "held"> | null> {
    const row = await this.#database.run.findUnique({ where: { id }, omit: SUMMARY_OMIT });
    return row ? toActive(row) : null;
  }

  /** Runs that are not over and were ordered for one of the scenes, newest first. */
  async unfinishedOfScenes(
    scenes: readonly string[],
    limit: number,
  ): Promise<{
    runs: { id: string; name: string; status: string; scene: string; revision: number }[];
    runCount: number;
  }> {
    const where = { scene: { in: [...scenes] }, status: { in: ["queued", "running", "paused", "incomplete"] } };
    const [rows, runCount] = await Promise.all([
      this.#database.run.findMany({
        where,
        select: { id: true, name: true, status: true, scene: true, configRevision: true },
        orderBy: { id: "desc" },
        take: limit,
      }),
      this.#database.run.count({ where }),
    ]);
    return {
      runs: rows.map(({ scene, configRevision, ...row }) => ({ ...row, scene: scene ?? "", revision: configRevision ?? 0 })),
      runCount,
    };
  }

  /** Pairs of backend and model of runs from before routes were pinned. */
  async unpinned(): Promise<{ backend: string; model: string }[]> {
    return this.#database.run.findMany({
      select: { backend: true, model: true },
      where: { routes: "[]" },
      distinct: ["backend", "model"],
    });
  }

  async statuses(ids: readonly string[]): Promise<Map<string, RunStatus>> {
    const rows = await this.#database.run.findMany({ select: { id: true, status: true }, where: { id: { in: [...ids] } } });
    return new Map(rows.map((row) => [row.id, runStatusSchema.parse(row.status)]));
  }

  /** The change feed: runs whose `change` is above the cursor, oldest change first. A negative cursor asks for the newest only. */
  async changes(after: number): Promise<{ cursor: number; runs: { change: number; run: RunSummary }[] }> {
    if (after < 0) {
      const newest = await this.#database.run.findFirst({ select: { change: true }, orderBy: { change: "desc" } });
      return { cursor: newest?.change ?? 0, runs: [] };
    }
    const rows = await this.#database.run.findMany({
      omit: SUMMARY_OMIT,
      where: { change: { gt: after } },
      orderBy: { change: "asc" },
      take: 100,
    });
    const summaries = new Map((await this.#summaries(rows)).map((run) => [run.id, run]));
    return {
      cursor: rows.at(-1)?.change ?? after,
      runs: rows.flatMap(({ id, change }) => {
        const run = summaries.get(id);
        return run ? [{ change, run }] : [];
      }),
    };
  }

  async #summaryOf(row: SummaryRow): Promise<RunSummary> {
    return toSummary(row, (await this.#threadFacts([row])).get(row.id) ?? NO_THREAD);
  }

  async #summaries(rows: readonly SummaryRow[]): Promise<RunSummary[]> {
    const facts = await this.#threadFacts(rows);
    return rows.map((row) => toSummary(row, facts.get(row.id) ?? NO_THREAD));
  }

  /** Two queries for all agent runs of a page, none for a page without one. */
  async #threadFacts(rows: readonly SummaryRow[]): Promise<Map<string, ThreadFacts>> {
    const ids = rows.filter(({ kind }) => kind === "thread").map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const [threads, turns] = await Promise.all([
      this.#database.agentThread.findMany({ where: { runId: { in: ids } }, select: { runId: true, waitingFor: true } }),
      this.#database.command.groupBy({ by: ["runId"], where: { runId: { in: ids }, type: "turn" }, _count: true }),
    ]);
    const counts = new Map(turns.map(({ runId, _count }) => [runId, _count]));
    return new Map(
      threads.map(({ runId, waitingFor }) => [
        runId,
        { turns: counts.get(runId) ?? 0, waitingFor: waitingFor === "approval" ? "approval" : null },
      ]),
    );
  }

  async documents(runId: string): Promise<{ index: number; name: string; sha256: string; bytes: number }[]> {
    return this.#database.document.findMany({
      select: { index: true, name: true, sha256: true, bytes: true },
      where: { runId },
      orderBy: { index: "asc" },
    });
  }

  async insights(runId: string): Promise<InsightsView["items"]> {
    const rows = await this.#database.insight.findMany({ where: { runId }, orderBy: { rank: "asc" } });
    return rows.map(({ runId: _runId, scoreParts, sources, ...row }) =>
      stagedInsightSchema.parse({ ...row, scoreParts: JSON.parse(scoreParts), sources: JSON.parse(sources) }),
    );
  }

  /** The newest artifact of a kind that a run has one of (manifest, cleaned, staged-*). */
  async artifactOfKind(runId: string, kind: string) {
    return this.#database.artifact.findFirst({ where: { runId, kind }, orderBy: { id: "desc" } });
  }

  async artifact(runId: string, id: string) {
    const row = await this.#database.artifact.findFirst({ where: { runId, id } });
    if (!row) throw new AppError("not_found", `Run ${runId} has no artifact ${id}.`, { details: { run: runId, artifact: id } });
    return {
      id: row.id,
      kind: row.kind,
      body: row.body,
      bytes: row.bytes,
      sha256: row.sha256,
      createdAt: isoTime(Number(row.createdAt)),
    };
  }
}

/** The pinned routes of a run, from its row. */
export function routesOf(text: string): PinnedRoute[] {
  return z.array(pinnedRouteSchema).parse(JSON.parse(text));
}

function toActive(row: SummaryRow): Omit<ActiveRun, "held"> {
  return {
    id: row.id,
    status: runStatusSchema.parse(row.status),
    backend: row.backend,
    model: row.model,
    sourceDate: row.sourceDate,
    routes: routesOf(row.routes),
    options: runOptionsSchema.parse(JSON.parse(row.options)),
    total: row.total,
    queued: row.queued,
    running: row.running,
    succeeded: row.succeeded,
    failed: row.failed,
    cancelled: row.cancelled,
  };
}
