/** Turns: ordered, begun, ended, dropped. */
import type { StoredEvent } from "@/server/events/event.schema";
import { failureKindOf, numberOf, oneOf, type Payload, textOf } from "./payload-fields";
import { answer } from "./trace-approvals";
import { change, type Memory, placeOf } from "./trace-memory";
import type { EndRow } from "./trace-row";

/** Turns without a start are those of a trace that begins in the middle. */
function numberOfTurn(memory: Memory, payload: Payload): number {
  return Math.max(1, (numberOf(payload, "index") ?? 0) + 1 - memory.interrupts);
}

export function commandQueued(memory: Memory, event: StoredEvent): void {
  const { payload, ts } = event;
  const text = textOf(payload, "text") ?? "";
  if (payload.type === "interrupt") {
    memory.interrupts += 1;
    memory.told.add(text);
    memory.settled.push({ ...placeOf(event), kind: "note", note: "interrupt", text, model: null, version: null });
    return;
  }
  const commandId = textOf(payload, "commandId") ?? "";
  memory.waiting.push({
    kind: "turn",
    key: `turn-${commandId}`,
    seq: event.seq,
    ts,
    commandId,
    number: numberOfTurn(memory, payload),
    status: "queued",
    prompt: text,
    startedAt: null,
    endedAt: null,
  });
}

export function commandStarted(memory: Memory, event: StoredEvent): void {
  const { payload, seq, ts } = event;
  const commandId = textOf(payload, "commandId") ?? "";
  const ordered = memory.waiting.find((turn) => turn.commandId === commandId);
  memory.waiting = memory.waiting.filter((turn) => turn !== ordered);
  memory.told.clear();
  memory.turns.set(commandId, memory.settled.length);
  memory.settled.push({
    ...(ordered ?? {
      kind: "turn",
      key: `turn-${commandId}`,
      seq,
      ts,
      commandId,
      number: numberOfTurn(memory, payload),
      prompt: "",
      endedAt: null,
    }),
    status: "running",
    startedAt: ts,
  });
}

const END_STATUSES = ["completed", "failed", "cancelled", "blocked"] as const satisfies readonly EndRow["status"][];

export function commandEnded(memory: Memory, event: StoredEvent): void {
  const { payload, ts } = event;
  const commandId = textOf(payload, "commandId") ?? "";
  const status = oneOf(payload, "status", END_STATUSES) ?? "failed";
  const ordered = memory.waiting.find((turn) => turn.commandId === commandId);
  if (ordered) {
    memory.waiting = memory.waiting.filter((turn) => turn !== ordered);
    memory.settled.push({ ...ordered, status: "dropped", endedAt: ts });
    return;
  }
  const at = memory.turns.get(commandId);
  memory.turns.delete(commandId);
  const turn = at === undefined ? undefined : memory.settled[at];
  change(memory, at, "turn", { status, endedAt: ts });
  // An end that comes later is still that of the call: it stays among the open ones.
  for (const call of memory.calls.values()) {
    const row = memory.settled[call];
    if (row?.kind === "tool" && row.state === "running") change(memory, call, "tool", { state: "unknown" });
    if (row?.kind === "diff") change(memory, call, "diff", { state: "unknown" });
  }
  for (const question of [...memory.questions.keys()]) answer(memory, question, "moot", null);
  const message = textOf(payload, "message");
  memory.settled.push({
    ...placeOf(event),
    kind: "end",
    number: turn?.kind === "turn" ? turn.number : numberOfTurn(memory, payload),
    status,
    failureKind: failureKindOf(payload),
    message: message === null || memory.told.has(message) ? null : message,
    milliseconds: turn?.kind === "turn" && turn.startedAt !== null ? Date.parse(ts) - Date.parse(turn.startedAt) : null,
  });
  // As the server does: what waited for a turn that did not complete is not sent.
  if (status === "failed" || status === "blocked") dropWaiting(memory, ts);
}

function dropWaiting(memory: Memory, ts: string): void {
  for (const turn of memory.waiting) memory.settled.push({ ...turn, status: "dropped", endedAt: ts });
  memory.waiting = [];
}

export function runCancelled(memory: Memory, event: StoredEvent): void {
  const text = textOf(event.payload, "reason");
  if (text !== null) memory.told.add(text);
  memory.settled.push({ ...placeOf(event), kind: "note", note: "cancelled", text, model: null, version: null });
  dropWaiting(memory, event.ts);
}
