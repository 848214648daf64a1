/** Processes that are killed, frozen and stopped in the middle of a run. Nothing may be lost, doubled or left running. */
import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { databaseFile } from "@/server/db/client";
import { makeFolder } from "@/server/testing/make-folder";
import { spawnServer } from "@/server/testing/spawn-server";
import { openContainer, type TestContainer, untilResting, untilRun, wholeTrace } from "@/server/testing/test-container";
import { waitFor } from "@/server/testing/wait-for";

const CONCURRENCY = 4;
/** The lease of a dead worker, the look that finds it, and a claim. */
const RESUME_MS = 5_000;

/** One accepted result a chunk, attempts numbered without a gap, none still open. */
async function expectEachChunkOnce(container: TestContainer, id: string, total: number): Promise<void> {
  const { items } = await container.runs.chunks(id, { limit: 1_000 });
  expect(items.map(({ index }) => index)).toEqual(Array.from({ length: total }, (_, at) => at + 1));
  for (const chunk of items) {
    expect(chunk.attempts.map(({ number }) => number)).toEqual(chunk.attempts.map((_, at) => at + 1));
    const succeeded = chunk.attempts.filter(({ status }) => status === "succeeded").map(({ number }) => number);
    expect([chunk.index, chunk.status, succeeded]).toEqual([chunk.index, "succeeded", [chunk.acceptedAttempt]]);
    expect(chunk.attempts.filter(({ status }) => status === "running")).toEqual([]);
  }
  const results = await container.database.artifact.count({ where: { runId: id, kind: "result" } });
  expect(results).toBe(total);
}

describe("a server killed with -9", () => {
  // Chunks done when the kill comes: the beginning, the middle, the end.
  it.each([0, 9, 27])("is resumed within five seconds when %i chunks were done", async (done) => {
    const total = 30;
    const container = await openContainer({ start: false });
    const chunks = Array.from({ length: total }, (_, at) => `[[mock:delay=${40 + ((at * 37) % 60)}]] [[mock:events=3]]`);
    const { id } = await container.begin({ chunks, options: { concurrency: CONCURRENCY } });
    const server = await spawnServer(container.dataDir);
    await untilRun(container, id, "the instant of the kill", ({ counts }) => counts.running > 0 && counts.succeeded >= done);
    const acknowledged = (await container.runs.events(id, { afterSeq: 0, limit: 500 })).items;
    server.signal("SIGKILL");
    expect(await server.exited).toBe("SIGKILL");
    const killedAt = performance.now();
    const orphans = await container.database.chunk.findMany({ where: { runId: id, status: "running" } });

    container.executor.start();
    await waitFor("every orphan is taken up again", async () => {
      const rows = await container.database.chunk.findMany({ where: { id: { in: orphans.map((orphan) => orphan.id) } } });
      const before = new Map(orphans.map((orphan) => [orphan.id, orphan.attempt]));
      return rows.every((row) => row.attempt > (before.get(row.id) ?? 0));
    });
    expect(performance.now() - killedAt).toBeLessThan(RESUME_MS);
    const run = await untilResting(container, id);
    expect([run.status, run.counts.succeeded]).toEqual(["completed", total]);
    await expectEachChunkOnce(container, id, total);
    const trace = await wholeTrace(container, id);
    expect(trace.slice(0, acknowledged.length)).toEqual(acknowledged);
    const abandoned = await container.database.attempt.count({ where: { runId: id, status: "abandoned" } });
    expect(abandoned).toBe(orphans.length);
  });
});

