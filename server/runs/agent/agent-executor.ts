import { textArtifact } from "@/server/artifacts/artifact-text";
import type { AgentBackend, AgentOutcome, ExecutionContext } from "@/server/backends/agent-backend";
import { BackendError } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { isSecretUnavailableError } from "@/server/config/secret-reference";
import type { Writer } from "@/server/db/writer";
import type { NewEvent } from "@/server/events/event.schema";
import { prepareEvent } from "@/server/events/event-writes.store";
import type { Redactor } from "@/server/events/redact";
import type { ProviderPool } from "@/server/inference/provider-pool";
import type { Clock } from "@/server/shared/clock";
import { newId } from "@/server/shared/ids";
import type { Logger } from "@/server/shared/logger";
import type { Secret } from "@/server/shared/secret";
import { ClockWatch } from "../clock-watch";
import type { NewArtifact } from "../run-writes.store";
import { AgentProcesses, isOtherProcess, modelLoaded, modelUnloaded } from "./agent-processes";
import type { AgentReads } from "./agent-reads.store";
import {
  appendCommandEvents,
  appendLateEvents,
  type ClaimedCommand,
  claimCommands,
  endCommand,
  sweepCommand,
} from "./agent-writes.store";
import type { CheckWorkspace } from "./check-policy";
import { CommandRecorder } from "./command-recorder";
import { OpenQuestions } from "./open-questions";
import { shownWhileWritten } from "./shown-while-written";

/** How often the database is looked at: for turns, interrupts and answers. */
const LOOK_MS = 400;
/** Turns at once in this process; each holds a process of some 100 MB at worst. */
const MOST_TURNS = 16;

const DIED =
  "The server ended while the turn was under way; what it had done until then is in the events. Order another turn to go on.";

export interface AgentExecutorDeps {
  writer: Writer;
  reads: AgentReads;
  providers: ProviderPool;
  access(settings: ProviderSettings): ProviderAccess;
  redactor(secrets: Readonly<Record<string, Secret>>): Redactor;
  /** The policy once more, on the machine and under the configuration of now. */
  check: CheckWorkspace;
  clock: Clock;
  logger: Logger;
  /** Serve these runs only. */
  only?: ReadonlySet<string>;
}

interface Active {
  command: ClaimedCommand;
  recorder: CommandRecorder;
  context: ExecutionContext | null;
  agent: AgentBackend | null;
  /** Set once: later reasons change nothing. */
  interruptReason: string | null;
  abort: AbortController;
  /** The message that is being written, unredacted. */
  writing: string | null;
  flushing: boolean;
  /** Its backend has told the end of the turn. */
  isToldToEnd: boolean;
  /** Its end is being written: nothing is added to it any more. */
  isOver: boolean;
}

/**
 * Runs the turns of agent runs. As with chunks the row decides: a turn is claimed by lease, its end is fenced, and what this
 * process keeps in memory can be lost at any instant. Unlike a chunk, a turn whose worker died is not sent again: it may have
 * changed files, so a person says how it goes on.
 */
export class AgentExecutor {
  readonly workerId: string;
  readonly #deps: AgentExecutorDeps;
  readonly #active = new Map<string, Active>();
  readonly #questions: OpenQuestions;
  readonly #processes: AgentProcesses;
  readonly #clockWatch: ClockWatch;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #stopping = false;
  #beating = false;
  readonly #done = new Set<Promise<void>>();

  constructor(deps: AgentExecutorDeps) {
    this.#deps = deps;
    this.#clockWatch = new ClockWatch(deps.clock);
    this.workerId = newId("wrk", deps.clock.now());
    const { writer, reads, clock, logger } = deps;
    const redactor = deps.redactor({});
    this.#questions = new OpenQuestions({ writer, reads, clock, redactor, workerId: this.workerId });
    this.#processes = new AgentProcesses({ writer, reads, clock, redactor, logger });
  }

  start(): void {
    this.#timer = setInterval(() => this.kick(), LOOK_MS);
    this.kick();
  }

