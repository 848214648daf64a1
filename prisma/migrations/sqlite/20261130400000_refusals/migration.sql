-- Models that refuse us: known to every process, and after a restart.
CREATE TABLE "Refusal" (
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" BIGINT NOT NULL,
    "until" BIGINT NOT NULL,
    PRIMARY KEY ("provider", "model")
);
