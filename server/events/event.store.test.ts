/** The trace as it is stored: gapless whoever writes, paged from both ends, bounded, whole where it was cut. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { databaseFile } from "@/server/db/client";
import { Writer } from "@/server/db/writer";
import { moveRunOp } from "@/server/runs/run-writes.store";
import { openContainer, type TestContainer, untilResting, wholeTrace } from "@/server/testing/test-container";
import { EVENT_PAYLOAD_LIMIT } from "./event.rules";
import type { NewEvent } from "./event.schema";
import { EventStore } from "./event.store";
import { appendEventOps, prepareEvent } from "./event-writes.store";
import { createRedactor } from "./redact";

const PLAIN = createRedactor([]);

function status(message: string): NewEvent {
  return { type: "backend_status", payload: { phase: "working", message } };
}

/** Appends one batch as a turn does. */
function append(
  writer: Writer,
  runId: string,
  events: readonly NewEvent[],
  at: { ts: number; chunk?: number; attempt?: number },
) {
  const prepared = events.map((event) => prepareEvent(event, at, PLAIN));
  return writer.commit([...appendEventOps(runId, prepared), moveRunOp(runId, prepared.length, at.ts)]);
}

async function openRun(): Promise<{ container: TestContainer; id: string; store: EventStore }> {
  const container = await openContainer({ start: false });
  const { id } = await container.begin({ chunks: [""] });
  return { container, id, store: new EventStore(container.database) };
}

it("gives a sequence without gap or double to two processes that write at once", async () => {
  const { container, id } = await openRun();
  const other = new Writer(databaseFile(container.dataDir));
  const batches = 40;
  const perBatch = 5;
  const events = Array.from({ length: perBatch }, (_, at) => status(`step ${at}`));
  await Promise.all(
    Array.from({ length: batches }, (_, at) => append(at % 2 === 0 ? container.writer : other, id, events, { ts: 1_000 + at })),
  );
  await other.close();
  const trace = await wholeTrace(container, id);
  expect(trace).toHaveLength(2 + batches * perBatch);
  // Batches stay together.
  const steps = trace.slice(2).map(({ payload }) => payload.message);
  expect(steps).toEqual(
    Array.from({ length: batches }, () => events.map(({ payload }) => ("message" in payload ? payload.message : ""))).flat(),
  );
});

it("loses the numbers of a batch that was refused", async () => {
  const { container, id } = await openRun();
  const [event] = appendEventOps(id, [prepareEvent(status("a"), { ts: 1 }, PLAIN)]);
  if (!event) throw new Error("no op");
  // Without the op that raises the sequence, the second batch would get the same numbers.
  const both = container.writer.commit([event, event]);
  await expect(both).rejects.toThrow("UNIQUE constraint failed: Event.runId, Event.seq");
  await append(container.writer, id, [status("b")], { ts: 2 });
  expect((await wholeTrace(container, id)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

it("pages forwards and backwards over the same order, and says when there is more", async () => {
  const { container, id, store } = await openRun();
  await append(
    container.writer,
    id,
    Array.from({ length: 10 }, (_, at) => status(`step ${at}`)),
    { ts: 5 },
  );
  const seqs = async (at: { afterSeq: number } | { beforeSeq: number }, limit: number) => {
    const { items, hasMore } = await store.page(id, at, limit, {});
    return [items.map(({ seq }) => seq), hasMore];
  };
  expect(await seqs({ afterSeq: 0 }, 5)).toEqual([[1, 2, 3, 4, 5], true]);
  expect(await seqs({ afterSeq: 7 }, 5)).toEqual([[8, 9, 10, 11, 12], false]);
  expect(await seqs({ afterSeq: 12 }, 5)).toEqual([[], false]);
  expect(await seqs({ beforeSeq: 13 }, 5)).toEqual([[8, 9, 10, 11, 12], true]);
  expect(await seqs({ beforeSeq: 4 }, 5)).toEqual([[1, 2, 3], false]);
});

it("filters by type, chunk and attempt, and counts by type from the rollups", async () => {
  const { container, id, store } = await openRun();
  await append(container.writer, id, [status("a"), { type: "diff", payload: { text: "d", bytes: 1, truncated: false } }], {
    ts: 5,
    chunk: 1,
    attempt: 1,
  });
  await append(container.writer, id, [status("b")], { ts: 20_005, chunk: 1, attempt: 2 });
  const seqs = async (filter: Parameters<EventStore["page"]>[3]) =>
    (await store.page(id, { afterSeq: 0 }, 50, filter)).items.map(({ seq }) => seq);
  expect(await seqs({ types: ["backend_status"] })).toEqual([3, 5]);
  expect(await seqs({ types: ["diff", "run_queued"] })).toEqual([1, 4]);
  expect(await seqs({ chunk: 1 })).toEqual([3, 4, 5]);
  expect(await seqs({ chunk: 1, attempt: 2 })).toEqual([5]);
  expect(await seqs({ chunk: 2 })).toEqual([]);
  expect(await store.counts(id)).toEqual([
    { type: "backend_status", count: 2 },
    { type: "diff", count: 1 },
    { type: "prep_completed", count: 1 },
    { type: "run_queued", count: 1 },
  ]);
});

it("keeps five hundred events of a turn, each in its place", async () => {
  const container = await openContainer();
  const { id } = await container.begin({ chunks: ["[[mock:events=500]]"] });
  expect((await untilResting(container, id)).status).toBe("completed");
  const trace = (await wholeTrace(container, id)).filter(({ chunk, attempt }) => chunk === 1 && attempt === 1);
  const said = trace.filter(({ type }) => ["backend_status", "tool_call", "command_output", "diff"].includes(type));
  expect(said).toHaveLength(501);
  expect(trace.at(0)?.type).toBe("chunk_claimed");
  expect(trace.at(-1)?.type).toBe("chunk_succeeded");
});

it("cuts a payload at 64 KiB and keeps the whole of it as an artifact with its hash", async () => {
  const container = await openContainer();
  const { id } = await container.begin({ chunks: ["[[mock:large=3000000]]"] });
  expect((await untilResting(container, id)).status).toBe("completed");
  const rows = await container.database.event.findMany({ where: { runId: id } });
  expect(Math.max(...rows.map(({ payload }) => Buffer.byteLength(payload)))).toBeLessThanOrEqual(EVENT_PAYLOAD_LIMIT);
  const [message] = (await container.runs.events(id, { afterSeq: 0, limit: 10, types: ["assistant_message"] })).items;
  expect(message).toMatchObject({ truncated: true, payload: { final: true } });
  expect(message?.bytes).toBeGreaterThan(3_000_000);
  const whole = await container.runs.artifact(id, message?.artifactId ?? "");
  expect([whole.kind, whole.bytes, whole.sha256]).toEqual([
    "event-payload",
    message?.bytes,
    createHash("sha256").update(whole.body).digest("hex"),
  ]);
  const text: unknown = JSON.parse(whole.body).text;
  expect(typeof text === "string" && Buffer.byteLength(text)).toBe(3_000_000);
  // The result keeps the first MiB of the text and says how long it was.
  const { attempts } = await container.runs.chunk(id, 1);
  const result = JSON.parse(attempts[0]?.result?.body ?? "{}");
  expect([Buffer.byteLength(result.raw_text), result.raw_text_bytes, result.raw_text_truncated]).toEqual([
    1024 * 1024,
    3_000_000,
    true,
  ]);
});
