/** Agent runs on the Codex adapter over the fake app-server. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import type {
  AgentHooks,
  AgentOutcome,
  AgentProcess,
  AgentRun,
  ApprovalDecision,
  ApprovalQuestion,
  ExecutionContext,
} from "@/server/backends/agent-backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ExecutionPolicy } from "@/server/config/execution-policy.schema";
import type { NewEvent } from "@/server/events/event.schema";
import { type OpenCodexOptions, openCodex } from "./open-codex";

export interface AgentTurnOptions {
  run?: Partial<AgentRun>;
  policy?: Partial<ExecutionPolicy>;
  access?: ProviderAccess;
  ask?(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalDecision>;
  /** Called with the context before the turn starts. */
  prepared?(context: ExecutionContext): void;
  signal?: AbortSignal;
}

export interface AgentTurn {
  context: ExecutionContext;
  /** What the stream has told so far. */
  events: NewEvent[];
  /** What came after it. */
  late: NewEvent[];
  /** Processes that it worked in, as they were when they had ended. */
  ends: AgentProcess[];
  questions: ApprovalQuestion[];
  progress: number[];
  /** Resolves when the stream has ended. */
  outcome: Promise<AgentOutcome>;
}

export function openCodexAgent(options: OpenCodexOptions = {}) {
  const codex = openCodex(options);
  const { agent } = codex.backend;
  const name = options.settings?.name ?? "codex";
  const workspace = path.join(codex.folder, "workspace");
  mkdirSync(workspace, { recursive: true });
  let commands = 0;

  const runOf = ({ run, policy }: AgentTurnOptions): AgentRun => ({
    runId: "run_1",
    image: { kind: "codex-app-server-stdio", command: null },
    profile: { profile: name },
    model: "model-1",
    workspace,
    threadId: null,
    ...run,
    policy: {
      workspace,
      network: false,
      approval: "never",
      sandbox: "read-only",
      timeoutMs: 60_000,
      approvalMs: 60_000,
      secretScope: { providerCredentials: [{ profile: name, secretRef: "env:CODEX_KEY" }] },
      ...policy,
    },
  });

  /** Prepares and starts a turn; resolves once it has started. */
  async function start(prompt: string, turn: AgentTurnOptions = {}): Promise<AgentTurn> {
    const events: NewEvent[] = [];
    const late: NewEvent[] = [];
    const ends: AgentProcess[] = [];
    const questions: ApprovalQuestion[] = [];
    const progress: number[] = [];
    const hooks: AgentHooks = {
      ask(question, signal) {
        questions.push(question);
        return turn.ask?.(question, signal) ?? Promise.resolve("decline");
      },
      progress: (characters) => void progress.push(characters),
      late: (event) => void late.push(event),
      processEnded: (process) => void ends.push(process),
    };
    const command = { commandId: `cmd_${++commands}`, prompt };
    const signal = turn.signal ?? new AbortController().signal;
    const context = await agent.prepare(runOf(turn), command, turn.access ?? codex.access, hooks, signal);
    turn.prepared?.(context);
    const stream = agent.startTurn(context);
    const reading = (async () => {
      for await (const event of stream) events.push(event);
    })();
    return { context, events, late, ends, questions, progress, outcome: reading.then(() => agent.finalize(context)) };
  }

  return {
    ...codex,
    agent,
    workspace,
    start,
    /** A whole turn. */
    async turn(prompt: string, turn: AgentTurnOptions = {}) {
      const started = await start(prompt, turn);
      return { ...started, outcome: await started.outcome };
    },
  };
}
