/** One thread of an app-server: turns one after another, each watched, interrupted when it must be, and told to the end. */
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import type { ApprovalDecision, ApprovalQuestion } from "@/server/backends/agent-backend";
import { BackendError } from "@/server/backends/backend";
import type { JsonRpcRequest } from "@/server/backends/transport/json-rpc-peer";
import { startPatientTimer } from "@/server/shared/patient-timer";
import type { AppServer } from "./app-server";
import { placeSchema, turnResultSchema } from "./protocol.schema";
import type { ApprovalMode } from "./server-requests";
import { type AskedTurn, takeRequest } from "./take-request";
import { createTurnTranslator, type NativeEnd, type TurnListener, type TurnTranslator } from "./translate";
import { outcomeOfTurn, type TurnOutcome, withSaid } from "./turn-outcome";

export interface ThreadOptions {
  providerName: string;
  redact(text: string): string;
  /** Milliseconds without any word from the process, commands and questions apart, after which a turn is given up. */
  silenceMs: number;
  /** Milliseconds from an interrupt to the end of its turn; after that the process is not trusted. */
  interruptMs: number;
  /** The process does not do what it is told. */
  condemn(): void;
}

export interface TurnInput {
  /** Beside thread and text: `outputSchema`, `sandboxPolicy` and the like. */
  params: Readonly<Record<string, unknown>>;
  text: string;
  approval: ApprovalMode;
  /** Asks a person; resolves with the decision, or with `decline` once nobody decided in time. Needed for `ask`. */
  ask?(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalDecision>;
  listener: TurnListener;
}

/** Turns whose late items are still understood. */
const REMEMBERED_TURNS = 8;

interface ActiveTurn extends AskedTurn {
  translator: TurnTranslator | null;
  /** What came before the turn's id was known: taken up once it is, in its order. */
  early: (() => void)[];
  turnId: string | null;
  input: TurnInput;
  badLine: string | null;
  ended(end: NativeEnd): void;
  failed(error: BackendError): void;
}

/** What is known of a turn however it ended. */
export interface LastTurn {
  turnId: string | null;
  usage: TokenUsage | undefined;
}

export class CodexThread {
  readonly id: string;
  readonly #server: AppServer;
  readonly #options: ThreadOptions;
  readonly #unlisten: () => void;
  readonly #translators = new Map<string, TurnTranslator>();
  #active: ActiveTurn | null = null;
  #last: LastTurn = { turnId: null, usage: undefined };
  #isCondemned = false;
  #gone: BackendError | null = null;

  constructor(server: AppServer, id: string, options: ThreadOptions) {
    this.id = id;
    this.#server = server;
    this.#options = options;
    this.#unlisten = server.listen(id, {
      notification: (method, params) => this.#notified(method, params),
      request: (request) => this.#asked(request),
      badLine: (message) => this.#badLine(message),
      gone: (error) => {
        this.#gone = error;
        for (const translator of this.#translators.values()) translator.processEnded();
        this.#active?.failed(error);
      },
    });
  }

