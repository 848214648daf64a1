import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import type { Database } from "@/server/db/client";
import type { Attempt, Chunk } from "@/server/db/generated/client";
import { AppError } from "@/server/shared/app-error";
import { isoTime } from "@/server/shared/clock";
import { groupBy } from "@/server/shared/group-by";
import { ADOPTION_OWNER, isAdopted } from "./adopted-answer.rules";
import type { Prices } from "./cost";
import { costOfAttempt } from "./cost.store";
import { type AnswerMark, errorGroupKey } from "./run.rules";
import type { ArtifactView, AskedModel, AttemptSummary, ChunkDetail, ChunkSummary, ErrorGroup, RunDetail } from "./run.schema";
import type { ChunkStatus } from "./run-state.rules";
import { attemptStatusSchema, chunkStatusSchema } from "./run-state.schema";

function time(value: bigint | null): string | null {
  return value === null ? null : isoTime(Number(value));
}

function toAttempt(row: Attempt): AttemptSummary {
  return {
    number: row.number,
    status: attemptStatusSchema.parse(row.status),
    origin: isAdopted(row) ? "import" : "asked",
    backend: row.backend,
    model: row.model,
    servedModel: row.servedModel,
    servedProvider: row.servedProvider,
    repaired: row.repaired === 1,
    truncated: row.truncated === 1,
    repairOf: row.repairOf,
    requestId: row.requestId,
    claimedAt: isoTime(Number(row.claimedAt)),
    startedAt: time(row.startedAt),
    firstTokenAt: time(row.firstTokenAt),
    endedAt: time(row.endedAt),
    failureKind: row.failureKind === null ? null : failureKindSchema.parse(row.failureKind),
    errorMessage: row.errorMessage,
    finishReason: row.finishReason,
    promptTokens: row.promptTokens,
    completionTokens: row.completionTokens,
    tokensEstimated: row.tokensEstimated === 1,
    cachedTokens: row.cachedTokens,
    cacheWriteTokens: row.cacheWriteTokens,
    reasoningTokens: row.reasoningTokens,
    costUsd: row.costUsd,
  };
}

function toSummary(row: Chunk, attempts: readonly Attempt[], documentName: string, now: number): ChunkSummary {
  const dueAt = Number(row.dueAt);
  return {
    index: row.index,
    status: chunkStatusSchema.parse(row.status),
    document: documentName,
    tokens: row.tokens,
    start: row.start,
    end: row.end,
    sourceStart: row.sourceStart,
    sourceEnd: row.sourceEnd,
    queuedAt: isoTime(Number(row.queuedAt)),
    dueAt: row.status === "queued" && dueAt > now ? isoTime(dueAt) : null,
    endedAt: time(row.endedAt),
    acceptedAttempt: row.acceptedAttempt,
    repaired: row.repaired === 1,
    truncated: row.truncated === 1,
    insights: row.insights,
    failureKind: row.failureKind === null ? null : failureKindSchema.parse(row.failureKind),
    errorMessage: row.errorMessage,
    attempts: attempts.map(toAttempt),
  };
}

function isServedOtherwise({
  model,
  servedModel,
  servedProvider,
}: Pick<Attempt, "model" | "servedModel" | "servedProvider">): boolean {
  return (servedModel !== null && servedModel !== model) || servedProvider !== null;
}

/** How many indexes an error group lists; the rest is only counted. */
const GROUP_INDEXES = 1_000;
/** Parameters of one statement are limited. */
const BODY_BATCH = 500;

