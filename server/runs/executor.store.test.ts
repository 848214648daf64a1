/** What the executor does with its slots, its clock and failures. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { buildSettings } from "@/server/testing/build-settings";
import { chatFrames, jsonAnswer, sseAnswer, startLoopbackUpstream } from "@/server/testing/loopback-upstream";
import { openContainer, type TestContainer, untilResting, untilRun, wholeTrace } from "@/server/testing/test-container";
import { waitFor } from "@/server/testing/wait-for";

/** The wall clock, set forward by hand. */
function settableClock() {
  let ahead = 0;
  return {
    clock: { now: () => Date.now() + ahead },
    forward: (milliseconds: number) => {
      ahead += milliseconds;
    },
  };
}

/** Turns at once, over all calls of the backend. */
function watchInFlight(container: TestContainer, profile: string) {
  const { backend } = container.providers.of(buildSettings(profile));
  const seen = { now: 0, most: 0 };
  const original = backend.runTurn.bind(backend);
  vi.spyOn(backend, "runTurn").mockImplementation(async (...call) => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    try {
      return await original(...call);
    } finally {
      seen.now -= 1;
    }
  });
  return seen;
}

describe("slots", () => {
  it("runs as many chunks at once as the run allows, and no more", async () => {
    const container = await openContainer({ start: false });
    const seen = watchInFlight(container, "mock");
    const { id } = await container.begin({
      chunks: Array.from({ length: 20 }, () => "[[mock:delay=20]]"),
      options: { concurrency: 3 },
    });
    container.executor.start();
    expect((await untilResting(container, id)).counts.succeeded).toBe(20);
    expect(seen).toEqual({ now: 0, most: 3 });
  });

  it("never exceeds what the profile allows, over several runs", async () => {
    const upstream = await startLoopbackUpstream();
    onTestFinished(() => upstream.close());
    let [now, most] = [0, 0];
    const answer = sseAnswer(chatFrames());
    upstream.otherwise(async (exchange) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 15));
      now -= 1;
      await answer(exchange);
    });
    const container = await openContainer({ start: false, llm: { url: upstream.baseUrl, key: "key-of-no-one", concurrency: 4 } });
    const recipe = { backend: "llm-api", chunks: Array.from({ length: 10 }, () => ""), options: { concurrency: 8 } };
    const runs = [await container.begin(recipe), await container.begin(recipe)];
    container.executor.start();
    for (const { id } of runs) expect((await untilResting(container, id)).status).toBe("completed");
    expect(most).toBe(4);
    expect(upstream.requests).toHaveLength(20);
  });

  it("shares a profile that one run could take whole", async () => {
    const upstream = await startLoopbackUpstream();
    onTestFinished(() => upstream.close());
    const answer = sseAnswer(chatFrames());
    upstream.otherwise(async (exchange) => {
      await new Promise((resolve) => setTimeout(resolve, 15));
      await answer(exchange);
    });
    const container = await openContainer({ start: false, llm: { url: upstream.baseUrl, key: "key-of-no-one", concurrency: 4 } });
    const recipe = (chunks: number) => ({
      backend: "llm-api",
      chunks: Array.from({ length: chunks }, () => ""),
      options: { concurrency: 4 },
    });
    const long = await container.begin(recipe(60));
    const short = await container.begin(recipe(4));
    container.executor.start();
    await untilResting(container, short.id);
    expect((await container.runs.get(long.id)).counts.succeeded).toBeLessThan(40);
    expect((await untilResting(container, long.id)).status).toBe("completed");
  });

  it("shows as running what was sent, and leaves no trace of what was claimed when it pauses", async () => {
    const container = await openContainer({ start: false });
    const { id } = await container.begin({
      chunks: Array.from({ length: 60 }, () => "[[mock:delay=4]]"),
      options: { concurrency: 3 },
    });
    container.executor.start();
    await untilRun(container, id, "some are done", ({ counts }) => counts.succeeded >= 20);
    await container.runs.pause(id);
    await waitFor("every lease is given back", async () => {
      const leased = await container.database.chunk.count({ where: { leaseOwner: { not: null } } });
      return leased === 0;
    });
    const paused = await container.runs.get(id);
    expect([paused.status, paused.retries, paused.counts.running]).toEqual(["paused", 0, 0]);
    expect(await container.database.attempt.count({ where: { status: "abandoned" } })).toBe(0);
    await container.runs.resume(id);
    await untilResting(container, id);
    let [now, most] = [0, 0];
    for (const { type } of await wholeTrace(container, id)) {
      if (type === "chunk_claimed") now += 1;
      else if (type === "chunk_succeeded") now -= 1;
      most = Math.max(most, now);
    }
    // A slot is free when the upstream ends; the end is written with the next group.
    expect(most).toBeLessThanOrEqual(2 * 3);
  });
});

