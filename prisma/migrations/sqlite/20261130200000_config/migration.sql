-- The configuration document as revisions; the models a run resolved; health and cooldowns of providers.
CREATE TABLE "ConfigRevision" (
    "number" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "text" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "comment" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "rolledBackTo" INTEGER,
    "createdAt" BIGINT NOT NULL,
    CONSTRAINT "ConfigRevision_source_check" CHECK ("source" IN ('start', 'console', 'api', 'command_line', 'file', 'rollback'))
);

CREATE TABLE "ConfigFile" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "path" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "importedAt" BIGINT NOT NULL
);

CREATE TABLE "Cooldown" (
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "failureKind" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "asked" INTEGER NOT NULL,
    "since" BIGINT NOT NULL,
    "until" BIGINT NOT NULL,
    PRIMARY KEY ("provider", "model")
);

CREATE TABLE "HealthCheck" (
    "provider" TEXT NOT NULL PRIMARY KEY,
    "model" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "latencyMs" REAL NOT NULL,
    "by" TEXT NOT NULL,
    "checkedAt" BIGINT NOT NULL,
    CONSTRAINT "HealthCheck_state_check" CHECK ("state" IN ('healthy', 'degraded', 'unavailable', 'unknown')),
    CONSTRAINT "HealthCheck_by_check" CHECK ("by" IN ('operator', 'background'))
);

ALTER TABLE "Run" ADD COLUMN "scene" TEXT;
ALTER TABLE "Run" ADD COLUMN "configRevision" INTEGER;
ALTER TABLE "Run" ADD COLUMN "routes" TEXT NOT NULL DEFAULT '[]';
ALTER TABLE "Chunk" ADD COLUMN "route" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "Attempt_backend_endedAt_idx" ON "Attempt"("backend", "endedAt");
