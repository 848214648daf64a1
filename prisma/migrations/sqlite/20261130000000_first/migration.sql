-- CreateTable
CREATE TABLE "Run" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "statusReason" TEXT,
    "sourceDate" TEXT NOT NULL,
    "backend" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "options" TEXT NOT NULL,
    "promptVersion" TEXT NOT NULL,
    "prep" TEXT NOT NULL,
    "total" INTEGER NOT NULL,
    "queued" INTEGER NOT NULL,
    "running" INTEGER NOT NULL DEFAULT 0,
    "succeeded" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "cancelled" INTEGER NOT NULL DEFAULT 0,
    "retries" INTEGER NOT NULL DEFAULT 0,
    "promptTokens" INTEGER NOT NULL DEFAULT 0,
    "completionTokens" INTEGER NOT NULL DEFAULT 0,
    "tokensEstimated" INTEGER NOT NULL DEFAULT 0,
    "insights" INTEGER NOT NULL DEFAULT 0,
    "duplicates" INTEGER NOT NULL DEFAULT 0,
    "coverage" TEXT,
    "gapsAcceptedAt" BIGINT,
    "createdAt" BIGINT NOT NULL,
    "startedAt" BIGINT,
    "endedAt" BIGINT,
    "updatedAt" BIGINT NOT NULL,
    "lastSeq" INTEGER NOT NULL DEFAULT 0,
    "change" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "Run_status_check" CHECK ("status" IN ('queued', 'running', 'paused', 'incomplete', 'completed', 'failed', 'cancelled', 'blocked')),
    CONSTRAINT "Run_counts_check" CHECK ("queued" + "running" + "succeeded" + "failed" + "cancelled" = "total" AND MIN("queued", "running", "succeeded", "failed", "cancelled") >= 0)
);

-- CreateTable
CREATE TABLE "Document" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    CONSTRAINT "Document_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Chunk" (
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
    CONSTRAINT "Chunk_lease_check" CHECK (("status" = 'running') = ("leaseOwner" IS NOT NULL))
);

-- CreateTable
CREATE TABLE "Attempt" (
    "chunkId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "runId" TEXT NOT NULL,
    "chunkIndex" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "backend" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "servedModel" TEXT,
    "requestId" TEXT NOT NULL,
    "claimedAt" BIGINT NOT NULL,
    "startedAt" BIGINT,
    "firstTokenAt" BIGINT,
    "endedAt" BIGINT,
    "failureKind" TEXT,
    "errorMessage" TEXT,
    "finishReason" TEXT,
    "promptTokens" INTEGER,
    "completionTokens" INTEGER,
    "tokensEstimated" INTEGER NOT NULL DEFAULT 0,
    "resultId" TEXT,

    PRIMARY KEY ("chunkId", "number"),
    CONSTRAINT "Attempt_chunkId_fkey" FOREIGN KEY ("chunkId") REFERENCES "Chunk" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Attempt_status_check" CHECK ("status" IN ('running', 'succeeded', 'failed', 'cancelled', 'abandoned'))
);

-- CreateTable
CREATE TABLE "Artifact" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "createdAt" BIGINT NOT NULL,
    CONSTRAINT "Artifact_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Event" (
    "runId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "ts" BIGINT NOT NULL,
    "chunk" INTEGER,
    "attempt" INTEGER,
    "payload" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "truncated" INTEGER NOT NULL,
    "artifactId" TEXT,

    PRIMARY KEY ("runId", "seq"),
    CONSTRAINT "Event_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "EventRollup" (
    "runId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "bucket" BIGINT NOT NULL,
    "count" INTEGER NOT NULL,

    PRIMARY KEY ("runId", "type", "bucket"),
    CONSTRAINT "EventRollup_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Insight" (
    "runId" TEXT NOT NULL,
    "rank" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "topic" TEXT NOT NULL,
    "section" TEXT NOT NULL,
    "confidence" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "score" REAL NOT NULL,
    "scoreParts" TEXT NOT NULL,
    "sources" TEXT NOT NULL,

    PRIMARY KEY ("runId", "rank"),
    CONSTRAINT "Insight_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Worker" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "pid" INTEGER NOT NULL,
    "host" TEXT NOT NULL,
    "startedAt" BIGINT NOT NULL,
    "leaseUntil" BIGINT NOT NULL
);

-- CreateIndex
CREATE INDEX "Run_change_idx" ON "Run"("change");

-- CreateIndex
CREATE INDEX "Run_status_id_idx" ON "Run"("status", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Document_runId_index_key" ON "Document"("runId", "index");

-- CreateIndex
CREATE INDEX "Chunk_runId_status_index_idx" ON "Chunk"("runId", "status", "index");

-- CreateIndex
CREATE INDEX "Chunk_leaseOwner_idx" ON "Chunk"("leaseOwner");

-- CreateIndex
CREATE UNIQUE INDEX "Chunk_runId_index_key" ON "Chunk"("runId", "index");

-- CreateIndex
CREATE INDEX "Attempt_runId_chunkIndex_number_idx" ON "Attempt"("runId", "chunkIndex", "number");

-- CreateIndex
CREATE INDEX "Artifact_runId_kind_idx" ON "Artifact"("runId", "kind");

-- CreateIndex
CREATE INDEX "Event_runId_type_seq_idx" ON "Event"("runId", "type", "seq");

-- CreateIndex
CREATE INDEX "Event_runId_chunk_seq_idx" ON "Event"("runId", "chunk", "seq");
