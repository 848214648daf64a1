import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import { type ExecutionPolicy, executionPolicySchema } from "@/server/config/execution-policy.schema";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { Database } from "@/server/db/client";
import type { Approval, Command } from "@/server/db/generated/client";
import { isoTime } from "@/server/shared/clock";
import type { ApprovalStatus } from "../agent-run.rules";
import {
  type AgentProcessView,
  type AgentRunDetail,
  type ApprovalView,
  agentProcessSchema,
  approvalViewSchema,
  type CommandView,
  commandViewSchema,
} from "../agent-run.schema";
import { type Counted, costOf, type Prices, totalCost } from "../cost";
import type { RunSummary } from "../run.schema";
import { notFoundRun, routesOf } from "../runs.store";
import type { StaleCommand } from "./agent-writes.store";

/** A thread as a worker needs it. */
export interface StoredThread {
  runId: string;
  policy: ExecutionPolicy;
  workspace: string;
  nativeId: string | null;
  /** The process that worked for it last. */
  process: AgentProcessView | null;
  /** The pinned provider and model. */
  candidate: { settings: ProviderSettings; model: string };
}

/** Which run a process works for, and with what. */
export interface ProcessWork {
  runId: string;
  provider: string;
  model: string;
}

/** A process that nobody will tell the end of. */
export interface LostProcess {
  work: ProcessWork;
  process: AgentProcessView;
}

/** How many commands and questions a page gets; a conversation of more than that is read through its events. */
const MOST_COMMANDS = 500;
const MOST_APPROVALS = 200;

/** Reads of agent runs. */
export class AgentReads {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async hasQueuedTurns(): Promise<boolean> {
    return (await this.#database.command.findFirst({ where: { status: "queued" }, select: { id: true } })) !== null;
  }

  /** Turns under way whose worker has no lease at that time (epoch milliseconds). */
  async staleCommands(now: number): Promise<StaleCommand[]> {
    const rows = await this.#database.command.findMany({
      where: { status: "running" },
      select: { id: true, runId: true, index: true, leaseOwner: true },
    });
    if (rows.length === 0) return [];
    const workers = await this.#database.worker.findMany({ where: { leaseUntil: { gte: now } }, select: { id: true } });
    const alive = new Set(workers.map(({ id }) => id));
    return rows.flatMap(({ leaseOwner, ...row }) =>
      leaseOwner === null || alive.has(leaseOwner) ? [] : [{ ...row, leaseOwner }],
    );
  }

  /** Throws `not_found`. */
  async thread(runId: string): Promise<StoredThread> {
    const row = await this.#database.agentThread.findUnique({ where: { runId }, include: { run: { select: { routes: true } } } });
    if (!row) throw notFoundRun(runId);
    const candidate = routesOf(row.run.routes)[0]?.candidates[0];
    if (!candidate) throw new Error(`the agent run ${runId} has no pinned model`);
    return {
      runId,
      policy: executionPolicySchema.parse(JSON.parse(row.policy)),
      workspace: row.workspace,
      nativeId: row.nativeId,
      process: processView(row.process),
      candidate,
    };
  }

  /** Processes without an end whose server has no lease at that time (epoch milliseconds): they ended with it. */
  async lostProcesses(now: number): Promise<LostProcess[]> {
    const rows = await this.#database.agentThread.findMany({
      // As `JSON.stringify` writes it.
      where: { worker: { not: null }, process: { contains: '"exit":null' } },
      select: { runId: true, worker: true, process: true, run: { select: { routes: true } } },
    });
    if (rows.length === 0) return [];
    const workers = await this.#database.worker.findMany({ where: { leaseUntil: { gte: now } }, select: { id: true } });
    const alive = new Set(workers.map(({ id }) => id));
    return rows.flatMap((row) => {
      const process = processView(row.process);
      const candidate = routesOf(row.run.routes)[0]?.candidates[0];
      if (process === null || candidate === undefined || alive.has(row.worker ?? "")) return [];
      return [{ work: { runId: row.runId, provider: candidate.settings.name, model: candidate.model }, process }];
    });
  }

  async prompt(artifactId: string): Promise<string> {
    const row = await this.#database.artifact.findUnique({ where: { id: artifactId }, select: { body: true } });
    if (!row) throw new Error(`the prompt ${artifactId} is gone`);
    return row.body;
  }

  async approvalStatuses(ids: readonly string[]): Promise<Map<string, ApprovalStatus>> {
    const rows = await this.#database.approval.findMany({ where: { id: { in: [...ids] } }, select: { id: true, status: true } });
    return new Map(rows.map(({ id, status }) => [id, approvalViewSchema.shape.status.parse(status)]));
  }

  /** What the detail has beside the run itself. Throws `not_found` for a run of another kind. */
  async detail(
    { id: runId, backend, model }: Pick<RunSummary, "id" | "backend" | "model">,
    prices: Prices,
  ): Promise<Omit<AgentRunDetail, keyof RunSummary | "config" | "kind">> {
    const row = await this.#database.agentThread.findUnique({ where: { runId } });
    if (!row) throw notFoundRun(runId);
    const counted = (command: PaidCommand) => countedOf(command, { backend, model });
    const [commands, paid, approvals, reply] = await Promise.all([
      this.#database.command.findMany({ where: { runId }, orderBy: { index: "desc" }, take: MOST_COMMANDS }),
      this.#database.command.findMany({ where: { runId, type: "turn" }, select: PAID }),
      this.#database.approval.findMany({ where: { runId }, orderBy: { id: "desc" }, take: MOST_APPROVALS }),
      row.replyId === null ? null : this.#database.artifact.findUnique({ where: { id: row.replyId }, select: { body: true } }),
    ]);
    return {
      workflow: row.workflow,
      policy: executionPolicySchema.parse(JSON.parse(row.policy)),
      threadId: row.nativeId,
      reply: reply?.body ?? null,
      process: processView(row.process),
      commands: commands
        .reverse()
        .map((command) => ({ ...commandView(command), cost: costOf(prices.document, counted(command)) })),
      cost: totalCost(
        prices,
        paid.map((command) => ({ counted: counted(command), attempts: 1 })),
      ),
      approvals: approvals.map(approvalView),
    };
  }

  async command(id: string): Promise<CommandView> {
    return commandView(await this.#database.command.findUniqueOrThrow({ where: { id } }));
  }

  async lastTurn(runId: string): Promise<CommandView> {
    return commandView(
      await this.#database.command.findFirstOrThrow({ where: { runId, type: "turn" }, orderBy: { index: "desc" } }),
    );
  }

  /** The index that the next command gets, and whether a turn is under way. */
  async commandState(runId: string): Promise<{ nextIndex: number; isRunning: boolean }> {
    const [last, running] = await Promise.all([
      this.#database.command.findFirst({ where: { runId }, orderBy: { index: "desc" }, select: { index: true } }),
      this.#database.command.findFirst({ where: { runId, status: "running" }, select: { id: true } }),
    ]);
    return { nextIndex: (last?.index ?? -1) + 1, isRunning: running !== null };
  }

  async approval(runId: string, id: string): Promise<ApprovalView | null> {
    const row = await this.#database.approval.findFirst({ where: { id, runId } });
    return row ? approvalView(row) : null;
  }
}

