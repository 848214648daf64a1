import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import type { Database } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { ADOPTION_OWNER } from "./adopted-answer.rules";
import type { ComparedChunk, ComparedRun, ComparedStretch, StretchCursor, StretchPage } from "./run-comparison.schema";
import { chunkStatusSchema } from "./run-state.schema";

interface StretchRow {
  document: string;
  sha256: string;
  sourceStart: bigint;
  sourceEnd: bigint;
  chunks: string;
}

/** What runs of one text have in common and where they differ; read only. */
export class RunComparisonStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs of chunks, newest first, that have a document in common with this one. Never the run itself. */
  async ofSameText(runId: string, limit: number): Promise<string[]> {
    const documents = await this.#database.document.findMany({ where: { runId }, select: { sha256: true } });
    const others = await this.#database.document.findMany({
      where: {
        sha256: { in: [...new Set(documents.map(({ sha256 }) => sha256))] },
        runId: { not: runId },
        run: { kind: "distill" },
      },
      select: { runId: true },
      distinct: ["runId"],
      orderBy: { runId: "desc" },
      take: limit,
    });
    return others.map((other) => other.runId);
  }

  /** How long requests took, and how many there were. Medians are the lower of the two in the middle. */
  async timing(runId: string): Promise<Pick<ComparedRun, "requests" | "requestMs" | "firstTokenMs">> {
    const [requests, longest, median, firstToken] = await Promise.all([
      // An adopted answer was not asked for; it has no start, so that it has no time either.
      this.#database.attempt.count({ where: { runId, NOT: { owner: { startsWith: ADOPTION_OWNER } } } }),
      this.#longest(runId),
      this.#median(runId, Prisma.sql`"endedAt"`),
      this.#median(runId, Prisma.sql`"firstTokenAt"`),
    ]);
    return {
      requests,
      requestMs: median === null || longest === null ? null : { median, longest },
      firstTokenMs: firstToken,
    };
  }

  async #longest(runId: string): Promise<number | null> {
    const [row] = await this.#database.$queryRaw<{ ms: bigint | null }[]>`
      SELECT MAX("endedAt" - "startedAt") AS ms FROM "Attempt" WHERE "runId" = ${runId} AND "status" = 'succeeded'`;
    return row?.ms === null || row?.ms === undefined ? null : Number(row.ms);
  }

  /** From being sent to `until`, over accepted answers. */
  async #median(runId: string, until: Prisma.Sql): Promise<number | null> {
    const [row] = await this.#database.$queryRaw<{ ms: bigint }[]>`
      SELECT ms FROM (
        SELECT ${until} - "startedAt" AS ms,
               ROW_NUMBER() OVER (ORDER BY ${until} - "startedAt") AS place,
               COUNT(*) OVER () AS total
        FROM "Attempt"
        WHERE "runId" = ${runId} AND "status" = 'succeeded' AND "startedAt" IS NOT NULL AND ${until} IS NOT NULL)
      WHERE place = (total + 1) / 2`;
    return row === undefined ? null : Number(row.ms);
  }

  /**
   * Stretches of text that are a chunk in any of the runs, in the order of documents and places.
   * `differing`: only those that not every run has, or that ended differently (status, repaired, cut, insights).
   */
  async stretches(
    runIds: readonly string[],
    query: { after?: StretchCursor | undefined; limit: number; differing: boolean },
  ): Promise<StretchPage> {
    const { after, limit, differing } = query;
    // One text may have another name in each run: the name in the first run that has it. Places have one digit.
    const place = Prisma.sql`CASE c."runId" ${Prisma.join(
      runIds.map((id, at) => Prisma.sql`WHEN ${id} THEN ${String(at)}`),
      " ",
    )} END`;
    const rows = await this.#database.$queryRaw<StretchRow[]>`
      SELECT * FROM (
        SELECT substr(MIN(${place} || d."name"), 2) AS document, d."sha256" AS sha256, c."sourceStart" AS sourceStart, c."sourceEnd" AS sourceEnd,
               json_group_array(c."id") AS chunks,
               COUNT(DISTINCT c."runId") AS runs,
               COUNT(DISTINCT c."status" || '|' || c."repaired" || '|' || c."truncated" || '|' || COALESCE(c."insights", '')) AS outcomes
        FROM "Chunk" c JOIN "Document" d ON d."runId" = c."runId" AND d."index" = c."document"
        WHERE c."runId" IN (${Prisma.join([...runIds])})
        GROUP BY d."sha256", c."sourceStart", c."sourceEnd")
      WHERE ${differing ? Prisma.sql`(runs < ${runIds.length} OR outcomes > 1)` : Prisma.sql`TRUE`}
        AND ${
          after === undefined
            ? Prisma.sql`TRUE`
            : Prisma.sql`(document, sha256, sourceStart, sourceEnd) > (${after.document}, ${after.sha256}, ${after.sourceStart}, ${after.sourceEnd})`
        }
      ORDER BY document, sha256, sourceStart, sourceEnd
      LIMIT ${limit + 1}`;
    const page = rows.slice(0, limit);
    const byId = await this.#chunks(page.flatMap((row) => chunkIdsOf(row)));
    const items = page.map((row): ComparedStretch => {
      const chunks = chunkIdsOf(row).flatMap((id) => byId.get(id) ?? []);
      return {
        document: row.document,
        sha256: row.sha256,
        sourceStart: Number(row.sourceStart),
        sourceEnd: Number(row.sourceEnd),
        chunks: runIds.map((runId) => chunks.find((chunk) => chunk.runId === runId)?.shown ?? null),
      };
    });
    const last = items.at(-1);
    if (last === undefined || rows.length <= limit) return { items, nextCursor: null };
    const { chunks: _chunks, ...nextCursor } = last;
    return { items, nextCursor };
  }

  async #chunks(ids: readonly string[]): Promise<Map<string, { runId: string; shown: ComparedChunk }>> {
    const rows = await this.#database.chunk.findMany({
      where: { id: { in: [...ids] } },
      select: {
        id: true,
        runId: true,
        index: true,
        status: true,
        repaired: true,
        truncated: true,
        failureKind: true,
        insights: true,
        acceptedAttempt: true,
        attempts: { select: { number: true, startedAt: true, endedAt: true }, orderBy: { number: "desc" } },
      },
    });
    return new Map(
      rows.map(({ id, runId, attempts, acceptedAttempt, failureKind, repaired, truncated, status, ...row }) => {
        const told = attempts.find(({ number, endedAt }) =>
          acceptedAttempt === null ? endedAt !== null : number === acceptedAttempt,
        );
        return [
          id,
          {
            runId,
            shown: {
              index: row.index,
              status: chunkStatusSchema.parse(status),
              attempts: attempts.length,
              repaired: repaired === 1,
              truncated: truncated === 1,
              failureKind: failureKind === null ? null : failureKindSchema.parse(failureKind),
              insights: row.insights,
              requestMs: told?.startedAt && told.endedAt ? Number(told.endedAt - told.startedAt) : null,
            },
          },
        ];
      }),
    );
  }
}

function chunkIdsOf(row: StretchRow): string[] {
  // SQLite made this array out of the ids.
  return JSON.parse(row.chunks) as string[];
}
