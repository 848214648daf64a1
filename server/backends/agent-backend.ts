/** The contract of runtimes that work as agents: threads, turns, questions. `Backend` is the other one, for single requests. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import type { BackendKind } from "@/server/config/backend-kind.rules";
import type { ExecutionPolicy } from "@/server/config/execution-policy.schema";
import type { NewEvent } from "@/server/events/event.schema";
import type { ProviderAccess } from "./provider-access";

/** What a profile is, without any secret of it. */
export interface AgentCapability {
  profile: string;
  backendKind: BackendKind;
  protocol: string;
  transport: string;
  command: string | null;
  requiredSecretKeys: readonly string[];
  isolation: string;
}

/** The runtime's program and the profile, as the assembly of a run gives them; an adapter takes both as they are. */
export interface BackendImageRef {
  kind: BackendKind;
  command: string | null;
}
export interface ProfileRef {
  profile: string;
}

/** A stored run, as far as an adapter may know it. */
export interface AgentRun {
  runId: string;
  image: BackendImageRef;
  profile: ProfileRef;
  model: string;
  policy: ExecutionPolicy;
  /** The policy's workspace, its links resolved and checked. */
  workspace: string;
  /** The runtime's own name for the conversation, once there is one. */
  threadId: string | null;
}

/** A stored order of a person. */
export interface AgentCommand {
  commandId: string;
  prompt: string;
}

export type ApprovalDecision = "accept" | "decline" | "cancel";

/** A question that the policy leaves to a person. */
export interface ApprovalQuestion {
  kind: "command" | "file-change";
  itemId: string;
  /** The command line, or the files. */
  subject: string;
  cwd: string | null;
  reason: string | null;
}

export interface AgentHooks {
  /** Asks a person. Resolves with the decision, `decline` once the time is up; the signal says that the question is moot. */
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalDecision>;
  /** Characters of the message that is being written; never stored. */
  progress(characters: number): void;
  /** The message that is being written, as far as it got; null once it is told as an event. Unredacted, and never stored. */
  writing?(text: string | null): void;
  /** What comes after the turn has ended: a command that outlived it. */
  late(event: NewEvent): void;
  /** The process that the turn worked in has ended, during the turn or after it. Said once a run and process, by its last turn there. */
  processEnded(process: AgentProcess): void;
}

/** The process that works for a run, as pages show it. Times are epoch milliseconds. */
export interface AgentProcess {
  pid: number;
  version: string;
  startedAt: number;
  lastEventAt: number;
  stdoutBytes: number;
  stderrBytes: number;
  /** Milliseconds of silence after which a turn is given up. */
  stallLimitMs: number;
  exit: { code: number | null; signal: string | null; groupEnded: boolean } | null;
}

/** A turn made ready. Belongs to the backend that made it. */
export interface ExecutionContext {
  readonly runId: string;
  readonly commandId: string;
  readonly threadId: string;
  process(): AgentProcess;
}

export interface AgentOutcome {
  status: "completed" | "failed" | "cancelled" | "blocked";
  failureKind: FailureKind | null;
  /** Why, in one sentence; null when it completed. */
  message: string | null;
  reply: string | null;
  usage: TokenUsage | null;
  turnId: string | null;
}

export interface AgentBackend {
  /** Throws for a profile that is not its own: nothing is ever mapped to another one. */
  resolveProfile(profile: string): AgentCapability;

  /**
   * Makes a turn ready: process, thread (started, or resumed from `run.threadId`). Throws a `BackendError` (`secret-unavailable`
   * before anything is started), or the signal's reason.
   */
  prepare(
    run: AgentRun,
    command: AgentCommand,
    secretProjection: ProviderAccess,
    hooks: AgentHooks,
    signal: AbortSignal,
  ): Promise<ExecutionContext>;

  /** The turn's events in order; the last one is its `terminal_status`. Never throws: failures are events. */
  startTurn(context: ExecutionContext): AsyncIterable<NewEvent>;

  /** Ends the turn early. The stream goes on to its terminal event. */
  interrupt(context: ExecutionContext, command: { reason: string }): Promise<{ accepted: boolean }>;

  /**
   * Ends the commands that turns of the run left running, while none is under way; how many there were. Zero too when another process
   * holds the thread. Their ends are told through `late`.
   */
  endCommands(runId: string): Promise<number>;

  /** How the turn ended; waits for the end of the stream. */
  finalize(context: ExecutionContext): Promise<AgentOutcome>;

  /**
   * Whether a thread of a run is loaded in a process of this server. Until that ends no other server can take the thread up, so the
   * run's next turn is this one's.
   */
  holdsThreads(): boolean;

  /** Takes the secrets of the runs under way, and whatever looks like one, out of a value. */
  redact<T>(value: T): T;
}
