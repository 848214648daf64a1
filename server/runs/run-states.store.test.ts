/** Every state of a run, how it is reached and what each action answers in it, over the real store and the mock backend. */
import { describe, expect, it } from "vitest";
import { isAppError } from "@/server/shared/app-error";
import {
  openContainer,
  type TestContainer,
  untilResting,
  untilRun,
  untilStatus,
  wholeTrace,
} from "@/server/testing/test-container";
import type { RunAction } from "./run-state.rules";

async function refusal(action: Promise<unknown>): Promise<string> {
  const error = await action.then(
    () => new Error("it was allowed"),
    (reason: unknown) => reason,
  );
  if (!isAppError(error)) throw error;
  expect(error.code).toBe("conflict");
  return error.message;
}

function perform(container: TestContainer, action: RunAction, id: string): Promise<unknown> {
  return container.runs[action](id);
}

const HANGING = "[[mock:hang]]";

describe("the states of a run", () => {
  it("completes when every chunk succeeded", async () => {
    const container = await openContainer();
    const { id, status, counts } = await container.begin({ chunks: ["", "", ""] });
    expect([status, counts]).toEqual(["queued", { total: 3, queued: 3, running: 0, succeeded: 0, failed: 0, cancelled: 0 }]);
    const run = await untilResting(container, id);
    expect(run).toMatchObject({
      status: "completed",
      statusReason: null,
      gapsAcceptedAt: null,
      counts: { total: 3, queued: 0, running: 0, succeeded: 3, failed: 0, cancelled: 0 },
    });
    expect(run.insights).toBe(3);
    expect((await container.runs.insights(id)).items).toHaveLength(3);
    const types = (await wholeTrace(container, id)).map(({ type }) => type);
    expect(types.slice(0, 2)).toEqual(["run_queued", "prep_completed"]);
    expect(types.slice(-2)).toEqual(["consolidate_completed", "run_completed"]);
    expect(types.filter((type) => type === "run_started")).toHaveLength(1);
    expect(types.filter((type) => type === "chunk_succeeded")).toHaveLength(3);
  });

  it("completes at once without chunks", async () => {
    const container = await openContainer();
    const run = await container.runs.create({ kind: "distill", text: "", sourceDate: "2026-04-19" });
    expect(run.counts.total).toBe(0);
    const done = await untilResting(container, run.id);
    expect([done.status, done.insights]).toEqual(["completed", 0]);
    await wholeTrace(container, run.id);
    expect(await refusal(container.runs.retry(run.id))).toBe("No chunk of this run has failed, so there is nothing to retry.");
  });

  it("is incomplete with failed chunks left, all of them too, and completes after a retry", async () => {
    const container = await openContainer();
    const { id } = await container.begin({
      chunks: ["[[mock:fail-times=3:provider-unavailable]]", "[[mock:fail-times=3:provider-unavailable]] b"],
    });
    const incomplete = await untilResting(container, id);
    expect([incomplete.status, incomplete.counts.failed, incomplete.insights]).toEqual(["incomplete", 2, 0]);
    expect(await container.runs.retry(id)).toEqual({ requeued: 2, skipped: [] });
    const done = await untilRun(container, id, "completed", ({ status }) => status === "completed");
    expect([done.counts.succeeded, done.counts.failed, done.gapsAcceptedAt]).toEqual([2, 0, null]);
    const { items } = await container.runs.chunks(id, { limit: 10 });
    expect(items.map(({ attempts }) => attempts.map(({ number, status }) => [number, status]))).toEqual([
      [
        [1, "failed"],
        [2, "failed"],
        [3, "failed"],
        [4, "succeeded"],
      ],
      [
        [1, "failed"],
        [2, "failed"],
        [3, "failed"],
        [4, "succeeded"],
      ],
    ]);
    expect(done.retries).toBe(6);
  });

  it("finishes with gaps by an explicit act, which is shown ever after", async () => {
    const container = await openContainer();
    const { id } = await container.begin({ chunks: ["", "[[mock:fail-times=3:provider-unavailable]]"] });
    expect((await untilResting(container, id)).status).toBe("incomplete");
    const finished = await container.runs.finish(id, "good enough");
    expect([finished.status, finished.statusReason, finished.counts.failed]).toEqual(["completed", "good enough", 1]);
    expect(finished.gapsAcceptedAt).not.toBeNull();
    const staged = await container.runs.insights(id);
    expect([staged.partial, staged.coverage]).toMatchObject([true, { total: 2, done: 1, failed: [2], missing: [] }]);
    expect((await wholeTrace(container, id)).at(-1)).toMatchObject({
      type: "run_completed",
      payload: { withGaps: true, reason: "good enough" },
    });

    await container.runs.retry(id, { chunks: [2] });
    const full = await untilRun(container, id, "full", ({ status, counts }) => status === "completed" && counts.failed === 0);
    expect(full.gapsAcceptedAt).toBe(finished.gapsAcceptedAt);
    expect((await container.runs.insights(id)).partial).toBe(false);
  });

  it("fails when consolidation breaks, and a retry tries again", async () => {
    const container = await openContainer({ start: false });
    const { id } = await container.begin({ chunks: [""] });
    const manifest = await container.database.artifact.findFirstOrThrow({ where: { runId: id, kind: "manifest" } });
    await container.database.artifact.update({ where: { id: manifest.id }, data: { body: "{}" } });
    container.executor.start();
    const failed = await untilResting(container, id);
    expect(failed.status).toBe("failed");
    expect(failed.statusReason).toMatch(/^Consolidation broke: /);
    expect(await refusal(container.runs.finish(id))).toBe(
      "Only an incomplete run can be finished with gaps; this one is failed.",
    );
    await container.database.artifact.update({ where: { id: manifest.id }, data: { body: manifest.body } });
    expect(await container.runs.retry(id)).toEqual({ requeued: 0, skipped: [] });
    expect((await untilResting(container, id)).status).toBe("completed");
    await wholeTrace(container, id);
  });

  it("pauses with a reason: what is in flight finishes, nothing more is claimed, and resume goes on", async () => {
    const container = await openContainer();
    const { id } = await container.begin({ chunks: ["[[mock:delay=150]]", "", ""], options: { concurrency: 1 } });
    await untilRun(container, id, "one in flight", ({ counts }) => counts.running > 0);
    const paused = await container.runs.pause(id, "lunch");
    expect([paused.status, paused.statusReason]).toEqual(["paused", "lunch"]);
    const rests = await untilRun(container, id, "nothing in flight", ({ counts }) => counts.running === 0);
    expect([rests.status, rests.counts.succeeded + rests.counts.queued]).toEqual(["paused", 3]);
    expect(rests.counts.queued).toBeGreaterThan(0);
    const resumed = await container.runs.resume(id, "back");
    expect([resumed.status, resumed.statusReason]).toEqual(["running", null]);
    expect((await untilResting(container, id)).status).toBe("completed");
    const types = (await wholeTrace(container, id)).map(({ type }) => type);
    const pausedAt = types.indexOf("run_paused");
    expect(types.indexOf("run_resumed")).toBeGreaterThan(pausedAt);
    const claimed = types.slice(pausedAt, types.indexOf("run_resumed")).filter((type) => type === "chunk_claimed");
    expect(claimed).toEqual([]);
  });

  it("resumes to queued when it had not started", async () => {
    const container = await openContainer({ start: false });
    const { id } = await container.begin({ chunks: [""] });
    expect((await container.runs.pause(id)).statusReason).toBe("Paused by the operator.");
    expect((await container.runs.resume(id)).status).toBe("queued");
    container.executor.start();
    expect((await untilResting(container, id)).status).toBe("completed");
  });

  it("pauses by itself when it is of before routes were pinned and its backend is gone, and says why", async () => {
    const container = await openContainer({ start: false });
    const { id } = await container.begin({ chunks: [""] });
    await container.database.run.update({ where: { id }, data: { backend: "vanished", routes: "[]" } });
    container.executor.start();
    const paused = await untilStatus(container, id, "paused");
    expect(paused.statusReason).toBe('The backend "vanished" is not set up here any more; set it up and resume.');
    expect(paused.counts).toEqual({ total: 1, queued: 1, running: 0, succeeded: 0, failed: 0, cancelled: 0 });
  });

  it("keeps a paused run paused when its failed chunks are retried", async () => {
    const container = await openContainer();
    const { id } = await container.begin({
      chunks: ["[[mock:fail-times=1:provider-auth-failed]]", "[[mock:delay=400]]"],
      options: { concurrency: 2 },
    });
    await untilRun(container, id, "one failed", ({ counts }) => counts.failed === 1 && counts.running === 1);
    await container.runs.pause(id);
    expect(await container.runs.retry(id)).toEqual({ requeued: 1, skipped: [] });
    expect((await container.runs.get(id)).status).toBe("paused");
    await container.runs.resume(id);
    expect((await untilResting(container, id)).status).toBe("completed");
  });
});

