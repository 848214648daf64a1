/** Agent runs on Codex: a thread a run, kept over its turns and found again after a restart, under the stored policy and no other. */
import type {
  AgentBackend,
  AgentCommand,
  AgentHooks,
  AgentOutcome,
  AgentProcess,
  AgentRun,
  ExecutionContext,
} from "@/server/backends/agent-backend";
import { BackendError } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import type { ExecutionPolicy } from "@/server/config/execution-policy.schema";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { NewEvent } from "@/server/events/event.schema";
import { redactEvent } from "@/server/events/redact-event";
import { redactorOf } from "@/server/events/redactor-of";
import { startPatientTimer } from "@/server/shared/patient-timer";
import type { Secret } from "@/server/shared/secret";
import { CodexThread, type TurnOutcome } from "./codex-thread";
import { createEventStream, type EventStream } from "./event-stream";
import type { CodexProcesses, ProcessLease } from "./processes";
import { threadResultSchema } from "./protocol.schema";

export interface AgentLimits {
  interruptMs: number;
  /** How long a thread stays loaded after a turn: the next one starts at once, and commands that outlive a turn are heard. */
  sessionIdleMs: number;
}

/** One run's thread in a process. */
interface Session {
  lease: ProcessLease;
  thread: CodexThread;
  idle: NodeJS.Timeout | null;
  /** Gets what comes between turns. */
  late(event: NewEvent): void;
}

interface Context extends ExecutionContext {
  run: AgentRun;
  command: AgentCommand;
  hooks: AgentHooks;
  session: Session;
  secrets: Readonly<Record<string, Secret>>;
  abort: AbortController;
  stream: EventStream<NewEvent>;
  outcome: Promise<AgentOutcome>;
  settle(outcome: AgentOutcome): void;
  started: boolean;
  opening: Opening;
}

/** How the turn came to its thread. */
type Opening = "started" | "resumed" | "continued";

