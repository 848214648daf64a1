import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import type { Database } from "@/server/db/client";
import type { Attempt } from "@/server/db/generated/client";
import { ADOPTION_OWNER, isAdopted } from "./adopted-answer.rules";
import { type Counted, costOf, type Prices, totalCost } from "./cost";
import type { Cost, CostTotal } from "./cost.schema";

interface SumRow {
  backend: string;
  model: string;
  servedModel: string | null;
  isOpen: bigint;
  isAdopted: bigint;
  failureKind: string | null;
  tokensEstimated: bigint;
  attempts: bigint;
  promptTokens: bigint | null;
  completionTokens: bigint | null;
  cachedTokens: bigint | null;
  cacheWriteTokens: bigint | null;
  reasoningTokens: bigint | null;
  costUsd: number | null;
}

/** What one attempt has cost. */
export function costOfAttempt({ document }: Prices, row: Attempt): Cost {
  return costOf(document, {
    ...row,
    isOpen: row.status === "running",
    isAdopted: isAdopted(row),
    failureKind: row.failureKind === null ? null : failureKindSchema.parse(row.failureKind),
    tokensEstimated: row.tokensEstimated === 1,
  });
}

/** What all attempts of a run have cost, failed and lost ones included. Attempts alike are summed up by the database. */
export async function costOfRun(database: Database, runId: string, prices: Prices): Promise<CostTotal> {
  const rows = await database.$queryRaw<SumRow[]>`
    SELECT "backend", "model", "servedModel", "status" = 'running' AS isOpen, "owner" LIKE ${`${ADOPTION_OWNER}%`} AS isAdopted,
           "failureKind", "tokensEstimated", COUNT(*) AS attempts,
           SUM("promptTokens") AS promptTokens, SUM("completionTokens") AS completionTokens, SUM("cachedTokens") AS cachedTokens,
           SUM("cacheWriteTokens") AS cacheWriteTokens, SUM("reasoningTokens") AS reasoningTokens, SUM("costUsd") AS costUsd
    FROM "Attempt" WHERE "runId" = ${runId}
    GROUP BY "backend", "model", "servedModel", isOpen, isAdopted, "failureKind", "tokensEstimated", "promptTokens" IS NULL, "costUsd" IS NULL`;
  return totalCost(
    prices,
    rows.map((row) => ({ counted: countedOf(row), attempts: Number(row.attempts) })),
  );
}

function countedOf(row: SumRow): Counted {
  const count = (value: bigint | null) => (value === null ? null : Number(value));
  return {
    backend: row.backend,
    model: row.model,
    servedModel: row.servedModel,
    isOpen: Number(row.isOpen) === 1,
    isAdopted: Number(row.isAdopted) === 1,
    failureKind: row.failureKind === null ? null : failureKindSchema.parse(row.failureKind),
    promptTokens: count(row.promptTokens),
    completionTokens: count(row.completionTokens),
    cachedTokens: count(row.cachedTokens),
    cacheWriteTokens: count(row.cacheWriteTokens),
    reasoningTokens: count(row.reasoningTokens),
    tokensEstimated: Number(row.tokensEstimated) === 1,
    costUsd: row.costUsd,
  };
}