describe("cancelling", () => {
  it.each([
    ["queued", { chunks: ["", ""], start: false }],
    ["in backoff", { chunks: ["[[mock:fail=provider-unavailable]]"], backoffMs: 60_000 }],
    ["in flight", { chunks: [HANGING, HANGING, HANGING] }],
  ])(
    "ends with nothing running when chunks are %s",
    async (_name, { chunks, start = true, backoffMs = 1 }: { chunks: string[]; start?: boolean; backoffMs?: number }) => {
      const container = await openContainer({ start });
      const { id } = await container.begin({ chunks, options: { backoffMs, maxBackoffMs: 60_000, concurrency: 2 } });
      if (start)
        await untilRun(
          container,
          id,
          "started",
          ({ counts, lastSeq }) => counts.running === 2 || (lastSeq > 8 && counts.queued === 1),
        );
      const cancelled = await container.runs.cancel(id, "not needed");
      expect([cancelled.status, cancelled.statusReason]).toEqual(["cancelled", "not needed"]);
      const run = await untilResting(container, id);
      expect(run.counts).toEqual({
        total: chunks.length,
        queued: 0,
        running: 0,
        succeeded: 0,
        failed: 0,
        cancelled: chunks.length,
      });
      const attempts = await container.database.attempt.groupBy({ by: ["status"], where: { runId: id }, _count: true });
      expect(attempts.filter(({ status }) => status === "running")).toEqual([]);
      const trace = await wholeTrace(container, id);
      expect(trace.find(({ type }) => type === "run_cancelled")?.payload).toEqual({
        reason: "not needed",
        cancellationReason: "user_requested",
      });
      for (const action of ["pause", "resume", "cancel", "retry", "finish"] as const) {
        expect(await refusal(perform(container, action, id))).toContain("this one is cancelled");
      }
    },
  );

  it("cancels a chunk that fails with a retry due just after its run was cancelled", async () => {
    const container = await openContainer();
    const { id } = await container.begin({ chunks: ["[[mock:delay=200]] [[mock:fail=provider-unavailable]]"] });
    await untilRun(container, id, "in flight", ({ counts }) => counts.running === 1);
    // As another process would write it: this executor learns of it at its next look only.
    await container.database.run.update({ where: { id }, data: { status: "cancelled" } });
    const run = await untilRun(container, id, "nothing runs", ({ counts }) => counts.running === 0);
    expect(run.counts).toEqual({ total: 1, queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 1 });
  });

  it("may come to an incomplete run", async () => {
    const container = await openContainer();
    const { id } = await container.begin({ chunks: ["[[mock:fail=provider-auth-failed]]", ""] });
    expect((await untilResting(container, id)).status).toBe("incomplete");
    const run = await container.runs.cancel(id);
    expect([run.status, run.counts.failed, run.counts.succeeded]).toEqual(["cancelled", 1, 1]);
  });
});