describe("SIGTERM with work in flight", () => {
  it("gives back what does not finish, exits 0 and leaves nothing running behind", async () => {
    const container = await openContainer({ start: false });
    const chunks = ["[[mock:delay=300]]", "[[mock:hang]]", "", "", "", ""];
    const { id } = await container.begin({ chunks, options: { concurrency: 2 } });
    const server = await spawnServer(container.dataDir);
    await untilRun(container, id, "two in flight", ({ counts }) => counts.running >= 2);
    server.signal("SIGTERM");
    expect([await server.exited, server.stderr()]).toEqual([0, ""]);
    const { status, counts } = await container.runs.get(id);
    expect([status, counts.running, counts.failed, counts.cancelled]).toEqual(["running", 0, 0, 0]);
    // The short one was in flight and is paid: it was let finish.
    expect(counts.succeeded).toBeGreaterThanOrEqual(1);
    expect(await container.database.worker.count()).toBe(0);
    expect(await container.database.attempt.count({ where: { status: "running" } })).toBe(0);
    const given = await container.database.attempt.findFirst({ where: { chunkIndex: 2 } });
    expect([given?.status, given?.errorMessage]).toEqual(["abandoned", "its worker shut down"]);
    await wholeTrace(container, id);
  });

  it("waits for a database that takes no answer, says so, and ends at a further signal", async () => {
    const container = await openContainer({ start: false });
    const { id } = await container.begin({ chunks: ["[[mock:delay=300]]"] });
    const server = await spawnServer(container.dataDir, 400);
    await untilRun(container, id, "in flight", ({ counts }) => counts.running === 1);
    const lock = new Sqlite(databaseFile(container.dataDir));
    onTestFinished(() => void lock.close());
    lock.exec("BEGIN IMMEDIATE");
    server.signal("SIGTERM");
    await waitFor("the reason", async () => server.stderr().includes("another signal ends the process"));
    server.signal("SIGTERM");
    expect(await server.exited).toBe("SIGKILL");
    lock.exec("ROLLBACK");
    container.executor.start();
    expect((await untilResting(container, id)).status).toBe("completed");
    await expectEachChunkOnce(container, id, 1);
    await wholeTrace(container, id);
  }, 40_000);

  it("never leaves a claim behind, at whatever instant it comes", async () => {
    for (let round = 0; round < 5; round += 1) {
      const dataDir = makeFolder();
      const container = await openContainer({ dataDir });
      const { id } = await container.begin({ chunks: Array.from({ length: 40 }, () => ""), options: { concurrency: 16 } });
      await untilRun(container, id, "a moment of its life", ({ lastSeq }) => lastSeq > 2 + round * 40);
      await container.shut();
      const reader = await openContainer({ dataDir, start: false });
      const { counts } = await reader.runs.get(id);
      expect([round, counts.running, counts.failed, counts.cancelled]).toEqual([round, 0, 0, 0]);
      expect(await reader.database.attempt.count({ where: { status: "running" } })).toBe(0);
      await reader.shut();
    }
  });
});

describe("a worker that was frozen past its lease", () => {
  it("finds its write refused", async () => {
    const container = await openContainer({ start: false });
    const { id } = await container.begin({ chunks: ["[[mock:delay=900]]"] });
    const zombie = await spawnServer(container.dataDir);
    await untilRun(container, id, "in flight", ({ counts }) => counts.running === 1);
    zombie.signal("SIGSTOP");
    container.executor.start();
    const done = await untilResting(container, id);
    expect(done.status).toBe("completed");
    const before = await wholeTrace(container, id);
    zombie.signal("SIGCONT");
    zombie.signal("SIGTERM");
    expect(await zombie.exited).toBe(0);
    const { items } = await container.runs.chunks(id, { limit: 10 });
    expect(items[0]?.attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, "abandoned"],
      [2, "succeeded"],
    ]);
    expect(items[0]?.acceptedAttempt).toBe(2);
    expect(await wholeTrace(container, id)).toEqual(before);
    // Whether its answer was there before it saw that it had lost the chunk is chance; it is accepted in neither case.
    expect(await container.database.artifact.count({ where: { runId: id, kind: "result" } })).toBe(1);
    expect(await container.database.worker.findMany({ select: { id: true } })).toEqual([{ id: container.executor.workerId }]);
  });
});

describe("two executors over one database", () => {
  it("never run a chunk twice", async () => {
    const total = 120;
    const first = await openContainer({ start: false });
    const second = await openContainer({ dataDir: first.dataDir, start: false });
    const { id } = await first.begin({
      chunks: Array.from({ length: total }, (_, at) => (at % 3 === 0 ? "[[mock:delay=5]]" : "")),
    });
    first.executor.start();
    second.executor.start();
    const run = await untilResting(first, id);
    expect([run.status, run.counts.succeeded, run.retries]).toEqual(["completed", total, 0]);
    await expectEachChunkOnce(first, id, total);
    const owners = await first.database.attempt.groupBy({ by: ["owner"], where: { runId: id }, _count: true });
    expect(owners.map(({ owner }) => owner).sort()).toEqual([first.executor.workerId, second.executor.workerId].sort());
    expect(owners.reduce((sum, { _count }) => sum + _count, 0)).toBe(total);
    // Two processes wrote the trace at the same time.
    const trace = await wholeTrace(first, id);
    for (const type of ["run_started", "run_completed"]) expect(trace.filter((event) => event.type === type)).toHaveLength(1);
  });
});
