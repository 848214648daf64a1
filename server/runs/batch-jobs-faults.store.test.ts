/** Processes that die and connections that break in the middle of a batch job. Nothing is paid twice, nothing that is paid is lost. */
import { describe, expect, it } from "vitest";
import { startFakeAnthropicBatches } from "@/server/testing/fake-anthropic-batches";
import { answered, type FakeBatches } from "@/server/testing/fake-batches";
import { startFakeOpenAiBatches } from "@/server/testing/fake-openai-batches";
import { hang } from "@/server/testing/loopback-upstream";
import { openBatches } from "@/server/testing/open-batches";
import { spawnServer } from "@/server/testing/spawn-server";
import { openContainer, wholeTrace } from "@/server/testing/test-container";
import { waitFor } from "@/server/testing/wait-for";
import { createJob } from "./batch/job-writes.store";

const KEY = "key-of-svc-11";
const SERVICES = [
  { profile: "openai", start: startFakeOpenAiBatches },
  { profile: "anthropic", start: () => startFakeAnthropicBatches() },
] as const;

/** A run with a job that nobody has handed in yet: whoever made it is dead. */
async function withOrphan(kind: (typeof SERVICES)[number], chunks = 3) {
  const service = await kind.start();
  const opened = await openBatches(service, { profile: kind.profile, key: KEY });
  const { container } = opened;
  const id = await opened.run(chunks);
  const { settings, model } = await candidateOf(container, id);
  const job = { id: `bat_${"0".repeat(26)}`, runId: id, provider: "svc", model, settings, chunks: numbers(chunks) };
  expect(await createJob(container.writer, job, "wrk_dead", Date.now())).toBe(chunks);
  return { ...opened, id, jobId: job.id };
}

async function candidateOf(container: Awaited<ReturnType<typeof openBatches>>["container"], id: string) {
  const row = await container.database.run.findUniqueOrThrow({ where: { id } });
  const [route] = JSON.parse(row.routes);
  return { settings: JSON.stringify(route.candidates[0].settings), model: String(route.candidates[0].model) };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const serverOf = (dataDir: string) => spawnServer(dataDir, 1_500, { SVC_KEY: KEY });

function endAll(service: FakeBatches) {
  for (const job of service.jobs) service.end(job, "completed", () => answered());
}

describe.each(SERVICES)("a server killed with -9 at $profile", (kind) => {
  it("between the submission of a job and the writing down of its id leaves it to be found again", async () => {
    const { container, service, id, jobId } = await withOrphan(kind);
    const server = await serverOf(container.dataDir);
    await new Promise<void>((resolve) => {
      service.onSubmit = () => {
        server.signal("SIGKILL");
        resolve();
        return "cut";
      };
    });
    expect(await server.exited).toBe("SIGKILL");
    expect((await container.batches.list(id))[0]).toMatchObject({ state: "submitting", nativeId: null });
    service.onSubmit = null;
    endAll(service);
    const job = await waitFor("the lease of the dead one ends", async () => {
      const seen = await container.batches.poll(jobId);
      return seen.state === "completed" ? seen : null;
    });
    expect(job).toMatchObject({ nativeId: service.jobs[0]?.id, taken: { adopted: 3, unusable: 0, returned: 0 } });
    expect(service.jobs.length).toBe(1);
    const told = (await wholeTrace(container, id)).filter(({ type }) => type.startsWith("batch_"));
    expect(told.map(({ type, payload }) => [type, payload.state ?? payload.foundAgain ?? payload.outcome])).toEqual([
      ["batch_state", "unknown"],
      ["batch_submitted", true],
      ["batch_state", "collecting"],
      ["batch_collected", "completed"],
    ]);
  });

  it("while it fetches the answers leaves them to be fetched again, and takes each once", async () => {
    const { container, service, id, jobId } = await withOrphan(kind);
    const server = await serverOf(container.dataDir);
    await waitFor("the job is handed in", async () => (await container.batches.list(id))[0]?.state === "running");
    server.signal("SIGTERM");
    expect(await server.exited).toBe(0);
    endAll(service);
    // Due again at once for the next server.
    await container.database.$executeRaw`UPDATE "BatchJob" SET "nextPollAt" = 0`;
    const second = await serverOf(container.dataDir);
    await new Promise<void>((resolve) => {
      service.onFetch = () => {
        second.signal("SIGKILL");
        resolve();
        return 1;
      };
    });
    expect(await second.exited).toBe("SIGKILL");
    expect((await container.batches.list(id))[0]).toMatchObject({ state: "collecting" });
    service.onFetch = null;
    await waitFor("the lease of the dead one ends", async () => (await container.batches.poll(jobId)).state === "completed");
    const { items } = await container.runs.chunks(id, { limit: 10 });
    expect(items.map(({ status, attempts }) => [status, attempts.length])).toEqual([
      ["succeeded", 1],
      ["succeeded", 1],
      ["succeeded", 1],
    ]);
    expect(await container.runs.get(id)).toMatchObject({ status: "completed", tokens: { prompt: 90, completion: 27 } });
    await wholeTrace(container, id);
  });
});

describe.each(SERVICES)("a job at $profile", (kind) => {
  it("whose answers break off is fetched again, and what was taken is not taken twice", async () => {
    const { container, service, id, jobId } = await withOrphan(kind, 210);
    await waitFor("it is handed in", async () => (await container.batches.poll(jobId)).state === "running");
    service.end(service.jobs[0] ?? service.addForeign(0), "completed", (at) => answered(at === 7 ? "No." : undefined));
    service.onFetch = () => 205;
    expect(await container.batches.poll(jobId)).toMatchObject({
      state: "collecting",
      problem: expect.stringContaining("broke off"),
    });
    const taken = await container.database.attempt.count({ where: { runId: id } });
    expect(taken).toBe(200);
    service.onFetch = null;
    expect(await container.batches.poll(jobId)).toMatchObject({
      state: "completed",
      problem: null,
      taken: { adopted: 209, unusable: 1, returned: 0 },
    });
    expect(await container.database.attempt.count({ where: { runId: id } })).toBe(210);
    expect((await container.runs.get(id)).tokens).toMatchObject({ prompt: 210 * 30, completion: 210 * 9 });
  });

  it("is driven by one process at a time", async () => {
    const { container, service, id, jobId } = await withOrphan(kind);
    await waitFor("it is handed in", async () => (await container.batches.poll(jobId)).state === "running");
    endAll(service);
    const other = await openContainer({ dataDir: container.dataDir, start: false });
    // The first one waits for an answer, and has the job meanwhile.
    service.broken = hang;
    const before = service.calls().length;
    const waiting = container.batches.poll(jobId);
    await service.upstream.received(before + 1);
    expect((await other.batches.poll(jobId)).state).toBe("running");
    expect(service.calls().length).toBe(before + 1);
    service.broken = null;
    // Its shutdown gives the job back at once.
    await container.shut();
    await waiting.catch(() => undefined);
    expect(await other.batches.poll(jobId)).toMatchObject({ state: "completed", taken: { adopted: 3 } });
    expect((await other.runs.get(id)).status).toBe("completed");
  });
});
