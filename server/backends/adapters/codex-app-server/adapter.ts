/** Codex over its app-server: chunks as turns without tools, agent runs as threads with a workspace. */
import type { AgentBackend } from "@/server/backends/agent-backend";
import { ANSWER_TEXT_LIMIT } from "@/server/backends/answer-limit";
import {
  BACKEND_CONTRACT_VERSION,
  type Backend,
  type BackendCapabilities,
  BackendError,
  type ProbeResult,
  type Turn,
  type TurnResult,
  type TurnSink,
} from "@/server/backends/backend";
import type { BackendHost } from "@/server/backends/backend-host";
import { healthOfFailure } from "@/server/backends/health-of-failure";
import { outputSchemaOf } from "@/server/backends/output-schema";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ChildFacts } from "@/server/backends/transport/child-process";
import { createTurnScope } from "@/server/backends/transport/turn-scope";
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { redactEvent } from "@/server/events/redact-event";
import { redactorOf } from "@/server/events/redactor-of";
import { linkSignals } from "@/server/shared/linked-signal";
import { createCodexAgent } from "./agent";
import { APP_SERVER_LIMITS, type AppServerLimits } from "./app-server";
import { CodexThread } from "./codex-thread";
import { TOOLLESS_FEATURES } from "./config-files";
import { CodexProcesses } from "./processes";
import { threadResultSchema } from "./protocol.schema";

export const CODEX_CAPABILITIES: BackendCapabilities = { streaming: true, structuredOutput: true, usage: true, cancel: true };

export interface CodexLimits extends AppServerLimits {
  /** An interrupted turn must have ended by then. */
  interruptMs: number;
  /** A process nobody uses is ended after it. */
  idleMs: number;
  /** How long a turn waits for a thread that a process which is to end still holds. */
  freeMs: number;
  /** How much longer than the upstream's silence ours may be: Codex gives it up after the provider's `idleMs`, and has the better reason. */
  silenceMarginMs: number;
  /** A thread of a run stays loaded so long after a turn. */
  sessionIdleMs: number;
  probeMs: number;
}

export const CODEX_LIMITS: CodexLimits = {
  ...APP_SERVER_LIMITS,
  interruptMs: 1_500,
  idleMs: 5 * 60_000,
  freeMs: 10_000,
  silenceMarginMs: 15_000,
  sessionIdleMs: 2 * 60_000,
  probeMs: 60_000,
};

/** Instead of Codex's own ten pages: the request's system text says what to do. */
const CHUNK_INSTRUCTIONS = "You answer one request. You have no tools. Answer with the requested text only.";

export interface CodexBackend extends Backend {
  readonly agent: AgentBackend;
  /** The processes that run now. */
  running(): ChildFacts[];
}