  /**
   * Runs one turn. Aborting `signal` interrupts it; then it resolves as `interrupted`. Throws a `BackendError` for every failure,
   * with what was said until then. One turn at a time: a second one would silently be added to the first.
   */
  async run(input: TurnInput, signal: AbortSignal): Promise<TurnOutcome> {
    if (this.#active) throw new Error(`thread ${this.id} has a turn under way`);
    if (this.#gone) throw this.#gone;
    signal.throwIfAborted();
    let settle: { resolve(end: NativeEnd): void; reject(error: BackendError): void } | null = null;
    const end = new Promise<NativeEnd>((resolve, reject) => {
      settle = { resolve, reject };
    });
    // It is awaited below; until then nobody may call it unhandled.
    end.catch(() => undefined);
    const silence = { error: null as BackendError | null };
    const interrupt = new AbortController();
    const watch = startPatientTimer(this.#options.silenceMs, () => {
      if (this.#isWorking(active)) {
        watch.refresh();
        return;
      }
      silence.error = new BackendError(
        "backend-timeout",
        `${this.#options.providerName} timed out after ${this.#options.silenceMs / 1000}s without a word from Codex`,
      );
      interrupt.abort();
    });
    const active: ActiveTurn = {
      translator: null,
      early: [],
      turnId: null,
      input,
      waiting: new Set(),
      blockedReason: null,
      stoppedByPerson: false,
      badLine: null,
      heard: () => watch.refresh(),
      ended: (native) => settle?.resolve(native),
      failed: (error) => settle?.reject(error),
    };
    this.#active = active;
    const onAbort = () => interrupt.abort();
    signal.addEventListener("abort", onAbort, { once: true });
    let native: NativeEnd | null = null;
    try {
      if (await this.#begins(active, interrupt.signal)) native = await this.#endOf(active, end, interrupt.signal);
      return this.#outcome(active, native, signal.aborted, silence.error);
    } catch (error) {
      const failure = withSaid(error, active.translator?.saidText ?? "");
      if (failure instanceof BackendError) failure.usage ??= active.translator?.usage;
      throw failure;
    } finally {
      // A turn that is over without having completed leaves no command at work: an interrupt alone would.
      if (native?.status !== "completed") await this.#clean();
      this.#last = { turnId: active.turnId, usage: active.translator?.usage };
      watch.clear();
      signal.removeEventListener("abort", onAbort);
      for (const asking of active.waiting) asking.abort();
      active.translator?.finish(native);
      this.#active = null;
      // A turn that never began may have asked something: no question is left without an answer.
      for (const takeUp of active.early.splice(0)) takeUp();
    }
  }

  /** The last turn as far as it got, for those that failed. */
  get last(): LastTurn {
    return this.#last;
  }

  /** Ends the commands that turns left running; how many there were. Their ends are told as late items. */
  async endCommands(): Promise<number> {
    const open = [...this.#translators.values()].reduce((sum, { openCalls }) => sum + openCalls, 0);
    if (open > 0) await this.#clean();
    return open;
  }

  /** Lets go of the thread and ends what it left running; nothing more is heard. Takes no longer than an interrupt may. */
  async close(): Promise<void> {
    await this.endCommands();
    await this.#ask("thread/unsubscribe");
    this.#unlisten();
  }

  /** Ends commands that outlived their turn; those that are gone already are no failure. */
  #clean(): Promise<unknown> {
    return this.#ask("thread/backgroundTerminals/clean");
  }

  /** A request whose answer changes nothing; none is made of a process that does not do what it is told. */
  async #ask(method: string): Promise<unknown> {
    if (this.#server.isGone || this.#isCondemned) return;
    return this.#server.request(method, { threadId: this.id }, { timeoutMs: this.#options.interruptMs }).catch(() => undefined);
  }

  #condemn(): void {
    this.#isCondemned = true;
    this.#options.condemn();
  }

  /** Commands may be silent as long as they like, and so may people; the time of the whole turn bounds both. */
  #isWorking(active: ActiveTurn): boolean {
    return active.waiting.size > 0 || (active.translator?.openCalls ?? 0) > 0;
  }