  kick(): void {
    if (!this.#timer) return;
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = this.#look()
      .catch((error: unknown) => this.#deps.logger.error({ error }, "agent runs could not be looked at"))
      .finally(() => {
        this.#looking = null;
        if (!this.#lookAgain) return;
        this.#lookAgain = false;
        this.kick();
      });
  }

  /** Turns under way in this process. */
  get load(): number {
    return this.#active.size;
  }

  /** The end of the message that the run's turn is writing here, redacted; null when none is, or another process runs it. */
  writing(runId: string): string | null {
    for (const { command, recorder, writing } of this.#active.values())
      if (command.runId === runId) return writing === null ? null : shownWhileWritten(writing, (text) => recorder.clean(text));
    return null;
  }

  /** Ends what finished turns of the run left running in a process of ours; how many commands that were. */
  async endCommands(runId: string): Promise<number> {
    const agents = this.#deps.providers.all().flatMap(({ backend }) => backend.agent ?? []);
    const ended = await Promise.all(agents.map((agent) => agent.endCommands(runId)));
    return ended.reduce((sum, count) => sum + count, 0);
  }

  /** Claims nothing more, lets turns finish for `graceMs`, then interrupts them. Everything is written when it resolves. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#looking;
    const rest = () => Promise.all(this.#done);
    if (this.#active.size > 0) {
      const timer = setTimeout(() => {
        for (const active of this.#active.values()) this.#interrupt(active, "The server is shutting down.");
      }, graceMs);
      await rest();
      clearTimeout(timer);
    }
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.#looking;
  }

  /** Once no process of ours has a thread loaded any more: others may take the threads up at once. */
  async leave(): Promise<void> {
    this.#deps.writer.beat(this.workerId, false);
    await this.#deps.writer.commit([{ sql: "dropWorker", args: [this.workerId] }]);
  }

  async #look(): Promise<void> {
    const { writer, clock, reads, logger, only } = this.#deps;
    if (this.#clockWatch.isTrusted()) await this.#sweep();
    for (const active of this.#active.values()) this.#flush(active);
    await this.#questions.look();
    if (this.#stopping || writer.trouble) return;
    const room = MOST_TURNS - this.#active.size;
    if (room > 0 && (await reads.hasQueuedTurns())) {
      this.#beat(true);
      for (const command of await claimCommands(writer, this.workerId, room, clock.now(), only)) {
        const work = this.#run(command)
          .catch((error: unknown) => logger.error({ error, run: command.runId }, "a turn could not be written to its end"))
          .finally(() => {
            this.#active.delete(command.id);
            this.#done.delete(work);
            this.kick();
          });
        this.#done.add(work);
      }
    }
    this.#beat(this.#isNeeded());
  }

  /** While a process of ours has threads loaded, their next turns are ours: nobody else could take them up. */
  #isNeeded(): boolean {
    return this.#active.size > 0 || this.#deps.providers.all().some(({ backend }) => backend.agent?.holdsThreads() === true);
  }

  #beat(isAlive: boolean): void {
    if (this.#beating === isAlive) return;
    this.#beating = isAlive;
    this.#deps.writer.beat(this.workerId, isAlive);
  }

  async #sweep(): Promise<void> {
    const { writer, clock, reads, redactor } = this.#deps;
    const now = clock.now();
    for (const stale of await reads.staleCommands(now)) {
      const ended = {
        commandId: stale.id,
        index: stale.index,
        status: "failed",
        failureKind: "backend-failed",
        message: DIED,
      } as const;
      const { status, ...why } = ended;
      const told: NewEvent[] = [
        { type: "error", payload: { ...why, willRetry: false } },
        { type: "terminal_status", payload: { ...why, status } },
        { type: "command_ended", payload: ended },
      ];
      await sweepCommand(
        writer,
        stale,
        now,
        DIED,
        told.map((event) => prepareEvent(event, { ts: now }, redactor({}))),
      );
    }
    await this.#processes.sweep(now);
  }

  async #run(command: ClaimedCommand): Promise<void> {
    const { clock, redactor } = this.#deps;
    const recorder = new CommandRecorder(clock, redactor({}));
    const active: Active = {
      command,
      recorder,
      context: null,
      agent: null,
      interruptReason: null,
      abort: new AbortController(),
      writing: null,
      flushing: false,
      isToldToEnd: false,
      isOver: false,
    };
    this.#active.set(command.id, active);
    recorder.add({ type: "command_started", payload: { commandId: command.id, index: command.index, worker: this.workerId } });
    this.#flush(active);
    let outcome: AgentOutcome;
    try {
      outcome = await this.#turn(active);
    } catch (error) {
      outcome = this.#failed(active, error);
    }
    if (!active.isToldToEnd) this.#tellEnd(active, outcome);
    await this.#end(active, outcome);
  }

  async #turn(active: Active): Promise<AgentOutcome> {
    const { command, recorder, abort } = active;
    const { reads, providers, access, redactor, check } = this.#deps;
    const thread = await reads.thread(command.runId);
    const prompt = await reads.prompt(command.promptId);
    const checked = await check(thread);
    if (!checked.ok) return blocked(checked.error);
    const { settings, model } = thread.candidate;
    const work = { runId: command.runId, provider: settings.name, model };
    const secrets = access(settings);
    recorder.redactWith(redactor(secrets.secrets));
    const hold = providers.hold(settings);
    try {
      const { agent } = hold.provider.backend;
      if (!agent) return blocked(`${settings.name} is no agent: its kind is ${settings.kind}.`);
      active.agent = agent;
      active.context = await agent.prepare(
        {
          runId: command.runId,
          image: { kind: settings.kind, command: agent.resolveProfile(settings.name).command },
          profile: { profile: settings.name },
          model,
          policy: thread.policy,
          workspace: checked.value,
          threadId: thread.nativeId,
        },
        { commandId: command.id, prompt },
        secrets,
        {
          ask: (question, signal) => this.#questions.ask(command, recorder, question, thread.policy.approvalMs, signal),
          progress: () => undefined,
          writing: (text) => {
            active.writing = text;
          },
          processEnded: (process) => {
            if (active.isOver) this.#processes.ended(work, process);
            else recorder.add(modelUnloaded(work, process));
          },
          late: (event) => this.#late(command.runId, event, redactor(secrets.secrets)),
        },
        abort.signal,
      );
      const process = active.context.process();
      recorder.thread = { nativeId: active.context.threadId, process };
      if (isOtherProcess(thread.process, process)) recorder.add(modelLoaded(work, process));
      if (active.interruptReason !== null) void agent.interrupt(active.context, { reason: active.interruptReason });
      let terminal: NewEvent | null = null;
      for await (const event of agent.startTurn(active.context)) {
        // Written with the row that it tells of.
        if (event.type === "terminal_status") terminal = event;
        else recorder.add(event);
      }
      const outcome = await agent.finalize(active.context);
      if (terminal) recorder.add(terminal);
      active.isToldToEnd = terminal !== null;
      return outcome;
    } finally {
      hold.release();
      this.#questions.forget(command);
    }
  }

  #failed(active: Active, error: unknown): AgentOutcome {
    const { command } = active;
    if (active.interruptReason !== null)
      return { ...NOTHING, status: "cancelled", failureKind: "cancelled", message: active.interruptReason };
    const failure = isSecretUnavailableError(error)
      ? new BackendError("secret-unavailable", error.message)
      : error instanceof BackendError
        ? error
        : null;
    if (!failure) this.#deps.logger.error({ error, run: command.runId }, "a turn broke");
    const kind = failure?.failureKind ?? "backend-failed";
    const message = failure?.message ?? "The turn could not be run; the server's log says why.";
    return { ...NOTHING, status: "failed", failureKind: kind, message };
  }

  /** The end of a turn that did not get as far as its backend. */
  #tellEnd({ command, recorder }: Active, { status, failureKind, message }: AgentOutcome): void {
    const place = { commandId: command.id, ...(message === null ? {} : { message }) };
    if (status === "failed" && failureKind !== null)
      recorder.add({ type: "error", payload: { message: "", ...place, failureKind, willRetry: false } });
    recorder.add({
      type: "terminal_status",
      payload: { ...place, status, ...(failureKind === null ? {} : { failureKind }) },
    });
  }

