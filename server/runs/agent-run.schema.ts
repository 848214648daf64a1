import { z } from "zod";
import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import { LONGEST_AGENT_PROMPT } from "@/server/config/execution-policy.rules";
import { executionPolicyOrderSchema, executionPolicySchema } from "@/server/config/execution-policy.schema";
import { AGENT_WORKFLOW, APPROVAL_STATUSES, COMMAND_STATUSES, COMMAND_TYPES } from "./agent-run.rules";
import { costSchema, costTotalSchema } from "./cost.schema";
import { runConfigSchema, runSummarySchema, tokenTotalsSchema } from "./run.schema";

const prompt = z
  .string()
  .max(LONGEST_AGENT_PROMPT, `must not be longer than ${LONGEST_AGENT_PROMPT} characters`)
  .refine((text) => text.trim() !== "", "must not be empty");

/** The body of `POST /api/v1/runs` for an agent run. No policy = read-only, no network, nothing is asked. */
export const createAgentRunSchema = z.strictObject({
  kind: z.literal("thread"),
  workflow: z.literal(AGENT_WORKFLOW).default(AGENT_WORKFLOW),
  /** A provider of a kind that works as an agent, by name. */
  backend: z.string().min(1).max(64),
  /** Usual: the profile's own. */
  model: z.string().trim().min(1).max(200).optional(),
  name: z.string().trim().min(1).max(200).optional(),
  prompt,
  executionPolicy: executionPolicyOrderSchema.optional(),
});
export type CreateAgentRun = z.infer<typeof createAgentRunSchema>;

/** The body of `POST /api/v1/runs/{id}/commands`. */
export const agentCommandOrderSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("turn"), prompt }),
  z.strictObject({ type: z.literal("interrupt"), reason: z.string().trim().min(1).max(500).optional() }),
]);
export type AgentCommandOrder = z.infer<typeof agentCommandOrderSchema>;

export const commandViewSchema = z.object({
  id: z.string(),
  index: z.int(),
  type: z.enum(COMMAND_TYPES),
  status: z.enum(COMMAND_STATUSES),
  /** The first characters of the prompt, or why the turn is interrupted. */
  preview: z.string(),
  /** Artifact of the whole prompt. */
  promptId: z.string().nullable(),
  replyId: z.string().nullable(),
  turnId: z.string().nullable(),
  failureKind: failureKindSchema.nullable(),
  message: z.string().nullable(),
  /** Cached and cache-write tokens are part of the prompt's, reasoning tokens of the completion's; 0 where nobody told. */
  tokens: tokenTotalsSchema.omit({ estimated: true }).nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type CommandView = z.infer<typeof commandViewSchema>;

export const approvalViewSchema = z.object({
  id: z.string(),
  commandId: z.string(),
  kind: z.enum(["command", "file-change"]),
  subject: z.string(),
  cwd: z.string().nullable(),
  reason: z.string().nullable(),
  status: z.enum(APPROVAL_STATUSES),
  decidedBy: z.string().nullable(),
  askedAt: z.string(),
  deadlineAt: z.string(),
  decidedAt: z.string().nullable(),
});
export type ApprovalView = z.infer<typeof approvalViewSchema>;

/** Times are epoch milliseconds. */
export const agentProcessSchema = z.object({
  pid: z.int(),
  version: z.string(),
  startedAt: z.number(),
  lastEventAt: z.number(),
  stdoutBytes: z.int(),
  stderrBytes: z.int(),
  stallLimitMs: z.number(),
  /** Nothing is known of it when the server that it belonged to ended first. */
  exit: z.object({ code: z.int().nullable(), signal: z.string().nullable(), groupEnded: z.boolean().nullable() }).nullable(),
});
export type AgentProcessView = z.infer<typeof agentProcessSchema>;

export const agentRunDetailSchema = runSummarySchema.extend({
  kind: z.literal("thread"),
  workflow: z.string(),
  policy: executionPolicySchema,
  threadId: z.string().nullable(),
  /** The last final reply; null before there is one. */
  reply: z.string().nullable(),
  process: agentProcessSchema.nullable(),
  commands: z.array(commandViewSchema.extend({ cost: costSchema })),
  /** The newest first. */
  approvals: z.array(approvalViewSchema),
  config: runConfigSchema,
  cost: costTotalSchema,
});
export type AgentRunDetail = z.infer<typeof agentRunDetailSchema>;

/** The body of `POST /api/v1/runs/{id}/approvals/{approval}`. */
export const approvalDecisionSchema = z.strictObject({
  decision: z.enum(["accept", "decline"]),
  /** Who decided, for the trace. */
  by: z.string().trim().min(1).max(100).optional(),
});
export type ApprovalDecisionOrder = z.infer<typeof approvalDecisionSchema>;
