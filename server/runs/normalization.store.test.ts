/** What normalization leaves behind: in results, rows, lists and the trace; and the one repair round. */
import { describe, expect, it, onTestFinished } from "vitest";
import { requestArtifactSchema } from "@/server/artifacts/request-artifact.schema";
import { resultArtifactSchema } from "@/server/artifacts/result-artifact.schema";
import { chatFrames, sseAnswer, startLoopbackUpstream } from "@/server/testing/loopback-upstream";
import { openContainer, type TestContainer, untilResting, untilRun, wholeTrace } from "@/server/testing/test-container";

async function finished(chunks: string[], options: Record<string, number> = {}) {
  const container = await openContainer();
  const { id } = await container.begin({ chunks, options: { maxAttempts: 1, backoffMs: 0, ...options } });
  const run = await untilResting(container, id);
  return { container, id, run };
}

async function listed(container: TestContainer, id: string, mark?: ("repaired" | "truncated")[]) {
  const { items } = await container.runs.chunks(id, { limit: 50, ...(mark ? { mark } : {}) });
  return items.map(({ index, status, repaired, truncated }) => ({ index, status, repaired, truncated }));
}

describe("an answer's marks", () => {
  it("stand in its result, its attempt and its chunk, and chunks are found by them", async () => {
    const { container, id } = await finished([
      "Plain sentence here.",
      "Broken sentence here. [[mock:shape=broken]]",
      "Cut sentence here. [[mock:shape=length]]",
      "Another cut one here. [[mock:shape=cut]]",
    ]);
    const all = [
      { index: 1, status: "succeeded", repaired: false, truncated: false },
      { index: 2, status: "succeeded", repaired: true, truncated: false },
      { index: 3, status: "failed", repaired: false, truncated: true },
      { index: 4, status: "failed", repaired: false, truncated: true },
    ];
    expect(await listed(container, id)).toEqual(all);
    expect(await listed(container, id, ["repaired"])).toEqual([all[1]]);
    expect(await listed(container, id, ["truncated"])).toEqual([all[2], all[3]]);
    expect(await listed(container, id, ["repaired", "truncated"])).toEqual(all.slice(1));
    expect((await container.runs.get(id)).marks).toEqual({ repaired: 1, truncated: 2 });

    const broken = await container.runs.chunk(id, 2);
    expect(broken.attempts).toMatchObject([{ repaired: true, truncated: false, repairOf: null, repairRequest: null }]);
    const result = resultArtifactSchema.parse(JSON.parse(broken.attempts[0]?.result?.body ?? ""));
    expect(result).toMatchObject({
      ok: true,
      version: "xkb.result.v1",
      output: { insights: [{ section: "mock" }, { content: "Broken sentence here." }] },
    });
    expect(result.normalization?.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      "received passed",
      "parse failed",
      "repair changed",
      "schema passed",
    ]);

    const cut = await container.runs.chunk(id, 3);
    const partial = resultArtifactSchema.parse(JSON.parse(cut.attempts[0]?.result?.body ?? ""));
    expect(partial).toMatchObject({
      ok: false,
      error: { retryable: false },
      finish_reason: "length",
      normalization: { truncated: true },
    });
    expect(partial.raw_text).toMatch(/^\{"insights":\[/);
  });

  it("are those of the newest answer", async () => {
    const { container, id } = await finished(["Cut sentence here. [[mock:shape=cut]]"], { maxAttempts: 3 });
    expect((await container.runs.chunk(id, 1)).attempts.map(({ truncated }) => truncated)).toEqual([true, true]);
  });
});

describe("a repair round", () => {
  it("is not ordered by itself", async () => {
    const { container, id } = await finished(["One sentence here. [[mock:shape=mendable]]"]);
    expect((await container.runs.chunk(id, 1)).attempts).toMatchObject([{ status: "failed", repairOf: null }]);
  });

  it("sends the errors and the former answer once, as an attempt of its own with a request of its own", async () => {
    const { container, id, run } = await finished(["One sentence here. [[mock:shape=mendable]]"], { repairRounds: 1 });
    expect(run).toMatchObject({ status: "completed", retries: 1, counts: { succeeded: 1 } });
    const chunk = await container.runs.chunk(id, 1);
    expect(chunk).toMatchObject({ acceptedAttempt: 2 });
    expect(chunk.attempts).toMatchObject([
      { number: 1, status: "failed", failureKind: "backend-response-invalid", repairOf: null, repairRequest: null },
      { number: 2, status: "succeeded", repairOf: 1 },
    ]);
    const sent = requestArtifactSchema.parse(JSON.parse(chunk.attempts[1]?.repairRequest?.body ?? ""));
    const plain = requestArtifactSchema.parse(JSON.parse(chunk.request.body));
    expect(sent.meta).toMatchObject({ repair_of: 1, repair_prompt_version: "repair-1" });
    expect(sent.input.user.startsWith(plain.input.user)).toBe(true);
    expect(sent.input.user).toContain("- “insights” is missing from the answer, which has “statements”.\n");
    expect(sent.input.user).toContain('\n{"statements":[');
    const result = resultArtifactSchema.parse(JSON.parse(chunk.attempts[1]?.result?.body ?? ""));
    expect(result).toMatchObject({
      ok: true,
      attempt: 2,
      repair_of: 1,
      request_sha256: chunk.attempts[1]?.repairRequest?.sha256,
    });
    const told = (await wholeTrace(container, id)).filter(({ type }) => type === "chunk_retry_scheduled");
    expect(told).toMatchObject([{ attempt: 1, payload: { delayMs: 0, repairRound: true } }]);
  });

  it("is one a chunk: when it fails too, the chunk goes on as it would have", async () => {
    const { container, id, run } = await finished(["One sentence here. [[mock:shape=misfit]]"], {
      repairRounds: 1,
      maxAttempts: 3,
    });
    expect(run.status).toBe("incomplete");
    expect((await container.runs.chunk(id, 1)).attempts).toMatchObject([
      { status: "failed", repairOf: null },
      { status: "failed", repairOf: 1 },
      // The failure kind's own retry, with the plain request.
      { status: "failed", repairOf: null, repairRequest: null },
    ]);
    // A retry by hand begins anew.
    await container.runs.retry(id);
    await untilResting(container, id);
    expect((await container.runs.chunk(id, 1)).attempts.map(({ repairOf }) => repairOf)).toEqual([null, 1, null, null, 4, null]);
  });

  it.each(["cut", "length"])("is not for an answer that is %s: it would be cut again", async (shape) => {
    const { container, id } = await finished([`One sentence here. [[mock:shape=${shape}]]`], { repairRounds: 1 });
    expect((await container.runs.chunk(id, 1)).attempts).toMatchObject([{ status: "failed", truncated: true, repairOf: null }]);
  });

  it("waits while the run is paused, and is not sent for one that is cancelled", async () => {
    const container = await openContainer();
    const { id } = await container.begin({
      chunks: ["One sentence here. [[mock:shape=mendable]] [[mock:delay=150]]"],
      options: { maxAttempts: 1, repairRounds: 1 },
    });
    await untilRun(container, id, "it is running", ({ counts }) => counts.running === 1);
    await container.runs.pause(id);
    await untilRun(container, id, "it has answered", ({ counts }) => counts.queued === 1);
    const { items } = await container.runs.chunks(id, { limit: 1 });
    expect(items).toMatchObject([{ status: "queued", attempts: [{ number: 1, status: "failed" }] }]);
    await container.runs.cancel(id);
    const { items: ended } = await container.runs.chunks(id, { limit: 1 });
    expect(ended).toMatchObject([{ status: "cancelled", attempts: [{ number: 1, status: "failed" }] }]);
  });
});

describe("what was asked and what was served", () => {
  it("are both kept, and counted where they differ", async () => {
    const upstream = await startLoopbackUpstream();
    onTestFinished(() => upstream.close());
    const frames = chatFrames({ model: "vendor/other-9" }).map((frame) =>
      frame.replace('"model":', '"provider":"Far Away","model":'),
    );
    upstream.otherwise(sseAnswer(frames));
    const container = await openContainer({ llm: { url: upstream.baseUrl, key: "key-of-no-one" } });
    const { id } = await container.begin({ backend: "llm-api", chunks: ["One.", "Two."] });
    await untilResting(container, id);
    const { attempts } = await container.runs.chunk(id, 1);
    expect(attempts).toMatchObject([{ backend: "llm-api", servedModel: "vendor/other-9", servedProvider: "Far Away" }]);
    expect(JSON.parse(attempts[0]?.result?.body ?? "")).toMatchObject({
      backend: "llm-api",
      model: attempts[0]?.model,
      served_model: "vendor/other-9",
      served_provider: "Far Away",
    });
    expect((await container.runs.get(id)).asked).toMatchObject([
      { attempts: 2, served: [{ model: "vendor/other-9", provider: "Far Away", attempts: 2 }] },
    ]);
  });
});
