/** Chunks that are asked again, for a longer answer or elsewhere, and which of their answers counts. */
import { describe, expect, it } from "vitest";
import { isAppError } from "@/server/shared/app-error";
import { openContainer, type TestContainer, untilResting, untilRun, wholeTrace } from "@/server/testing/test-container";
import type { RetryInput } from "./run.schema";

async function refusal(action: Promise<unknown>): Promise<[string, string]> {
  const error = await action.then(
    () => new Error("it was allowed"),
    (reason: unknown) => reason,
  );
  if (!isAppError(error)) throw error;
  return [error.code, error.message];
}

async function finished(recipe: Parameters<TestContainer["begin"]>[0]) {
  const container = await openContainer();
  const { id } = await container.begin({ ...recipe, options: { maxAttempts: 1, ...recipe.options } });
  await untilResting(container, id);
  return { container, id };
}

async function retried(container: TestContainer, id: string, order: RetryInput) {
  const outcome = await container.runs.retry(id, order);
  return { outcome, run: await untilResting(container, id) };
}

const attemptsOf = async (container: TestContainer, id: string) =>
  (await container.runs.chunk(id, 1)).attempts.map(({ number, status, backend, truncated }) => [
    number,
    status,
    backend,
    truncated ? "cut" : "whole",
  ]);

const chosenEvents = async (container: TestContainer, id: string) =>
  (await wholeTrace(container, id)).filter(({ type }) => type === "answer_chosen").map(({ payload }) => payload);

describe("an answer that was cut", () => {
  it("is whole when the retry gives it room, by the models it had", async () => {
    const { container, id } = await finished({ chunks: ["[[mock:needs=500]]", "[[mock:needs=900]]"] });
    expect(await attemptsOf(container, id)).toEqual([[1, "failed", "mock", "cut"]]);
    const { outcome, run } = await retried(container, id, { with: { maxTokens: 500 } });
    expect([outcome, run.status, run.counts.succeeded]).toEqual([{ requeued: 2, skipped: [] }, "incomplete", 1]);
    expect(await attemptsOf(container, id)).toEqual([
      [1, "failed", "mock", "cut"],
      [2, "succeeded", "mock", "whole"],
    ]);
    // No model is told anew, and the limit is.
    const requeued = (await wholeTrace(container, id)).filter(({ type }) => type === "chunk_requeued");
    expect(requeued.map(({ payload }) => payload)).toEqual([
      { by: "operator", maxTokens: 500 },
      { by: "operator", maxTokens: 500 },
    ]);
    // The chunk keeps the limit for a retry that says nothing, and takes a larger one.
    await retried(container, id, {});
    expect((await retried(container, id, { with: { backend: "mock", maxTokens: 900 } })).run.status).toBe("completed");
  });

  it("has the room that the run's options give from the start", async () => {
    const { container, id } = await finished({ chunks: ["[[mock:needs=500]]"], options: { maxTokens: 500 } });
    expect((await container.runs.get(id)).status).toBe("completed");
  });

  it("is not given room by who cannot be told, and only the ways of the chunks that are meant are looked at", async () => {
    const { container, id } = await finished({ chunks: ["[[mock:needs=500]]", ""] });
    const sentence = "No output limit can be given to extractive/extractive-1; leave maxTokens out, or name another backend.";
    expect(await refusal(container.runs.retry(id, { with: { backend: "extractive", maxTokens: 9 } }))).toEqual([
      "invalid_input",
      sentence,
    ]);
    expect(await refusal(container.begin({ chunks: [""], backend: "extractive", options: { maxTokens: 9 } }))).toEqual([
      "invalid_input",
      sentence,
    ]);
    // The other chunk's way cannot take a limit.
    await retried(container, id, { chunks: [2], again: true, with: { backend: "extractive" } });
    expect((await retried(container, id, { with: { maxTokens: 500 } })).run.status).toBe("completed");
    expect(await refusal(container.runs.retry(id, { chunks: [2], again: true, with: { maxTokens: 9 } }))).toEqual([
      "invalid_input",
      sentence,
    ]);
    expect(await retried(container, id, { chunks: [1, 7], with: { maxTokens: 9 } })).toMatchObject({
      outcome: {
        requeued: 0,
        skipped: [
          { chunk: 1, reason: "it has succeeded already" },
          { chunk: 7, reason: "there is no such chunk" },
        ],
      },
    });
  });
});

