-- What normalization found of an answer, where lists filter by it; who served it; the one repair round that may follow an invalid answer.
ALTER TABLE "Chunk" ADD COLUMN "repaired" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Chunk" ADD COLUMN "truncated" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Chunk" ADD COLUMN "repairs" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Chunk" ADD COLUMN "repairOf" INTEGER;
ALTER TABLE "Chunk" ADD COLUMN "repairRequestId" TEXT;
ALTER TABLE "Attempt" ADD COLUMN "servedProvider" TEXT;
ALTER TABLE "Attempt" ADD COLUMN "repaired" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Attempt" ADD COLUMN "truncated" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Attempt" ADD COLUMN "repairOf" INTEGER;
ALTER TABLE "Attempt" ADD COLUMN "repairRequestId" TEXT;