/** Reads of chunks, attempts and their artifacts. */
export class ChunksStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async #documentNames(runId: string): Promise<Map<number, string>> {
    const rows = await this.#database.document.findMany({ select: { index: true, name: true }, where: { runId } });
    return new Map(rows.map((row) => [row.index, row.name]));
  }

  /** Chunks above `afterIndex` in order, with their attempts (two statements, no bodies). */
  async list(
    runId: string,
    query: {
      afterIndex: number;
      limit: number;
      status?: readonly ChunkStatus[] | undefined;
      /** One of them is enough. */
      mark?: readonly AnswerMark[] | undefined;
    },
    now: number,
  ): Promise<{ items: ChunkSummary[]; nextAfterIndex: number | null }> {
    const rows = await this.#database.chunk.findMany({
      where: {
        runId,
        index: { gt: query.afterIndex },
        ...(query.status && query.status.length > 0 ? { status: { in: [...query.status] } } : {}),
        ...(query.mark && query.mark.length > 0 ? { OR: query.mark.map((mark) => ({ [mark]: 1 })) } : {}),
      },
      orderBy: { index: "asc" },
      take: query.limit + 1,
    });
    const page = rows.slice(0, query.limit);
    const first = page[0];
    const last = page.at(-1);
    if (!first || !last) return { items: [], nextAfterIndex: null };
    const attempts = await this.#database.attempt.findMany({
      where: { runId, chunkIndex: { gte: first.index, lte: last.index } },
      orderBy: [{ chunkIndex: "asc" }, { number: "asc" }],
    });
    const byChunk = groupBy(attempts, (attempt) => attempt.chunkIndex);
    const names = await this.#documentNames(runId);
    return {
      items: page.map((row) => toSummary(row, byChunk.get(row.index) ?? [], names.get(row.document) ?? "", now)),
      nextAfterIndex: rows.length > query.limit ? last.index : null,
    };
  }

  async detail(runId: string, index: number, cleaned: string, now: number, prices: Prices): Promise<ChunkDetail> {
    const row = await this.#database.chunk.findUnique({ where: { runId_index: { runId, index } } });
    if (!row) throw new AppError("not_found", `Run ${runId} has no chunk ${index}.`, { details: { run: runId, chunk: index } });
    const attempts = await this.#database.attempt.findMany({ where: { chunkId: row.id }, orderBy: { number: "asc" } });
    const ids = [
      row.requestId,
      ...attempts.flatMap(({ resultId, repairRequestId }) => [resultId ?? [], repairRequestId ?? []].flat()),
    ];
    const artifacts = new Map(
      (await this.#database.artifact.findMany({ where: { id: { in: ids } } })).map((artifact) => [artifact.id, artifact]),
    );
    const view = (id: string | null): ArtifactView | null => {
      const found = id === null ? undefined : artifacts.get(id);
      return found
        ? {
            id: found.id,
            body: found.body,
            bytes: found.bytes,
            sha256: found.sha256,
            createdAt: isoTime(Number(found.createdAt)),
          }
        : null;
    };
    const request = view(row.requestId);
    if (!request) throw new Error(`chunk ${row.id} has no request artifact`);
    const names = await this.#documentNames(runId);
    return {
      ...toSummary(row, [], names.get(row.document) ?? "", now),
      runId,
      text: cleaned.slice(row.start, row.end),
      request,
      attempts: attempts.map((attempt) => ({
        ...toAttempt(attempt),
        cost: costOfAttempt(prices, attempt),
        result: view(attempt.resultId),
        repairRequest: view(attempt.repairRequestId),
      })),
    };
  }

  /** Failed chunks grouped by cause, largest group first. */
  async errorGroups(runId: string): Promise<ErrorGroup[]> {
    const rows = await this.#database.chunk.findMany({
      select: { index: true, failureKind: true, errorMessage: true, endedAt: true },
      where: { runId, status: "failed" },
      orderBy: { index: "asc" },
    });
    const groups = groupBy(rows, errorGroupKey);
    return [...groups.values()]
      .map((members) => {
        const times = members.map((member) => Number(member.endedAt ?? 0));
        return {
          failureKind: failureKindSchema.parse(members[0]?.failureKind),
          message: members[0]?.errorMessage ?? "",
          count: members.length,
          chunks: members.slice(0, GROUP_INDEXES).map((member) => member.index),
          firstAt: isoTime(times.reduce((a, b) => Math.min(a, b))),
          lastAt: isoTime(times.reduce((a, b) => Math.max(a, b))),
        };
      })
      .sort((a, b) => b.count - a.count || (a.chunks[0] ?? 0) - (b.chunks[0] ?? 0));
  }

  /** Queued chunks by what they wait for, and after which failures. */
  async waiting(runId: string, now: number): Promise<RunDetail["waiting"]> {
    const due = BigInt(now);
    const isFree = { runId, status: "queued", batchJob: null };
    const inBackoff = { ...isFree, dueAt: { gt: due } };
    const [slot, batch, kinds, next] = await Promise.all([
      this.#database.chunk.count({ where: { ...isFree, dueAt: { lte: due } } }),
      this.#database.chunk.count({ where: { runId, status: { in: ["queued", "failed"] }, batchJob: { not: null } } }),
      this.#database.chunk.groupBy({ by: ["failureKind"], where: inBackoff, _count: { _all: true } }),
      this.#database.chunk.findFirst({ select: { dueAt: true }, where: inBackoff, orderBy: { dueAt: "asc" } }),
    ]);
    return {
      slot,
      batch,
      backoff: kinds.reduce((sum, kind) => sum + kind._count._all, 0),
      nextDueAt: next ? isoTime(Number(next.dueAt)) : null,
      failures: kinds
        .flatMap(({ failureKind, _count }) =>
          failureKind === null ? [] : [{ failureKind: failureKindSchema.parse(failureKind), count: _count._all }],
        )
        .sort((a, b) => b.count - a.count),
    };
  }

  /** Chunks whose newest answer has a mark. */
  async marks(runId: string): Promise<RunDetail["marks"]> {
    const [repaired, truncated] = await Promise.all([
      this.#database.chunk.count({ where: { runId, repaired: 1 } }),
      this.#database.chunk.count({ where: { runId, truncated: 1 } }),
    ]);
    return { repaired, truncated };
  }

  /** How often each model was asked and has answered, over all attempts: the one that answered most comes first. */
  async asked(runId: string): Promise<AskedModel[]> {
    const groups = await this.#database.attempt.groupBy({
      by: ["backend", "model", "status", "servedModel", "servedProvider"],
      // Adopted answers were not asked for.
      where: { runId, NOT: { owner: { startsWith: ADOPTION_OWNER } } },
      _count: { _all: true },
      orderBy: [{ backend: "asc" }, { model: "asc" }],
    });
    const byModel = groupBy(groups, ({ backend, model }) => `${backend}/${model}`);
    const count = (members: typeof groups) => members.reduce((sum, { _count }) => sum + _count._all, 0);
    return [...byModel]
      .map(([reference, members]) => ({
        reference,
        attempts: count(members),
        succeeded: count(members.filter(({ status }) => status === "succeeded")),
        served: [
          ...groupBy(members.filter(isServedOtherwise), (group) => JSON.stringify([group.servedModel, group.servedProvider])),
        ]
          .map(([, same]) => ({
            model: same[0]?.servedModel ?? same[0]?.model ?? "",
            provider: same[0]?.servedProvider ?? null,
            attempts: count(same),
          }))
          .sort((a, b) => b.attempts - a.attempts),
      }))
      .sort((a, b) => b.succeeded - a.succeeded || b.attempts - a.attempts);
  }

  /** The places among the run's routes that chunks in these states have; of those named, or of all. */
  async waysTaken(
    runId: string,
    { chunks, states }: { chunks: readonly number[] | null; states: readonly ChunkStatus[] },
  ): Promise<number[]> {
    const rows = await this.#database.chunk.findMany({
      select: { index: true, route: true },
      where: { runId, status: { in: [...states] } },
    });
    const named = chunks === null ? null : new Set(chunks);
    return [...new Set(rows.filter(({ index }) => named?.has(index) ?? true).map(({ route }) => route))];
  }

  /** Positions of all chunks, for consolidation. */
  async positions(runId: string): Promise<{ index: number; document: number; start: number; end: number }[]> {
    return this.#database.chunk.findMany({
      select: { index: true, document: true, start: true, end: true },
      where: { runId },
      orderBy: { index: "asc" },
    });
  }

  /** The result artifacts that chunks point at, accepted ones only, a page at a time; and the same for every attempt, for export. */
  async results(
    runId: string,
    afterIndex: number,
    limit: number,
  ): Promise<{ chunk: number; attempt: number; accepted: boolean; body: string }[]> {
    const chunks = await this.#database.chunk.findMany({
      select: { index: true, acceptedAttempt: true },
      where: { runId, index: { gt: afterIndex, lte: afterIndex + limit } },
    });
    const accepted = new Map(chunks.map((chunk) => [chunk.index, chunk.acceptedAttempt]));
    const attempts = await this.#database.attempt.findMany({
      select: { chunkIndex: true, number: true, resultId: true },
      where: { runId, chunkIndex: { gt: afterIndex, lte: afterIndex + limit }, resultId: { not: null } },
      orderBy: [{ chunkIndex: "asc" }, { number: "asc" }],
    });
    const bodies = await this.#bodies(attempts.flatMap((attempt) => (attempt.resultId ? [attempt.resultId] : [])));
    return attempts.map((attempt) => ({
      chunk: attempt.chunkIndex,
      attempt: attempt.number,
      accepted: accepted.get(attempt.chunkIndex) === attempt.number,
      body: bodies.get(attempt.resultId ?? "") ?? "",
    }));
  }

  /** The newest failed result of every failed chunk. */
  async lastFailures(runId: string): Promise<{ chunk: number; attempt: number; body: string }[]> {
    const chunks = await this.#database.chunk.findMany({
      select: { id: true, index: true, attempt: true },
      where: { runId, status: "failed" },
    });
    const attempts = await this.#database.attempt.findMany({
      select: { chunkId: true, number: true, resultId: true },
      where: { runId, status: "failed", resultId: { not: null } },
      orderBy: { number: "asc" },
    });
    const newest = new Map(attempts.map((attempt) => [attempt.chunkId, attempt]));
    const bodies = await this.#bodies(chunks.flatMap((chunk) => newest.get(chunk.id)?.resultId ?? []));
    return chunks.flatMap((chunk) => {
      const attempt = newest.get(chunk.id);
      const body = bodies.get(attempt?.resultId ?? "");
      return attempt && body !== undefined ? [{ chunk: chunk.index, attempt: attempt.number, body }] : [];
    });
  }

  /** Request bodies of a page of chunks. */
  async requests(runId: string, afterIndex: number, limit: number): Promise<{ chunk: number; body: string }[]> {
    const chunks = await this.#database.chunk.findMany({
      select: { index: true, requestId: true },
      where: { runId, index: { gt: afterIndex, lte: afterIndex + limit } },
      orderBy: { index: "asc" },
    });
    const bodies = await this.#bodies(chunks.map((chunk) => chunk.requestId));
    return chunks.map((chunk) => ({ chunk: chunk.index, body: bodies.get(chunk.requestId) ?? "" }));
  }

  /** Chunks above `afterIndex` in one of these states, with the plain request of each and its place among the run's routes. */
  async openRequests(
    runId: string,
    query: { afterIndex: number; limit: number; status: readonly ChunkStatus[] },
  ): Promise<{ index: number; route: number; body: string }[]> {
    const chunks = await this.#database.chunk.findMany({
      select: { index: true, route: true, requestId: true },
      where: { runId, index: { gt: query.afterIndex }, status: { in: [...query.status] } },
      orderBy: { index: "asc" },
      take: query.limit,
    });
    const bodies = await this.#bodies(chunks.map((chunk) => chunk.requestId));
    return chunks.map(({ index, route, requestId }) => ({ index, route, body: bodies.get(requestId) ?? "" }));
  }

  async #bodies(ids: readonly string[]): Promise<Map<string, string>> {
    const bodies = new Map<string, string>();
    for (let at = 0; at < ids.length; at += BODY_BATCH) {
      const rows = await this.#database.artifact.findMany({
        select: { id: true, body: true },
        where: { id: { in: ids.slice(at, at + BODY_BATCH) } },
      });
      for (const row of rows) bodies.set(row.id, row.body);
    }
    return bodies;
  }
}