export function createCodexAgent(
  settings: ProviderSettings,
  processes: CodexProcesses,
  limits: AgentLimits,
): AgentBackend & { close(): Promise<void> } {
  const facts = BACKEND_KIND_FACTS[settings.kind];
  const sessions = new Map<string, Session>();
  /** Secrets of the contexts under way, for `redact`. */
  const inUse = new Map<string, Readonly<Record<string, Secret>>>();
  const contexts = new Set<Context>();

  async function openThread(run: AgentRun, lease: ProcessLease, secrets: Context["secrets"], signal: AbortSignal) {
    const redactor = redactorOf(secrets);
    const params = {
      model: run.model,
      cwd: run.workspace,
      approvalPolicy: run.policy.approval,
      sandbox: run.policy.sandbox,
    };
    const result = threadResultSchema.safeParse(
      run.threadId === null
        ? await lease.server.request("thread/start", { ...params, ephemeral: false }, signal)
        : await lease.server.request("thread/resume", { ...params, threadId: run.threadId, excludeTurns: true }, signal),
    );
    if (!result.success) throw new BackendError("backend-response-invalid", `${settings.name}: no thread came back.`);
    return new CodexThread(lease.server, result.data.thread.id, {
      providerName: settings.name,
      redact: (text) => redactor.text(text),
      silenceMs: Math.min(settings.idleMs + SILENCE_MARGIN_MS, run.policy.timeoutMs),
      interruptMs: limits.interruptMs,
      condemn: () => lease.condemn(),
    });
  }

  async function sessionOf(run: AgentRun, access: ProviderAccess, signal: AbortSignal): Promise<[Session, Opening]> {
    const known = sessions.get(run.runId);
    if (known && !known.lease.server.isGone) {
      if (known.idle) clearTimeout(known.idle);
      known.idle = null;
      return [known, "continued"];
    }
    if (known) await endSession(run.runId);
    const lease = await processes.lease(access, run.model, signal);
    try {
      const thread = await openThread(run, lease, access.secrets, signal);
      const session: Session = { lease, thread, idle: null, late: () => undefined };
      sessions.set(run.runId, session);
      return [session, run.threadId === null ? "started" : "resumed"];
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  async function endSession(runId: string): Promise<void> {
    const session = sessions.get(runId);
    if (!session) return;
    sessions.delete(runId);
    if (session.idle) clearTimeout(session.idle);
    if (session.thread.hasOpenCalls) await session.thread.clean();
    await session.thread.close();
    session.lease.release();
    inUse.delete(runId);
  }

  function rest(context: Context): void {
    const { session, run } = context;
    if (session.lease.server.isGone) {
      void endSession(run.runId);
      return;
    }
    session.idle = setTimeout(() => void endSession(run.runId), limits.sessionIdleMs);
    session.idle.unref();
  }

  async function work(context: Context): Promise<void> {
    const { run, hooks, stream, session } = context;
    const status = (phase: string, more: Record<string, unknown> = {}) =>
      stream.push({
        type: "backend_status",
        payload: {
          phase,
          backend: settings.name,
          profile: settings.profile,
          backendKind: settings.kind,
          protocol: facts.protocol,
          model: run.model,
          threadId: session.thread.id,
          commandId: context.commandId,
          ...more,
        },
      });
    const redactor = redactorOf(context.secrets);
    let timedOut = false;
    const deadline = startPatientTimer(run.policy.timeoutMs, () => {
      timedOut = true;
      context.abort.abort(new Error("the time of the turn is up"));
    });
    let ended = false;
    let outcome: AgentOutcome;
    try {
      const { approval, sandbox, network } = run.policy;
      status(`thread-${context.opening}`, {
        approval,
        sandbox,
        network,
        version: session.lease.server.version,
      });
      const turn = await session.thread.run(
        {
          text: context.command.prompt,
          params: { cwd: run.workspace, approvalPolicy: approval, sandboxPolicy: sandboxPolicy(run.policy) },
          approval: approval === "never" ? "never" : "ask",
          ask: (question, signal) => hooks.ask(question, signal),
          listener: {
            // What outlives the turn is told by the hooks of the turn that is under way then, or of the last one.
            event: (event) => {
              const clean = redactEvent(event, redactor);
              if (ended) session.late(clean);
              else stream.push(clean);
            },
            progress: (characters) => hooks.progress(characters),
          },
        },
        context.abort.signal,
      );
      outcome = outcomeOf(turn, timedOut ? timeoutFailure(run.policy.timeoutMs) : null);
    } catch (error) {
      outcome = failureOutcome(timedOut ? timeoutFailure(run.policy.timeoutMs) : error);
    } finally {
      deadline.clear();
    }
    session.late = (event) => hooks.late(event);
    ended = true;
    if (outcome.status === "failed" && outcome.failureKind !== null) {
      stream.push({
        type: "error",
        payload: {
          failureKind: outcome.failureKind,
          message: outcome.message ?? "",
          willRetry: false,
          commandId: context.commandId,
        },
      });
    }
    stream.push({
      type: "terminal_status",
      payload: {
        status: outcome.status,
        ...(outcome.failureKind === null ? {} : { failureKind: outcome.failureKind }),
        ...(outcome.message === null ? {} : { message: outcome.message }),
        threadId: session.thread.id,
        ...(outcome.turnId === null ? {} : { turnId: outcome.turnId }),
        commandId: context.commandId,
      },
    });
    stream.end();
    contexts.delete(context);
    rest(context);
    context.settle(outcome);
  }

  function timeoutFailure(milliseconds: number): BackendError {
    return new BackendError(
      "backend-timeout",
      `${settings.name} timed out after ${milliseconds / 1000}s (the policy's limit for a turn)`,
    );
  }

  /** Contexts are made by `prepare` alone. */
  const own = (context: ExecutionContext): Context => {
    if (!contexts.has(context as Context)) throw new Error("the context is not one of this backend, or its turn is over");
    return context as Context;
  };

  return {
    resolveProfile(profile) {
      if (profile !== settings.name) throw new BackendError("backend-failed", `${settings.name} is not the profile ${profile}.`);
      return {
        profile: settings.name,
        backendKind: settings.kind,
        protocol: facts.protocol,
        transport: facts.transport,
        command: facts.command,
        requiredSecretKeys: ["apiKey"],
        isolation: "Secrets of the chosen profile only, and a home folder of its own for each profile.",
      };
    },

    async prepare(run, command, secretProjection, hooks, signal) {
      if (run.profile.profile !== settings.name || run.image.kind !== settings.kind)
        throw new BackendError("backend-failed", `${settings.name} is not the profile ${run.profile.profile} of this run.`);
      inUse.set(run.runId, secretProjection.secrets);
      const [session, opening] = await sessionOf(run, secretProjection, signal);
      let settle: (outcome: AgentOutcome) => void = () => undefined;
      const outcome = new Promise<AgentOutcome>((resolve) => {
        settle = resolve;
      });
      const context: Context = {
        runId: run.runId,
        commandId: command.commandId,
        threadId: session.thread.id,
        process: () => processOf(session, settings.idleMs + SILENCE_MARGIN_MS),
        run,
        command,
        hooks,
        session,
        secrets: secretProjection.secrets,
        abort: new AbortController(),
        stream: createEventStream<NewEvent>(),
        outcome,
        settle,
        started: false,
        opening,
      };
      contexts.add(context);
      return context;
    },

    startTurn(given) {
      const context = own(given);
      if (context.started) throw new Error("the turn was started before");
      context.started = true;
      void work(context);
      return context.stream.values;
    },

    async interrupt(given, { reason }) {
      if (!contexts.has(given as Context)) return { accepted: false };
      own(given).abort.abort(new Error(reason));
      return { accepted: true };
    },

    finalize: (given) => (given as Context).outcome,

    redact<T>(value: T): T {
      const secrets = Object.assign({}, ...inUse.values()) as Record<string, Secret>;
      return redactorOf(secrets).json(value);
    },

    async close() {
      for (const context of contexts) context.abort.abort(new Error("the backend is closed"));
      await Promise.allSettled([...contexts].filter(({ started }) => started).map(({ outcome }) => outcome));
      await Promise.all([...sessions.keys()].map(endSession));
    },
  };
}

/** Codex gives its own upstream up after `idleMs`; the watch over Codex comes a little later, so that the better reason is told. */
const SILENCE_MARGIN_MS = 15_000;

function sandboxPolicy({ sandbox, network }: ExecutionPolicy): Record<string, unknown> {
  if (sandbox === "danger-full-access") return { type: "dangerFullAccess" };
  if (sandbox === "read-only") return { type: "readOnly", networkAccess: network };
  return { type: "workspaceWrite", writableRoots: [], networkAccess: network, excludeTmpdirEnvVar: true, excludeSlashTmp: true };
}

function outcomeOf(turn: TurnOutcome, timeout: BackendError | null): AgentOutcome {
  const base = { reply: turn.reply, usage: turn.usage ?? null, turnId: turn.turnId };
  if (turn.status === "completed") return { ...base, status: "completed", failureKind: null, message: null };
  if (turn.status === "blocked") return { ...base, status: "blocked", failureKind: null, message: turn.blockedReason };
  if (timeout) return { ...base, status: "failed", failureKind: timeout.failureKind, message: timeout.message };
  return { ...base, status: "cancelled", failureKind: "cancelled", message: "The turn was interrupted." };
}

function failureOutcome(error: unknown): AgentOutcome {
  const failure = error instanceof BackendError ? error : new BackendError("backend-failed", String(error));
  return {
    status: failure.failureKind === "cancelled" ? "cancelled" : "failed",
    failureKind: failure.failureKind,
    message: failure.message,
    reply: null,
    usage: null,
    turnId: null,
  };
}

function processOf({ lease }: Session, stallLimitMs: number): AgentProcess {
  const { lastOutputAt, exit, ...facts } = lease.server.facts;
  return {
    ...facts,
    version: lease.server.version,
    lastEventAt: lastOutputAt,
    stallLimitMs,
    exit,
  };
}