const time = (value: bigint | null) => (value === null ? null : isoTime(Number(value)));

function processView(stored: string | null): AgentProcessView | null {
  return stored === null ? null : agentProcessSchema.parse(JSON.parse(stored));
}

/** What is asked of every turn of a run, however many there are. */
const PAID = {
  startedAt: true,
  endedAt: true,
  failureKind: true,
  promptTokens: true,
  completionTokens: true,
  cachedTokens: true,
  cacheWriteTokens: true,
  reasoningTokens: true,
  costUsd: true,
} as const;
type PaidCommand = Pick<Command, keyof typeof PAID>;

/** A turn that was never begun, and an interrupt, are paid to nobody, as one that still goes on. */
function countedOf(row: PaidCommand, asked: Pick<Counted, "backend" | "model">): Counted {
  return {
    ...asked,
    ...row,
    servedModel: null,
    isOpen: row.startedAt === null || row.endedAt === null,
    isAdopted: false,
    failureKind: row.failureKind === null ? null : failureKindSchema.parse(row.failureKind),
    tokensEstimated: false,
  };
}

function commandView(row: Command): CommandView {
  return {
    id: row.id,
    index: row.index,
    type: commandViewSchema.shape.type.parse(row.type),
    status: commandViewSchema.shape.status.parse(row.status),
    preview: row.preview,
    promptId: row.promptId,
    replyId: row.replyId,
    turnId: row.turnId,
    failureKind: row.failureKind === null ? null : failureKindSchema.parse(row.failureKind),
    message: row.message,
    tokens:
      row.promptTokens === null
        ? null
        : {
            prompt: row.promptTokens,
            completion: row.completionTokens ?? 0,
            cached: row.cachedTokens ?? 0,
            cacheWrite: row.cacheWriteTokens ?? 0,
            reasoning: row.reasoningTokens ?? 0,
          },
    createdAt: isoTime(Number(row.createdAt)),
    startedAt: time(row.startedAt),
    endedAt: time(row.endedAt),
  };
}

function approvalView(row: Approval): ApprovalView {
  return {
    id: row.id,
    commandId: row.commandId,
    kind: approvalViewSchema.shape.kind.parse(row.kind),
    subject: row.subject,
    cwd: row.cwd,
    reason: row.reason,
    status: approvalViewSchema.shape.status.parse(row.status),
    decidedBy: row.decidedBy,
    askedAt: isoTime(Number(row.askedAt)),
    deadlineAt: isoTime(Number(row.deadlineAt)),
    decidedAt: time(row.decidedAt),
  };
}
