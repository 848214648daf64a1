/** Requests of a run as a job of a provider, over a real database and a fake service: what becomes of chunks, and of money. */
import { describe, expect, it } from "vitest";
import { resultArtifactSchema } from "@/server/artifacts/result-artifact.schema";
import { CANARY_KEY, spellingsIn, spellingsInFiles } from "@/server/testing/canary";
import { startFakeAnthropicBatches } from "@/server/testing/fake-anthropic-batches";
import { answered, type FakeBatches, type FakeJob } from "@/server/testing/fake-batches";
import { startFakeOpenAiBatches } from "@/server/testing/fake-openai-batches";
import { jsonAnswer } from "@/server/testing/loopback-upstream";
import { openBatches } from "@/server/testing/open-batches";
import { untilResting, wholeTrace } from "@/server/testing/test-container";
import { claimChunks } from "./run-writes.store";

const SERVICES = [
  { profile: "openai", start: startFakeOpenAiBatches },
  { profile: "openai-gpt", start: startFakeOpenAiBatches },
  { profile: "anthropic", start: () => startFakeAnthropicBatches() },
] as const;

function only(service: FakeBatches): FakeJob {
  const [job, ...more] = service.jobs;
  if (!job || more.length > 0) throw new Error(`the service has ${service.jobs.length} jobs`);
  return job;
}

function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error("there is none");
  return item;
}

const typesOf = (trace: readonly { type: string }[]) => trace.map(({ type }) => type).filter((type) => type.startsWith("batch"));

