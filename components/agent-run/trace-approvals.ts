/** Questions to a person, and what became of them. */
import type { StoredEvent } from "@/server/events/event.schema";
import { APPROVAL_STATUSES } from "@/server/runs/agent-run.rules";
import { oneOf, textOf } from "./payload-fields";
import { change, type Memory, placeOf } from "./trace-memory";
import type { ApprovalRow, AskedApproval } from "./trace-row";

export function approvalRequested(memory: Memory, event: StoredEvent): void {
  const { payload } = event;
  const approval: AskedApproval = {
    approvalId: textOf(payload, "approvalId") ?? "",
    kind: payload.kind === "file-change" ? "file-change" : "command",
    subject: textOf(payload, "subject") ?? "",
    status: "pending",
    by: null,
  };
  const itemId = textOf(payload, "itemId") ?? "";
  const call = memory.calls.get(itemId);
  // The row of the call says what it is about.
  if (call !== undefined) {
    memory.questions.set(approval.approvalId, call);
    setApproval(memory, call, approval);
    return;
  }
  memory.questions.set(approval.approvalId, memory.settled.length);
  memory.settled.push({ ...placeOf(event), kind: "approval", itemId, approval });
}

export function approvalResolved(memory: Memory, { payload }: StoredEvent): void {
  const status = oneOf(payload, "status", APPROVAL_STATUSES) ?? "moot";
  answer(memory, textOf(payload, "approvalId") ?? "", status, textOf(payload, "by"));
}

/** The open question about a call that was asked before the call was told, by its place. */
export function questionOf(memory: Memory, itemId: string): { at: number; row: ApprovalRow } | null {
  for (const at of memory.questions.values()) {
    const row = memory.settled[at];
    if (row?.kind === "approval" && row.itemId === itemId) return { at, row };
  }
  return null;
}

function setApproval(memory: Memory, at: number, approval: AskedApproval): void {
  for (const kind of ["tool", "diff", "approval"] as const) change(memory, at, kind, { approval });
}

export function answer(memory: Memory, approvalId: string, status: AskedApproval["status"], by: string | null): void {
  const at = memory.questions.get(approvalId);
  memory.questions.delete(approvalId);
  const row = at === undefined ? undefined : memory.settled[at];
  if (at === undefined || row === undefined || !("approval" in row) || row.approval === null) return;
  setApproval(memory, at, { ...row.approval, status, by });
}