  /** Starts the turn. False when its end was called for and the app-server does not even say that it began. */
  async #begins(active: ActiveTurn, interrupt: AbortSignal): Promise<boolean> {
    const starting = this.#start(active);
    const late = afterAbort(interrupt, this.#options.interruptMs);
    try {
      const hasBegun = await Promise.race([starting.then(() => true), late.passed]);
      if (!hasBegun) this.#condemn();
      return hasBegun;
    } catch (error) {
      // Whether the turn goes on without us is not known.
      if (!this.#server.isTrusted && !this.#server.isGone) this.#condemn();
      throw error;
    } finally {
      // It may still fail, and then nobody waits for it.
      starting.catch(() => undefined);
      late.clear();
    }
  }

  async #start(active: ActiveTurn): Promise<void> {
    const { params, text } = active.input;
    const result = turnResultSchema.safeParse(
      await this.#server.request("turn/start", {
        threadId: this.id,
        input: [{ type: "text", text, text_elements: [] }],
        ...params,
      }),
    );
    if (!result.success) {
      throw new BackendError(
        "backend-response-invalid",
        `${this.#options.providerName}: the answer to turn/start names no turn.`,
      );
    }
    const turnId = result.data.turn.id;
    active.turnId = turnId;
    active.translator = createTurnTranslator({ threadId: this.id, turnId }, active.input.listener);
    this.#translators.set(turnId, active.translator);
    const oldest = this.#translators.keys().next().value;
    if (this.#translators.size > REMEMBERED_TURNS && oldest !== undefined) this.#translators.delete(oldest);
    for (const takeUp of active.early.splice(0)) takeUp();
  }

  /** The end of the turn, with an interrupt in between when it is called for. */
  async #endOf(active: ActiveTurn, end: Promise<NativeEnd>, interrupt: AbortSignal): Promise<NativeEnd | null> {
    const called = new Promise<"interrupt">((resolve) => {
      if (interrupt.aborted) resolve("interrupt");
      else interrupt.addEventListener("abort", () => resolve("interrupt"), { once: true });
    });
    const first = await Promise.race([end, called]);
    if (first !== "interrupt") return first;
    for (const asking of active.waiting) asking.abort();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.#options.interruptMs);
    });
    try {
      void this.#server
        .request("turn/interrupt", { threadId: this.id, turnId: active.turnId }, { timeoutMs: this.#options.interruptMs })
        .catch(() => undefined);
      const native = await Promise.race([end, late]);
      if (native === null) this.#condemn();
      return native;
    } catch (error) {
      // The process died of it, which is an end as well.
      if (this.#gone) return null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #outcome(active: ActiveTurn, native: NativeEnd | null, isAborted: boolean, silence: BackendError | null): TurnOutcome {
    const { providerName, redact } = this.#options;
    const { translator, blockedReason, badLine } = active;
    return outcomeOfTurn({
      providerName,
      turnId: active.turnId ?? "",
      translator,
      native,
      isAborted,
      isStoppedByPerson: active.stoppedByPerson,
      silence,
      blockedReason,
      badLine,
      redact,
    });
  }

  #notified(method: string, params: unknown): void {
    const active = this.#active;
    active?.heard();
    if (active && active.turnId === null) {
      active.early.push(() => this.#notified(method, params));
      return;
    }
    const { turnId } = placeSchema.catch({}).parse(params);
    const named = turnId ?? turnIdIn(params);
    const isActive = active !== null && (named === undefined || named === active.turnId);
    const translator = isActive ? active.translator : this.#translators.get(named ?? "");
    if (!translator) return;
    try {
      const end = translator.take(method, params);
      if (end && isActive) active.ended(end);
    } catch {
      active?.failed(
        new BackendError("backend-response-invalid", `${this.#options.providerName}: ${method} lacks a field that it must have.`),
      );
    }
  }

  #badLine(message: string): void {
    const active = this.#active;
    if (!active) return;
    active.badLine ??= message;
    active.input.listener.event({
      type: "error",
      payload: { failureKind: "backend-json-parse-error", message, willRetry: false, threadId: this.id },
    });
  }

  #asked(request: JsonRpcRequest): void {
    const active = this.#active;
    active?.heard();
    if (active && active.turnId === null) active.early.push(() => this.#asked(request));
    else takeRequest(request, active, { server: this.#server, threadId: this.id, redact: this.#options.redact });
  }
}

function turnIdIn(params: unknown): string | undefined {
  if (typeof params !== "object" || params === null || !("turn" in params)) return undefined;
  const { turn } = params;
  return typeof turn === "object" && turn !== null && "id" in turn && typeof turn.id === "string" ? turn.id : undefined;
}

/** False once `milliseconds` have passed since the signal was aborted. */
function afterAbort(signal: AbortSignal, milliseconds: number): { passed: Promise<false>; clear(): void } {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const passed = new Promise<false>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(false), milliseconds);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  return {
    passed,
    clear() {
      clearTimeout(timer);
      if (onAbort) signal.removeEventListener("abort", onAbort);
    },
  };
}
