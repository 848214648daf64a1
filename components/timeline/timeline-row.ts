import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { ChunkSummary } from "@/server/runs/run.schema";
import type { AttemptStatus, ChunkStatus } from "@/server/runs/run-state.rules";

/** One attempt with its times as epoch milliseconds, in order: claimed <= started <= first token <= ended. */
export interface TimelineAttempt {
  number: number;
  status: AttemptStatus;
  claimedAt: number;
  startedAt: number | null;
  firstTokenAt: number | null;
  endedAt: number | null;
  failureKind: FailureKind | null;
  /** Its answer was made elsewhere: it is a moment, and nothing was waited for before it. */
  isAdopted?: boolean;
}

/** One chunk as the timeline draws it. */
export interface TimelineRow {
  index: number;
  status: ChunkStatus;
  document: string;
  queuedAt: number;
  dueAt: number | null;
  attempts: readonly TimelineAttempt[];
}

/** What the timeline is fed with: chunks in order of index, as many as are loaded. `rows` is a new array after every change. */
export interface TimelineFeed {
  rows: readonly ChunkSummary[];
  total: number;
  loading: boolean;
  error: string | null;
  retry: () => void;
}

function instant(iso: string | null): number | null {
  if (iso === null) return null;
  const time = Date.parse(iso);
  return Number.isNaN(time) ? null : time;
}

/** Not before `floor`: clocks of two workers may disagree, a bar never runs backwards. */
function atLeast(time: number | null, floor: number): number | null {
  return time === null ? null : Math.max(time, floor);
}

const parsed = new WeakMap<ChunkSummary, TimelineRow>();

/** Parses a chunk's times once: a live change replaces the chunk object, every other row keeps its parsed form. */
export function toTimelineRow(chunk: ChunkSummary): TimelineRow {
  const known = parsed.get(chunk);
  if (known) return known;
  let floor = 0;
  const attempts = chunk.attempts.map((attempt): TimelineAttempt => {
    const claimedAt = Math.max(instant(attempt.claimedAt) ?? floor, floor);
    const startedAt = atLeast(instant(attempt.startedAt), claimedAt);
    const firstTokenAt = atLeast(instant(attempt.firstTokenAt), startedAt ?? claimedAt);
    const endedAt = atLeast(instant(attempt.endedAt), firstTokenAt ?? startedAt ?? claimedAt);
    floor = endedAt ?? firstTokenAt ?? startedAt ?? claimedAt;
    return {
      number: attempt.number,
      status: attempt.status,
      claimedAt,
      startedAt,
      firstTokenAt,
      endedAt,
      failureKind: attempt.failureKind,
      ...(attempt.origin === "import" ? { isAdopted: true } : {}),
    };
  });
  const row: TimelineRow = {
    index: chunk.index,
    status: chunk.status,
    document: chunk.document,
    queuedAt: instant(chunk.queuedAt) ?? attempts[0]?.claimedAt ?? 0,
    dueAt: instant(chunk.dueAt),
    attempts,
  };
  parsed.set(chunk, row);
  return row;
}

/** A chunk that failed, or one of whose attempts did: what "errors only" leaves. */
export function hasFailure(row: TimelineRow): boolean {
  return row.status === "failed" || row.attempts.some((attempt) => attempt.status === "failed" || attempt.status === "abandoned");
}

/** From the first queueing to the last end, or to `now` while the chunk is not settled. Milliseconds, never negative. */
export function rowDuration(row: TimelineRow, now: number): number {
  const from = Math.min(row.queuedAt, row.attempts[0]?.claimedAt ?? row.queuedAt);
  const isSettled = row.status !== "queued" && row.status !== "running";
  const to = isSettled ? (row.attempts.at(-1)?.endedAt ?? from) : now;
  return Math.max(0, to - from);
}
