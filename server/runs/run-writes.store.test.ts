/** The statements of claims, ends and sweeps themselves, without an executor between. */
import { expect, it } from "vitest";
import { textArtifact } from "@/server/artifacts/artifact-text";
import { prepareEvent } from "@/server/events/event-writes.store";
import { createRedactor } from "@/server/events/redact";
import { openContainer, type TestContainer, wholeTrace } from "@/server/testing/test-container";
import { endTurn, type TurnOutcome } from "./end-turn.store";
import {
  appendTurnEvents,
  type ClaimedChunk,
  claimChunks,
  freeChunks,
  releaseChunk,
  startTurns,
  sweepDeadWorkers,
} from "./run-writes.store";

const NOW = Date.now();
const PLAIN = createRedactor([]);
const FRESH = { startedAt: NOW, firstTokenAt: NOW + 1 };

async function openRun(chunks: readonly string[] = [""]) {
  const container = await openContainer({ start: false });
  const { id } = await container.begin({ chunks });
  const claim = (owner: string, limit = 1, now = NOW) => claimChunks(container.writer, { runId: id, owner, limit, now });
  const start = async (owner: string, limit = 1) => {
    const claimed = await claim(owner, limit);
    return (await startAll(container, id, owner, claimed)).length === 0 ? claimed : [];
  };
  return { container, id, claim, start };
}

/** Returns those that were lost. */
async function startAll(container: TestContainer, runId: string, owner: string, chunks: readonly ClaimedChunk[]) {
  const take = () => chunks.map((chunk) => ({ chunk, startedAt: NOW, backend: "mock", model: "mock-1" }));
  const lost = await startTurns(container.writer, { runId, owner, take });
  return lost.map(({ chunk }) => chunk.index);
}

let made = 0;
function success(body: string): TurnOutcome {
  made += 1;
  return {
    end: { status: "succeeded", insights: 2 },
    times: FRESH,
    endedAt: NOW + 5,
    result: { id: `art_test${made}`, kind: "result", ...textArtifact(body) },
    usage: { promptTokens: 10, completionTokens: 5 },
    finishReason: "stop",
    servedModel: null,
    servedProvider: null,
    repaired: false,
    truncated: false,
    repairRequest: null,
  };
}

function event() {
  return prepareEvent({ type: "chunk_succeeded", payload: { latencyMs: 5 } }, { ts: NOW, chunk: 1, attempt: 1 }, PLAIN);
}

/** The lease of a worker ends. */
async function expire(container: TestContainer, worker: string): Promise<void> {
  await container.database.worker.update({ where: { id: worker }, data: { leaseUntil: NOW - 1 } });
}

it("gives a chunk to one of two that claim at the same time", async () => {
  const { container, id, claim } = await openRun(["", "", ""]);
  const [first, second] = await Promise.all([claim("wrk_a", 2), claim("wrk_b", 2)]);
  expect([first.map(({ index }) => index), second.map(({ index }) => index)]).toEqual([[1, 2], [3]]);
  // A claim is no start: nothing of it is to be seen.
  expect((await container.runs.get(id)).counts).toMatchObject({ queued: 3, running: 0 });
  expect(await container.database.attempt.count()).toBe(0);
  expect(await startAll(container, id, "wrk_a", first)).toEqual([]);
  expect((await container.runs.get(id)).counts).toMatchObject({ queued: 1, running: 2 });
  await wholeTrace(container, id);
});

it("starts no chunk whose claim was lost or given back, and says which", async () => {
  const { container, id, claim } = await openRun(["", "", ""]);
  const claimed = await claim("wrk_a", 3);
  await freeChunks(container.writer, claimed.slice(0, 1), "wrk_a", NOW);
  expect((await claim("wrk_b")).map(({ index }) => index)).toEqual([1]);
  expect(await startAll(container, id, "wrk_a", claimed)).toEqual([1]);
  expect(await startAll(container, id, "wrk_a", claimed.slice(1))).toEqual([2, 3]);
  expect((await container.runs.get(id)).counts).toMatchObject({ queued: 1, running: 2 });
  const attempts = await container.database.attempt.findMany({ orderBy: { chunkIndex: "asc" } });
  expect(attempts.map(({ chunkIndex, number, owner }) => [chunkIndex, number, owner])).toEqual([
    [2, 1, "wrk_a"],
    [3, 1, "wrk_a"],
  ]);
  await wholeTrace(container, id);
});

it("leaves no trace of claims that were given back or whose worker died", async () => {
  const { container, id, claim } = await openRun(["", "", ""]);
  await freeChunks(container.writer, await claim("wrk_a", 2), "wrk_a", NOW);
  await claim("wrk_b", 3);
  const before = await wholeTrace(container, id);
  await expire(container, "wrk_b");
  expect(await sweepDeadWorkers(container.writer, NOW)).toEqual([]);
  expect(await claim("wrk_c", 3)).toHaveLength(3);
  expect(await wholeTrace(container, id)).toEqual(before);
  expect(await container.runs.get(id)).toMatchObject({ retries: 0, counts: { queued: 3, running: 0 } });
});

