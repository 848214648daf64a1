/**
 * The conversation of an agent run, made of its events: a call is one row from start to end, a question one from asking to answer,
 * an error that is tried again one however often. Pure; `extendTrace` goes on where it was, so that a live trace costs what is new.
 */
import type { EventType } from "@/server/events/event.rules";
import type { StoredEvent } from "@/server/events/event.schema";
import { approvalRequested, approvalResolved } from "./trace-approvals";
import { modelUnloaded, toolCalled } from "./trace-calls";
import type { Memory, Teller } from "./trace-memory";
import type { TraceRow } from "./trace-row";
import { errorHappened, filesChanged, messageSaid, statusTold } from "./trace-sayings";
import { commandEnded, commandQueued, commandStarted, runCancelled } from "./trace-turns";

export interface Trace {
  /** In the order of the trace; turns that have not begun stand at its end. */
  readonly rows: readonly TraceRow[];
  /** Events up to this one are in it. */
  readonly lastSeq: number;
  readonly memory: Memory;
}

export const EMPTY_TRACE: Trace = {
  rows: [],
  lastSeq: 0,
  memory: {
    settled: [],
    waiting: [],
    turns: new Map(),
    calls: new Map(),
    questions: new Map(),
    told: new Set(),
    interrupts: 0,
  },
};

/** The trace with these events, which come in order; those that it has already change nothing. */
export function extendTrace(trace: Trace, events: readonly StoredEvent[]): Trace {
  const fresh = events.filter(({ seq }) => seq > trace.lastSeq);
  const last = fresh.at(-1);
  if (last === undefined) return trace;
  const { settled, waiting, turns, calls, questions, told, interrupts } = trace.memory;
  const memory: Memory = {
    settled: [...settled],
    waiting: [...waiting],
    turns: new Map(turns),
    calls: new Map(calls),
    questions: new Map(questions),
    told: new Set(told),
    interrupts,
  };
  for (const event of fresh) TELLERS[event.type]?.(memory, event);
  return { rows: [...memory.settled, ...memory.waiting], lastSeq: last.seq, memory };
}

export function traceRows(events: readonly StoredEvent[]): readonly TraceRow[] {
  return extendTrace(EMPTY_TRACE, events).rows;
}

const TELLERS: Partial<Record<EventType, Teller>> = {
  command_queued: commandQueued,
  command_started: commandStarted,
  command_ended: commandEnded,
  tool_call: toolCalled,
  model_unloaded: modelUnloaded,
  assistant_message: messageSaid,
  diff: filesChanged,
  error: errorHappened,
  approval_requested: approvalRequested,
  approval_resolved: approvalResolved,
  backend_status: statusTold,
  run_cancelled: runCancelled,
};

/** What of the trace the conversation is made of. Outputs are large and read when they are looked at. */
// Object.keys gives the keys of the literal above.
export const CONVERSATION_TYPES = Object.keys(TELLERS) as EventType[];