export function createCodexBackend(
  settings: ProviderSettings,
  host: BackendHost,
  limits: Partial<CodexLimits> = {},
): CodexBackend {
  const bounds = { ...CODEX_LIMITS, ...limits };
  const processes = new CodexProcesses(settings, host, bounds);
  const scope = createTurnScope(settings.name);
  const agent = createCodexAgent(settings, processes, bounds);

  async function run(turn: Turn, sink: TurnSink, callerSignal: AbortSignal): Promise<TurnResult> {
    const startedAt = performance.now();
    const redactor = redactorOf(turn.secrets);
    const { signal, unlink } = linkSignals(callerSignal, scope.closing);
    const status = (phase: string) =>
      sink.event({
        type: "backend_status",
        payload: {
          phase,
          backend: settings.name,
          backendKind: settings.kind,
          protocol: BACKEND_KIND_FACTS[settings.kind].protocol,
          model: turn.model,
        },
      });
    status("started");
    let firstTokenMs: number | undefined;
    const lease = await processes.lease(turn, turn.model, signal).catch((error: unknown) => {
      unlink();
      throw error;
    });
    let thread: CodexThread | null = null;
    try {
      signal.throwIfAborted();
      const { home } = lease;
      const started = threadResultSchema.safeParse(
        await lease.server.request(
          "thread/start",
          {
            model: turn.model,
            cwd: home.emptyWorkspace,
            approvalPolicy: "never",
            sandbox: "read-only",
            ephemeral: true,
            baseInstructions: CHUNK_INSTRUCTIONS,
            ...(turn.system === "" ? {} : { developerInstructions: turn.system }),
            config: { ...TOOLLESS_FEATURES },
          },
          { signal },
        ),
      );
      if (!started.success) throw new BackendError("backend-response-invalid", `${settings.name}: thread/start names no thread.`);
      thread = new CodexThread(lease.server, started.data.thread.id, {
        providerName: settings.name,
        redact: (text) => redactor.text(text),
        silenceMs: Math.min(settings.idleMs + bounds.silenceMarginMs, turn.timeoutMs),
        interruptMs: bounds.interruptMs,
        condemn: () => lease.condemn(),
      });
      status("thread-started");
      const schema = outputSchemaOf(turn.expect.schema);
      const outcome = await thread.run(
        {
          text: turn.user,
          params: schema === null ? {} : { outputSchema: schema },
          approval: "never",
          listener: {
            event: (event) => sink.event(redactEvent(event, redactor)),
            progress: (characters) => {
              firstTokenMs ??= performance.now() - startedAt;
              sink.progress({ characters });
            },
          },
        },
        signal,
      );
      signal.throwIfAborted();
      if (outcome.status === "blocked" || outcome.reply === null) {
        throw new BackendError("backend-failed", `${settings.name}: ${outcome.blockedReason ?? "the turn was interrupted"}`, {
          ...(outcome.saidText === "" ? {} : { partialText: outcome.saidText }),
        });
      }
      if (Buffer.byteLength(outcome.reply) > ANSWER_TEXT_LIMIT) {
        throw new BackendError(
          "backend-response-invalid",
          `${settings.name}: the answer is longer than ${ANSWER_TEXT_LIMIT} bytes, which are accepted at most.`,
          { retryable: false, partialText: outcome.reply.slice(0, ANSWER_TEXT_LIMIT) },
        );
      }
      return {
        text: outcome.reply,
        finishReason: "stop",
        ...(outcome.usage ? { usage: outcome.usage } : {}),
        ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
      };
    } finally {
      unlink();
      await thread?.close();
      lease.release();
    }
  }

  async function probe(signal: AbortSignal, access: ProviderAccess, model: string): Promise<ProbeResult> {
    const startedAt = performance.now();
    const done = (state: ProbeResult["state"], reason: string): ProbeResult => ({
      state,
      reason,
      latencyMs: Math.max(0, performance.now() - startedAt),
    });
    const limit = linkSignals(signal);
    const timer = setTimeout(
      () => limit.abort(new BackendError("backend-timeout", `${settings.name}: no answer to the check`)),
      bounds.probeMs,
    );
    try {
      await run(
        {
          ...access,
          requestId: "probe",
          model,
          system: "",
          user: "Reply with the word OK.",
          expect: { format: "json", schema: {} },
          generation: {},
          timeoutMs: bounds.probeMs,
        },
        { event: () => undefined, progress: () => undefined },
        limit.signal,
      );
      return done("healthy", "");
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof BackendError)) throw error;
      const { state, reason } = healthOfFailure(error);
      return done(state, reason);
    } finally {
      clearTimeout(timer);
      limit.unlink();
    }
  }

  return {
    contractVersion: BACKEND_CONTRACT_VERSION,
    kind: settings.kind,
    settings,
    capabilities: CODEX_CAPABILITIES,
    probe: (signal, access, model) => scope.run(signal, () => probe(signal, access, model)),
    // The app-server asks no list of its upstream.
    listModels: async () => null,
    runTurn: (turn, sink, signal) => scope.run(signal, () => run(turn, sink, signal)),
    agent,
    running: () => processes.running().map((server) => server.facts),
    async close() {
      await scope.close();
      await agent.close();
      await processes.close();
    },
  };
}
