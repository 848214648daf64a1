-- A claimed chunk stays queued until its request is sent: a lease no longer means running.
-- RedefineTables (foreign keys are off while migrations run, and checked before the end)
CREATE TABLE "new_Chunk" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "document" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "tokens" INTEGER NOT NULL,
    "start" INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    "sourceStart" INTEGER NOT NULL,
    "sourceEnd" INTEGER NOT NULL,
    "requestId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "queuedAt" BIGINT NOT NULL,
    "dueAt" BIGINT NOT NULL DEFAULT 0,
    "leaseOwner" TEXT,
    "endedAt" BIGINT,
    "acceptedAttempt" INTEGER,
    "insights" INTEGER,
    "failureKind" TEXT,
    "errorMessage" TEXT,
    CONSTRAINT "Chunk_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Chunk_status_check" CHECK ("status" IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    CONSTRAINT "Chunk_lease_check" CHECK (CASE "status" WHEN 'running' THEN "leaseOwner" IS NOT NULL WHEN 'queued' THEN TRUE ELSE "leaseOwner" IS NULL END)
);
INSERT INTO "new_Chunk" SELECT * FROM "Chunk";
DROP TABLE "Chunk";
ALTER TABLE "new_Chunk" RENAME TO "Chunk";
CREATE INDEX "Chunk_runId_status_index_idx" ON "Chunk"("runId", "status", "index");
CREATE INDEX "Chunk_leaseOwner_idx" ON "Chunk"("leaseOwner");
CREATE UNIQUE INDEX "Chunk_runId_index_key" ON "Chunk"("runId", "index");