describe("failures", () => {
  it("waits out a backoff that doubles, counts the chunk as queued meanwhile, and gives up after the attempts of the run", async () => {
    const { clock, forward } = settableClock();
    const container = await openContainer({ clock, random: () => 0.5 });
    const { id } = await container.begin({
      chunks: ["[[mock:fail=provider-unavailable]]"],
      options: { maxAttempts: 3, backoffMs: 60_000, maxBackoffMs: 600_000 },
    });
    for (const [failures, wait] of [
      [1, 60_000],
      [2, 120_000],
    ] as const) {
      const scheduled = await waitFor(`failure ${failures}`, async () => {
        const { items } = await container.runs.events(id, { afterSeq: 0, limit: 100, types: ["chunk_retry_scheduled"] });
        return items[failures - 1];
      });
      const waiting = await container.runs.get(id);
      expect([waiting.status, waiting.counts]).toMatchObject(["running", { queued: 1, running: 0, failed: 0 }]);
      expect(scheduled.payload).toMatchObject({ failureKind: "provider-unavailable", delayMs: wait });
      expect((await container.runs.get(id)).waiting).toMatchObject({
        slot: 0,
        batch: 0,
        backoff: 1,
        nextDueAt: new Date(Number(scheduled.payload.dueAt)).toISOString(),
      });
      forward(wait);
    }
    const rested = await untilResting(container, id);
    expect([rested.status, rested.counts.failed, rested.retries]).toEqual(["incomplete", 1, 2]);
    const [chunk] = (await container.runs.chunks(id, { limit: 1 })).items;
    expect(chunk?.attempts.map(({ status, failureKind }) => [status, failureKind])).toEqual(
      Array(3).fill(["failed", "provider-unavailable"]),
    );
  });

  it("obeys a Retry-After that is longer than the backoff", async () => {
    const { clock, forward } = settableClock();
    const container = await openContainer({ clock });
    const { id } = await container.begin({ chunks: ["[[mock:fail-times=1:provider-rate-limited]] [[mock:retry-after=45000]]"] });
    await untilRun(container, id, "in backoff", ({ counts, lastSeq }) => counts.queued === 1 && lastSeq > 5);
    const { items } = await container.runs.events(id, { afterSeq: 0, limit: 100, types: ["chunk_retry_scheduled"] });
    expect(items.map(({ payload }) => payload.delayMs)).toEqual([45_000]);
    forward(45_000);
    expect((await untilResting(container, id)).status).toBe("completed");
  });

  it.each([
    ["backend-response-invalid", "[[mock:invalid-json]]", 2],
    ["backend-json-parse-error", "[[mock:fail=backend-json-parse-error]]", 2],
    ["provider-auth-failed", "[[mock:fail=provider-auth-failed]]", 1],
    ["provider-unavailable", "[[mock:fail=provider-unavailable]]", 3],
    ["cancelled", "[[mock:fail=cancelled]]", 1],
  ])("tries %s so often as its kind says", async (failureKind, mark, attempts) => {
    const container = await openContainer();
    const { id } = await container.begin({ chunks: [mark] });
    const run = await untilResting(container, id);
    expect([run.status, run.counts.failed]).toEqual(["incomplete", 1]);
    const [chunk] = (await container.runs.chunks(id, { limit: 1 })).items;
    expect([chunk?.failureKind, chunk?.attempts.length]).toEqual([failureKind, attempts]);
    // Whatever the kind: a person can try again.
    expect(await container.runs.retry(id)).toEqual({ requeued: 1, skipped: [] });
    await untilResting(container, id);
  });

  it("times out a turn at the run's limit and says so", async () => {
    const container = await openContainer();
    const { id } = await container.begin({ chunks: ["[[mock:hang]]"], options: { timeoutMs: 100, maxAttempts: 1 } });
    expect((await untilResting(container, id)).status).toBe("incomplete");
    const { attempts } = await container.runs.chunk(id, 1);
    expect(attempts.map(({ failureKind, errorMessage }) => [failureKind, errorMessage])).toEqual([
      ["backend-timeout", "mock timed out after 0.1s"],
    ]);
    expect(JSON.parse(attempts[0]?.result?.body ?? "")).toMatchObject({
      ok: false,
      error: { type: "timeout", failureKind: "backend-timeout" },
    });
  });

  it("fails a chunk that breaks our own code, once, instead of trying it for ever", async () => {
    const container = await openContainer({ start: false, expectedErrors: ["a turn broke"] });
    const { id } = await container.begin({ chunks: ["", ""] });
    const chunk = await container.database.chunk.findFirstOrThrow({ where: { runId: id, index: 1 } });
    await container.database.artifact.update({ where: { id: chunk.requestId }, data: { body: "{}" } });
    container.executor.start();
    const run = await untilResting(container, id);
    expect([run.status, run.counts]).toMatchObject(["incomplete", { succeeded: 1, failed: 1 }]);
    const { attempts } = (await container.runs.chunks(id, { limit: 1 })).items[0] ?? {};
    expect(attempts?.map(({ failureKind, errorMessage }) => [failureKind, errorMessage])).toEqual([
      ["backend-failed", "The turn broke inside Switchyard (ZodError); the log says where."],
    ]);
  });

  it("groups what failed by cause", async () => {
    const container = await openContainer();
    const { id } = await container.begin({
      chunks: ["[[mock:fail=provider-auth-failed]]", "[[mock:fail=backend-failed]]", "[[mock:fail=provider-auth-failed]] b"],
    });
    await untilResting(container, id);
    const { errorGroups } = await container.runs.get(id);
    expect(errorGroups.map(({ failureKind, count, chunks }) => [failureKind, count, chunks])).toEqual([
      ["provider-auth-failed", 2, [1, 3]],
      ["backend-failed", 1, [2]],
    ]);
  });
});

