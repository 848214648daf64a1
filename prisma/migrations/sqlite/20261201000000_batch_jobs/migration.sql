-- Many requests of a run, handed in at a provider as one job. A chunk that a job holds is nobody else's to ask for.
CREATE TABLE "BatchJob" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "settings" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "outcome" TEXT,
    "nativeId" TEXT,
    "nativeState" TEXT,
    "fileId" TEXT,
    "chunks" TEXT NOT NULL DEFAULT '[]',
    "requests" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER,
    "succeeded" INTEGER,
    "failed" INTEGER,
    "adopted" INTEGER,
    "unusable" INTEGER,
    "returned" INTEGER,
    "problem" TEXT,
    "message" TEXT,
    "leaseOwner" TEXT,
    "giveUp" INTEGER NOT NULL DEFAULT 0,
    "createdAt" BIGINT NOT NULL,
    "submittedAt" BIGINT,
    "polledAt" BIGINT,
    "nextPollAt" BIGINT NOT NULL,
    "cancelAskedAt" BIGINT,
    "cancelSentAt" BIGINT,
    "endedAt" BIGINT,
    CONSTRAINT "BatchJob_state_check" CHECK ("state" IN ('waiting', 'submitting', 'unknown', 'running', 'cancelling', 'collecting', 'completed', 'expired', 'failed', 'cancelled', 'abandoned')),
    CONSTRAINT "BatchJob_ended_check" CHECK (("state" IN ('completed', 'expired', 'failed', 'cancelled', 'abandoned')) = ("endedAt" IS NOT NULL)),
    CONSTRAINT "BatchJob_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "BatchJob_runId_id_idx" ON "BatchJob"("runId", "id");
CREATE INDEX "BatchJob_endedAt_nextPollAt_idx" ON "BatchJob"("endedAt", "nextPollAt");

ALTER TABLE "Chunk" ADD COLUMN "batchJob" TEXT;
CREATE INDEX "Chunk_batchJob_runId_status_idx" ON "Chunk"("batchJob", "runId", "status");
