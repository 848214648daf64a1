/** Time as a dependency: epoch milliseconds. Tests inject their own. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO-8601 in UTC with milliseconds, as every artifact and event writes it. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
