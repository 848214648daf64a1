import { setTimeout as delay } from "node:timers/promises";

/** Between two looks. Short against every clock of the program, so that a test waits for the event and for little more. */
const LOOK_MS = 10;
const DEADLINE_MS = 20_000;

/** Looks until `look` gives something other than undefined, null or false, and returns it. Throws `what` when the deadline passes. */
export async function waitFor<T>(
  what: string,
  look: () => T | Promise<T>,
  deadlineMs: number = DEADLINE_MS,
): Promise<Exclude<T, undefined | null | false>> {
  const until = performance.now() + deadlineMs;
  for (;;) {
    const seen = await look();
    // The three empty values are just what is excluded.
    if (seen !== undefined && seen !== null && seen !== false) return seen as Exclude<T, undefined | null | false>;
    if (performance.now() > until) throw new Error(`waited ${deadlineMs} ms for: ${what}`);
    await delay(LOOK_MS);
  }
}
