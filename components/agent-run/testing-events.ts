/** For tests of these pages only: events as the server stores them, numbered from 1, a second apart. */
import type { EventType } from "@/server/events/event.rules";
import type { StoredEvent } from "@/server/events/event.schema";

export type Told = readonly [type: EventType, payload: Record<string, unknown>, more?: Partial<StoredEvent>];

const START_MS = Date.parse("2026-11-30T10:00:00.000Z");

export const timeOf = (seq: number): string => new Date(START_MS + seq * 1_000).toISOString();

export function storedEvents(told: readonly Told[], from = 1): StoredEvent[] {
  return told.map(([type, payload, more], at) => ({
    seq: from + at,
    type,
    ts: timeOf(from + at),
    chunk: null,
    attempt: null,
    payload,
    bytes: JSON.stringify(payload).length,
    truncated: false,
    artifactId: null,
    ...more,
  }));
}

const PLACE = { threadId: "thread-1", turnId: "turn-1" };

export const queued = (index: number, text: string, commandId = `cmd_${index}`): Told => [
  "command_queued",
  { commandId, index, type: "turn", text },
];
export const interruptOrdered = (index: number, text: string): Told => [
  "command_queued",
  { commandId: `cmd_${index}`, index, type: "interrupt", text },
];
export const started = (index: number): Told => ["command_started", { commandId: `cmd_${index}`, index, worker: "wrk_1" }];
export const ended = (index: number, status: string, more: Record<string, unknown> = {}): Told => [
  "command_ended",
  { commandId: `cmd_${index}`, index, status, ...more },
];

export const callStarted = (itemId: string, command: string): Told => [
  "tool_call",
  {
    method: "item/started",
    itemId,
    toolName: "shell",
    type: "commandExecution",
    command: `/bin/bash -c '${command}'`,
    cwd: "/srv/repo",
    status: "inProgress",
    processId: "1001",
    valuesPrinted: false,
    ...PLACE,
  },
];
export const callEnded = (itemId: string, command: string, more: Record<string, unknown> = {}): Told => [
  "tool_call",
  {
    ...callStarted(itemId, command)[1],
    method: "item/completed",
    status: "completed",
    exitCode: 0,
    durationMs: 455,
    bytes: 3,
    truncated: false,
    ...more,
  },
];

export const said = (text: string, more: Record<string, unknown> = {}): Told => [
  "assistant_message",
  { text, itemId: "msg_1", messageIndex: 0, messageCount: 1, replyAuthority: true, final: true, ...PLACE, ...more },
];

export const asked = (approvalId: string, itemId: string, subject: string, kind = "command"): Told => [
  "approval_requested",
  { approvalId, commandId: "cmd_0", kind, subject, deadlineAt: "2026-11-30T10:10:00.000Z", itemId },
];
export const decided = (approvalId: string, status: string, by?: string): Told => [
  "approval_resolved",
  { approvalId, commandId: "cmd_0", status, ...(by === undefined ? {} : { by }) },
];
