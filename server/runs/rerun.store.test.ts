/** The same text through other models. */
import { describe, expect, it } from "vitest";
import { isAppError } from "@/server/shared/app-error";
import { openContainer, untilResting, wholeTrace } from "@/server/testing/test-container";

describe("a rerun", () => {
  it("has the documents, the cuts and the requests of the first, to the byte, and models of its own", async () => {
    const container = await openContainer();
    const first = await container.begin({
      chunks: ["", "[[mock:fail=backend-failed]]"],
      options: { maxAttempts: 1, chunkTokens: 700 },
    });
    await untilResting(container, first.id);
    const { id } = await container.runs.rerun(first.id, { backend: "extractive" });
    const second = await untilResting(container, id);
    expect(second).toMatchObject({
      status: "completed",
      name: first.name,
      backend: "extractive",
      sourceDate: first.sourceDate,
      counts: { total: 2, succeeded: 2 },
      retries: 0,
    });
    expect((await container.runs.get(id)).options).toMatchObject({ maxAttempts: 1, chunkTokens: 700 });
    for (const index of [1, 2]) {
      const [before, after] = [await container.runs.chunk(first.id, index), await container.runs.chunk(id, index)];
      expect(after.request.sha256).toBe(before.request.sha256);
      expect(after.request.id).not.toBe(before.request.id);
      expect([after.start, after.end, after.sourceStart, after.sourceEnd, after.document, after.text]).toEqual([
        before.start,
        before.end,
        before.sourceStart,
        before.sourceEnd,
        before.document,
        before.text,
      ]);
    }
    const [queued] = await wholeTrace(container, id);
    expect(queued).toMatchObject({ type: "run_queued", payload: { rerunOf: first.id, models: ["extractive/extractive-1"] } });
    // Every stretch stands in both columns of the comparison.
    const { items } = await container.runs.comparedChunks([first.id, id], { limit: 10, differing: false });
    expect(items.map(({ chunks }) => chunks.map((chunk) => chunk?.status))).toEqual([
      ["succeeded", "succeeded"],
      ["failed", "succeeded"],
    ]);
  });

  it("goes to the first run's models where none is named, with another output limit where one is", async () => {
    const container = await openContainer();
    const first = await container.begin({ chunks: ["[[mock:needs=300]]"], options: { maxAttempts: 1 } });
    await untilResting(container, first.id);
    const { id } = await container.runs.rerun(first.id, { maxTokens: 300, name: "with room" });
    expect(await untilResting(container, id)).toMatchObject({ status: "completed", backend: "mock", name: "with room" });
    await container.runs.cancel(first.id);
    // Also of one that was cancelled: its text is there.
    expect((await container.runs.rerun(first.id)).status).toBe("queued");
  });

  it("refuses what cannot be, with a sentence", async () => {
    const container = await openContainer();
    const { id } = await container.begin({ chunks: [""] });
    const refusal = async (order: Parameters<typeof container.runs.rerun>[1], of = id) => {
      const error: unknown = await container.runs.rerun(of, order).catch((reason: unknown) => reason);
      if (!isAppError(error)) throw error;
      return [error.code, error.message];
    };
    expect(await refusal({ backend: "nobody" })).toMatchObject(["unknown_backend", expect.stringMatching(/"nobody"/)]);
    expect(await refusal({ backend: "extractive", maxTokens: 5 })).toEqual([
      "invalid_input",
      "No output limit can be given to extractive/extractive-1; leave maxTokens out, or name another backend.",
    ]);
    expect((await refusal({}, "run_00000000000000000000000000"))[0]).toBe("not_found");
  });
});
