/** The raw statements of agent runs; see statements.ts for the conventions. A command is fenced by its attempt number and owner, as a chunk is. */
const NEXT_CHANGE = `"change" = (SELECT COALESCE(MAX("change"), 0) + 1 FROM "Run")`;
export const AGENT_STATEMENTS = {
  /** runId, workflow, policy, workspace */
  insertThread: `INSERT INTO "AgentThread" ("runId", "workflow", "policy", "workspace") VALUES (?, ?, ?, ?)`,
  /** Only as the next one of its run. id, runId, index, type, status, promptId, preview, createdAt, endedAt, runId, index */
  insertCommand: `INSERT INTO "Command" ("id", "runId", "index", "type", "status", "promptId", "preview", "createdAt", "endedAt")
    SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE (SELECT COALESCE(MAX("index") + 1, 0) FROM "Command" WHERE "runId" = ?) = ?`,
  /** The next turn of each run that has none under way, and whose thread no other living worker holds. owner, now, [run ids] or null for all, same, owner, now, latest believable end, limit */
  claimCommands: `UPDATE "Command" SET "leaseOwner" = ?, "status" = 'running', "attempt" = "attempt" + 1, "startedAt" = ?
    WHERE "id" IN (SELECT c."id" FROM "Command" AS c JOIN "Run" AS r ON r."id" = c."runId" JOIN "AgentThread" AS t ON t."runId" = c."runId"
      WHERE c."status" = 'queued' AND c."type" = 'turn' AND r."status" IN ('queued', 'running')
        AND (? IS NULL OR c."runId" IN (SELECT value FROM json_each(?)))
        AND NOT EXISTS (SELECT 1 FROM "Command" AS o WHERE o."runId" = c."runId" AND (o."status" = 'running' OR (o."status" = 'queued' AND o."index" < c."index")))
        AND NOT EXISTS (SELECT 1 FROM "Worker" AS w WHERE w."id" = t."worker" AND w."id" <> ? AND w."leaseUntil" BETWEEN ? AND ?)
      ORDER BY c."createdAt" LIMIT ?)
    RETURNING "id", "runId", "index", "attempt", "promptId"`,
  /** rows: their threads are this worker's now. owner, rows */
  holdThreads: `UPDATE "AgentThread" SET "worker" = ? WHERE "runId" IN (SELECT value->>'runId' FROM json_each(?))`,
  /** rows: their runs are running now. now, now, rows */
  startThreadRuns: `UPDATE "Run" SET "status" = 'running', "statusReason" = NULL, "startedAt" = COALESCE("startedAt", ?), "endedAt" = NULL, "updatedAt" = ?, ${NEXT_CHANGE}
    WHERE "id" IN (SELECT value->>'runId' FROM json_each(?)) AND "status" IN ('queued', 'running')`,
  /** Is the turn still ours? id, attempt, owner */
  holdsCommand: `SELECT "interruptAsked" FROM "Command" WHERE "id" = ? AND "attempt" = ? AND "leaseOwner" = ? AND "status" = 'running'`,
  /** nativeId (coalesced), process (coalesced), runId */
  setThread: `UPDATE "AgentThread" SET "nativeId" = COALESCE(?, "nativeId"), "process" = COALESCE(?, "process") WHERE "runId" = ?`,
  /** nativeId, replyId, process (each coalesced), runId: nothing is waited for any more */
  restThread: `UPDATE "AgentThread" SET "nativeId" = COALESCE(?, "nativeId"), "replyId" = COALESCE(?, "replyId"), "process" = COALESCE(?, "process"), "waitingFor" = NULL WHERE "runId" = ?`,
  /** The process has ended: only where the row still names it. process, runId, pid, startedAt */
  endProcess: `UPDATE "AgentThread" SET "process" = ? WHERE "runId" = ? AND json_extract("process", '$.pid') = ? AND json_extract("process", '$.startedAt') = ?`,
  /** Fenced end. status, turnId, replyId, failureKind, message, promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens, costUsd, endedAt, id, attempt, owner */
  endCommand: `UPDATE "Command" SET "status" = ?, "leaseOwner" = NULL, "turnId" = ?, "replyId" = ?, "failureKind" = ?, "message" = ?, "promptTokens" = ?, "completionTokens" = ?,
    "cachedTokens" = ?, "cacheWriteTokens" = ?, "reasoningTokens" = ?, "costUsd" = ?, "endedAt" = ?
    WHERE "id" = ? AND "attempt" = ? AND "leaseOwner" = ? AND "status" = 'running'`,
  /** Turns that wait behind one that did not complete. endedAt, message, runId */
  cancelQueuedCommands: `UPDATE "Command" SET "status" = 'cancelled', "endedAt" = ?, "message" = ? WHERE "runId" = ? AND "status" = 'queued'`,
  /** The run rests, unless another turn waits. status, reason, now, endedAt, id */
  restThreadRun: `UPDATE "Run" SET "status" = ?, "statusReason" = ?, "updatedAt" = ?, "endedAt" = ?, ${NEXT_CHANGE}
    WHERE "id" = ? AND "status" = 'running'
      AND NOT EXISTS (SELECT 1 FROM "Command" AS c WHERE c."runId" = "Run"."id" AND c."status" = 'queued')`,
  /** A resting run takes up another turn. now, id, [allowed statuses] */
  reviveThreadRun: `UPDATE "Run" SET "status" = 'running', "statusReason" = NULL, "endedAt" = NULL, "updatedAt" = ?, ${NEXT_CHANGE}
    WHERE "id" = ? AND "status" IN (SELECT value FROM json_each(?))`,
  /** A turn whose worker died. message, endedAt, id, owner, now, latest believable end */
  sweepCommand: `UPDATE "Command" SET "status" = 'failed', "leaseOwner" = NULL, "failureKind" = 'backend-failed', "message" = ?, "endedAt" = ?
    WHERE "id" = ? AND "leaseOwner" = ? AND "leaseOwner" NOT IN (SELECT "id" FROM "Worker" WHERE "leaseUntil" BETWEEN ? AND ?)`,
  /** reason, id: asks the worker of a running turn to interrupt it */
  askInterrupt: `UPDATE "Command" SET "interruptAsked" = COALESCE("interruptAsked", ?) WHERE "runId" = ? AND "status" = 'running' RETURNING "id"`,
  /** id, runId, commandId, kind, subject, cwd, reason, askedAt, deadlineAt */
  insertApproval: `INSERT INTO "Approval" ("id", "runId", "commandId", "kind", "subject", "cwd", "reason", "status", "askedAt", "deadlineAt") VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)`,
  /** waitingFor, runId */
  setWaiting: `UPDATE "AgentThread" SET "waitingFor" = ? WHERE "runId" = ?`,
  /** runId: waits as long as a question is open */
  settleWaiting: `UPDATE "AgentThread" SET "waitingFor" = CASE WHEN EXISTS (SELECT 1 FROM "Approval" AS a WHERE a."runId" = "AgentThread"."runId" AND a."status" = 'pending')
    THEN 'approval' ELSE NULL END WHERE "runId" = ?`,
  /** Compare-and-set. status, decidedBy, decidedAt, id, runId, decidedAt: in time */
  decideApproval: `UPDATE "Approval" SET "status" = ?, "decidedBy" = ?, "decidedAt" = ? WHERE "id" = ? AND "runId" = ? AND "status" = 'pending' AND "deadlineAt" > ?`,
  /** Questions that nobody needs an answer to any more, or whose time is up. status, decidedAt, id */
  closeApproval: `UPDATE "Approval" SET "status" = ?, "decidedAt" = ? WHERE "id" = ? AND "status" = 'pending'`,
  /** decidedAt, [command ids] */
  closeApprovalsOf: `UPDATE "Approval" SET "status" = 'moot', "decidedAt" = ? WHERE "status" = 'pending' AND "commandId" IN (SELECT value FROM json_each(?))`,
} as const satisfies Record<string, string>;
