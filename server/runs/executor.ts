import { artifactText } from "@/server/artifacts/artifact-text";
import { prepareEvent } from "@/server/events/event-writes.store";
import { Cancellation } from "@/server/inference/cancellation";
import { newId } from "@/server/shared/ids";
import { WORKER_LEASE_MS } from "@/server/shared/worker-lease";
import { ClockWatch } from "./clock-watch";
import { Dispatcher } from "./dispatcher";
import { endTurn, type TurnEnd } from "./end-turn.store";
import type { ExecutorDeps } from "./executor-deps";
import { type Held, holdRun, type Turn } from "./held-run";
import { recordStart } from "./record-start";
import { stateEvents } from "./route-events";
import {
  appendTurnEvents,
  type ClaimedChunk,
  claimChunks,
  freeChunks,
  type RunState,
  releaseChunk,
  startRun,
  sweepDeadWorkers,
} from "./run-writes.store";
import type { ActiveRun } from "./runs.store";
import { brokenTurn, chunkEvents, judgeTurn, standingAnswer } from "./turn-end";
import { executeTurn, learnOfProvider, outlookOf, type TurnWork } from "./turn-work";

/** How often the executor looks at the database by itself; kicks make it faster. */
const LOOK_MS = 400;
/** Turns longer than this are written while they go on. */
const FLUSH_AGE_MS = 300;
/** After a claim that found nothing due, the run is not asked again for this long (backoffs end some time). */
const NOTHING_DUE_MS = 150;

/**
 * Runs chunks. Rows are the truth: the executor claims by lease, runs the turn, and writes the end fenced by the attempt
 * number; what it keeps in memory can be lost at any instant.
 *
 * look (every 400 ms, or kicked) ─► sweep dead workers ─► for each active run: claim ─► ready ─► slot ─► turn ─► end ─► settle
 *
 * A slot is free when the upstream ends, not when the disk does; chunks are claimed ahead by as many as slots free up
 * during one claim (ClaimPacer), so that slots of fast backends never idle and slow ones hold nothing back.
 */
