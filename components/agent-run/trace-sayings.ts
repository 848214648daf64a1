/** What was said, changed and remarked: messages, patches, errors, statuses. */
import type { StoredEvent } from "@/server/events/event.schema";
import { patchFacts } from "./patch-lines";
import { failureKindOf, numberOf, textOf, textsOf } from "./payload-fields";
import { change, type Memory, placeOf } from "./trace-memory";
import type { DiffRow, ErrorRow, KeptText } from "./trace-row";

/** The excerpt of a long text says its size itself; what was bounded as a whole is known by the event's own size. */
function keptText({ payload, bytes, truncated, artifactId }: StoredEvent): KeptText {
  return {
    text: textOf(payload, "text") ?? "",
    bytes: numberOf(payload, "bytes") ?? bytes,
    isCut: truncated,
    artifactId,
  };
}

export function messageSaid(memory: Memory, event: StoredEvent): void {
  const { payload } = event;
  if (payload.again === true) {
    const said = memory.settled.findLastIndex(({ kind }) => kind === "message");
    change(memory, said, "message", { isFinal: payload.final === true, isCommentary: false });
    return;
  }
  memory.settled.push({
    ...placeOf(event),
    kind: "message",
    said: keptText(event),
    isFinal: payload.final === true,
    isCommentary: payload.messagePhase === "commentary" || payload.replyAuthority !== true,
  });
}

const DIFF_STATES: ReadonlyMap<string, DiffRow["state"]> = new Map([
  ["inProgress", "proposed"],
  ["declined", "declined"],
  ["failed", "failed"],
]);

/** A change that a person was asked about comes twice: as it is proposed, and with what became of it. */
export function filesChanged(memory: Memory, event: StoredEvent): void {
  const { payload } = event;
  const isOfTurn = payload.scope === "turn";
  const patch = keptText(event);
  const facts = patchFacts(patch.text);
  const paths = isOfTurn ? facts.paths : textsOf(payload, "paths");
  const row: DiffRow = {
    ...placeOf(event),
    kind: "diff",
    scope: isOfTurn ? "turn" : "call",
    state: DIFF_STATES.get(textOf(payload, "status") ?? "") ?? "ok",
    paths,
    files: numberOf(payload, "files") ?? paths.length,
    patch,
    added: facts.added,
    removed: facts.removed,
    approval: null,
  };
  const itemId = textOf(payload, "itemId") ?? "";
  const at = memory.calls.get(itemId);
  const proposed = at === undefined ? undefined : memory.settled[at];
  if (at !== undefined && proposed?.kind === "diff") {
    const { key, seq, ts, approval } = proposed;
    memory.settled[at] = { ...row, key, seq, ts, approval };
    if (row.state !== "proposed") memory.calls.delete(itemId);
    return;
  }
  if (row.state === "proposed") memory.calls.set(itemId, memory.settled.length);
  memory.settled.push(row);
}

export function errorHappened(memory: Memory, event: StoredEvent): void {
  const { payload } = event;
  const row: ErrorRow = {
    ...placeOf(event),
    kind: "error",
    failureKind: failureKindOf(payload),
    message: textOf(payload, "message") ?? "",
    isRetried: payload.willRetry === true,
    times: 1,
  };
  memory.told.add(row.message);
  const before = memory.settled.at(-1);
  if (row.isRetried && before?.kind === "error" && before.isRetried && before.failureKind === row.failureKind)
    change(memory, memory.settled.length - 1, "error", { message: row.message, times: before.times + 1 });
  else memory.settled.push(row);
}

/** The phase of the one event a turn that counts what the adapter left out. */
const SUPPRESSED = "codex-app-server-notifications-suppressed";
const OPENINGS = new Map([
  ["thread-started", "started"],
  ["thread-resumed", "resumed"],
] as const);
/** Said of every further turn, which its heading says already. */
const GOES_ON = "thread-continued";

export function statusTold(memory: Memory, event: StoredEvent): void {
  const { payload } = event;
  const phase = textOf(payload, "phase") ?? "";
  if (phase === GOES_ON) return;
  if (phase === SUPPRESSED) {
    const counts = Object.entries(typeof payload.counts === "object" && payload.counts !== null ? payload.counts : {});
    memory.settled.push({
      ...placeOf(event),
      kind: "suppressed",
      total: numberOf(payload, "total") ?? 0,
      counts: counts.flatMap(([name, count]) => (typeof count === "number" ? [{ name, count }] : [])),
    });
    return;
  }
  const opening = [...OPENINGS].find(([name]) => name === phase)?.[1];
  memory.settled.push({
    ...placeOf(event),
    kind: "note",
    note: opening ?? "status",
    text: textOf(payload, "message") ?? (opening === undefined ? phase : null),
    model: textOf(payload, "model"),
    version: textOf(payload, "version"),
  });
}
