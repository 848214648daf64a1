import { type AgentRunDetail, type ApprovalView, agentRunDetailSchema, approvalViewSchema } from "@/server/runs/agent-run.schema";
import { buildRunDetail, buildRunSummary } from "./build-run-detail";

type Part = Readonly<Record<string, unknown>>;

/** For tests: a turn that is complete, with a reply; `part` says what is different. */
export function buildCommand(part: Part = {}): AgentRunDetail["commands"][number] {
  return agentRunDetailSchema.shape.commands.element.parse({
    id: "cmd_0",
    index: 0,
    type: "turn",
    status: "completed",
    preview: "Run the tests",
    promptId: "art_prompt_0",
    replyId: "art_reply_0",
    turnId: "turn-1",
    failureKind: null,
    message: null,
    tokens: { prompt: 22, completion: 14, cached: 0, cacheWrite: 0, reasoning: 0 },
    cost: { state: "unknown", reason: "no_price" },
    createdAt: "2026-11-30T10:00:00.000Z",
    startedAt: "2026-11-30T10:00:01.000Z",
    endedAt: "2026-11-30T10:00:09.000Z",
    ...part,
  });
}

/** For tests: a command that waits for a person's answer until 10:10. */
export function buildApproval(part: Part = {}): ApprovalView {
  return approvalViewSchema.parse({
    id: "apr_1",
    commandId: "cmd_0",
    kind: "command",
    subject: "/bin/bash -c 'npm publish'",
    cwd: "/srv/repo",
    reason: "the package has to be published",
    status: "pending",
    decidedBy: null,
    askedAt: "2026-11-30T10:00:00.000Z",
    deadlineAt: "2026-11-30T10:10:00.000Z",
    decidedAt: null,
    ...part,
  });
}

/** For tests: an agent run as its page shows it, after one turn that went well. */
export function buildAgentRun(part: Part = {}): AgentRunDetail {
  return agentRunDetailSchema.parse({
    ...buildRunSummary({
      id: "run_t",
      kind: "thread",
      name: "Run the tests",
      status: "completed",
      scene: null,
      backend: "deepseek",
      model: "deepseek-flash",
      counts: { total: 0, queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 },
      tokens: { prompt: 22, completion: 14, cached: 0, cacheWrite: 0, reasoning: 0, estimated: false },
      turns: 1,
      endedAt: "2026-11-30T10:00:09.000Z",
      lastSeq: 11,
    }),
    workflow: "agent",
    policy: {
      workspace: "/srv/repo",
      network: false,
      approval: "on-request",
      sandbox: "workspace-write",
      timeoutMs: 1_800_000,
      approvalMs: 600_000,
      secretScope: { providerCredentials: [] },
    },
    cost: {
      known: [],
      unknown: [{ reference: "deepseek/deepseek-flash", reason: "no_price", attempts: 1 }],
      unknownAttempts: 1,
      revision: 1,
    },
    threadId: "thread-1",
    reply: "All tests pass.",
    process: {
      pid: 4711,
      version: "0.171.0",
      startedAt: Date.parse("2026-11-30T10:00:01.000Z"),
      lastEventAt: Date.parse("2026-11-30T10:00:09.000Z"),
      stdoutBytes: 2_048,
      stderrBytes: 332,
      stallLimitMs: 135_000,
      exit: null,
    },
    commands: [buildCommand()],
    approvals: [],
    config: buildRunDetail().config,
    ...part,
  });
}
