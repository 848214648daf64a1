/** The Claude Code command line: one process a request, without tools, in a home of the profile's own. */
import { ANSWER_TEXT_LIMIT } from "@/server/backends/answer-limit";
import {
  BACKEND_CONTRACT_VERSION,
  type Backend,
  type BackendCapabilities,
  BackendError,
  type Turn,
  type TurnResult,
  type TurnSink,
} from "@/server/backends/backend";
import type { BackendHost } from "@/server/backends/backend-host";
import { outputSchemaOf } from "@/server/backends/output-schema";
import { probeByTurn } from "@/server/backends/probe-by-turn";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ChildFacts } from "@/server/backends/transport/child-process";
import { createTurnScope } from "@/server/backends/transport/turn-scope";
import { turnEventsOf } from "@/server/backends/turn-events";
import { usableKey } from "@/server/backends/usable-key";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { redactorOf } from "@/server/events/redactor-of";
import { linkSignals } from "@/server/shared/linked-signal";
import { argumentsOf, environmentOf, inputOf } from "./command-line";
import { partialTextOf } from "./failure";
import { openPlace } from "./home";
import { outcomeOf } from "./outcome";
import { ClaudeProgram } from "./program";
import { type ProcessLimits, runProcess } from "./run-process";
import { type ClaudeTranslator, createClaudeTranslator } from "./translate";

export const CLAUDE_CODE_CAPABILITIES: BackendCapabilities = {
  streaming: true,
  structuredOutput: true,
  usage: true,
  cancel: true,
};

export interface ClaudeCodeLimits extends ProcessLimits {
  /** UTF-8 bytes of the model's text: beyond them nothing more is read. */
  maxTextBytes: number;
  /** How much longer than the upstream's silence ours may be: the program gives it up after the provider's `idleMs`, and has the better reason. */
  silenceMarginMs: number;
  probeMs: number;
}

export const CLAUDE_CODE_LIMITS: ClaudeCodeLimits = {
  // The text as a JSON string within JSON, at worst.
  maxLineBytes: 64 * 1024 * 1024,
  termGraceMs: 2_000,
  afterResultMs: 5_000,
  maxTextBytes: ANSWER_TEXT_LIMIT,
  silenceMarginMs: 15_000,
  probeMs: 60_000,
};

export interface ClaudeCodeBackend extends Backend {
  /** The processes that run now. */
  running(): ChildFacts[];
}