it("cancels what was claimed when it is given back, or its worker dies, after the run was cancelled", async () => {
  const { container, id, claim } = await openRun(["", "", "", ""]);
  const [first] = await claim("wrk_a", 2);
  await claim("wrk_b", 1);
  await container.runs.cancel(id);
  expect((await container.runs.get(id)).counts).toMatchObject({ queued: 3, cancelled: 1 });
  if (first) await freeChunks(container.writer, [first], "wrk_a", NOW);
  expect((await container.runs.get(id)).counts).toMatchObject({ queued: 2, cancelled: 2 });
  await expire(container, "wrk_a");
  await expire(container, "wrk_b");
  await sweepDeadWorkers(container.writer, NOW);
  expect((await container.runs.get(id)).counts).toMatchObject({ queued: 0, cancelled: 4 });
  expect(await container.database.chunk.count({ where: { leaseOwner: { not: null } } })).toBe(0);
  await wholeTrace(container, id);
});

it("refuses every write of a worker whose lease was taken, and keeps its answer as a late one", async () => {
  const { container, id, start } = await openRun();
  const [lost] = await start("wrk_zombie");
  if (!lost) throw new Error("nothing was claimed");
  await expire(container, "wrk_zombie");
  expect(await sweepDeadWorkers(container.writer, NOW)).toEqual([id]);
  const [taken] = await start("wrk_heir");
  if (!taken) throw new Error("nothing was claimed again");
  expect([lost.attempt, taken.attempt]).toEqual([1, 2]);

  expect(await appendTurnEvents(container.writer, lost, "wrk_zombie", FRESH, NOW, [event()])).toBe(false);
  expect(await endTurn(container.writer, lost, "wrk_zombie", success("the late answer"), [event()])).toBeNull();
  await releaseChunk(container.writer, lost, "wrk_zombie", NOW);
  expect((await container.runs.get(id)).counts).toMatchObject({ queued: 0, running: 1, succeeded: 0 });

  expect(await endTurn(container.writer, taken, "wrk_heir", success("the answer"), [event()])).toMatchObject({
    succeeded: 1,
    running: 0,
  });
  // Even after the chunk is done.
  expect(await endTurn(container.writer, lost, "wrk_zombie", success("again"), [])).toBeNull();

  const { attempts, acceptedAttempt } = (await container.runs.chunks(id, { limit: 1 })).items[0] ?? {};
  expect(attempts?.map(({ number, status, errorMessage }) => [number, status, errorMessage])).toEqual([
    [1, "abandoned", "The lease had ended when the answer came; it is kept here and was not accepted."],
    [2, "succeeded", null],
  ]);
  expect(acceptedAttempt).toBe(2);
  const kept = await container.database.artifact.findMany({
    where: { runId: id, kind: { in: ["result", "late-result"] } },
    orderBy: { body: "asc" },
  });
  expect(kept.map(({ kind, body }) => [kind, body])).toEqual([
    ["result", "the answer"],
    ["late-result", "the late answer"],
  ]);
  // Both answers were paid for.
  expect((await container.runs.get(id)).tokens).toMatchObject({ prompt: 20, completion: 10, estimated: false });
  expect(attempts?.map(({ promptTokens, completionTokens }) => [promptTokens, completionTokens])).toEqual([
    [10, 5],
    [10, 5],
  ]);
  await wholeTrace(container, id);
});

it("sweeps no worker whose lease runs, and one whose lease lies beyond any lease", async () => {
  const { container, id, start } = await openRun(["", ""]);
  await start("wrk_alive");
  await start("wrk_from_the_future");
  await container.database.worker.update({ where: { id: "wrk_from_the_future" }, data: { leaseUntil: NOW + 3_600_000 } });
  expect(await sweepDeadWorkers(container.writer, NOW)).toEqual([id]);
  const { items } = await container.runs.chunks(id, { limit: 5 });
  expect(items.map(({ index, status }) => [index, status])).toEqual([
    [1, "running"],
    [2, "queued"],
  ]);
});

it("gives every run that one sweep moves a change of its own", async () => {
  const { container, id, start } = await openRun(["", ""]);
  const other = await container.begin({ chunks: [""] });
  await start("wrk_a", 2);
  const claimed = await claimChunks(container.writer, { runId: other.id, owner: "wrk_a", limit: 1, now: NOW });
  await startAll(container, other.id, "wrk_a", claimed);
  const { cursor } = await container.runs.changes(-1);
  await expire(container, "wrk_a");
  await sweepDeadWorkers(container.writer, NOW);
  const { runs } = await container.runs.changes(cursor);
  expect(runs.map(({ change, run }) => [change, run.id])).toEqual([
    [cursor + 1, id],
    [cursor + 2, other.id],
  ]);
});

it("cancels the chunks of a dead worker when their run was cancelled", async () => {
  const { container, id, start } = await openRun(["", ""]);
  await start("wrk_a", 1);
  await container.runs.cancel(id);
  expect((await container.runs.get(id)).counts).toMatchObject({ running: 1, cancelled: 1 });
  await expire(container, "wrk_a");
  await sweepDeadWorkers(container.writer, NOW);
  expect((await container.runs.get(id)).counts).toEqual({
    total: 2,
    queued: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 2,
  });
  await wholeTrace(container, id);
});

it("claims nothing of a run that is paused or over", async () => {
  const { container, id, claim } = await openRun();
  await container.runs.pause(id);
  expect(await claim("wrk_a")).toEqual([]);
  await container.runs.resume(id);
  await container.runs.cancel(id);
  expect(await claim("wrk_a")).toEqual([]);
  expect(await container.database.attempt.count()).toBe(0);
});

it("claims no chunk before it is due", async () => {
  const { container, id, claim } = await openRun();
  await container.database.chunk.updateMany({ where: { runId: id }, data: { dueAt: NOW + 1_000 } });
  expect(await claim("wrk_a", 1, NOW + 999)).toEqual([]);
  expect(await claim("wrk_a", 1, NOW + 1_000)).toHaveLength(1);
});
