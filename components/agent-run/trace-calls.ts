/** Calls of tools: start and end are one row. */
import type { StoredEvent } from "@/server/events/event.schema";
import { numberOf, textOf } from "./payload-fields";
import { questionOf } from "./trace-approvals";
import { change, type Memory, placeOf } from "./trace-memory";
import type { ToolRow, ToolState } from "./trace-row";

const STATES: ReadonlyMap<string, ToolState> = new Map([
  ["inProgress", "running"],
  ["still running", "still_running"],
  ["ended with its process", "process_ended"],
  ["completed", "ok"],
  ["failed", "failed"],
  ["declined", "declined"],
]);

function stateOf(status: string, exitCode: number | null): ToolState {
  const state = STATES.get(status) ?? "unknown";
  return state === "ok" && exitCode !== null && exitCode !== 0 ? "failed" : state;
}

export function toolCalled(memory: Memory, event: StoredEvent): void {
  const { payload, seq, ts } = event;
  const itemId = textOf(payload, "itemId") ?? "";
  const status = textOf(payload, "status") ?? "";
  const exitCode = numberOf(payload, "exitCode");
  const state = stateOf(status, exitCode);
  const at = memory.calls.get(itemId);
  const known = at === undefined ? undefined : memory.settled[at];
  if (known?.kind === "tool" && known.state === "running" && state === "running") return;
  // A call that begins anew under an old name is another one.
  const begun = state === "running" ? undefined : known;
  const hasEnded = state !== "running" && state !== "still_running";
  const took = begun === undefined ? null : Date.parse(ts) - Date.parse(begun.ts);
  const now: Pick<ToolRow, "state" | "status" | "exitCode" | "milliseconds" | "bytes" | "endSeq"> = {
    state,
    status,
    exitCode,
    milliseconds: hasEnded ? (numberOf(payload, "durationMs") ?? took) : null,
    bytes: numberOf(payload, "bytes"),
    endSeq: hasEnded ? seq : null,
  };
  if (begun !== undefined) change(memory, at, "tool", now);
  else {
    // Question and call come in any order; the call takes the place of its question.
    const asked = questionOf(memory, itemId);
    const place = asked?.at ?? memory.settled.length;
    if (!hasEnded) memory.calls.set(itemId, place);
    memory.settled[place] = {
      ...placeOf(event),
      ...(asked === null ? {} : { key: asked.row.key }),
      kind: "tool",
      itemId,
      toolName: textOf(payload, "toolName") ?? "",
      command: textOf(payload, "command"),
      cwd: textOf(payload, "cwd"),
      approval: asked?.row.approval ?? null,
      ...now,
    };
  }
  if (hasEnded) memory.calls.delete(itemId);
}

/** What still ran in the process has ended with it; where that is told of a call itself, it is told next. */
export function modelUnloaded(memory: Memory): void {
  for (const at of memory.calls.values()) change(memory, at, "tool", { state: "process_ended" });
}