describe("actions that the state refuses", () => {
  it("says what is possible and what the run is", async () => {
    const container = await openContainer({ start: false });
    const { id } = await container.begin({ chunks: ["[[mock:fail=provider-auth-failed]]", ""] });
    expect(await refusal(container.runs.resume(id))).toBe("Only a paused run can be resumed; this one is queued.");
    expect(await refusal(container.runs.finish(id))).toBe(
      "Only an incomplete run can be finished with gaps; this one is queued.",
    );
    expect(await refusal(container.runs.retry(id))).toBe(
      "Only a run that has begun and was neither cancelled nor blocked can be retried; this one is queued.",
    );
    container.executor.start();
    await untilResting(container, id);
    expect(await refusal(container.runs.pause(id))).toBe("Only a queued or running run can be paused; this one is incomplete.");
    await container.runs.finish(id);
    expect(await refusal(container.runs.cancel(id))).toBe(
      "Only a run that has not ended can be cancelled; this one is completed.",
    );
  });

  it("answers a retry of named chunks chunk by chunk", async () => {
    const container = await openContainer();
    const { id } = await container.begin({ chunks: ["[[mock:fail=provider-auth-failed]]", ""] });
    await untilResting(container, id);
    expect(await container.runs.retry(id, { chunks: [2, 7, 2] })).toEqual({
      requeued: 0,
      skipped: [
        { chunk: 2, reason: "it has succeeded already" },
        { chunk: 7, reason: "there is no such chunk" },
      ],
    });
    expect((await container.runs.get(id)).status).toBe("incomplete");
    expect(await container.runs.retry(id, { chunks: [] })).toEqual({ requeued: 0, skipped: [] });
    expect(await container.runs.retry(id, { chunks: [1, 2] })).toEqual({
      requeued: 1,
      skipped: [{ chunk: 2, reason: "it has succeeded already" }],
    });
    expect((await untilResting(container, id)).status).toBe("incomplete");
  });

  it("knows no run of another id", async () => {
    const container = await openContainer({ start: false });
    for (const action of ["pause", "resume", "cancel", "retry", "finish"] as const) {
      await expect(perform(container, action, "run_none")).rejects.toMatchObject({
        code: "not_found",
        message: "There is no run run_none.",
      });
    }
  });
});
