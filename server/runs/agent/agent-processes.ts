/** What a run's trace and row say of the processes that work for it: that one was started, and that it has ended, whenever that is. */
import type { Writer } from "@/server/db/writer";
import type { NewEvent } from "@/server/events/event.schema";
import { prepareEvent } from "@/server/events/event-writes.store";
import type { Redactor } from "@/server/events/redact";
import type { Logger } from "@/server/shared/logger";
import type { AgentProcessView } from "../agent-run.schema";
import type { AgentReads, ProcessWork } from "./agent-reads.store";
import { endProcess } from "./agent-writes.store";

/** How often processes of servers that are gone are looked for. */
const LOST_LOOK_MS = 5_000;

export interface AgentProcessesDeps {
  writer: Writer;
  reads: AgentReads;
  clock: { now(): number };
  redactor: Redactor;
  logger: Logger;
}

export class AgentProcesses {
  readonly #deps: AgentProcessesDeps;
  #nextLook = 0;

  constructor(deps: AgentProcessesDeps) {
    this.#deps = deps;
  }

  /** A process has ended while no turn of the run was under way. Written soon; what is lost on the way is logged. */
  ended(work: ProcessWork, process: AgentProcessView): void {
    void this.#write(work, process).catch((error: unknown) =>
      this.#deps.logger.error({ error, run: work.runId }, "the end of a process could not be written"),
    );
  }

  /** Processes die with their server. One that was killed has told nobody. `now`: epoch milliseconds. */
  async sweep(now: number): Promise<void> {
    if (now < this.#nextLook) return;
    this.#nextLook = now + LOST_LOOK_MS;
    for (const { work, process } of await this.#deps.reads.lostProcesses(now))
      await this.#write(work, { ...process, exit: { code: null, signal: null, groupEnded: null } });
  }

  async #write(work: ProcessWork, process: AgentProcessView): Promise<void> {
    const { writer, clock, redactor } = this.#deps;
    const now = clock.now();
    await endProcess(writer, work.runId, process, now, [prepareEvent(modelUnloaded(work, process), { ts: now }, redactor)]);
  }
}

/** One that the run has not met before, or another one than before. */
export function isOtherProcess(before: AgentProcessView | null, now: AgentProcessView): boolean {
  return before?.pid !== now.pid || before.startedAt !== now.startedAt;
}

export function modelLoaded({ runId, provider, model }: ProcessWork, { pid, version }: AgentProcessView): NewEvent {
  return { type: "model_loaded", payload: { providerId: provider, sessionId: runId, model, pid, version } };
}

export function modelUnloaded({ runId, provider, model }: ProcessWork, { pid, exit }: AgentProcessView): NewEvent {
  return {
    type: "model_unloaded",
    payload: {
      providerId: provider,
      sessionId: runId,
      model,
      pid,
      exitCode: exit?.code ?? null,
      signal: exit?.signal ?? null,
      groupEnded: exit?.groupEnded ?? null,
    },
  };
}
