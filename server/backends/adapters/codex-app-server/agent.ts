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
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import type { ExecutionPolicy } from "@/server/config/execution-policy.schema";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { NewEvent } from "@/server/events/event.schema";
import { redactEvent } from "@/server/events/redact-event";
import { redactorOf } from "@/server/events/redactor-of";
import { startPatientTimer } from "@/server/shared/patient-timer";
import type { Secret } from "@/server/shared/secret";
import { AgentSessions, type Opening, type Session, type SessionLimits } from "./agent-sessions";
import type { AppServer } from "./app-server";
import type { LastTurn } from "./codex-thread";
import { createEventStream, type EventStream } from "./event-stream";
import { ProcessEnds } from "./process-ends";
import type { CodexProcesses } from "./processes";
import type { TurnOutcome } from "./turn-outcome";

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

export function createCodexAgent(
  settings: ProviderSettings,
  processes: CodexProcesses,
  limits: SessionLimits,
): AgentBackend & { close(): Promise<void> } {
  const facts = BACKEND_KIND_FACTS[settings.kind];
  const sessions = new AgentSessions(settings, processes, limits);
  const ends = new ProcessEnds();
  /** Secrets of the turns that are being made ready, for `redact`. */
  const preparing = new Set<Context["secrets"]>();
  const contexts = new Set<Context>();

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
    const { signal } = context.abort;
    const deadline = startPatientTimer(run.policy.timeoutMs, () => context.abort.abort(timeoutFailure(run.policy.timeoutMs)));
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
          params: { cwd: run.workspace, approvalPolicy: approval, sandboxPolicy: sandboxPolicy(run.policy, session.shellHome) },
          approval: approval === "never" ? "never" : "ask",
          // Whoever is asked has what came before the question; a turn that ended meanwhile asks nobody.
          ask: async (question, moot) => {
            await stream.drained();
            return moot.aborted ? "decline" : hooks.ask(question, moot);
          },
          listener: {
            // What outlives the turn is told by the hooks of the turn that is under way then, or of the last one.
            event: (event) => {
              const clean = redactEvent(event, redactor);
              if (ended) session.late(clean);
              else stream.push(clean);
            },
            progress: (characters) => hooks.progress(characters),
            writing: (text) => hooks.writing?.(text),
          },
        },
        signal,
      );
      outcome = outcomeOf(turn, signal.reason);
    } catch (error) {
      outcome = failureOutcome(signal.aborted ? signal.reason : error, session.thread.last);
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
    sessions.rest(run.runId);
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
      preparing.add(secretProjection.secrets);
      const [session, opening] = await sessions
        .open(run, secretProjection, signal)
        .finally(() => preparing.delete(secretProjection.secrets));
      const { server } = session.lease;
      const process = () => processOf(server, Math.min(sessions.silenceMs, run.policy.timeoutMs));
      ends.watch(server, run.runId, () => hooks.processEnded(process()));
      let settle: (outcome: AgentOutcome) => void = () => undefined;
      const outcome = new Promise<AgentOutcome>((resolve) => {
        settle = resolve;
      });
      const context: Context = {
        runId: run.runId,
        commandId: command.commandId,
        threadId: session.thread.id,
        process,
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
      own(given).abort.abort(new BackendError("cancelled", reason));
      return { accepted: true };
    },

    endCommands: (runId) => sessions.endCommands(runId),

    finalize: (given) => (given as Context).outcome,

    redact<T>(value: T): T {
      const given = [...preparing, ...[...contexts].map(({ secrets }) => secrets)].flatMap((secrets) => Object.values(secrets));
      return redactorOf(Object.fromEntries([...given, ...sessions.secrets()].map((secret, at) => [at, secret]))).json(value);
    },

    holdsThreads: () => processes.running().some((server) => server.loadedThreads.size > 0),

    async close() {
      for (const context of contexts) context.abort.abort(new BackendError("cancelled", `${settings.name} was closed.`));
      await Promise.allSettled([...contexts].filter(({ started }) => started).map(({ outcome }) => outcome));
      await sessions.close();
    },
  };
}

function sandboxPolicy({ sandbox, network }: ExecutionPolicy, shellHome: string): Record<string, unknown> {
  if (sandbox === "danger-full-access") return { type: "dangerFullAccess" };
  if (sandbox === "read-only") return { type: "readOnly", networkAccess: network };
  return {
    type: "workspaceWrite",
    writableRoots: [shellHome],
    networkAccess: network,
    excludeTmpdirEnvVar: true,
    excludeSlashTmp: true,
  };
}

/** `reason`: why its end was called for, when it was. */
function outcomeOf(turn: TurnOutcome, reason: unknown): AgentOutcome {
  const base = { reply: turn.reply, usage: turn.usage ?? null, turnId: turn.turnId };
  if (turn.status === "completed") return { ...base, status: "completed", failureKind: null, message: null };
  if (turn.status === "blocked") return { ...base, status: "blocked", failureKind: null, message: turn.blockedReason };
  const cause = reason instanceof BackendError ? reason : new BackendError("cancelled", "The turn was stopped by an answer.");
  return { ...failureOutcome(cause, { turnId: turn.turnId, usage: turn.usage }), reply: turn.reply };
}

function failureOutcome(error: unknown, { turnId, usage }: LastTurn): AgentOutcome {
  const failure = error instanceof BackendError ? error : new BackendError("backend-failed", String(error));
  return {
    status: failure.failureKind === "cancelled" ? "cancelled" : "failed",
    failureKind: failure.failureKind,
    message: failure.message,
    reply: null,
    usage: usage ?? null,
    turnId,
  };
}

function processOf(server: AppServer, stallLimitMs: number): AgentProcess {
  const { lastOutputAt, exit, ...facts } = server.facts;
  return {
    ...facts,
    version: server.version,
    lastEventAt: lastOutputAt,
    stallLimitMs,
    exit,
  };
}