describe("the HTTP profile", () => {
  it("reads its key for each turn: without it the chunk fails as secret-unavailable, with it a retry goes through", async () => {
    const upstream = await startLoopbackUpstream();
    onTestFinished(() => upstream.close());
    upstream.otherwise(sseAnswer(chatFrames()));
    const container = await openContainer({ start: false, llm: { url: upstream.baseUrl, key: "key-of-no-one" } });
    vi.stubEnv("LLM_API_KEY", "");
    const { id } = await container.begin({ backend: "llm-api", chunks: [""] });
    container.executor.start();
    expect((await untilResting(container, id)).status).toBe("incomplete");
    expect((await container.runs.get(id)).errorGroups.map(({ failureKind }) => failureKind)).toEqual(["secret-unavailable"]);
    expect(upstream.requests).toHaveLength(0);
    vi.stubEnv("LLM_API_KEY", "key-of-no-one");
    await container.runs.retry(id);
    expect((await untilResting(container, id)).status).toBe("completed");
    expect(upstream.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer key-of-no-one"]);
  });

  it("keeps the order of a mixed upstream: 429 with Retry-After, 500, then an answer", async () => {
    const upstream = await startLoopbackUpstream();
    onTestFinished(() => upstream.close());
    upstream.next(jsonAnswer(429, {}, { "retry-after": "1" }), jsonAnswer(500, {}), sseAnswer(chatFrames({ model: "served-7" })));
    const { clock, forward } = settableClock();
    const container = await openContainer({ clock, llm: { url: upstream.baseUrl, key: "key-of-no-one" } });
    const { id } = await container.begin({ backend: "llm-api", chunks: [""] });
    await untilRun(container, id, "told to wait", ({ counts, lastSeq }) => counts.queued === 1 && lastSeq > 5);
    forward(1_000);
    const run = await untilResting(container, id);
    expect([run.status, run.retries]).toEqual(["completed", 2]);
    const [chunk] = (await container.runs.chunks(id, { limit: 1 })).items;
    expect(chunk?.attempts.map(({ failureKind, servedModel }) => [failureKind, servedModel])).toEqual([
      ["provider-rate-limited", null],
      ["provider-unavailable", null],
      [null, "served-7"],
    ]);
    await wholeTrace(container, id);
  });
});