describe("a chunk that has succeeded", () => {
  const FAILS_ELSEWHERE = { chunks: ["[[mock:fail=backend-failed]]"], backend: "extractive" };

  it("is asked again only when it is named and meant", async () => {
    const { container, id } = await finished({ chunks: ["", "[[mock:fail=backend-failed]]"] });
    expect(await container.runs.retry(id, { chunks: [1] })).toEqual({
      requeued: 0,
      skipped: [{ chunk: 1, reason: "it has succeeded already" }],
    });
    expect(await refusal(container.runs.retry(id, { again: true }))).toEqual([
      "invalid_input",
      "Name the chunks that are to be asked again although they have succeeded.",
    ]);
  });

  it("keeps its answer when the new request fails, and its run completes", async () => {
    const { container, id } = await finished(FAILS_ELSEWHERE);
    const before = await container.runs.chunk(id, 1);
    const { run } = await retried(container, id, { chunks: [1], again: true, with: { backend: "mock" } });
    expect(run).toMatchObject({ status: "completed", counts: { total: 1, succeeded: 1, failed: 0 }, insights: before.insights });
    expect(await container.runs.chunk(id, 1)).toMatchObject({
      status: "succeeded",
      acceptedAttempt: 1,
      insights: before.insights,
      failureKind: null,
      errorMessage: null,
    });
    expect(await attemptsOf(container, id)).toEqual([
      [1, "succeeded", "extractive", "whole"],
      [2, "failed", "mock", "whole"],
    ]);
    expect(await chosenEvents(container, id)).toEqual([{ accepted: 1, instead: null, by: "executor" }]);
  });

  it("keeps it through retries of the new request", async () => {
    const { container, id } = await finished({
      chunks: ["[[mock:fail=provider-unavailable]]"],
      backend: "extractive",
      options: { maxAttempts: 3 },
    });
    const { run } = await retried(container, id, { chunks: [1], again: true, with: { backend: "mock" } });
    expect(run).toMatchObject({ status: "completed", counts: { succeeded: 1, failed: 0 } });
    expect(await attemptsOf(container, id)).toHaveLength(4);
  });

  it("has the new answer when that is accepted, and takes the old one back", async () => {
    const { container, id } = await finished({
      chunks: ["One more sentence stands here, and it is long enough."],
      backend: "extractive",
    });
    const old = await container.runs.chunk(id, 1);
    await retried(container, id, { chunks: [1], again: true, with: { backend: "mock" } });
    const fresh = await container.runs.chunk(id, 1);
    expect([old.acceptedAttempt, fresh.acceptedAttempt]).toEqual([1, 2]);
    const insightsOf = async () => (await container.runs.insights(id)).items.map(({ section }) => section);
    const freshSections = await insightsOf();
    expect(freshSections).toContain("mock");

    const kept = await container.runs.choose(id, 1, 1);
    expect(kept).toMatchObject({ status: "succeeded", acceptedAttempt: 1, insights: old.insights });
    expect(await container.runs.get(id)).toMatchObject({ status: "completed", counts: { succeeded: 1, failed: 0 } });
    expect(await insightsOf()).not.toContain("mock");
    // Said twice is said once.
    const { lastSeq } = await container.runs.get(id);
    await container.runs.choose(id, 1, 1);
    expect((await container.runs.get(id)).lastSeq).toBe(lastSeq);
    await container.runs.choose(id, 1, 2);
    expect(await insightsOf()).toEqual(freshSections);
    expect(await chosenEvents(container, id)).toEqual([
      { accepted: 1, instead: 2, by: "operator" },
      { accepted: 2, instead: 1, by: "operator" },
    ]);
  });
});

describe("a failed chunk that was retried elsewhere", () => {
  it("takes its failure back, and the new answer again", async () => {
    const { container, id } = await finished({ chunks: ["[[mock:fail=backend-failed]]", ""] });
    const failed = await container.runs.chunk(id, 1);
    await retried(container, id, { with: { backend: "extractive" } });
    expect((await container.runs.get(id)).status).toBe("completed");

    expect(await container.runs.choose(id, 1, 1)).toMatchObject({
      status: "failed",
      acceptedAttempt: null,
      insights: null,
      failureKind: failed.failureKind,
      errorMessage: failed.errorMessage,
    });
    expect(await container.runs.get(id)).toMatchObject({ status: "incomplete", counts: { succeeded: 1, failed: 1 } });
    await container.runs.choose(id, 1, 2);
    expect(await container.runs.get(id)).toMatchObject({ status: "completed", counts: { succeeded: 2, failed: 0 } });
    await wholeTrace(container, id);
  });

  it("is refused what cannot be chosen, with a sentence", async () => {
    const { container, id } = await finished({ chunks: ["", "[[mock:fail=backend-failed]]"] });
    expect(await refusal(container.runs.choose(id, 9, 1))).toEqual(["not_found", "This run has no chunk 9."]);
    expect(await refusal(container.runs.choose(id, 1, 9))).toEqual(["not_found", "Chunk 1 has no attempt 9."]);
    // Nothing counts already.
    expect((await container.runs.choose(id, 2, 1)).status).toBe("failed");
    await container.runs.cancel(id);
    expect(await refusal(container.runs.choose(id, 1, 1))).toEqual([
      "conflict",
      "The answers of a run that was cancelled stay as they are.",
    ]);
  });

  it("cannot be chosen for while it is asked", async () => {
    const { container, id } = await finished({ chunks: ["[[mock:hang]]"], backend: "extractive" });
    await container.runs.retry(id, { chunks: [1], again: true, with: { backend: "mock" } });
    await untilRun(container, id, "it is asked", ({ counts }) => counts.running === 1);
    expect(await refusal(container.runs.choose(id, 1, 1))).toEqual([
      "conflict",
      "Chunk 1 is running; an answer can be chosen when it has ended.",
    ]);
    await container.runs.cancel(id);
  });
});
