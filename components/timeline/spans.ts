import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { AttemptStatus } from "@/server/runs/run-state.rules";
import type { TimelineRow } from "./timeline-row";

/**
 * The grammar of a row, left to right:
 * waiting (for a slot) · sending (until the first token) · generating · end cap — and backoff between a failure and the next claim.
 */
export const SPAN_KINDS = ["waiting", "backoff", "sending", "generating"] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

/** A stretch of a row in time, epoch milliseconds, `from <= to`. `outcome` is the attempt's; null where no attempt runs. */
export interface Span {
  kind: SpanKind;
  from: number;
  to: number;
  attempt: number | null;
  outcome: AttemptStatus | null;
  failureKind: FailureKind | null;
  /** Still growing: drawn up to the now-line with a soft end. */
  open: boolean;
  /** The last span of an ended attempt carries its end cap. */
  cap: boolean;
}

/**
 * Every span of a row at the time `now`. A gap after a failure is backoff; where the operator queued the chunk again
 * (`queuedAt` inside the gap) the rest before that is rest, not backoff, and draws nothing.
 */
export function spansOf(row: TimelineRow, now: number): Span[] {
  const spans: Span[] = [];
  const first = row.attempts[0];
  if (first && !first.isAdopted && row.queuedAt < first.claimedAt) spans.push(gap("waiting", row.queuedAt, first.claimedAt));

  row.attempts.forEach((attempt, position) => {
    const previous = row.attempts[position - 1];
    if (!attempt.isAdopted && previous?.endedAt != null && previous.endedAt < attempt.claimedAt) {
      const requeued = row.queuedAt > previous.endedAt && row.queuedAt <= attempt.claimedAt;
      spans.push(
        requeued ? gap("waiting", row.queuedAt, attempt.claimedAt) : gap("backoff", previous.endedAt, attempt.claimedAt),
      );
    }
    const end = attempt.endedAt ?? Math.max(now, attempt.firstTokenAt ?? attempt.startedAt ?? attempt.claimedAt);
    const open = attempt.endedAt === null;
    const own = { attempt: attempt.number, outcome: attempt.status, failureKind: attempt.failureKind };
    const started = attempt.startedAt ?? end;
    const firstToken = attempt.firstTokenAt ?? end;
    const pieces: [SpanKind, number, number][] = [
      ["waiting", attempt.claimedAt, started],
      ["sending", started, firstToken],
      ["generating", firstToken, end],
    ];
    const drawn = pieces.filter(([, from, to]) => to > from);
    if (drawn.length === 0) drawn.push(["sending", attempt.claimedAt, end]);
    drawn.forEach(([kind, from, to], place) => {
      const last = place === drawn.length - 1;
      spans.push({ kind, from, to, ...own, open: open && last, cap: !open && last });
    });
  });

  if (row.status === "queued") spans.push(...pending(row, now));
  return spans;
}

function gap(kind: "waiting" | "backoff", from: number, to: number): Span {
  return { kind, from, to, attempt: null, outcome: null, failureKind: null, open: false, cap: false };
}

/** What a queued chunk waits for: its backoff until `dueAt`, afterwards a slot. */
function pending(row: TimelineRow, now: number): Span[] {
  const last = row.attempts.at(-1);
  const since = Math.max(row.queuedAt, last?.endedAt ?? 0);
  const due = row.dueAt;
  if (last && due !== null && due > since) {
    if (due > now) return [{ ...gap("backoff", since, due), open: true }];
    return [gap("backoff", since, due), { ...gap("waiting", due, Math.max(now, due)), open: true }];
  }
  return now > since ? [{ ...gap("waiting", since, now), open: true }] : [];
}
