/** One thread of an app-server: turns one after another, each watched, interrupted when it must be, and told to the end. */
import type { ApprovalDecision, ApprovalQuestion } from "@/server/backends/agent-backend";
import { BackendError } from "@/server/backends/backend";
import type { JsonRpcRequest } from "@/server/backends/transport/json-rpc-peer";
import { startPatientTimer } from "@/server/shared/patient-timer";
import type { AppServer } from "./app-server";
import { classifyTurnError } from "./failure";
import { placeSchema, turnResultSchema } from "./protocol.schema";
import { type ApprovalMode, answerRequest } from "./server-requests";
import { createTurnTranslator, type NativeEnd, type TurnListener, type TurnTranslator } from "./translate";

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

/** What a turn came to. Failures that are nobody's wish are thrown instead. */
export interface TurnOutcome {
  turnId: string;
  status: "completed" | "interrupted" | "blocked";
  /** Null only when it did not complete. */
  reply: string | null;
  saidText: string;
  usage: TurnTranslator["usage"];
  /** Why the policy stopped it. */
  blockedReason: string | null;
}

/** Turns whose late items are still understood. */
const REMEMBERED_TURNS = 8;

interface ActiveTurn {
  translator: TurnTranslator | null;
  /** What came before the turn's id was known: taken up once it is, in its order. */
  early: (() => void)[];
  turnId: string | null;
  input: TurnInput;
  /** People being asked. */
  waiting: Set<AbortController>;
  blockedReason: string | null;
  /** A person stopped it by an answer. */
  stoppedByPerson: boolean;
  badLine: string | null;
  heard(): void;
  ended(end: NativeEnd): void;
  failed(error: BackendError): void;
}

