import type { Database } from "@/server/db/client";
import { isoTime } from "@/server/shared/clock";
import type { EventType } from "./event.rules";
import { eventTypeSchema, type StoredEvent } from "./event.schema";

export interface EventFilter {
  types?: readonly EventType[] | undefined;
  chunk?: number | undefined;
  attempt?: number | undefined;
}

/** Reads of the trace. Every page is keyset on the gapless sequence: the last page costs what the first does. */
export class EventStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Up to `limit` events above `afterSeq`, or the last `limit` below `beforeSeq`; always ascending. */
  async page(
    runId: string,
    at: { afterSeq: number } | { beforeSeq: number },
    limit: number,
    filter: EventFilter,
  ): Promise<{ items: StoredEvent[]; hasMore: boolean }> {
    const backwards = "beforeSeq" in at;
    const rows = await this.#database.event.findMany({
      where: {
        runId,
        seq: backwards ? { lt: at.beforeSeq } : { gt: at.afterSeq },
        ...(filter.types && filter.types.length > 0 ? { type: { in: [...filter.types] } } : {}),
        ...(filter.chunk === undefined ? {} : { chunk: filter.chunk }),
        ...(filter.attempt === undefined ? {} : { attempt: filter.attempt }),
      },
      orderBy: { seq: backwards ? "desc" : "asc" },
      take: limit + 1,
    });
    const page = rows.slice(0, limit);
    if (backwards) page.reverse();
    return {
      items: page.map((row) => ({
        seq: row.seq,
        type: eventTypeSchema.parse(row.type),
        ts: isoTime(Number(row.ts)),
        chunk: row.chunk,
        attempt: row.attempt,
        payload: JSON.parse(row.payload),
        bytes: row.bytes,
        truncated: row.truncated === 1,
        artifactId: row.artifactId,
      })),
      hasMore: rows.length > limit,
    };
  }

  /** Events by type, from the rollups: the cost does not grow with the trace. */
  async counts(runId: string): Promise<{ type: EventType; count: number }[]> {
    const rows = await this.#database.eventRollup.groupBy({
      by: ["type"],
      where: { runId },
      _sum: { count: true },
      orderBy: { type: "asc" },
    });
    return rows.map((row) => ({ type: eventTypeSchema.parse(row.type), count: row._sum.count ?? 0 }));
  }
}
