/** A time limit that lets what has arrived be heard first. */
export interface PatientTimer {
  /** Starts again from now. */
  refresh(): void;
  clear(): void;
}

/**
 * Turns of the event loop between the limit and its verdict. When something kept the loop busy past the limit, timers run
 * before the sockets are read: an answer, or the end of a connection, would wait unread while the limit is blamed. The
 * end of a connection takes two turns to be told (the read, then the close).
 */
const TURNS = 3;

/** Calls `onPassed` after `milliseconds`, unless the timer is cleared or refreshed, also by what is read in the last moment. */
export function startPatientTimer(milliseconds: number, onPassed: () => void): PatientTimer {
  let pending: NodeJS.Immediate | undefined;
  const hear = (turns: number) => {
    pending = setImmediate(() => {
      if (turns > 1) hear(turns - 1);
      else onPassed();
    });
  };
  const timer = setTimeout(() => hear(TURNS), milliseconds);
  return {
    refresh() {
      clearImmediate(pending);
      timer.refresh();
    },
    clear() {
      clearImmediate(pending);
      clearTimeout(timer);
    },
  };
}
