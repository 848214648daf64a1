/** An OpenClaw gateway: one connection a provider, one model run a turn, without tools and without anything the gateway knows. */
import {
  BACKEND_CONTRACT_VERSION,
  type Backend,
  type BackendCapabilities,
  BackendError,
  type Turn,
  type TurnResult,
  type TurnSink,
} from "@/server/backends/backend";
import { type FailureContext, failureOfTransport } from "@/server/backends/http/failure";
import { probeByTurn } from "@/server/backends/probe-by-turn";
import type { ProviderAccess } from "@/server/backends/provider-access";
import { TransportError } from "@/server/backends/transport/http-sse";
import { createTurnScope } from "@/server/backends/transport/turn-scope";
import { turnEventsOf } from "@/server/backends/turn-events";
import { usableKey } from "@/server/backends/usable-key";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { redactorOf } from "@/server/events/redactor-of";
import { linkSignals } from "@/server/shared/linked-signal";
import { createGateway } from "./gateway";
import type { GatewayConnection } from "./gateway-connection";
import { outcomeOf } from "./outcome";
import { modelListSchema } from "./protocol.schema";
import { agentParams, runPlace } from "./request";
import { runOnGateway } from "./run";

/** Nothing of a model run is told before its end, and the gateway takes no form of the answer for it. */
export const OPENCLAW_GATEWAY_CAPABILITIES: BackendCapabilities = {
  streaming: false,
  structuredOutput: false,
  usage: true,
  cancel: true,
};

export interface OpenClawLimits {
  /** UTF-8 bytes of one frame: an answer stands in it three times, as JSON. */
  maxFrameBytes: number;
  /** Milliseconds after which a connection without work is given up. */
  restMs: number;
  /** Milliseconds for which the end of a run that was called off is waited for. */
  letGoMs: number;
  probeMs: number;
}

const LIMITS: OpenClawLimits = {
  maxFrameBytes: 32 * 1024 * 1024,
  restMs: 300_000,
  letGoMs: 3_000,
  probeMs: 60_000,
};

/** Tokens a check may cost; the gateway has no way to pass a limit on, so the question is what keeps it short. */
const PROBE_TOKENS = 16;

export function createOpenClawGatewayBackend(settings: ProviderSettings, limits: Partial<OpenClawLimits> = {}): Backend {
  const bounds = { ...LIMITS, ...limits };
  const scope = createTurnScope(settings.name);
  const gateway = createGateway();
  let closed: Promise<void> | undefined;

  function contextOf(secrets: ProviderAccess["secrets"]): FailureContext {
    return { providerName: settings.name, redactor: redactorOf(secrets), now: Date.now };
  }

  async function connect({ baseUrl, secrets }: ProviderAccess, signal: AbortSignal): Promise<GatewayConnection> {
    const context = contextOf(secrets);
    if (baseUrl === null) throw new BackendError("backend-failed", `The provider ${settings.name} has no base URL.`);
    const token = usableKey(settings.name, secrets).expose();
    const { connectMs, idleMs } = settings;
    try {
      return await gateway.connection(
        { baseUrl, token, context, connectMs, silenceMs: idleMs, maxFrameBytes: bounds.maxFrameBytes, restMs: bounds.restMs },
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TransportError)) throw error;
      // Nothing was sent yet: a gateway that hangs up or stays silent now cannot be reached.
      const reason = error.problem === "cut" ? new TransportError("unreachable", error.message) : error;
      throw failureOfTransport(context, reason, { timeoutMs: connectMs, idleMs }, "");
    }
  }

  async function run(turn: Turn, sink: TurnSink, signal: AbortSignal): Promise<TurnResult> {
    const context = contextOf(turn.secrets);
    const events = turnEventsOf(settings, turn, sink);
    events.status("started");
    const startedAt = performance.now();
    try {
      const connection = await connect(turn, signal);
      signal.throwIfAborted();
      const place = runPlace(turn.requestId, connection.agentId, crypto.randomUUID());
      const end = await runOnGateway(
        {
          connection,
          context,
          place,
          params: agentParams(turn, place),
          timeoutMs: turn.timeoutMs,
          leftMs: Math.max(1, turn.timeoutMs - (performance.now() - startedAt)),
          letGoMs: bounds.letGoMs,
          onAccepted: () => events.status("working"),
          onLost: () => gateway.lostRun(place),
        },
        signal,
      );
      signal.throwIfAborted();
      const result = outcomeOf(context, end.frame, end.payload);
      events.say(context.redactor.text(result.text), true);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      // What the model had said is kept, as text that answers nothing.
      if (error instanceof BackendError && error.partialText !== undefined) events.say(error.partialText, false);
      throw error;
    }
  }

  /** The turn ends when its caller or the backend does, whichever is first. */
  async function untilClosed<T>(callerSignal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, unlink } = linkSignals(callerSignal, scope.closing);
    try {
      return await work(signal);
    } finally {
      unlink();
    }
  }

  /** Each check is a request of its own: the gateway would answer a second one of the same id with the first one's answer. */
  const probe = (signal: AbortSignal, access: ProviderAccess, model: string) =>
    probeByTurn(
      { access, model, tokens: PROBE_TOKENS, timeoutMs: bounds.probeMs },
      (turn, sink, turnSignal) => run({ ...turn, requestId: `probe-${crypto.randomUUID()}` }, sink, turnSignal),
      signal,
    );

  async function listModels(access: ProviderAccess, signal: AbortSignal): Promise<string[] | null> {
    const context = contextOf(access.secrets);
    const connection = await connect(access, signal);
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        call.forget();
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        act();
      };
      const fail = (reason: unknown) => settle(() => reject(reason));
      const onAbort = () => fail(signal.reason);
      const timer = setTimeout(
        () => fail(new BackendError("backend-timeout", `${settings.name} timed out after ${bounds.probeMs / 1000}s`)),
        bounds.probeMs,
      );
      const call = connection.call(
        "models.list",
        {},
        {
          answer(frame) {
            const list = modelListSchema.safeParse(frame.payload);
            if (!list.success) {
              fail(
                new BackendError("backend-protocol-error", `${settings.name} answered with something that is no list of models.`),
              );
              return true;
            }
            const names = list.data.models.map(({ id, provider }) => context.redactor.text(provider ? `${provider}/${id}` : id));
            settle(() => resolve([...new Set(names)]));
            return true;
          },
          lost: (reason) =>
            fail(
              reason instanceof BackendError
                ? reason
                : failureOfTransport(context, reason, { timeoutMs: bounds.probeMs, idleMs: bounds.probeMs }, ""),
            ),
        },
      );
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }

  return {
    contractVersion: BACKEND_CONTRACT_VERSION,
    kind: settings.kind,
    settings,
    capabilities: OPENCLAW_GATEWAY_CAPABILITIES,
    probe: (signal, access, model) => scope.run(signal, () => untilClosed(signal, (linked) => probe(linked, access, model))),
    listModels: (signal, access) => scope.run(signal, () => untilClosed(signal, (linked) => listModels(access, linked))),
    runTurn: (turn, sink, signal) => scope.run(signal, () => untilClosed(signal, (linked) => run(turn, sink, linked))),
    close() {
      closed ??= scope.close().then(() => gateway.close());
      return closed;
    },
  };
}
