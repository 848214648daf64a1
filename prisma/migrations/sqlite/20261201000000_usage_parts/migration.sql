-- What the two sums of tokens hold, and what a provider itself says that a request has cost.
ALTER TABLE "Run" ADD COLUMN "cachedTokens" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Run" ADD COLUMN "cacheWriteTokens" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Run" ADD COLUMN "reasoningTokens" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Attempt" ADD COLUMN "cachedTokens" INTEGER;
ALTER TABLE "Attempt" ADD COLUMN "cacheWriteTokens" INTEGER;
ALTER TABLE "Attempt" ADD COLUMN "reasoningTokens" INTEGER;
ALTER TABLE "Attempt" ADD COLUMN "costUsd" REAL;
ALTER TABLE "Command" ADD COLUMN "cachedTokens" INTEGER;
ALTER TABLE "Command" ADD COLUMN "cacheWriteTokens" INTEGER;
ALTER TABLE "Command" ADD COLUMN "reasoningTokens" INTEGER;
ALTER TABLE "Command" ADD COLUMN "costUsd" REAL;
-- Earlier attempts have them in their results: without them, what a cache held would be priced as if it were read anew.
UPDATE "Attempt" SET ("cachedTokens", "cacheWriteTokens", "reasoningTokens") = (
    SELECT a."body"->>'$.usage.cachedTokens', a."body"->>'$.usage.cacheWriteTokens', a."body"->>'$.usage.reasoningTokens'
    FROM "Artifact" AS a WHERE a."id" = "Attempt"."resultId" AND json_valid(a."body"))
  WHERE "promptTokens" IS NOT NULL AND "tokensEstimated" = 0 AND "resultId" IS NOT NULL;
UPDATE "Run" SET "cachedTokens" = s."cached", "cacheWriteTokens" = s."written", "reasoningTokens" = s."reasoned"
  FROM (SELECT "runId", COALESCE(SUM("cachedTokens"), 0) AS "cached", COALESCE(SUM("cacheWriteTokens"), 0) AS "written", COALESCE(SUM("reasoningTokens"), 0) AS "reasoned"
    FROM "Attempt" GROUP BY "runId") AS s WHERE s."runId" = "Run"."id";
