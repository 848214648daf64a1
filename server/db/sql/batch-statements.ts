/** The raw statements of batch jobs; see statements.ts for the conventions. A job is fenced by its lease, a chunk by the job that holds it. */
export const BATCH_STATEMENTS = {
  /** Nothing is handed in yet. id, provider, model, settings, owner, createdAt, nextPollAt, runId, [allowed statuses of the run] */
  insertBatchJob: `INSERT INTO "BatchJob" ("id", "runId", "provider", "model", "settings", "state", "leaseOwner", "createdAt", "nextPollAt")
    SELECT j."id", r."id", j."provider", j."model", j."settings", 'waiting', j."owner", j."at", j."next"
    FROM (SELECT ? AS "id", ? AS "provider", ? AS "model", ? AS "settings", ? AS "owner", ? AS "at", ? AS "next") AS j CROSS JOIN "Run" AS r
    WHERE r."id" = ? AND r."kind" = 'distill' AND r."status" IN (SELECT value FROM json_each(?))`,
  /** Open chunks that nobody else has are the job's from now on; their status stays. job, runId, [indexes] */
  holdChunks: `UPDATE "Chunk" SET "batchJob" = ? WHERE "runId" = ? AND "index" IN (SELECT value FROM json_each(?))
      AND "status" IN ('queued', 'failed') AND "leaseOwner" IS NULL AND "batchJob" IS NULL
    RETURNING "id", "runId", "index"`,
  /** rows, rows, id: what the job covers, in order */
  setBatchChunks: `UPDATE "BatchJob" SET "chunks" = (SELECT json_group_array(o."index") FROM (SELECT j.value->>'index' AS "index" FROM json_each(?) AS j ORDER BY 1) AS o),
    "requests" = json_array_length(?) WHERE "id" = ?`,
  /** Nobody alive works on it. owner, id, owner, now, latest believable end */
  claimBatchJob: `UPDATE "BatchJob" SET "leaseOwner" = ? WHERE "id" = ? AND "endedAt" IS NULL
      AND ("leaseOwner" IS NULL OR "leaseOwner" = ? OR "leaseOwner" NOT IN (SELECT "id" FROM "Worker" WHERE "leaseUntil" BETWEEN ? AND ?))
    RETURNING "id"`,
  /** id, owner */
  freeBatchJob: `UPDATE "BatchJob" SET "leaseOwner" = NULL WHERE "id" = ? AND "leaseOwner" = ?`,
  /** Fenced: everything of a job that changes. state, outcome, nativeId, nativeState, fileId, total, succeeded, failed, adopted, unusable, returned, problem, message, submittedAt, polledAt, nextPollAt, cancelSentAt, endedAt, id, owner */
  writeBatchJob: `UPDATE "BatchJob" SET "state" = ?, "outcome" = ?, "nativeId" = ?, "nativeState" = ?, "fileId" = ?, "total" = ?, "succeeded" = ?, "failed" = ?,
    "adopted" = ?, "unusable" = ?, "returned" = ?, "problem" = ?, "message" = ?, "submittedAt" = ?, "polledAt" = ?, "nextPollAt" = ?, "cancelSentAt" = ?, "endedAt" = ?
    WHERE "id" = ? AND "leaseOwner" = ? AND "endedAt" IS NULL`,
  /** at, 1 to give it up, id: asks whoever works on it to cancel it */
  askBatchCancel: `UPDATE "BatchJob" SET "cancelAskedAt" = COALESCE("cancelAskedAt", ?), "giveUp" = MAX("giveUp", ?), "nextPollAt" = 0 WHERE "id" = ? AND "endedAt" IS NULL`,
  /** What the job still holds is open again as it was, or cancelled with its run. job */
  releaseChunks: `UPDATE "Chunk" SET "batchJob" = NULL,
    "status" = CASE WHEN "status" = 'queued' AND (SELECT "status" FROM "Run" WHERE "Run"."id" = "Chunk"."runId") = 'cancelled' THEN 'cancelled' ELSE "status" END
    WHERE "batchJob" = ? RETURNING "runId", "status"`,
} as const satisfies Record<string, string>;
