import type { AttemptSummary } from "@/server/runs/run.schema";

/** `request`: sent and ended without a first token that anyone saw; what of it was waiting is not known. */
export type PhaseKind = "waiting" | "sending" | "generating" | "request";

/** A stretch of an attempt, milliseconds; `open` while it still grows. */
export interface Phase {
  kind: PhaseKind;
  milliseconds: number;
  open: boolean;
}

/** Where the time of an attempt went, up to its end or to `now`. Never negative, whatever two clocks say. */
export function phasesOf(attempt: AttemptSummary, now: number): { phases: Phase[]; total: number } {
  const claimed = Date.parse(attempt.claimedAt);
  const started = after(attempt.startedAt, claimed);
  const firstToken = after(attempt.firstTokenAt, started ?? claimed);
  const ended = after(attempt.endedAt, firstToken ?? started ?? claimed);
  const end = ended ?? Math.max(now, firstToken ?? started ?? claimed);
  const open = ended === null;
  const phases: Phase[] = [];
  // A claimed chunk becomes an attempt when its request is sent: only attempts of old have waited.
  if (started === null || started > claimed)
    phases.push({ kind: "waiting", milliseconds: (started ?? end) - claimed, open: open && started === null });
  if (started !== null && firstToken === null) {
    phases.push({ kind: open ? "sending" : "request", milliseconds: end - started, open });
  }
  if (started !== null && firstToken !== null) {
    phases.push({ kind: "sending", milliseconds: firstToken - started, open: false });
    phases.push({ kind: "generating", milliseconds: end - firstToken, open });
  }
  return { phases, total: end - claimed };
}

function after(iso: string | null, floor: number): number | null {
  return iso === null ? null : Math.max(Date.parse(iso), floor);
}
