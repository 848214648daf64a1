/** Weight of the newest measurement: the last handful of turns decide. */
const NEW_WEIGHT = 0.2;
/** Turns that began together end together, and a claim may meet a group that is being written just then: several times the mean. */
const SAFETY = 10;

/**
 * How many chunks to claim ahead of free slots. While one claim is on its way (disk and thread, tens of milliseconds), a fast
 * backend frees several slots; for a slow one the number is zero, so that nothing is held that another worker could run.
 */
export class ClaimPacer {
  #claimMs = 0;
  #turnMs = 0;

  /** A claim took this long. */
  claimed(milliseconds: number): void {
    this.#claimMs = this.#claimMs === 0 ? milliseconds : this.#claimMs + (milliseconds - this.#claimMs) * NEW_WEIGHT;
  }

  /** A turn took this long. */
  served(milliseconds: number): void {
    const measured = Math.max(1, milliseconds);
    this.#turnMs = this.#turnMs === 0 ? measured : this.#turnMs + (measured - this.#turnMs) * NEW_WEIGHT;
  }

  /** At most `slots`; zero until something was measured, and for turns longer than a few seconds. */
  ahead(slots: number): number {
    if (this.#claimMs === 0 || this.#turnMs === 0) return 0;
    const freed = (slots * this.#claimMs * SAFETY) / this.#turnMs;
    return freed < 0.25 ? 0 : Math.min(Math.ceil(freed), slots);
  }
}
