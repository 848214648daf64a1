-- What was found of each capability when an operator had a provider's model checked.
CREATE TABLE "CapabilityCheck" (
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "findings" TEXT NOT NULL,
    "checkedAt" BIGINT NOT NULL,
    PRIMARY KEY ("provider", "model")
);