  async #end(active: Active, outcome: AgentOutcome): Promise<void> {
    const { command, recorder } = active;
    const { writer, clock, logger } = this.#deps;
    const now = clock.now();
    const clean = (text: string) => recorder.clean(text);
    const message =
      outcome.message === null
        ? null
        : clean(active.interruptReason !== null && outcome.status === "cancelled" ? active.interruptReason : outcome.message);
    recorder.add({
      type: "command_ended",
      payload: {
        commandId: command.id,
        index: command.index,
        status: outcome.status,
        ...(outcome.failureKind === null ? {} : { failureKind: outcome.failureKind }),
        ...(message === null ? {} : { message }),
      },
    });
    const reply: NewArtifact | null =
      outcome.status === "completed" && outcome.reply !== null
        ? { id: newId("art", now), kind: "reply", ...textArtifact(clean(outcome.reply)) }
        : null;
    if (active.context) recorder.thread.process = active.context.process();
    active.isOver = true;
    const end = { outcome: { ...outcome, message }, usage: outcome.usage, reply, thread: recorder.thread };
    const isOurs = await endCommand(writer, command, this.workerId, end, now, recorder.take());
    if (!isOurs) logger.warn({ run: command.runId, command: command.id }, "a lease was lost; the end of a turn was not accepted");
  }

  #interrupt(active: Active, reason: string): void {
    if (active.interruptReason !== null) return;
    active.interruptReason = reason;
    if (active.context && active.agent) void active.agent.interrupt(active.context, { reason });
    else active.abort.abort(new BackendError("cancelled", reason));
  }

  /** Writes what has happened; learns on the way whether the turn is still ours, and whether a person wants its end. */
  #flush(active: Active): void {
    if (active.flushing) return;
    const { writer, clock, logger } = this.#deps;
    const { command, recorder } = active;
    if (active.context) recorder.thread.process = active.context.process();
    active.flushing = true;
    void appendCommandEvents(writer, command, this.workerId, clock.now(), recorder.take(), recorder.thread)
      .then(({ held, interrupt }) => {
        if (!held && this.#active.has(command.id)) this.#interrupt(active, "The lease of the turn was lost.");
        if (interrupt !== null) this.#interrupt(active, interrupt);
      })
      .catch((error: unknown) => logger.error({ error }, "events of a turn could not be written"))
      .finally(() => {
        active.flushing = false;
      });
  }

  #late(runId: string, event: NewEvent, redactor: Redactor): void {
    const { writer, clock, logger } = this.#deps;
    const now = clock.now();
    void appendLateEvents(writer, runId, now, [prepareEvent(event, { ts: now }, redactor)]).catch((error: unknown) =>
      logger.error({ error, run: runId }, "an event that came late could not be written"),
    );
  }
}

const NOTHING = { reply: null, usage: null, turnId: null } as const;

function blocked(reason: string): AgentOutcome {
  return { ...NOTHING, status: "blocked", failureKind: null, message: reason };
}
