import type { Database } from "@/server/db/client";
import { ADOPTION_OWNER } from "./adopted-answer.rules";

/** How many finished attempts the figures are made of. */
export const STATS_SAMPLE = 500;

export interface FinishedAttempt {
  runId: string;
  chunkIndex: number;
  model: string;
  servedModel: string | null;
  status: string;
  failureKind: string | null;
  /** Epoch milliseconds. */
  startedAt: number | null;
  firstTokenAt: number | null;
  endedAt: number;
  tokensReported: boolean;
}

/** What real runs show of providers; read only. */
export class ProviderStatsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The newest finished attempts of a provider, newest first. */
  async finished(provider: string): Promise<FinishedAttempt[]> {
    const rows = await this.#database.attempt.findMany({
      // An adopted answer names its provider as it was told, and says nothing of ours.
      where: { backend: provider, endedAt: { not: null }, NOT: { owner: { startsWith: ADOPTION_OWNER } } },
      orderBy: { endedAt: "desc" },
      take: STATS_SAMPLE,
      select: {
        runId: true,
        chunkIndex: true,
        model: true,
        servedModel: true,
        status: true,
        failureKind: true,
        startedAt: true,
        firstTokenAt: true,
        endedAt: true,
        promptTokens: true,
        tokensEstimated: true,
      },
    });
    return rows.map(({ startedAt, firstTokenAt, endedAt, promptTokens, tokensEstimated, ...row }) => ({
      ...row,
      startedAt: startedAt === null ? null : Number(startedAt),
      firstTokenAt: firstTokenAt === null ? null : Number(firstTokenAt),
      // The query asked for finished ones.
      endedAt: Number(endedAt ?? 0),
      tokensReported: promptTokens !== null && tokensEstimated === 0,
    }));
  }

  /** Requests under way, of all processes. */
  async inFlight(provider: string): Promise<number> {
    return this.#database.attempt.count({ where: { backend: provider, endedAt: null, status: "running" } });
  }
}
