import type { AgentProcess } from "@/server/backends/agent-backend";
import type { NewEvent } from "@/server/events/event.schema";
import { type PreparedEvent, prepareEvent } from "@/server/events/event-writes.store";
import type { Redactor } from "@/server/events/redact";
import type { Clock } from "@/server/shared/clock";

/** What happens in one turn until it is written, redacted and bounded as it comes. */
export class CommandRecorder {
  /** The runtime's own thread, and the process that works. */
  thread: { nativeId: string | null; process: AgentProcess | null } = { nativeId: null, process: null };
  readonly #clock: Clock;
  #redactor: Redactor;
  #pending: PreparedEvent[] = [];

  constructor(clock: Clock, redactor: Redactor) {
    this.#clock = clock;
    this.#redactor = redactor;
  }

  /** From now on these secrets are known. */
  redactWith(redactor: Redactor): void {
    this.#redactor = redactor;
  }

  clean(text: string): string {
    return this.#redactor.text(text);
  }

  add(event: NewEvent): void {
    this.#pending.push(prepareEvent(event, { ts: this.#clock.now() }, this.#redactor));
  }

  take(): PreparedEvent[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }
}
