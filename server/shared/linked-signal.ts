import { setMaxListeners } from "node:events";

/**
 * One signal for several, to be unlinked when the work is over. `AbortSignal.any` would do the same, but on Node 20 each
 * call leaves about a kilobyte behind at a long-lived signal (measured), and there is one call a turn.
 */
export interface LinkedSignal {
  /** Aborted with the reason of the first that aborts. */
  signal: AbortSignal;
  /** Aborts this one only: a limit of the work itself needs no signal of its own. */
  abort(reason: unknown): void;
  /** Takes the listeners off again. Call it in `finally`. */
  unlink(): void;
}

/** Node warns at the eleventh listener; a signal of a run serves more turns than that, and it is no leak. */
const QUIET_LINKS = 8;
const links = new WeakMap<AbortSignal, number>();

function countLink(signal: AbortSignal): void {
  const count = (links.get(signal) ?? 0) + 1;
  links.set(signal, count);
  // Asked for only where it is needed: it costs 30 us, and most signals have one link.
  if (count === QUIET_LINKS) setMaxListeners(0, signal);
}

export function linkSignals(...signals: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  for (const signal of signals) countLink(signal);
  const listeners = signals.map((signal) => ({ signal, onAbort: () => controller.abort(signal.reason) }));
  for (const { signal, onAbort } of listeners) {
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink() {
      for (const { signal, onAbort } of listeners) signal.removeEventListener("abort", onAbort);
    },
  };
}
