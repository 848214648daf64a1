/** What is known of a conversation while its events are read one after the other. */
import type { StoredEvent } from "@/server/events/event.schema";
import type { TraceRow, TurnRow } from "./trace-row";

/** What later events may still change, by place in `settled`. */
export interface Memory {
  settled: TraceRow[];
  waiting: TurnRow[];
  /** Turns that have begun and not ended. */
  turns: Map<string, number>;
  /** Calls and proposed changes whose end is not known, by the name of their item. */
  calls: Map<string, number>;
  /** Questions without an answer. */
  questions: Map<string, number>;
  /** Reasons that the present turn has told. */
  told: Set<string>;
  interrupts: number;
}

export type Teller = (memory: Memory, event: StoredEvent) => void;

export const placeOf = ({ seq, ts }: StoredEvent) => ({ key: `event-${seq}`, seq, ts });

/** Puts another version of a row in the place of the old one; `kind` is what the caller put there. */
export function change<K extends TraceRow["kind"]>(
  memory: Memory,
  at: number | undefined,
  kind: K,
  part: Partial<Extract<TraceRow, { kind: K }>>,
): void {
  const row = at === undefined ? undefined : memory.settled[at];
  if (at === undefined || row?.kind !== kind) return;
  memory.settled[at] = { ...row, ...part };
}
