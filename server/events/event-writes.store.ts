import { textArtifact } from "@/server/artifacts/artifact-text";
import { BUCKET_MS } from "@/server/db/rollup-bucket";
import type { WriteOp } from "@/server/db/writer";
import { newId } from "@/server/shared/ids";
import { boundPayload, cleanText } from "./bound-payload";
import type { NewEvent } from "./event.schema";
import { excerptOf } from "./excerpt";
import type { Redactor } from "./redact";

/** An event redacted and bounded, ready for its batch. */
export interface PreparedEvent {
  type: NewEvent["type"];
  ts: number;
  chunk: number | null;
  attempt: number | null;
  payload: string;
  bytes: number;
  truncated: boolean;
  /** The whole payload, when the event holds only a part. */
  whole: { id: string; kind: "event-payload" | "event-text"; body: string } | null;
}

/** Redacts, cleans and bounds one event. This is the only way into the trace: nothing is stored that did not pass here. */
export function prepareEvent(
  event: NewEvent,
  at: { ts: number; chunk?: number; attempt?: number },
  redactor: Redactor,
): PreparedEvent {
  const place = { type: event.type, ts: at.ts, chunk: at.chunk ?? null, attempt: at.attempt ?? null };
  const plain = plainPayload(event.payload, redactor);
  if (plain !== null) return { ...place, payload: plain, bytes: Buffer.byteLength(plain), truncated: false, whole: null };
  const clean = redactor.json(event.payload as Record<string, unknown>);
  // Cut after redaction: a cut must not hide half a secret from it.
  const text = event.inEvent && clean[event.inEvent.field];
  const excerpt = event.inEvent && typeof text === "string" ? excerptOf(cleanText(text), event.inEvent.bytes) : null;
  const bounded = boundPayload(
    event.inEvent && excerpt?.isCut ? { ...clean, [event.inEvent.field]: excerpt.text, truncated: true } : clean,
  );
  const whole = (kind: "event-payload" | "event-text", body: string) => ({ id: newId("art", at.ts), kind, body });
  return {
    ...place,
    payload: bounded.json,
    bytes: bounded.bytes,
    truncated: bounded.truncated || excerpt?.isCut === true,
    whole: excerpt?.isCut
      ? whole("event-text", excerpt.whole)
      : bounded.whole === null
        ? null
        : whole("event-payload", bounded.whole),
  };
}

/** Most events are small and plain: one look over their JSON says that there is nothing to redact, clean or cut. */
const PLAIN_LENGTH = 2_048;

/** The JSON of a payload that needs nothing done, else null. An escape in it could hide a secret or a character that must go. */
function plainPayload(payload: NewEvent["payload"], redactor: Redactor): string | null {
  const json = JSON.stringify(payload);
  return json.length > PLAIN_LENGTH || json.includes("\\") || redactor.containsSecret(json) ? null : json;
}

/**
 * The ops that append a batch: whole payloads, events, rollup. The unit must end with an op that raises the run's
 * `lastSeq` by `events.length`; the sequence is given inside the transaction, so it has no gap and no double.
 */
export function appendEventOps(runId: string, events: readonly PreparedEvent[]): WriteOp[] {
  if (events.length === 0) return [];
  const ops: WriteOp[] = [];
  const whole = events.flatMap((event) => (event.whole ? [event.whole] : []));
  const first = events[0];
  if (whole.length > 0 && first) {
    const args = whole.flatMap(({ id, kind, body }) => {
      const { bytes, sha256 } = textArtifact(body);
      return [id, runId, kind, body, bytes, sha256, first.ts];
    });
    ops.push({ sql: "insertArtifacts", args, tuples: whole.length });
  }
  for (let from = 0; from < events.length; from += LARGEST_BATCH) {
    const batch = events.slice(from, from + LARGEST_BATCH);
    const args: WriteOp["args"][number][] = [];
    for (const [index, e] of batch.entries())
      args.push(from + index + 1, e.type, e.ts, e.chunk, e.attempt, e.payload, e.bytes, e.truncated ? 1 : 0, e.whole?.id ?? null);
    args.push(runId);
    ops.push({ sql: "appendEvents", args, tuples: batch.length });
  }
  ops.push(countEventsOp(runId, events));
  return ops;
}

/** Events of one statement; SQLite takes 32,766 arguments. */
const LARGEST_BATCH = 1_000;

function countEventsOp(runId: string, events: readonly PreparedEvent[]): WriteOp {
  const counts = new Map<string, { type: string; bucket: number; count: number }>();
  for (const { type, ts } of events) {
    const bucket = Math.floor(ts / BUCKET_MS) * BUCKET_MS;
    const key = `${type} ${bucket}`;
    const found = counts.get(key);
    if (found) found.count += 1;
    else counts.set(key, { type, bucket, count: 1 });
  }
  const rows = [...counts.values()];
  return { sql: "countEvents", args: [...rows.flatMap((row) => [row.type, row.bucket, row.count]), runId], tuples: rows.length };
}
