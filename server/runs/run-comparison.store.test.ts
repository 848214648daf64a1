import { describe, expect, it } from "vitest";
import { openContainer, type TestContainer, untilResting } from "@/server/testing/test-container";
import type { StretchPage } from "./run-comparison.schema";

const CHUNKS = [
  "The cache moved to Oslo.",
  "The index was built anew. [[mock:shape=broken]]",
  "The answer was cut. [[mock:shape=length]]",
];

/** An order of these chunks, done. */
async function done(container: TestContainer, chunks: readonly string[] = CHUNKS, maxAttempts = 1) {
  const { id } = await container.begin({ chunks, options: { maxAttempts, backoffMs: 0 } });
  await untilResting(container, id);
  return id;
}

describe("runs side by side", () => {
  it("have their figures in one form, and what is not known is null", async () => {
    const container = await openContainer();
    const [first, none] = [await done(container), await done(container, ["Only this. [[mock:fail=backend-failed]]"])];
    const [one, other] = await container.runs.compare([first, none]);
    expect(one).toMatchObject({
      run: { id: first, counts: { total: 3, succeeded: 2, failed: 1 } },
      requests: 3,
      marks: { repaired: 1, truncated: 1 },
      answeredBy: ["mock/mock-1"],
    });
    expect(one?.requestMs?.longest).toBeGreaterThanOrEqual(one?.requestMs?.median ?? Number.POSITIVE_INFINITY);
    expect(other).toMatchObject({
      run: { id: none, counts: { total: 1, succeeded: 0, failed: 1 } },
      requestMs: null,
      firstTokenMs: null,
      answeredBy: [],
    });
  });

  it("take medians over accepted answers only", async () => {
    const container = await openContainer();
    const id = await done(container, ["One text.", "Two texts.", "Three texts. [[mock:shape=cut]]"]);
    await container.database.attempt.updateMany({
      where: { runId: id },
      data: { startedAt: 1_000n, firstTokenAt: 1_010n, endedAt: 1_900n },
    });
    await container.database.attempt.updateMany({
      where: { runId: id, chunkIndex: 2 },
      data: { firstTokenAt: 1_400n, endedAt: 1_500n },
    });
    await container.database.attempt.updateMany({
      where: { runId: id, chunkIndex: 3 },
      data: { firstTokenAt: 1_001n, endedAt: 9_000n },
    });
    const [figures] = await container.runs.compare([id]);
    expect(figures).toMatchObject({ requestMs: { median: 500, longest: 900 }, firstTokenMs: 10 });
  });

  it("refuse a run that is not there", async () => {
    const container = await openContainer();
    const id = await done(container);
    await expect(container.runs.compare([id, "run_none"])).rejects.toThrow("There is no run run_none.");
    await expect(container.runs.comparedChunks(["run_none"], { limit: 10, differing: false })).rejects.toThrow(
      "There is no run run_none.",
    );
  });
});

describe("the texts of runs side by side", () => {
  it("are matched by what they are, not by their number", async () => {
    const container = await openContainer();
    const [one, two] = [await done(container), await done(container)];
    const { items, nextCursor } = await container.runs.comparedChunks([two, one], { limit: 10, differing: false });
    expect(nextCursor).toBeNull();
    expect(items.map(({ chunks }) => chunks.map((chunk) => chunk && [chunk.index, chunk.status]))).toEqual([
      [
        [1, "succeeded"],
        [1, "succeeded"],
      ],
      [
        [2, "succeeded"],
        [2, "succeeded"],
      ],
      [
        [3, "failed"],
        [3, "failed"],
      ],
    ]);
    expect(items[1]?.chunks[0]).toMatchObject({ attempts: 1, repaired: true, truncated: false, failureKind: null });
    expect(items[2]?.chunks[0]).toMatchObject({ truncated: true, insights: null });
    expect((await container.runs.comparedChunks([two, one], { limit: 10, differing: true })).items).toEqual([]);
  });

  it("are shown alone where the runs differ, page by page", async () => {
    const container = await openContainer();
    const flaky = ["Alike.", "Fails once. [[mock:fail-times=1:provider-unavailable]]", "Alike too."];
    const [once, twice] = [await done(container, flaky, 1), await done(container, [...flaky, "Only here."], 2)];
    const differing = await container.runs.comparedChunks([once, twice], { limit: 10, differing: true });
    expect(differing.items.map(({ chunks }) => chunks.map((chunk) => chunk && [chunk.status, chunk.attempts]))).toEqual([
      [
        ["failed", 1],
        ["succeeded", 2],
      ],
      [null, ["succeeded", 1]],
    ]);

    const all = (await container.runs.comparedChunks([once, twice], { limit: 10, differing: false })).items;
    expect(all).toHaveLength(4);
    const paged = [];
    let after: StretchPage["nextCursor"] | undefined;
    do {
      const page = await container.runs.comparedChunks([once, twice], { limit: 1, differing: false, after: after ?? undefined });
      paged.push(...page.items);
      after = page.nextCursor;
    } while (after !== null);
    expect(paged).toEqual(all);
  });

  it("have the name that they have in the first of the runs", async () => {
    const container = await openContainer();
    const named = async (name: string) => {
      const { id } = await container.runs.create({ kind: "distill", backend: "mock", name, text: "One sentence of a note." });
      await untilResting(container, id);
      return id;
    };
    const ids = [await named("zebra.md"), await named("ant.md")];
    for (const [order, name] of [
      [ids, "zebra.md"],
      [ids.toReversed(), "ant.md"],
    ] as const)
      expect((await container.runs.comparedChunks(order, { limit: 5, differing: false })).items).toMatchObject([
        { document: name },
      ]);
  });

  it("offer other runs of the same text, newest first", async () => {
    const container = await openContainer();
    const ids = [await done(container), await done(container, CHUNKS.slice(0, 1)), await done(container, ["Another text."])];
    const [first, second, stranger] = ids;
    if (first === undefined || second === undefined || stranger === undefined) throw new Error("three runs were made");
    const third = await done(container);
    expect((await container.runs.runsOfSameText(first)).map(({ id }) => id)).toEqual([third, second]);
    expect(await container.runs.runsOfSameText(stranger)).toEqual([]);
  });
});
