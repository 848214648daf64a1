import { BUCKET_MS } from "../rollup-bucket";
import { AGENT_STATEMENTS } from "./agent-statements";
import { BATCH_STATEMENTS } from "./batch-statements";

/**
 * Every raw statement of the writing side, by name (SQLite dialect). Only anonymous `?`. A batch is one statement: its rows
 * travel as a JSON array, or, where they are many and their texts long, as arguments: `{(?, ?)}` stands for as many tuples as
 * the op's `tuples` says. `rows` below means the JSON of rows that an earlier op of the unit returned ({ rowsOf }).
 *
 * The counters of a run move in one UPDATE (the table's CHECK holds them to their sum), together with `lastSeq` (gapless
 * sequence) and `change` (the feed that pages follow; every write has its own, also when one statement moves several runs).
 */

const NEXT_CHANGE = `"change" = (SELECT COALESCE(MAX("change"), 0) + 1 FROM "Run")`;

const RUN_STATE = `"id", "status", "total", "queued", "running", "succeeded", "failed", "cancelled", "lastSeq"`;

export const STATEMENTS = {
  // ---- workers and leases ----------------------------------------------------------------------------------------
  /** id, pid, host, startedAt, leaseUntil */
  leaseWorker: `INSERT INTO "Worker" ("id", "pid", "host", "startedAt", "leaseUntil") VALUES (?, ?, ?, ?, ?)
    ON CONFLICT ("id") DO UPDATE SET "leaseUntil" = MAX("leaseUntil", excluded."leaseUntil")`,
  /** leaseUntil, id */
  beatWorker: `UPDATE "Worker" SET "leaseUntil" = ? WHERE "id" = ?`,
  /** id */
  dropWorker: `DELETE FROM "Worker" WHERE "id" = ?`,
  /** before: workers whose lease ended long ago */
  forgetWorkers: `DELETE FROM "Worker" WHERE "leaseUntil" < ?`,

  // ---- creating a run --------------------------------------------------------------------------------------------
  /** id, kind, name, sourceDate, backend, model, options, scene, configRevision, routes, promptVersion, prep, total, total, createdAt, createdAt */
  insertRun: `INSERT INTO "Run" ("id", "kind", "name", "status", "sourceDate", "backend", "model", "options", "scene", "configRevision", "routes", "promptVersion", "prep", "total", "queued", "createdAt", "updatedAt", "change")
    VALUES (?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT COALESCE(MAX("change"), 0) + 1 FROM "Run"))`,
  /** id, runId, index, name, bytes, sha256, text */
  insertDocument: `INSERT INTO "Document" ("id", "runId", "index", "name", "bytes", "sha256", "text") VALUES (?, ?, ?, ?, ?, ?, ?)`,
  /** A row an artifact: id, runId, kind, body, bytes, sha256, createdAt */
  insertArtifacts: `INSERT INTO "Artifact" ("id", "runId", "kind", "body", "bytes", "sha256", "createdAt") VALUES {(?, ?, ?, ?, ?, ?, ?)}`,
  /** runId, queuedAt, [[id, index, document, tokens, start, end, sourceStart, sourceEnd, requestId]] */
  insertChunks: `INSERT INTO "Chunk" ("id", "runId", "index", "document", "status", "tokens", "start", "end", "sourceStart", "sourceEnd", "requestId", "queuedAt")
    SELECT j.value->>0, ?, j.value->>1, j.value->>2, 'queued', j.value->>3, j.value->>4, j.value->>5, j.value->>6, j.value->>7, j.value->>8, ? FROM json_each(?) AS j`,

  // ---- events ----------------------------------------------------------------------------------------------------
  /** A row an event: place from 1, type, ts, chunk, attempt, payload, bytes, truncated, artifactId; then runId. Before the op that raises lastSeq. */
  appendEvents: `WITH "e" ("place", "type", "ts", "chunk", "attempt", "payload", "bytes", "truncated", "artifactId") AS (VALUES {(?, ?, ?, ?, ?, ?, ?, ?, ?)})
    INSERT INTO "Event" ("runId", "seq", "type", "ts", "chunk", "attempt", "payload", "bytes", "truncated", "artifactId")
    SELECT r."id", r."lastSeq" + e."place", e."type", e."ts", e."chunk", e."attempt", e."payload", e."bytes", e."truncated", e."artifactId"
    FROM "Run" AS r CROSS JOIN "e" WHERE r."id" = ?`,
  /** A row a type and bucket: type, bucket, count; then runId */
  countEvents: `WITH "e" ("type", "bucket", "count") AS (VALUES {(?, ?, ?)})
    INSERT INTO "EventRollup" ("runId", "type", "bucket", "count") SELECT ?, e."type", e."bucket", e."count" FROM "e" WHERE TRUE
    ON CONFLICT ("runId", "type", "bucket") DO UPDATE SET "count" = "count" + excluded."count"`,
  /** One event a row: type, ts, payload, bytes, rows (with runId, index, attempt) */
  appendEventsOfRows: `INSERT INTO "Event" ("runId", "seq", "type", "ts", "chunk", "attempt", "payload", "bytes", "truncated")
    SELECT r."id", r."lastSeq" + ROW_NUMBER() OVER (PARTITION BY r."id" ORDER BY j.key), ?, ?, j.value->>'index', NULLIF(j.value->>'attempt', 0), ?, ?, 0
    FROM json_each(?) AS j JOIN "Run" AS r ON r."id" = j.value->>'runId'`,
  /**
   * What was started and will not be heard of again ends with `inference_failed`, once: the attempts of rows (runId, index,
   * attempt) whose newest lifecycle event is the start. ts, reason, rows. Before the op that raises lastSeq.
   */
  endInferencesOfRows: `INSERT INTO "Event" ("runId", "seq", "type", "ts", "chunk", "attempt", "payload", "bytes", "truncated")
    SELECT o."runId", r."lastSeq" + ROW_NUMBER() OVER (PARTITION BY o."runId" ORDER BY o."place"), 'inference_failed', ?, o."chunk", o."attempt", o."ended", LENGTH(CAST(o."ended" AS BLOB)), 0
    FROM (SELECT s."runId", s."chunk", s."attempt", j.key AS "place", json_object(
        'requestId', s."payload"->>'requestId', 'sessionId', s."payload"->>'sessionId', 'stageId', s."payload"->>'stageId',
        'providerId', s."payload"->>'providerId', 'reason', ?, 'failureKind', 'cancelled') AS "ended"
      FROM json_each(?) AS j JOIN "Event" AS s ON s."runId" = j.value->>'runId' AND s."chunk" = j.value->>'index'
        AND s."attempt" = j.value->>'attempt' AND s."type" = 'inference_started'
      WHERE NOT EXISTS (SELECT 1 FROM "Event" AS e WHERE e."runId" = s."runId" AND e."chunk" = s."chunk" AND e."seq" > s."seq"
        AND e."attempt" = s."attempt" AND e."type" IN ('inference_started', 'inference_completed', 'inference_failed', 'inference_timeout'))) AS o
    JOIN "Run" AS r ON r."id" = o."runId" WHERE TRUE
    RETURNING "runId"`,
  /** rows: as many events as there are rows of a run were appended to it */
  raiseSeqOfRows: `UPDATE "Run" SET "lastSeq" = "lastSeq" + (SELECT COUNT(*) FROM json_each(?) AS j WHERE j.value->>'runId' = "Run"."id")
    WHERE "id" IN (SELECT j.value->>'runId' FROM json_each(?) AS j)`,
  /** type, ts, rows */
  countEventsOfRows: `INSERT INTO "EventRollup" ("runId", "type", "bucket", "count")
    SELECT j.value->>'runId', ?, ? / ${BUCKET_MS} * ${BUCKET_MS}, COUNT(*) FROM json_each(?) AS j WHERE TRUE GROUP BY 1
    ON CONFLICT ("runId", "type", "bucket") DO UPDATE SET "count" = "count" + excluded."count"`,

  // ---- the run's row ---------------------------------------------------------------------------------------------
  /** Deltas: events, queued, running, succeeded, failed, cancelled, retries, promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens, tokensEstimated (0|1), updatedAt, id */
  moveRun: `UPDATE "Run" SET "lastSeq" = "lastSeq" + ?, "queued" = "queued" + ?, "running" = "running" + ?, "succeeded" = "succeeded" + ?,
    "failed" = "failed" + ?, "cancelled" = "cancelled" + ?, "retries" = "retries" + ?, "promptTokens" = "promptTokens" + ?,
    "completionTokens" = "completionTokens" + ?, "cachedTokens" = "cachedTokens" + ?, "cacheWriteTokens" = "cacheWriteTokens" + ?,
    "reasoningTokens" = "reasoningTokens" + ?, "tokensEstimated" = MAX("tokensEstimated", ?), "updatedAt" = ?, ${NEXT_CHANGE}
    WHERE "id" = ? RETURNING ${RUN_STATE}`,
  /** updatedAt, rows: chunks that were given back when their run had been cancelled go from queued to cancelled */
  moveRunsOfFreed: `UPDATE "Run" SET "queued" = "queued" - f."chunks", "cancelled" = "cancelled" + f."chunks", "updatedAt" = ?,
    "change" = (SELECT MAX("change") FROM "Run") + f."place"
    FROM (SELECT j.value->>'runId' AS "runId", COUNT(*) AS "chunks", ROW_NUMBER() OVER (ORDER BY j.value->>'runId') AS "place"
      FROM json_each(?) AS j WHERE j.value->>'status' = 'cancelled' GROUP BY 1) AS f WHERE "Run"."id" = f."runId"`,
  /** rows, updatedAt, id: as many as there are rows went from queued to running, one event a row */
  moveRunToRunning: `WITH "n" ("rows") AS (SELECT json_array_length(?))
    UPDATE "Run" SET "queued" = "queued" - (SELECT "rows" FROM "n"), "running" = "running" + (SELECT "rows" FROM "n"),
    "lastSeq" = "lastSeq" + (SELECT "rows" FROM "n"), "updatedAt" = ?, ${NEXT_CHANGE} WHERE "id" = ?`,
  /** Compare-and-set. status, statusReason, updatedAt, startedAt (coalesced), endedAt, id, [allowed statuses] */
  setRunStatus: `UPDATE "Run" SET "status" = ?, "statusReason" = ?, "updatedAt" = ?, "startedAt" = COALESCE("startedAt", ?), "endedAt" = ?, ${NEXT_CHANGE}
    WHERE "id" = ? AND "status" IN (SELECT value FROM json_each(?))`,
  /** Compare-and-set of the end: nothing may be queued or running. status, statusReason, updatedAt, endedAt, id, [allowed statuses] */
  settleRun: `UPDATE "Run" SET "status" = ?, "statusReason" = ?, "updatedAt" = ?, "endedAt" = ?, ${NEXT_CHANGE}
    WHERE "id" = ? AND "status" IN (SELECT value FROM json_each(?)) AND "queued" = 0 AND "running" = 0`,
  /** paused -> running when it had started, else queued. updatedAt, id */
  resumeRun: `UPDATE "Run" SET "status" = CASE WHEN "startedAt" IS NULL THEN 'queued' ELSE 'running' END, "statusReason" = NULL, "updatedAt" = ?, ${NEXT_CHANGE}
    WHERE "id" = ? AND "status" = 'paused'`,
  /** Brings a run back after a retry: paused stays paused. updatedAt, id, [allowed statuses] */
  reviveRun: `UPDATE "Run" SET "status" = CASE "status" WHEN 'paused' THEN 'paused' ELSE 'running' END,
    "statusReason" = CASE "status" WHEN 'paused' THEN "statusReason" ELSE NULL END, "endedAt" = NULL, "updatedAt" = ?, ${NEXT_CHANGE}
    WHERE "id" = ? AND "status" IN (SELECT value FROM json_each(?))`,
  /** insights, duplicates, coverage, gapsAcceptedAt (coalesced), id */
  setRunInsights: `UPDATE "Run" SET "insights" = ?, "duplicates" = ?, "coverage" = ?, "gapsAcceptedAt" = COALESCE("gapsAcceptedAt", ?) WHERE "id" = ?`,
  /** id */
  deleteInsights: `DELETE FROM "Insight" WHERE "runId" = ?`,
  /** runId, [[rank, content, topic, section, confidence, date, score, scoreParts, sources]] */
  insertInsights: `INSERT INTO "Insight" ("runId", "rank", "content", "topic", "section", "confidence", "date", "score", "scoreParts", "sources")
    SELECT ?, j.value->>0, j.value->>1, j.value->>2, j.value->>3, j.value->>4, j.value->>5, j.value->>6, j.value->>7, j.value->>8 FROM json_each(?) AS j`,

  // ---- chunks and attempts ---------------------------------------------------------------------------------------
  /** A lease on queued chunks; they stay queued until their request is sent. owner, runId, now, limit, runId */
  claimChunks: `UPDATE "Chunk" SET "leaseOwner" = ?
    WHERE "id" IN (SELECT "id" FROM "Chunk" WHERE "runId" = ? AND "status" = 'queued' AND "leaseOwner" IS NULL AND "batchJob" IS NULL AND "dueAt" <= ? ORDER BY "index" LIMIT ?)
      AND EXISTS (SELECT 1 FROM "Run" WHERE "id" = ? AND "status" IN ('queued', 'running'))
    RETURNING "id", "runId", "index", "attempt", "failures", "route", "repairs", "repairOf", "acceptedAttempt"`,
  /** Claimed chunks whose request was sent. [ids], owner */
  startChunks: `UPDATE "Chunk" SET "status" = 'running', "attempt" = "attempt" + 1, "dueAt" = 0
    WHERE "id" IN (SELECT value FROM json_each(?)) AND "leaseOwner" = ? AND "status" = 'queued'
    RETURNING "id", "runId", "index", "attempt"`,
  /** A row a started turn: chunkId, number, requestId, startedAt, backend, model; then owner. Only those that did start. */
  openAttempts: `WITH "e" ("id", "number", "requestId", "at", "backend", "model") AS (VALUES {(?, ?, ?, ?, ?, ?)})
    INSERT INTO "Attempt" ("chunkId", "number", "runId", "chunkIndex", "status", "owner", "backend", "model", "requestId", "claimedAt", "startedAt", "repairOf", "repairRequestId")
    SELECT c."id", c."attempt", c."runId", c."index", 'running', c."leaseOwner", e."backend", e."model", e."requestId", e."at", e."at", c."repairOf", c."repairRequestId"
    FROM "e" CROSS JOIN "Chunk" AS c WHERE c."id" = e."id" AND c."attempt" = e."number" AND c."status" = 'running' AND c."leaseOwner" = ?`,
  /** A chunk that nobody works for takes an answer that was made elsewhere, or one that its batch job has. owner, id, attempt before, status before, job or null, [allowed statuses of the run] */
  adoptChunk: `UPDATE "Chunk" SET "status" = 'running', "attempt" = "attempt" + 1, "dueAt" = 0, "batchJob" = NULL, "leaseOwner" = ?
    WHERE "id" = ? AND "attempt" = ? AND "status" = ? AND "leaseOwner" IS NULL AND "batchJob" IS ?
      AND EXISTS (SELECT 1 FROM "Run" WHERE "Run"."id" = "Chunk"."runId" AND "Run"."status" IN (SELECT value FROM json_each(?)))`,
  /** Its attempt, which was never sent: no start. requestId, at, backend, model, chunkId, owner */
  openAdoptedAttempt: `INSERT INTO "Attempt" ("chunkId", "number", "runId", "chunkIndex", "status", "owner", "backend", "model", "requestId", "claimedAt")
    SELECT c."id", c."attempt", c."runId", c."index", 'running', c."leaseOwner", e."backend", e."model", e."requestId", e."at"
    FROM (SELECT ? AS "requestId", ? AS "at", ? AS "backend", ? AS "model") AS e CROSS JOIN "Chunk" AS c WHERE c."id" = ? AND c."leaseOwner" = ?`,
  /** A run that rests and whose last open chunk was adopted goes on, so that it settles. startedAt (coalesced), updatedAt, id, 1 when the answer was accepted */
  reopenAdopted: `UPDATE "Run" SET "status" = 'running', "statusReason" = NULL, "endedAt" = NULL, "startedAt" = COALESCE("startedAt", ?), "updatedAt" = ?, ${NEXT_CHANGE}
    WHERE "id" = ? AND "queued" = 0 AND "running" = 0 AND ("status" IN ('queued', 'paused') OR (? = 1
      AND ("status" IN ('completed', 'failed') OR ("status" = 'incomplete' AND "failed" = 0 AND "cancelled" = 0))))
    RETURNING "id" AS "runId"`,
  /** Claimed chunks that are given back unsent. [ids], owner */
  freeChunks: `UPDATE "Chunk" SET "leaseOwner" = NULL,
    "status" = CASE (SELECT "status" FROM "Run" WHERE "Run"."id" = "Chunk"."runId") WHEN 'cancelled' THEN 'cancelled' ELSE 'queued' END
    WHERE "id" IN (SELECT value FROM json_each(?)) AND "leaseOwner" = ? AND "status" = 'queued' RETURNING "runId", "status"`,
  /** The same for those of workers whose lease ended. now, latest believable end */
  freeDeadClaims: `UPDATE "Chunk" SET "leaseOwner" = NULL,
    "status" = CASE (SELECT "status" FROM "Run" WHERE "Run"."id" = "Chunk"."runId") WHEN 'cancelled' THEN 'cancelled' ELSE 'queued' END
    WHERE "leaseOwner" IS NOT NULL AND "status" = 'queued'
      AND "leaseOwner" NOT IN (SELECT "id" FROM "Worker" WHERE "leaseUntil" BETWEEN ? AND ?) RETURNING "runId", "status"`,
  /** rows -> the request bodies */
  claimedRequests: `SELECT c."id", a."body", a."sha256" FROM json_each(?) AS j JOIN "Chunk" AS c ON c."id" = j.value->>'id' JOIN "Artifact" AS a ON a."id" = COALESCE(c."repairRequestId", c."requestId")`,
  /** Is the lease still ours? id, attempt, owner */
  holdsLease: `SELECT 1 AS held FROM "Chunk" WHERE "id" = ? AND "attempt" = ? AND "leaseOwner" = ?`,
  /** startedAt, firstTokenAt, chunkId, number */
  markStarted: `UPDATE "Attempt" SET "startedAt" = COALESCE("startedAt", ?), "firstTokenAt" = COALESCE("firstTokenAt", ?) WHERE "chunkId" = ? AND "number" = ?`,
  /** Fenced end of a chunk's turn; marks that are null are those of the answer that is accepted. status, dueAt, failures delta, endedAt, acceptedAttempt, insights, failureKind, errorMessage, repaired, truncated, repairs delta, repairOf, repairRequestId, id, attempt, owner */
  endChunk: `UPDATE "Chunk" SET "status" = ?, "dueAt" = ?, "failures" = "failures" + ?, "leaseOwner" = NULL, "endedAt" = ?, "acceptedAttempt" = COALESCE(?, "acceptedAttempt"),
    "insights" = COALESCE(?, "insights"), "failureKind" = ?, "errorMessage" = ?,
    "repaired" = COALESCE(?, (SELECT a."repaired" FROM "Attempt" AS a WHERE a."chunkId" = "Chunk"."id" AND a."number" = "Chunk"."acceptedAttempt"), 0),
    "truncated" = COALESCE(?, (SELECT a."truncated" FROM "Attempt" AS a WHERE a."chunkId" = "Chunk"."id" AND a."number" = "Chunk"."acceptedAttempt"), 0),
    "repairs" = "repairs" + ?, "repairOf" = ?, "repairRequestId" = ? WHERE "id" = ? AND "attempt" = ? AND "leaseOwner" = ? AND "status" = 'running'`,
  /** status, startedAt, firstTokenAt, endedAt, failureKind, errorMessage, finishReason, servedModel, promptTokens, completionTokens, tokensEstimated, cachedTokens, cacheWriteTokens, reasoningTokens, costUsd, resultId, servedProvider, repaired, truncated, chunkId, number */
  endAttempt: `UPDATE "Attempt" SET "status" = ?, "startedAt" = COALESCE(?, "startedAt"), "firstTokenAt" = COALESCE(?, "firstTokenAt"), "endedAt" = ?, "failureKind" = ?,
    "errorMessage" = ?, "finishReason" = ?, "servedModel" = ?, "promptTokens" = ?, "completionTokens" = ?, "tokensEstimated" = ?,
    "cachedTokens" = ?, "cacheWriteTokens" = ?, "reasoningTokens" = ?, "costUsd" = ?, "resultId" = ?, "servedProvider" = ?, "repaired" = ?, "truncated" = ?
    WHERE "chunkId" = ? AND "number" = ?`,
  /** An answer that came after the lease was lost is kept, not accepted; it is paid for. resultId, errorMessage, promptTokens, completionTokens, tokensEstimated, cachedTokens, cacheWriteTokens, reasoningTokens, costUsd, chunkId, number, owner */
  keepLateResult: `UPDATE "Attempt" SET "resultId" = ?, "errorMessage" = ?, "promptTokens" = ?, "completionTokens" = ?, "tokensEstimated" = ?,
    "cachedTokens" = ?, "cacheWriteTokens" = ?, "reasoningTokens" = ?, "costUsd" = ? WHERE "chunkId" = ? AND "number" = ? AND "owner" = ? AND "status" = 'abandoned' AND "resultId" IS NULL`,
  /** Running chunks whose worker's lease ended go back to the queue (or are cancelled with their run). endedAt, now, latest believable end */
  sweepChunks: `UPDATE "Chunk" SET "status" = CASE (SELECT "status" FROM "Run" WHERE "Run"."id" = "Chunk"."runId") WHEN 'cancelled' THEN 'cancelled' ELSE 'queued' END,
    "leaseOwner" = NULL, "dueAt" = 0, "endedAt" = ?
    WHERE "leaseOwner" IS NOT NULL AND "status" = 'running' AND "leaseOwner" NOT IN (SELECT "id" FROM "Worker" WHERE "leaseUntil" BETWEEN ? AND ?)
    RETURNING "id", "runId", "index", "attempt", "status"`,
  /** The same for one chunk whose turn its owner broke off. endedAt, id, attempt, owner */
  releaseChunk: `UPDATE "Chunk" SET "status" = CASE (SELECT "status" FROM "Run" WHERE "Run"."id" = "Chunk"."runId") WHEN 'cancelled' THEN 'cancelled' ELSE 'queued' END,
    "leaseOwner" = NULL, "dueAt" = 0, "endedAt" = ? WHERE "id" = ? AND "attempt" = ? AND "leaseOwner" = ? AND "status" = 'running'
    RETURNING "id", "runId", "index", "attempt", "status"`,
  /** endedAt, message, rows */
  abandonAttempts: `UPDATE "Attempt" SET "status" = 'abandoned', "endedAt" = ?, "errorMessage" = ?
    WHERE "status" = 'running' AND ("chunkId", "number") IN (SELECT j.value->>'id', j.value->>'attempt' FROM json_each(?) AS j)`,
  /** rows, updatedAt: the counters of their runs from running to queued or cancelled, one event a row */
  moveRunsOfSwept: `WITH "swept" ("runId", "status") AS (SELECT j.value->>'runId', j.value->>'status' FROM json_each(?) AS j)
    UPDATE "Run" SET "running" = "running" - (SELECT COUNT(*) FROM "swept" WHERE "swept"."runId" = "Run"."id"),
    "queued" = "queued" + (SELECT COUNT(*) FROM "swept" WHERE "swept"."runId" = "Run"."id" AND "swept"."status" = 'queued'),
    "cancelled" = "cancelled" + (SELECT COUNT(*) FROM "swept" WHERE "swept"."runId" = "Run"."id" AND "swept"."status" = 'cancelled'),
    "lastSeq" = "lastSeq" + (SELECT COUNT(*) FROM "swept" WHERE "swept"."runId" = "Run"."id"), "updatedAt" = ?,
    "change" = (SELECT MAX("change") FROM "Run") + (SELECT COUNT(DISTINCT "runId") FROM "swept" WHERE "swept"."runId" <= "Run"."id")
    WHERE "id" IN (SELECT "runId" FROM "swept")`,
  /** Claimed ones are their worker's, and held ones their job's: those send them or give them back. endedAt, runId */
  cancelQueuedChunks: `UPDATE "Chunk" SET "status" = 'cancelled', "endedAt" = ? WHERE "runId" = ? AND "status" = 'queued' AND "leaseOwner" IS NULL AND "batchJob" IS NULL RETURNING "id"`,
  /** id */
  cancelChunkOfCancelledRun: `UPDATE "Chunk" SET "status" = 'cancelled', "dueAt" = 0 WHERE "id" = ? AND "status" = 'queued'
    AND EXISTS (SELECT 1 FROM "Run" WHERE "Run"."id" = "Chunk"."runId" AND "Run"."status" = 'cancelled') RETURNING "id"`,
  /** rows, events, updatedAt, id: as many as there are rows are cancelled now */
  moveRunQueuedToCancelled: `WITH "n" ("rows") AS (SELECT json_array_length(?))
    UPDATE "Run" SET "cancelled" = "cancelled" + (SELECT "rows" FROM "n"), "queued" = "queued" - (SELECT "rows" FROM "n"),
    "lastSeq" = "lastSeq" + ?, "updatedAt" = ?, ${NEXT_CHANGE} WHERE "id" = ? RETURNING ${RUN_STATE}`,
  /** What the operator named and is in none of the states that are asked again, or in a batch job's hands. [indexes], runId, [states] */
  retrySkips: `SELECT j.value AS "chunk", CASE WHEN c."batchJob" IS NULL THEN COALESCE(c."status", 'missing') ELSE 'held' END AS "status" FROM json_each(?) AS j
    LEFT JOIN "Chunk" AS c ON c."runId" = ? AND c."index" = j.value
    WHERE c."status" IS NULL OR c."status" NOT IN (SELECT value FROM json_each(?)) OR c."batchJob" IS NOT NULL`,
  /** One more way to run chunks of the run: its JSON, id */
  addRoute: `UPDATE "Run" SET "routes" = json_insert("routes", '$[#]', json(?)) WHERE "id" = ?`,
  /** queuedAt, 1 to take the run's newest route or 0 to keep the chunk's, runId, [states], [indexes] or null for all, the same again, route they must have or null, the same again */
  requeueChunks: `UPDATE "Chunk" SET "status" = 'queued', "dueAt" = 0, "failures" = 0, "repairs" = 0, "repairOf" = NULL, "repairRequestId" = NULL, "queuedAt" = ?, "endedAt" = NULL,
    "route" = CASE ? WHEN 1 THEN (SELECT json_array_length("routes") - 1 FROM "Run" WHERE "Run"."id" = "Chunk"."runId") ELSE "route" END
    WHERE "runId" = ? AND "status" IN (SELECT value FROM json_each(?)) AND "leaseOwner" IS NULL AND "batchJob" IS NULL
      AND (? IS NULL OR "index" IN (SELECT value FROM json_each(?))) AND (? IS NULL OR "route" = ?)
    RETURNING "id", "runId", "index", "attempt", "acceptedAttempt"`,
  /** rows, updatedAt, id: back to queued, one event a row. Who has an accepted answer had succeeded; the others had failed. */
  moveRunToQueued: `WITH "n" ("rows", "answered") AS (SELECT COUNT(*), COUNT(j.value->>'acceptedAttempt') FROM json_each(?) AS j)
    UPDATE "Run" SET "failed" = "failed" - (SELECT "rows" - "answered" FROM "n"), "succeeded" = "succeeded" - (SELECT "answered" FROM "n"),
    "queued" = "queued" + (SELECT "rows" FROM "n"),
    "lastSeq" = "lastSeq" + (SELECT "rows" FROM "n"), "updatedAt" = ?, ${NEXT_CHANGE} WHERE "id" = ?`,
  /** Another answer of a chunk that nobody works for counts. status, acceptedAttempt, insights, failureKind, errorMessage, repaired, truncated, id, newest attempt, status before, acceptedAttempt before, [allowed statuses of the run] */
  chooseAnswer: `UPDATE "Chunk" SET "status" = ?, "acceptedAttempt" = ?, "insights" = ?, "failureKind" = ?, "errorMessage" = ?, "repaired" = ?, "truncated" = ?
    WHERE "id" = ? AND "attempt" = ? AND "status" = ? AND "acceptedAttempt" IS ? AND "leaseOwner" IS NULL AND "batchJob" IS NULL
      AND EXISTS (SELECT 1 FROM "Run" WHERE "Run"."id" = "Chunk"."runId" AND "Run"."status" IN (SELECT value FROM json_each(?)))`,
  /** A run that had ended goes on, so that it settles anew with the answers of now. updatedAt, id */
  reopenChosen: `UPDATE "Run" SET "status" = 'running', "statusReason" = NULL, "endedAt" = NULL, "updatedAt" = ?, ${NEXT_CHANGE}
    WHERE "id" = ? AND "queued" = 0 AND "running" = 0
      AND ("status" IN ('completed', 'failed') OR ("status" = 'incomplete' AND "failed" = 0 AND "cancelled" = 0))
    RETURNING "id" AS "runId"`,

  // ---- configuration, health -------------------------------------------------------------------------------------
  /** Compare-and-set on the newest revision. number, text, sha256, author, comment, source, rolledBackTo, createdAt, number - 1 */
  insertRevision: `INSERT INTO "ConfigRevision" ("number", "text", "sha256", "author", "comment", "source", "rolledBackTo", "createdAt")
    SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE (SELECT COALESCE(MAX("number"), 0) FROM "ConfigRevision") = ? RETURNING "number"`,
  /** path, sha256, revision, importedAt */
  setConfigFile: `INSERT INTO "ConfigFile" ("id", "path", "sha256", "revision", "importedAt") VALUES (1, ?, ?, ?, ?)
    ON CONFLICT ("id") DO UPDATE SET "path" = excluded."path", "sha256" = excluded."sha256", "revision" = excluded."revision", "importedAt" = excluded."importedAt"`,
  /** Runs from before routes were pinned. routes, configRevision, backend, model */
  pinOldRuns: `UPDATE "Run" SET "routes" = json_array(json(?)), "configRevision" = ? WHERE "routes" = '[]' AND "backend" = ? AND "model" = ?`,
  /** provider, model, failureKind, reason, failures, asked, since, until */
  setCooldown: `INSERT INTO "Cooldown" ("provider", "model", "failureKind", "reason", "failures", "asked", "since", "until") VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT ("provider", "model") DO UPDATE SET "failureKind" = excluded."failureKind", "reason" = excluded."reason", "failures" = excluded."failures",
    "asked" = excluded."asked", "since" = excluded."since", "until" = excluded."until"`,
  /** provider, model */
  dropCooldown: `DELETE FROM "Cooldown" WHERE "provider" = ? AND "model" = ? RETURNING "provider"`,
  /** Chunks that wait after an attempt with that model, until now for as long as it asked. backend, model */
  wakeChunks: `UPDATE "Chunk" SET "dueAt" = 0 WHERE "status" = 'queued' AND "leaseOwner" IS NULL AND "dueAt" > 0
    AND EXISTS (SELECT 1 FROM "Attempt" AS a WHERE a."chunkId" = "Chunk"."id" AND a."number" = "Chunk"."attempt" AND a."backend" = ? AND a."model" = ?)`,
  /** provider, model, reason, since, until */
  setRefusal: `INSERT INTO "Refusal" ("provider", "model", "reason", "since", "until") VALUES (?, ?, ?, ?, ?)
    ON CONFLICT ("provider", "model") DO UPDATE SET "reason" = excluded."reason", "since" = excluded."since", "until" = excluded."until"`,
  /** provider, model */
  dropRefusal: `DELETE FROM "Refusal" WHERE "provider" = ? AND "model" = ? RETURNING "provider"`,
  /** provider, model, state, reason, latencyMs, by, checkedAt */
  setHealthCheck: `INSERT INTO "HealthCheck" ("provider", "model", "state", "reason", "latencyMs", "by", "checkedAt") VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT ("provider") DO UPDATE SET "model" = excluded."model", "state" = excluded."state", "reason" = excluded."reason", "latencyMs" = excluded."latencyMs",
    "by" = excluded."by", "checkedAt" = excluded."checkedAt"`,
  /** provider, model, findings, checkedAt: the newer of two stays */
  setCapabilityCheck: `INSERT INTO "CapabilityCheck" ("provider", "model", "findings", "checkedAt") VALUES (?, ?, ?, ?)
    ON CONFLICT ("provider", "model") DO UPDATE SET "findings" = excluded."findings", "checkedAt" = excluded."checkedAt"
    WHERE "checkedAt" <= excluded."checkedAt"`,
  /** provider, provider, how many of its models are remembered */
  forgetCapabilityChecks: `DELETE FROM "CapabilityCheck" WHERE "provider" = ? AND "model" NOT IN
    (SELECT "model" FROM "CapabilityCheck" WHERE "provider" = ? ORDER BY "checkedAt" DESC LIMIT ?)`,

  ...AGENT_STATEMENTS,
  ...BATCH_STATEMENTS,
} as const satisfies Record<string, string>;

export type StatementName = keyof typeof STATEMENTS;