export class CodexThread {
  readonly id: string;
  readonly #server: AppServer;
  readonly #options: ThreadOptions;
  readonly #unlisten: () => void;
  readonly #translators = new Map<string, TurnTranslator>();
  #active: ActiveTurn | null = null;
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
      await this.#start(active);
      if (signal.aborted) interrupt.abort();
      native = await this.#endOf(active, end, interrupt.signal);
      return this.#outcome(active, native, signal.aborted, silence.error);
    } catch (error) {
      throw this.#withSaid(error, active);
    } finally {
      watch.clear();
      signal.removeEventListener("abort", onAbort);
      for (const asking of active.waiting) asking.abort();
      active.translator?.finish(native);
      this.#active = null;
      // A turn that never began may have asked something: no question is left without an answer.
      for (const takeUp of active.early.splice(0)) takeUp();
    }
  }

  /** Ends commands that outlived their turn; those that are gone already are no failure. */
  async clean(): Promise<void> {
    if (this.#server.isGone) return;
    await this.#server.request("thread/backgroundTerminals/clean", { threadId: this.id }).catch(() => undefined);
  }

  /** Lets go of the thread. The process frees what it held; nothing more is heard. */
  async close(): Promise<void> {
    if (!this.#server.isGone) await this.#server.request("thread/unsubscribe", { threadId: this.id }).catch(() => undefined);
    this.#unlisten();
  }

  /** Waits for the next item of commands that outlived the last turn. */
  get hasOpenCalls(): boolean {
    return [...this.#translators.values()].some((translator) => translator.hasOpenCalls);
  }

  /** Commands may be silent as long as they like, and so may people; the time of the whole turn bounds both. */
  #isWorking(active: ActiveTurn): boolean {
    return active.waiting.size > 0 || active.translator?.hasOpenCalls === true;
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
      const asked = this.#server.request("turn/interrupt", { threadId: this.id, turnId: active.turnId }).catch(() => undefined);
      // An interrupt leaves commands running.
      const native = await Promise.race([end, late]);
      if (native === null) this.#options.condemn();
      else {
        await Promise.race([asked, late]);
        await Promise.race([this.clean(), late]);
      }
      return native;
    } catch (error) {
      // The process died of it, which is an end as well.
      if (this.#gone) return null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #outcome(active: ActiveTurn, native: NativeEnd | null, aborted: boolean, silence: BackendError | null): TurnOutcome {
    const { providerName, redact } = this.#options;
    const translator = active.translator;
    const said = translator?.saidText ?? "";
    const outcome = (status: TurnOutcome["status"]): TurnOutcome => ({
      turnId: active.turnId ?? "",
      status,
      reply: translator?.reply ?? null,
      saidText: said,
      usage: translator?.usage,
      blockedReason: active.blockedReason === null ? null : redact(active.blockedReason),
    });
    if (native?.status === "completed") {
      if (translator?.reply != null) return outcome("completed");
      if (aborted) return outcome("interrupted");
      if (active.badLine !== null) throw new BackendError("backend-json-parse-error", active.badLine);
      throw new BackendError("backend-response-invalid", `${providerName}: the turn completed without a reply.`);
    }
    if (active.blockedReason !== null) return outcome("blocked");
    if (silence) throw silence;
    if (aborted || active.stoppedByPerson) return outcome("interrupted");
    if (native?.status === "failed") {
      const failure = native.error ?? { message: "the turn failed without a reason" };
      const { failureKind, ...more } = classifyTurnError(failure, translator?.retried);
      throw new BackendError(failureKind, redact(`${providerName}: ${failure.message || failureKind}`), more);
    }
    throw new BackendError("backend-failed", `${providerName}: the turn was interrupted by Codex itself.`);
  }

  /** A paid answer is never thrown away: what was said goes along with the failure. */
  #withSaid(error: unknown, active: ActiveTurn): unknown {
    const said = active.translator?.saidText ?? "";
    if (!(error instanceof BackendError) || error.partialText !== undefined || said === "") return error;
    const { failureKind, message, retryable, retryAfterMs, httpStatus, cause } = error;
    return new BackendError(failureKind, message, {
      partialText: said,
      ...(retryable === undefined ? {} : { retryable }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(httpStatus === undefined ? {} : { httpStatus }),
      ...(cause === undefined ? {} : { cause }),
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
    if (active && active.turnId === null) {
      active.early.push(() => this.#asked(request));
      return;
    }
    const filesOf = (itemId: string) => active?.translator?.proposed(itemId) ?? [];
    const answer = answerRequest(request, active?.input.approval ?? "never", filesOf);
    if (answer.kind === "ask" && active?.input.ask) {
      void this.#askPerson(active, request, answer.question, answer.resultOf);
      return;
    }
    const told =
      answer.kind === "ask"
        ? { kind: "result" as const, result: answer.resultOf("decline"), note: "nobody can be asked", stopped: false }
        : answer;
    if (told.kind === "error") this.#server.respondError(request, told.code, told.message);
    else this.#server.respond(request, told.result);
    if (!active) return;
    if (told.kind === "result" && told.stopped) active.blockedReason ??= told.note;
    active.input.listener.event({
      type: "error",
      payload: {
        failureKind: "backend-protocol-error",
        message: this.#options.redact(told.note),
        willRetry: false,
        method: request.method.slice(0, 80),
        threadId: this.id,
        answered: told.kind === "error" ? "unsupported" : told.stopped ? "cancelled by policy" : "refused",
      },
    });
  }

  async #askPerson(
    active: ActiveTurn,
    request: JsonRpcRequest,
    question: ApprovalQuestion,
    resultOf: (decision: ApprovalDecision) => unknown,
  ): Promise<void> {
    const asking = new AbortController();
    active.waiting.add(asking);
    const decision = (await active.input.ask?.(question, asking.signal).catch(() => "decline" as const)) ?? "decline";
    active.waiting.delete(asking);
    if (decision === "cancel") active.stoppedByPerson = true;
    active.heard();
    this.#server.respond(request, resultOf(decision));
  }
}

function turnIdIn(params: unknown): string | undefined {
  if (typeof params !== "object" || params === null || !("turn" in params)) return undefined;
  const { turn } = params;
  return typeof turn === "object" && turn !== null && "id" in turn && typeof turn.id === "string" ? turn.id : undefined;
}