export class Executor {
  readonly workerId: string;
  readonly #deps: ExecutorDeps;
  readonly #held = new Map<string, Held>();
  readonly #dispatcher: Dispatcher;
  readonly #clockWatch: ClockWatch;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #stopping = false;
  #beating = false;
  /** Turns that are over and not yet written. */
  #ending = 0;
  readonly #idle: (() => void)[] = [];

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
    this.#dispatcher = new Dispatcher(this.#held, deps);
    this.#clockWatch = new ClockWatch(deps.clock);
    this.workerId = newId("wrk", deps.clock.now());
  }

  start(): void {
    this.#timer = setInterval(() => this.kick(), LOOK_MS);
    this.kick();
  }

  /** Something changed: look now. Nothing before the start: a process that only orders (the command line) runs no chunk. */
  kick(): void {
    if (!this.#timer) return;
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = this.#look()
      .catch((error) => this.#deps.logger.error({ error }, "the executor could not look at the database"))
      .finally(() => {
        this.#looking = null;
        if (this.#lookAgain) {
          this.#lookAgain = false;
          this.kick();
        }
      });
  }

  /** Chunks in flight or claimed in this process. */
  get load(): number {
    let load = 0;
    for (const held of this.#held.values()) load += held.inFlight.size + held.ready.length;
    return load;
  }

  /**
   * Stops claiming, gives unstarted chunks back, lets turns in flight finish for `graceMs`, then aborts and releases them.
   * Everything is written when it resolves.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#looking;
    await Promise.all([...this.#held.values()].map((held) => this.#releaseReady(held)));
    if (!this.#isIdle()) {
      const done = new Promise<void>((resolve) => this.#idle.push(resolve));
      const timer = setTimeout(() => {
        for (const held of this.#held.values())
          for (const turn of held.inFlight) turn.abort.abort(new Cancellation("provider_evicted"));
      }, graceMs);
      await done;
      clearTimeout(timer);
    }
    this.#deps.writer.beat(this.workerId, false);
    await this.#deps.writer.commit([{ sql: "dropWorker", args: [this.workerId] }]);
    await this.#deps.writer.flush();
  }

  async #look(): Promise<void> {
    const { writer, runs, clock, only } = this.#deps;
    if (this.#stopping) return;
    if (this.#clockWatch.isTrusted()) await sweepDeadWorkers(writer, clock.now());
    if (this.#beating && this.load === 0 && ![...this.#held.values()].some((held) => held.claiming)) {
      // Nothing leased: no beats, so that an idle server leaves the disk alone. A claim leases anew.
      this.#beating = false;
      writer.beat(this.workerId, false);
    }
    await this.#deps.learnState();
    const active = (await runs.active()).filter((run) => !only || only.has(run.id));
    const seen = new Set(active.map((run) => run.id));
    for (const run of active) this.#hold(run);
    const gone = [...this.#held.keys()].filter((id) => !seen.has(id));
    if (gone.length > 0) await this.#letGo(gone);
    for (const held of this.#held.values()) {
      for (const turn of held.inFlight) this.#flush(turn);
      if (seen.has(held.run.id)) this.#advance(held);
    }
  }

  #hold(run: ActiveRun): void {
    const held = this.#held.get(run.id);
    if (!held) this.#held.set(run.id, holdRun(run, this.#deps));
    else {
      held.run = run;
      held.routes.extend(run.routes);
    }
  }

  /** Runs that are no longer active: paused ones finish what is in flight, cancelled ones are aborted. */
  async #letGo(ids: readonly string[]): Promise<void> {
    const statuses = await this.#deps.runs.statuses(ids);
    for (const id of ids) {
      const held = this.#held.get(id);
      if (!held) continue;
      const status = statuses.get(id);
      if (status) held.run = { ...held.run, status };
      await this.#releaseReady(held);
      // Ended otherwise than by a cancel, while we still work for it: our leases were lost, and others finished it.
      const reason = status === "cancelled" ? "user_requested" : "provider_evicted";
      if (status !== "paused") for (const turn of held.inFlight) turn.abort.abort(new Cancellation(reason));
      if (held.inFlight.size === 0 && !held.claiming && !held.settling) this.#held.delete(id);
    }
  }

  async #releaseReady(held: Held): Promise<void> {
    await freeChunks(this.#deps.writer, held.ready.splice(0), this.workerId, this.#deps.clock.now());
    this.#checkIdle();
  }

  /** Fills slots, claims, settles: whatever the run needs next. */
  #advance(held: Held): void {
    this.#fill(held);
    this.#claim(held);
    const { run } = held;
    if (run.queued === 0 && run.running === 0 && held.inFlight.size === 0 && held.ready.length === 0) this.#settle(held);
  }

  #claim(held: Held): void {
    const { run } = held;
    const { writer, clock, logger } = this.#deps;
    if (this.#stopping || held.claiming || run.queued <= run.held || (run.status !== "queued" && run.status !== "running"))
      return;
    if (writer.trouble || clock.now() < held.nothingDueUntil) return;
    if (held.routes.isEmpty) {
      void this.#deps
        .pause(run.id, `The backend "${run.backend}" is not set up here any more; set it up and resume.`)
        .catch((error) => logger.error({ error, run: run.id }, "a run could not be paused"));
      return;
    }
    const want = this.#dispatcher.toClaim(held);
    if (want < 1) return;
    held.claiming = true;
    const began = performance.now();
    void this.#claimNow(held, want)
      .then((claimed) => {
        this.#dispatcher.claimed(held, performance.now() - began);
        if (claimed.length < want) held.nothingDueUntil = clock.now() + NOTHING_DUE_MS;
        held.ready.push(...claimed);
      })
      .catch((error) => logger.error({ error, run: run.id }, "a claim failed"))
      .then(() => this.#claimed(held))
      .catch((error) => logger.error({ error, run: run.id }, "claimed chunks could not be given back"));
  }

  async #claimed(held: Held): Promise<void> {
    // Until they are given back, a stop waits for this claim.
    if (this.#stopping) await this.#releaseReady(held);
    held.claiming = false;
    this.#checkIdle();
    if (held.run.status === "queued" || held.run.status === "running") this.#advance(held);
    else this.kick();
  }

  async #claimNow(held: Held, limit: number): Promise<ClaimedChunk[]> {
    const { run } = held;
    const { writer, clock } = this.#deps;
    if (!this.#beating) {
      this.#beating = true;
      writer.beat(this.workerId, true);
    }
    if (run.status === "queued") {
      const now = clock.now();
      const event = prepareEvent(
        { type: "run_started", payload: { worker: this.workerId } },
        { ts: now },
        this.#deps.redactor({}),
      );
      await startRun(writer, run.id, now, [event]);
      held.run.status = "running";
    }
    return claimChunks(writer, {
      runId: run.id,
      owner: this.workerId,
      limit,
      now: clock.now(),
    });
  }

  #fill(held: Held): void {
    if (held.routes.isEmpty || this.#stopping || this.#deps.writer.trouble) return;
    this.#dropStale(held);
    this.#dispatcher.fill(held, (turn, chunk) => void this.#turn(turn, chunk));
  }

  /** A claim that is older than a lease may have been lost while this process was frozen: nothing is sent on its word. */
  #dropStale(held: Held): void {
    const { writer, clock, logger } = this.#deps;
    const oldest = clock.now() - WORKER_LEASE_MS;
    const stale = held.ready.filter((chunk) => chunk.claimedAt < oldest);
    if (stale.length === 0) return;
    held.ready = held.ready.filter((chunk) => chunk.claimedAt >= oldest);
    void freeChunks(writer, stale, this.workerId, clock.now())
      .then(() => this.kick())
      .catch((error) => logger.error({ error, run: held.run.id }, "claimed chunks could not be given back"));
  }

  async #turn(turn: Turn, chunk: ClaimedChunk): Promise<void> {
    const { clock, logger } = this.#deps;
    const held = turn.run;
    const { provider, model } = turn.routed;
    recordStart(this.#deps, this.workerId, held, turn);
    let executed: TurnWork;
    try {
      executed = await executeTurn(this.#deps, turn, chunk);
    } catch (error) {
      logger.error({ error, run: chunk.runId, chunk: chunk.index }, "a turn broke");
      executed = { ...brokenTurn(provider.id, model, held.run.sourceDate, chunk, error, clock.now()), repairRequest: null };
    }
    const now = clock.now();
    this.#dispatcher.ended(turn, now);
    this.#ending += 1;
    this.#fillAll(provider.id);
    try {
      await this.#end(turn, chunk, executed, now);
    } catch (error) {
      logger.error({ error, run: chunk.runId, chunk: chunk.index }, "the end of a turn could not be written");
    }
    this.#ending -= 1;
    this.#checkIdle();
  }

  async #end(turn: Turn, chunk: ClaimedChunk, executed: TurnWork, now: number): Promise<void> {
    const { writer, redactor } = this.#deps;
    const held = turn.run;
    const { aborted } = turn.abort.signal;
    if (this.#stopping && aborted && executed.failure?.kind === "cancelled") {
      await releaseChunk(writer, chunk, this.workerId, now);
      return;
    }
    const plain = redactor({});
    for (const event of stateEvents(learnOfProvider(this.#deps, turn, chunk, executed))) turn.recorder.add(event, plain);
    const end = judgeTurn(
      executed,
      aborted,
      chunk,
      held.run.options,
      now,
      this.#deps.random(),
      outlookOf(this.#deps, turn, chunk),
      executed.repairRequest !== null,
    );
    const { repairRequest } = executed;
    const told = [...chunkEvents(end, executed, now, repairRequest !== null), ...standingAnswer(turn.recorder.chunk, end)];
    for (const event of told) turn.recorder.add(event, plain);
    const result = { id: newId("art", now), kind: "result" as const, ...artifactText(executed.result) };
    const state = await endTurn(
      writer,
      chunk,
      this.workerId,
      {
        end,
        times: turn.recorder.times,
        endedAt: now,
        result,
        usage: executed.usage,
        finishReason: executed.finishReason,
        servedModel: executed.servedModel,
        servedProvider: executed.servedProvider,
        repaired: executed.result.normalization?.repaired ?? false,
        truncated: executed.result.normalization?.truncated ?? false,
        repairRequest: repairRequest && { id: newId("art", now), kind: "request", ...repairRequest },
      },
      turn.recorder.take(),
    );
    if (!state)
      this.#deps.logger.warn(
        { run: chunk.runId, chunk: chunk.index, attempt: chunk.attempt },
        "a lease was lost; what came late was not accepted",
      );
    else this.#learn(held, state, end);
  }

  /** What the database said of the run after a write. */
  #learn(held: Held, state: RunState, end: TurnEnd): void {
    held.run = { ...held.run, ...state };
    if (end.status === "failed" && end.dueAt !== null) {
      held.nothingDueUntil = Math.min(held.nothingDueUntil, end.dueAt);
    }
    if (state.status === "running") this.#advance(held);
    else this.kick();
  }

  /** A slot of the provider is free: whoever may use it goes on. */
  #fillAll(provider: string): void {
    for (const held of this.#dispatcher.waitingFor(provider)) this.#fill(held);
  }

  #flush(turn: Turn): void {
    const events = turn.recorder.takeIfOlderThan(FLUSH_AGE_MS);
    if (!events) return;
    const { writer, clock, logger } = this.#deps;
    void appendTurnEvents(writer, turn.recorder.chunk, this.workerId, turn.recorder.times, clock.now(), events)
      .then((ours) => {
        // Another worker has the chunk: what is still coming would be refused, so it is not paid for any longer.
        if (!ours && turn.run.inFlight.has(turn)) turn.abort.abort(new Cancellation("provider_evicted"));
      })
      .catch((error) => logger.error({ error }, "events of a turn could not be written"));
  }

  #settle(held: Held): void {
    if (held.settling || this.#stopping) return;
    held.settling = true;
    void this.#deps
      .settle(held.run.id)
      .catch((error) => this.#deps.logger.error({ error, run: held.run.id }, "a run could not be settled"))
      .finally(() => {
        held.settling = false;
        this.#checkIdle();
        this.kick();
      });
  }

  /** Nothing is held, and nothing is on its way to the disk. */
  #isIdle(): boolean {
    return this.load === 0 && this.#ending === 0 && ![...this.#held.values()].some((held) => held.claiming || held.settling);
  }

  #checkIdle(): void {
    if (this.#stopping && this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
  }
}
