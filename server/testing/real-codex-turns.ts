/** One turn through the adapter with the real Codex CLI, by either of its two ways, and all that came of it. */
import type {
  AgentOutcome,
  AgentProcess,
  AgentRun,
  ApprovalDecision,
  ApprovalQuestion,
  ExecutionContext,
} from "@/server/backends/agent-backend";
import { BackendError, type Turn, type TurnResult } from "@/server/backends/backend";
import type { ExecutionPolicy } from "@/server/config/execution-policy.schema";
import type { NewEvent } from "@/server/events/event.schema";
import type { Script } from "./loopback-upstream";
import type { RealCodex, ScriptedPrompt } from "./real-codex";
import type { ResponsesRequest } from "./responses-upstream";
import { waitFor } from "./wait-for";

type Via = Pick<RealCodex, "backend" | "access" | "model">;

export interface ChunkTurn {
  result: TurnResult | null;
  error: BackendError | null;
  events: NewEvent[];
  told: string[];
  /** Characters, as they grew. */
  progress: number[];
  requests: readonly ResponsesRequest[];
}

export interface ChunkOptions {
  turn?: Partial<Turn>;
  via?: Via;
  signal?: AbortSignal;
  onProgress?(characters: number): void;
}

/** Runs a single request, as chunks of a run do. Whatever is thrown and is no `BackendError` goes on. */
export async function chunkTurn(
  codex: RealCodex,
  scripts: readonly Script[] | ScriptedPrompt,
  { turn = {}, via = codex, signal = new AbortController().signal, onProgress }: ChunkOptions = {},
): Promise<ChunkTurn> {
  const scripted = "prompt" in scripts ? scripts : codex.scripted(scripts);
  const events: NewEvent[] = [];
  const progress: number[] = [];
  const outcome = await via.backend
    .runTurn(
      {
        ...via.access,
        requestId: "request-1",
        model: via.model,
        system: "Answer in JSON.",
        user: scripted.prompt,
        expect: { format: "json", schema: { insights: "array" } },
        generation: {},
        timeoutMs: 60_000,
        ...turn,
      },
      {
        event: (event) => events.push(event),
        progress: ({ characters }) => {
          progress.push(characters);
          onProgress?.(characters);
        },
      },
      signal,
    )
    .then(
      (result) => ({ result, error: null }),
      (error: unknown) => {
        if (error instanceof BackendError) return { result: null, error };
        throw error;
      },
    );
  return { ...outcome, events, told: events.map(tell), progress, requests: scripted.requests() };
}

export interface AgentOptions {
  workspace?: string;
  policy?: Partial<ExecutionPolicy>;
  /** The run it is a turn of; a fresh one by default. */
  runId?: string;
  threadId?: string | null;
  /** What a person answers. Without it a question fails the test. */
  decide?: ApprovalDecision;
  via?: Via;
}

/** An agent's turn that is under way. */
export interface AgentTurn {
  context: ExecutionContext;
  events: NewEvent[];
  questions: ApprovalQuestion[];
  /** Characters of the message that is being written, as they grew. */
  progress: number[];
  /** What came after the end. */
  late: NewEvent[];
  /** Processes that the turn worked in, as they were when they had ended. */
  ends: AgentProcess[];
  /** Resolves with the first event of which `told` is true, those included that have come already. */
  event(what: string, told: (event: NewEvent) => boolean): Promise<NewEvent>;
  interrupt(): Promise<{ accepted: boolean }>;
  ended: Promise<EndedTurn>;
}

export interface EndedTurn {
  outcome: AgentOutcome;
  events: NewEvent[];
  told: string[];
  questions: ApprovalQuestion[];
  threadId: string;
  process: AgentProcess;
  requests: readonly ResponsesRequest[];
}

let runs = 0;

export async function startAgentTurn(
  codex: RealCodex,
  scripts: readonly Script[] | ScriptedPrompt,
  options: AgentOptions = {},
): Promise<AgentTurn> {
  const { policy = {}, runId = `run-${++runs}`, threadId = null, decide, via = codex } = options;
  const workspace = options.workspace ?? codex.makeWorkspace();
  const scripted = "prompt" in scripts ? scripts : codex.scripted(scripts);
  const { settings, agent } = via.backend;
  const run: AgentRun = {
    runId,
    image: { kind: settings.kind, command: null },
    profile: { profile: settings.name },
    model: via.model,
    workspace,
    threadId,
    policy: {
      workspace,
      network: false,
      approval: "never",
      sandbox: "read-only",
      timeoutMs: 60_000,
      approvalMs: 10_000,
      secretScope: { providerCredentials: [] },
      ...policy,
    },
  };
  const events: NewEvent[] = [];
  const late: NewEvent[] = [];
  const ends: AgentProcess[] = [];
  const questions: ApprovalQuestion[] = [];
  const progress: number[] = [];
  const hooks = {
    ask: async (question: ApprovalQuestion) => {
      questions.push(question);
      if (decide === undefined) throw new Error("nobody was to be asked");
      return decide;
    },
    progress: (characters: number) => void progress.push(characters),
    late: (event: NewEvent) => void late.push(event),
    processEnded: (process: AgentProcess) => void ends.push(process),
  };
  const command = { commandId: `command-of-${runId}`, prompt: scripted.prompt };
  const context = await agent.prepare(run, command, via.access, hooks, new AbortController().signal);
  const work = async (): Promise<EndedTurn> => {
    for await (const event of agent.startTurn(context)) events.push(event);
    return {
      outcome: await agent.finalize(context),
      events,
      told: events.map(tell),
      questions,
      threadId: context.threadId,
      process: context.process(),
      requests: scripted.requests(),
    };
  };
  return {
    context,
    events,
    questions,
    progress,
    late,
    ends,
    event: (what, told) => waitFor(what, () => events.find(told)),
    interrupt: () => agent.interrupt(context, { reason: "the test wants it" }),
    ended: work(),
  };
}

/** The whole turn. */
export async function agentTurn(
  codex: RealCodex,
  scripts: readonly Script[] | ScriptedPrompt,
  options: AgentOptions = {},
): Promise<EndedTurn> {
  const turn = await startAgentTurn(codex, scripts, options);
  return turn.ended;
}

/** Output of the commands of a turn, as it was told. */
export function outputOf(events: readonly NewEvent[]): string {
  return events.map((event) => (event.type === "command_output" ? event.payload.text : "")).join("");
}

/** An event in one line, for tests that expect a whole turn. Of what is free to vary (ids, times, paths) it says nothing. */
export function tell(event: NewEvent): string {
  const { payload } = event;
  switch (event.type) {
    case "backend_status":
      return `status ${event.payload.phase.replace("codex-app-server-notifications-", "")}`;
    case "assistant_message":
      return `message ${event.payload.final ? "final" : event.payload.replyAuthority ? "not final" : "without authority"}: ${event.payload.text}`;
    case "tool_call":
      return `call ${event.payload.status}${typeof payload.exitCode === "number" ? ` ${payload.exitCode}` : ""}`;
    case "command_output":
      return `output ${event.payload.text.length > 200 ? `of ${event.payload.bytes} bytes` : event.payload.text.trimEnd()}`;
    case "diff":
      return `diff ${payload.scope ?? payload.status}`;
    case "error":
      return `error ${event.payload.failureKind}${event.payload.willRetry ? " (is tried again)" : ""}`;
    case "terminal_status":
      return `end ${event.payload.status}${event.payload.failureKind === undefined ? "" : ` ${event.payload.failureKind}`}`;
    default:
      return event.type;
  }
}
