import type { NewEvent } from "@/server/events/event.schema";
import { type PreparedEvent, prepareEvent } from "@/server/events/event-writes.store";
import type { Redactor } from "@/server/events/redact";
import type { Clock } from "@/server/shared/clock";
import type { ClaimedChunk, TurnTimes } from "./run-writes.store";

/**
 * Collects what happens in one turn until it is written: events already redacted and bounded, and the times of the attempt.
 * A short turn is written once, at its end; a long one is flushed now and then, so that the page sees it live.
 */
export class TurnRecorder {
  readonly chunk: ClaimedChunk;
  readonly times: TurnTimes = { startedAt: null, firstTokenAt: null };
  readonly #clock: Clock;
  #pending: PreparedEvent[] = [];
  #oldestAt = 0;
  #startWritten = false;

  constructor(chunk: ClaimedChunk, clock: Clock) {
    this.chunk = chunk;
    this.#clock = clock;
  }

  started(): void {
    this.times.startedAt = this.#clock.now();
    this.#oldestAt = this.times.startedAt;
  }

  firstText(): void {
    this.times.firstTokenAt ??= this.#clock.now();
  }

  add(event: NewEvent, redactor: Redactor): void {
    const now = this.#clock.now();
    if (this.#pending.length === 0 && this.#startWritten) this.#oldestAt = now;
    this.#pending.push(prepareEvent(event, { ts: now, chunk: this.chunk.index, attempt: this.chunk.attempt }, redactor));
  }

  /** Events to write now, when the oldest has waited for `ageMs`; null when there is nothing to do. */
  takeIfOlderThan(ageMs: number): PreparedEvent[] | null {
    const waiting = this.#pending.length > 0 || (this.times.startedAt !== null && !this.#startWritten);
    if (!waiting || this.#clock.now() - this.#oldestAt < ageMs) return null;
    this.#startWritten = true;
    return this.take();
  }

  take(): PreparedEvent[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }
}