describe.each(SERVICES)("a job at $profile", ({ profile, start }) => {
  it("holds its chunks, goes on over polls, and completes its run", async () => {
    const service = await start();
    const { container, run, statuses } = await openBatches(service, { profile });
    const id = await run(3);
    const { jobs, skipped } = await container.batches.submit(id, {});
    const job = first(jobs);
    expect([jobs.length, skipped]).toEqual([1, []]);
    expect(job).toMatchObject({ backend: "svc", model: "model-1", state: "running", requests: 3, problem: null, endedAt: null });
    expect(only(service).requests.every(({ body }) => body.model === "model-1")).toBe(true);

    // Nobody else asks for them meanwhile.
    expect(await claimChunks(container.writer, { runId: id, owner: "wrk_x", limit: 9, now: Date.now() })).toEqual([]);
    expect(await container.runs.get(id)).toMatchObject({ counts: { queued: 3 }, waiting: { slot: 0, backoff: 0, batch: 3 } });
    expect((await container.runs.adopt(id, [{ id: `${id}-chunk-0001`, text: "{}" }])).skipped).toMatchObject([
      { chunk: 1, reason: "a batch job holds it" },
    ]);
    await expect(container.batches.submit(id, {})).rejects.toMatchObject({
      code: "conflict",
      message: "No chunk of this run can be handed in; none is queued or failed, or others have them.",
    });

    expect(await container.batches.poll(job.id)).toMatchObject({ state: "running", counts: { total: 3, succeeded: 0 } });
    service.end(only(service), "completed", () => answered());
    expect(await container.batches.poll(job.id)).toMatchObject({
      state: "completed",
      taken: { adopted: 3, unusable: 0, returned: 0 },
      nextPollAt: null,
    });
    expect(await statuses(id)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(await container.runs.get(id)).toMatchObject({
      status: "completed",
      tokens: { prompt: 90, completion: 27, estimated: false },
      waiting: { batch: 0 },
    });
    const chunk = await container.runs.chunk(id, 2);
    expect(chunk.attempts).toMatchObject([
      { number: 1, origin: "import", backend: "svc", model: "model-1", servedModel: "served-1", finishReason: "stop" },
    ]);
    expect(resultArtifactSchema.parse(JSON.parse(chunk.attempts[0]?.result?.body ?? "")).source).toMatch(
      new RegExp(`^batch ${only(service).id} line [123]$`),
    );
    const trace = await wholeTrace(container, id);
    expect(typesOf(trace)).toEqual(["batch_submitted", "batch_state", "batch_state", "batch_collected"]);
    expect(trace.find(({ type }) => type === "batch_submitted")?.payload).toEqual({
      job: job.id,
      provider: "svc",
      model: "model-1",
      requests: 3,
      nativeId: only(service).id,
    });
  });

  it("that expired keeps what was answered; the rest fails, and can be handed in again", async () => {
    const service = await start();
    const { container, run, statuses } = await openBatches(service, { profile });
    const id = await run(3);
    const job = first((await container.batches.submit(id, {})).jobs);
    service.end(only(service), "expired", (at) => (at === 1 ? answered() : { kind: "expired" }));
    expect(await container.batches.poll(job.id)).toMatchObject({
      state: "expired",
      taken: { adopted: 1, unusable: 2, returned: 0 },
    });
    expect(await statuses(id)).toEqual(["failed", "succeeded", "failed"]);
    expect(await container.runs.chunk(id, 1)).toMatchObject({
      failureKind: "backend-timeout",
      errorMessage: "The batch ended before this request had its turn.",
    });
    expect((await container.runs.get(id)).status).toBe("incomplete");

    const again = first((await container.batches.submit(id, {})).jobs);
    expect(again).toMatchObject({ state: "running", requests: 2 });
    expect(await container.runs.retry(id, { chunks: [1] })).toEqual({
      requeued: 0,
      skipped: [{ chunk: 1, reason: "a batch job holds it" }],
    });
    const second = service.jobs[1];
    if (!second) throw new Error("there is no second job");
    service.end(second, "completed", () => answered());
    expect(await container.batches.poll(again.id)).toMatchObject({ state: "completed", taken: { adopted: 2 } });
    expect((await container.runs.get(id)).status).toBe("completed");
    await wholeTrace(container, id);
  });

  it("has answers that fail, each with its reason, and some that cannot be used", async () => {
    const service = await start();
    const { container, run } = await openBatches(service, { profile });
    const id = await run(3);
    const job = first((await container.batches.submit(id, {})).jobs);
    service.end(only(service), "completed", (at) =>
      at === 0
        ? { kind: "error", status: 429, type: "rate_limit_error", message: "slow down" }
        : answered(at === 1 ? "No." : undefined),
    );
    expect(await container.batches.poll(job.id)).toMatchObject({ state: "completed", taken: { adopted: 1, unusable: 2 } });
    expect(await container.runs.chunk(id, 1)).toMatchObject({ status: "failed", failureKind: "provider-rate-limited" });
    expect(await container.runs.chunk(id, 2)).toMatchObject({ status: "failed", failureKind: "backend-response-invalid" });
    expect((await container.runs.get(id)).status).toBe("incomplete");
  });

  it("that is cancelled keeps what was answered, and gives back the rest as it was", async () => {
    const service = await start();
    const { container, run, statuses } = await openBatches(service, { profile });
    const id = await run(3);
    await container.runs.pause(id);
    const job = first((await container.batches.submit(id, {})).jobs);
    expect(await container.batches.cancel(job.id)).toMatchObject({ state: "cancelling", cancelAskedAt: expect.any(String) });
    expect(only(service).cancelled).toBe(true);
    service.end(only(service), "cancelled", (at) => (at === 0 ? answered() : { kind: "cancelled" }));
    expect(await container.batches.poll(job.id)).toMatchObject({
      state: "cancelled",
      taken: { adopted: 1, unusable: 0, returned: 2 },
    });
    expect(await statuses(id)).toEqual(["succeeded", "queued", "queued"]);
    expect(await claimChunks(container.writer, { runId: id, owner: "wrk_x", limit: 9, now: Date.now() })).toEqual([]);
    await container.runs.resume(id);
    expect(await claimChunks(container.writer, { runId: id, owner: "wrk_x", limit: 9, now: Date.now() })).toHaveLength(2);
    await expect(container.batches.cancel(job.id)).rejects.toMatchObject({
      code: "conflict",
      message: "This batch has ended already; it is cancelled.",
    });
  });

  it("is cancelled with its run, and what was paid is kept there", async () => {
    const service = await start();
    const { container, run, statuses } = await openBatches(service, { profile });
    const id = await run(2);
    const job = first((await container.batches.submit(id, {})).jobs);
    await container.runs.cancel(id);
    expect(await statuses(id)).toEqual(["queued", "queued"]);
    await container.batchWorker.lookNow();
    expect(only(service).cancelled).toBe(true);
    service.end(only(service), "cancelled", (at) => (at === 0 ? answered() : { kind: "cancelled" }));
    expect(await container.batches.poll(job.id)).toMatchObject({ state: "cancelled", taken: { adopted: 1, returned: 1 } });
    expect(await statuses(id)).toEqual(["succeeded", "cancelled"]);
    expect(await container.runs.get(id)).toMatchObject({
      status: "cancelled",
      counts: { queued: 0, running: 0, succeeded: 1, cancelled: 1 },
    });
    await expect(container.batches.submit(id, {})).rejects.toMatchObject({
      message: "Nothing of a run that was cancelled is handed in.",
    });
    await wholeTrace(container, id);
  });

  it("that the provider refuses is told at once, and its chunks are as they were", async () => {
    const service = await start();
    const { container, run, statuses } = await openBatches(service, { profile });
    const id = await run(2);
    service.broken = jsonAnswer(401, { error: { message: "wrong key" } });
    const { jobs } = await container.batches.submit(id, {});
    expect(jobs).toMatchObject([{ state: "failed", message: "svc answered 401: wrong key", taken: { adopted: 0 } }]);
    expect([await statuses(id), service.jobs.length]).toEqual([["queued", "queued"], 0]);
    expect((await container.runs.get(id)).waiting).toMatchObject({ slot: 2, batch: 0 });
    expect(typesOf(await wholeTrace(container, id))).toEqual(["batch_state"]);
  });

  it("waits for a provider that is out of order, says so once, and goes on by the clock", async () => {
    const service = await start();
    const { container, run, forward } = await openBatches(service, { profile });
    const id = await run(2);
    service.broken = jsonAnswer(503, { error: { message: "busy" } });
    const job = first((await container.batches.submit(id, {})).jobs);
    // A file may be handed over again; a whole job that may have arrived may not.
    expect(job).toMatchObject({ state: profile === "anthropic" ? "unknown" : "waiting", problem: "svc answered 503: busy" });
    service.broken = null;
    for (let polls = 0; polls < 3; polls++) {
      forward(150_000);
      await container.batchWorker.lookNow();
    }
    expect((await container.batches.list(id))[0]).toMatchObject({ state: "running", problem: null });
    expect(service.jobs.length).toBe(1);
    service.broken = jsonAnswer(503, { error: { message: "busy" } });
    const calls = service.calls().length;
    forward(1_000);
    await container.batchWorker.lookNow();
    expect(service.calls().length).toBe(calls);
    for (let polls = 0; polls < 3; polls++) {
      forward(300_000);
      await container.batchWorker.lookNow();
    }
    expect((await container.batches.list(id))[0]).toMatchObject({ state: "running", problem: "svc answered 503: busy" });
    service.broken = null;
    service.end(only(service), "completed", () => answered());
    forward(300_000);
    await container.batchWorker.lookNow();
    expect((await container.batches.list(id))[0]).toMatchObject({ state: "completed", problem: null });
    const told = (await wholeTrace(container, id)).filter(({ payload }) => payload.problem === "svc answered 503: busy");
    expect(told.length).toBe(2);
  });

  it("is not handed in twice when the answer to its submission is lost", async () => {
    const service = await start();
    const { container, run, forward } = await openBatches(service, { profile });
    const id = await run(2);
    service.onSubmit = () => "cut";
    const job = first((await container.batches.submit(id, {})).jobs);
    expect(job).toMatchObject({ state: "unknown", problem: expect.stringContaining("svc cannot be reached") });
    service.onSubmit = null;
    service.end(only(service), "completed", () => answered());
    forward(60_000);
    expect(await container.batches.poll(job.id)).toMatchObject({ state: "completed", taken: { adopted: 2 } });
    expect(service.jobs.length).toBe(1);
    expect((await wholeTrace(container, id)).find(({ type }) => type === "batch_submitted")?.payload).toMatchObject({
      foundAgain: true,
      nativeId: only(service).id,
    });
  });

  it("leaves no trace of the key, whatever the service repeats of it", async () => {
    const service = await start();
    const { container, run } = await openBatches(service, { profile, key: CANARY_KEY });
    const id = await run(3);
    const job = first((await container.batches.submit(id, {})).jobs);
    service.broken = jsonAnswer(503, { error: { message: `no luck with ${CANARY_KEY}` } });
    expect(spellingsIn(JSON.stringify(await container.batches.poll(job.id)))).toEqual([]);
    service.broken = null;
    service.end(only(service), "completed", (at) =>
      at === 0
        ? { kind: "error", status: 400, type: "invalid_request_error", message: `bad ${CANARY_KEY}` }
        : answered(`{"insights":[{"content":${JSON.stringify(`Our key is ${CANARY_KEY}.`)}}]}`),
    );
    expect(await container.batches.poll(job.id)).toMatchObject({ state: "completed" });
    await untilResting(container, id);
    await wholeTrace(container, id);
    await container.shut();
    expect(spellingsInFiles(container.dataDir)).toEqual({});
    expect(spellingsIn(container.logLines.join("\n"))).toEqual([]);
  });
});