export function createClaudeCodeBackend(
  settings: ProviderSettings,
  host: BackendHost,
  limits: Partial<ClaudeCodeLimits> = {},
): ClaudeCodeBackend {
  const bounds = { ...CLAUDE_CODE_LIMITS, ...limits };
  const program = new ClaudeProgram(settings.name, host);
  const scope = createTurnScope(settings.name);
  const processes = new Set<{ facts(): ChildFacts }>();

  async function run(turn: Turn, sink: TurnSink, signal: AbortSignal): Promise<TurnResult> {
    const startedAt = performance.now();
    const redactor = redactorOf(turn.secrets);
    const redact = (text: string) => redactor.text(text);
    const { status, say } = turnEventsOf(settings, turn, sink);
    status("started");
    const key = usableKey(settings.name, turn.secrets);
    const command = await program.path();
    signal.throwIfAborted();
    const schema = outputSchemaOf(turn.expect.schema);
    const translator = createClaudeTranslator();
    let firstTokenMs: number | undefined;
    const onSaid = () => {
      if (firstTokenMs === undefined) {
        firstTokenMs = performance.now() - startedAt;
        status("responding");
      }
      sink.progress({ characters: translator.characters });
    };
    try {
      const end = await inPlace(turn, async (place) => {
        let running: { facts(): ChildFacts } | undefined;
        try {
          return await runProcess(
            {
              providerName: settings.name,
              command,
              args: argumentsOf(turn, { key, schema, systemFile: place.systemFile }),
              env: environmentOf(turn, { key, place, idleMs: settings.idleMs, hostEnv: host.childEnv }),
              cwd: place.workspace,
              input: inputOf(turn),
              silenceMs: Math.min(settings.idleMs + bounds.silenceMarginMs, turn.timeoutMs),
              totalMs: turn.timeoutMs,
              limits: bounds,
              onLine: takeLine(translator, onSaid, signal, bounds.maxTextBytes),
              onStart(child) {
                running = child;
                processes.add(child);
              },
            },
            signal,
          );
        } finally {
          if (running) processes.delete(running);
        }
      });
      signal.throwIfAborted();
      if (translator.bytes > bounds.maxTextBytes) {
        throw new BackendError(
          "backend-response-invalid",
          `${settings.name}: the answer is longer than ${bounds.maxTextBytes} bytes, which are accepted at most; it was not read further.`,
          { retryable: false, ...partialTextOf({ providerName: settings.name, redact, said: translator.said }) },
        );
      }
      const result = outcomeOf({ providerName: settings.name, wantsObject: schema !== null, redact }, translator, end);
      say(redact(result.text), true);
      return { ...result, ...(firstTokenMs === undefined ? {} : { firstTokenMs }) };
    } catch (error) {
      signal.throwIfAborted();
      // What the model had said is kept, as text that answers nothing.
      if (translator.said !== "") say(redact(translator.said), false);
      const failure = withPartialText(error, { providerName: settings.name, redact, said: translator.said });
      if (failure instanceof BackendError) failure.usage ??= translator.usage;
      throw failure;
    }
  }

  async function inPlace<T>(turn: Turn, work: (place: Awaited<ReturnType<typeof openPlace>>) => Promise<T>): Promise<T> {
    const place = await openPlace(host.homesFolder, settings.name, turn.system);
    try {
      return await work(place);
    } finally {
      await place.remove();
    }
  }

  /** The turn ends when its caller or the backend does, whichever is first. */
  async function runUntilClosed(turn: Turn, sink: TurnSink, callerSignal: AbortSignal): Promise<TurnResult> {
    const { signal, unlink } = linkSignals(callerSignal, scope.closing);
    try {
      return await run(turn, sink, signal);
    } finally {
      unlink();
    }
  }

  const probe = (signal: AbortSignal, access: ProviderAccess, model: string) =>
    probeByTurn({ access, model, tokens: PROBE_TOKENS, timeoutMs: bounds.probeMs }, runUntilClosed, signal);

  return {
    contractVersion: BACKEND_CONTRACT_VERSION,
    kind: settings.kind,
    settings,
    capabilities: CLAUDE_CODE_CAPABILITIES,
    probe: (signal, access, model) => scope.run(signal, () => probe(signal, access, model)),
    // The program has no list of its service's models.
    listModels: async () => null,
    runTurn: (turn, sink, signal) => scope.run(signal, () => runUntilClosed(turn, sink, signal)),
    running: () => [...processes].map((child) => child.facts()),
    close: () => scope.close(),
  };
}

/** Tokens a check may cost. */
const PROBE_TOKENS = 16;

function takeLine(translator: ClaudeTranslator, onSaid: () => void, signal: AbortSignal, maxTextBytes: number) {
  return (line: string): { isKnown: boolean; wanted: "more" | "stop" | "last" } => {
    if (signal.aborted) return { isKnown: true, wanted: "more" };
    const before = translator.characters;
    const isKnown = translator.push(line);
    if (translator.characters > before) onSaid();
    if (translator.earlyEnd !== null || translator.bytes > maxTextBytes) return { isKnown, wanted: "stop" };
    return { isKnown, wanted: translator.result === null ? "more" : "last" };
  };
}

/** A paid answer is never thrown away: what was said goes along with a failure that knows nothing of it. */
function withPartialText(error: unknown, context: Parameters<typeof partialTextOf>[0]): unknown {
  if (!(error instanceof BackendError) || error.partialText !== undefined || context.said === "") return error;
  return new BackendError(error.failureKind, error.message, {
    ...partialTextOf(context),
    ...(error.retryable === undefined ? {} : { retryable: error.retryable }),
    ...(error.httpStatus === undefined ? {} : { httpStatus: error.httpStatus }),
  });
}
