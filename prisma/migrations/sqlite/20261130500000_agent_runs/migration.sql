CREATE TABLE "AgentThread" (
    "runId" TEXT NOT NULL PRIMARY KEY,
    "workflow" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "nativeId" TEXT,
    "waitingFor" TEXT,
    "replyId" TEXT,
    "process" TEXT,
    "worker" TEXT,
    CONSTRAINT "AgentThread_waitingFor_check" CHECK ("waitingFor" IS NULL OR "waitingFor" IN ('approval')),
    CONSTRAINT "AgentThread_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "Command" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "promptId" TEXT,
    "preview" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "leaseOwner" TEXT,
    "interruptAsked" TEXT,
    "turnId" TEXT,
    "replyId" TEXT,
    "failureKind" TEXT,
    "message" TEXT,
    "promptTokens" INTEGER,
    "completionTokens" INTEGER,
    "createdAt" BIGINT NOT NULL,
    "startedAt" BIGINT,
    "endedAt" BIGINT,
    CONSTRAINT "Command_type_check" CHECK ("type" IN ('turn', 'interrupt')),
    CONSTRAINT "Command_status_check" CHECK ("status" IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'blocked')),
    CONSTRAINT "Command_lease_check" CHECK (("status" = 'running') = ("leaseOwner" IS NOT NULL)),
    CONSTRAINT "Command_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "Command_runId_index_key" ON "Command"("runId", "index");
CREATE INDEX "Command_status_idx" ON "Command"("status");

CREATE TABLE "Approval" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "commandId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "cwd" TEXT,
    "reason" TEXT,
    "status" TEXT NOT NULL,
    "decidedBy" TEXT,
    "askedAt" BIGINT NOT NULL,
    "deadlineAt" BIGINT NOT NULL,
    "decidedAt" BIGINT,
    CONSTRAINT "Approval_kind_check" CHECK ("kind" IN ('command', 'file-change')),
    CONSTRAINT "Approval_status_check" CHECK ("status" IN ('pending', 'accepted', 'declined', 'expired', 'moot')),
    CONSTRAINT "Approval_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "Approval_runId_status_idx" ON "Approval"("runId", "status");
