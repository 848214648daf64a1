import type { Clock } from "@/server/shared/clock";
import { WORKER_LEASE_MS } from "@/server/shared/worker-lease";

/** Between two looks the two clocks differ by scheduling alone; more than this is a wall clock that was set, or a machine that slept. */
const JUMP_MS = 1_000;

/**
 * Leases are wall-clock times. After the wall clock jumped, every lease looks ended (or endless) until its worker has beaten
 * again, so nobody may be taken for dead for the length of a lease.
 */
export class ClockWatch {
  readonly #wall: Clock;
  readonly #steady: () => number;
  #seen: { wall: number; steady: number } | null = null;
  #trustedFrom = Number.NEGATIVE_INFINITY;

  /** `steady` counts milliseconds and never jumps. */
  constructor(wall: Clock, steady: () => number = () => performance.now()) {
    this.#wall = wall;
    this.#steady = steady;
  }

  /** Whether the wall clock can be held against a lease now. Ask at every look. */
  isTrusted(): boolean {
    const now = { wall: this.#wall.now(), steady: this.#steady() };
    const passed = this.#seen ? now.wall - this.#seen.wall - (now.steady - this.#seen.steady) : 0;
    if (Math.abs(passed) > JUMP_MS) this.#trustedFrom = now.steady + WORKER_LEASE_MS;
    this.#seen = now;
    return now.steady >= this.#trustedFrom;
  }
}
