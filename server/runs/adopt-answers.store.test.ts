/** Answers that were made elsewhere, over a real database: what they leave behind, and whom they leave alone. */
import { describe, expect, it } from "vitest";
import { resultArtifactSchema } from "@/server/artifacts/result-artifact.schema";
import { CANARY_KEY, EVERY_SPELLING, spellingsIn } from "@/server/testing/canary";
import { openContainer, type TestContainer, untilResting, untilRun, wholeTrace } from "@/server/testing/test-container";
import type { MadeAnswer } from "./adopt-answers.schema";
import { chunkName, plainChunkName } from "./answer-id";
import { claimChunks } from "./run-writes.store";

const GOOD = '{"insights":[{"content":"The database moved to Oslo."}]}';
const DATE = "2026-04-19";
const NOTHING = { adopted: 0, repaired: 0, invalid: 0, failed: 0, skipped: [], problems: [] };

const nameOf = (index: number) => chunkName("memory_distill_extract", DATE, index);
const answer = (index: number, more: Partial<MadeAnswer> = {}): MadeAnswer => ({ id: nameOf(index), text: GOOD, ...more });

/** A paused run that no worker looks at. */
async function pausedRun(chunks: readonly string[]) {
  const container = await openContainer({ start: false });
  const { id } = await container.begin({ chunks, sourceDate: DATE });
  await container.runs.pause(id);
  return { container, id };
}

const statusesOf = async (container: TestContainer, id: string) =>
  (await container.runs.chunks(id, { limit: 50 })).items.map(({ status }) => status);

describe("an answer that is accepted", () => {
  it("is an attempt of its chunk that says where it came from, and nothing that nobody told", async () => {
    const { container, id } = await pausedRun(["One.", "Two."]);
    expect(await container.runs.adopt(id, [answer(1, { source: "answers.jsonl line 3" })])).toEqual({ ...NOTHING, adopted: 1 });
    const run = await container.runs.get(id);
    expect(run).toMatchObject({
      status: "paused",
      counts: { queued: 1, running: 0, succeeded: 1, failed: 0 },
      tokens: { prompt: 0, completion: 0, cached: 0, cacheWrite: 0, reasoning: 0, estimated: false },
      asked: [],
    });
    const chunk = await container.runs.chunk(id, 1);
    expect(chunk).toMatchObject({ status: "succeeded", acceptedAttempt: 1, insights: 1 });
    expect(chunk.attempts).toMatchObject([
      {
        number: 1,
        status: "succeeded",
        origin: "import",
        backend: "unknown",
        model: "unknown",
        startedAt: null,
        firstTokenAt: null,
        finishReason: null,
        promptTokens: null,
        completionTokens: null,
      },
    ]);
    expect(resultArtifactSchema.parse(JSON.parse(chunk.attempts[0]?.result?.body ?? ""))).toMatchObject({
      ok: true,
      origin: "import",
      source: "answers.jsonl line 3",
      raw_text: GOOD,
      output: { insights: [{ content: "The database moved to Oslo." }] },
      request_sha256: chunk.request.sha256,
    });
    const told = (await wholeTrace(container, id)).filter((event) => event.chunk === 1);
    expect(told.map(({ type, attempt, payload }) => [type, attempt, payload])).toEqual([
      ["chunk_claimed", 1, { worker: expect.stringMatching(/^adp_/), origin: "import", source: "answers.jsonl line 3" }],
      ["chunk_succeeded", 1, { insights: 1, origin: "import", source: "answers.jsonl line 3" }],
    ]);
  });

  it("keeps what its maker told, and is no evidence of a provider", async () => {
    const { container, id } = await pausedRun(["One.", "Two."]);
    const usage = { promptTokens: 30, completionTokens: 4 };
    const more = { backend: "mock", model: "mock-1", finishReason: "end_turn", usage };
    expect(await container.runs.adopt(id, [answer(1, more)])).toMatchObject({ adopted: 1 });
    expect((await container.runs.chunk(id, 1)).attempts).toMatchObject([
      { backend: "mock", model: "mock-1", finishReason: "stop", promptTokens: 30, completionTokens: 4, tokensEstimated: false },
    ]);
    expect(await container.runs.get(id)).toMatchObject({ tokens: { prompt: 30, completion: 4 }, asked: [] });
    const mock = (await container.backends.get("mock")).providers[0];
    expect(mock?.evidence.streaming.lastSeen).toBeNull();
    const [compared] = await container.runs.compare([id]);
    expect(compared).toMatchObject({ requests: 0, requestMs: null, answeredBy: [] });
  });

  it("may be a repaired one", async () => {
    const { container, id } = await pausedRun(["One.", "Two."]);
    const broken = '{"insights":[{"content":"The database moved to Oslo."},]}';
    expect(await container.runs.adopt(id, [answer(1, { text: broken })])).toEqual({ ...NOTHING, adopted: 1, repaired: 1 });
    expect(await container.runs.chunk(id, 1)).toMatchObject({ status: "succeeded", repaired: true });
  });
});

describe("an answer that cannot be used", () => {
  it("fails its chunk with the reason, and is not asked for again by itself", async () => {
    const { container, id } = await pausedRun(["One.", "Two.", "Three.", "Four."]);
    const outcome = await container.runs.adopt(id, [
      answer(1, { text: '{"statements":[]}' }),
      answer(2, { finishReason: "max_tokens" }),
      { id: nameOf(3), error: { message: "loop answered 429", failureKind: "provider-rate-limited" } },
    ]);
    expect(outcome).toEqual({ ...NOTHING, invalid: 2, failed: 1 });
    const { items } = await container.runs.chunks(id, { limit: 10 });
    expect(
      items.map(({ status, failureKind, truncated, dueAt, errorMessage }) => [
        status,
        failureKind,
        truncated,
        dueAt,
        errorMessage,
      ]),
    ).toEqual([
      ["failed", "backend-response-invalid", false, null, "“insights” is missing from the answer, which has “statements”."],
      [
        "failed",
        "backend-response-invalid",
        true,
        null,
        expect.stringMatching(/^The answer was cut at the model's output limit/),
      ],
      ["failed", "provider-rate-limited", false, null, "loop answered 429"],
      ["queued", null, false, null, null],
    ]);
    expect((await container.runs.get(id)).counts).toMatchObject({ queued: 1, failed: 3 });
    await wholeTrace(container, id);
  });

  it("makes room for a better one", async () => {
    const { container, id } = await pausedRun(["One."]);
    expect(await container.runs.adopt(id, [answer(1, { text: "no" })])).toMatchObject({ invalid: 1 });
    expect((await container.runs.get(id)).status).toBe("incomplete");
    expect(await container.runs.adopt(id, [answer(1, { text: "no" })])).toEqual({
      ...NOTHING,
      skipped: [{ id: nameOf(1), source: null, chunk: 1, reason: "this very answer was adopted before" }],
    });
    expect(await container.runs.adopt(id, [answer(1)])).toMatchObject({ adopted: 1 });
    const run = await container.runs.get(id);
    expect(run).toMatchObject({ status: "completed", retries: 1, insights: 1, counts: { succeeded: 1, failed: 0 } });
    expect((await container.runs.chunk(id, 1)).acceptedAttempt).toBe(2);
    await wholeTrace(container, id);
  });
});

describe("what is left alone", () => {
  it("is a chunk that has succeeded, one that runs, and one that a worker has just taken", async () => {
    const container = await openContainer();
    const { id } = await container.begin({ chunks: ["Plain.", "[[mock:hang]]"], sourceDate: DATE });
    await untilRun(container, id, "one is done, one hangs", ({ counts }) => counts.succeeded === 1 && counts.running === 1);
    expect((await container.runs.adopt(id, [answer(1), answer(2)])).skipped.map(({ chunk, reason }) => [chunk, reason])).toEqual([
      [1, "it has succeeded already"],
      [2, "it is running"],
    ]);
    await container.runs.cancel(id);
    const idle = await openContainer({ start: false });
    const other = await idle.begin({ chunks: ["One."], sourceDate: DATE });
    await claimChunks(idle.writer, { runId: other.id, owner: "wrk_a", limit: 1, now: Date.now() });
    expect((await idle.runs.adopt(other.id, [answer(1)])).skipped).toMatchObject([
      { reason: "a worker has just taken it to ask for it" },
    ]);
    expect(await idle.database.attempt.count()).toBe(0);
  });

  it("is an attempt of the run itself, which an export brings back", async () => {
    const container = await openContainer();
    const { id } = await container.begin({ chunks: ["[[mock:invalid-json]]"], sourceDate: DATE, options: { maxAttempts: 1 } });
    await untilResting(container, id);
    const requestId = (await container.runs.chunk(id, 1)).attempts[0]?.requestId ?? "";
    expect((await container.runs.adopt(id, [answer(1, { requestId })])).skipped).toMatchObject([
      { reason: "it is this run's own attempt 1" },
    ]);
  });

  it("is a run that was cancelled", async () => {
    const { container, id } = await pausedRun(["One."]);
    await container.runs.cancel(id);
    await expect(container.runs.adopt(id, [answer(1)])).rejects.toMatchObject({
      code: "conflict",
      message: "A run that was cancelled takes no answers.",
    });
    expect(await container.database.attempt.count()).toBe(0);
  });
});

it("tells of each answer that belongs nowhere, and takes the others", async () => {
  const { container, id } = await pausedRun(["One.", "Two."]);
  const other = `run_${"0".repeat(26)}`;
  const outcome = await container.runs.adopt(id, [
    { id: "chunk one", text: GOOD, source: "a.jsonl line 1" },
    { id: nameOf(7), text: GOOD },
    { id: nameOf(0), text: GOOD },
    { id: chunkName("memory_distill_extract", "2026-04-18", 1), text: GOOD },
    { id: chunkName("another_task", DATE, 2), text: GOOD },
    { id: plainChunkName(other, 1), text: GOOD },
    answer(1, { source: "a.jsonl line 7" }),
    answer(1, { text: '{"insights":[]}', source: "a.jsonl line 8" }),
  ]);
  expect(outcome.problems.map(({ source, problem }) => [source, problem])).toEqual([
    ["a.jsonl line 1", "Its id names no chunk; write it as task/date/chunk-0001, or as the export wrote it."],
    [null, "This run has no chunk 7."],
    [null, "Its id names no chunk; write it as task/date/chunk-0001, or as the export wrote it."],
    [null, "It is of 2026-04-18; this run is of 2026-04-19."],
    [null, "It is not of the task of this run, memory_distill_extract."],
    [null, `It belongs to another run, ${other}.`],
    ["a.jsonl line 8", "Chunk 1 has an answer before this one here; the first one counts."],
  ]);
  expect(outcome).toMatchObject({ adopted: 1, skipped: [] });
  expect(await statusesOf(container, id)).toEqual(["succeeded", "queued"]);
  const foreign = await container.runs.adopt(id, [answer(2, { requestSha256: "0".repeat(64) })]);
  expect(foreign.problems).toMatchObject([{ problem: "It answers another request than that of chunk 2: their SHA-256 differ." }]);
});

it("takes the plain name and the id of a request as well", async () => {
  const { container, id } = await pausedRun(["One.", "Two."]);
  const ids = [plainChunkName(id, 1), `req_${id.slice(4)}.2.1`];
  expect(
    await container.runs.adopt(
      id,
      ids.map((each) => ({ id: each, text: GOOD })),
    ),
  ).toEqual({ ...NOTHING, adopted: 2 });
});

describe("the last open chunk", () => {
  it("completes a paused run, with its insights", async () => {
    const { container, id } = await pausedRun(["One.", "Two."]);
    await container.runs.adopt(id, [answer(2)]);
    expect((await container.runs.get(id)).status).toBe("paused");
    await container.runs.adopt(id, [answer(1)]);
    expect(await container.runs.get(id)).toMatchObject({ status: "completed", statusReason: null, insights: 1 });
    const told = await wholeTrace(container, id);
    expect(told.map(({ type }) => type).slice(-4)).toEqual([
      "chunk_succeeded",
      "run_resumed",
      "consolidate_completed",
      "run_completed",
    ]);
  });

  it("completes a run that no worker has begun", async () => {
    const container = await openContainer({ start: false });
    const { id } = await container.begin({ chunks: ["One."], sourceDate: DATE });
    await container.runs.adopt(id, [answer(1)]);
    expect(await container.runs.get(id)).toMatchObject({ status: "completed", startedAt: expect.any(String) });
  });

  it("leaves a run incomplete where another one failed", async () => {
    const { container, id } = await pausedRun(["One.", "Two."]);
    await container.runs.adopt(id, [answer(1), answer(2, { text: "no" })]);
    expect(await container.runs.get(id)).toMatchObject({ status: "incomplete", counts: { succeeded: 1, failed: 1 } });
  });

  it("reopens a run that was finished with gaps", async () => {
    const { container, id } = await pausedRun(["One.", "Two."]);
    await container.runs.adopt(id, [answer(1), answer(2, { text: "no" })]);
    await container.runs.finish(id);
    await container.runs.adopt(id, [answer(2)]);
    expect(await container.runs.get(id)).toMatchObject({ status: "completed", coverage: { done: 2, total: 2, failed: [] } });
  });
});

it("adopts once when two hand in the same answer at the same time", async () => {
  const { container, id } = await pausedRun(["One.", "Two."]);
  const outcomes = await Promise.all([container.runs.adopt(id, [answer(1)]), container.runs.adopt(id, [answer(1)])]);
  expect(outcomes.reduce((sum, { adopted }) => sum + adopted, 0)).toBe(1);
  expect(outcomes.flatMap(({ skipped }) => skipped)).toHaveLength(1);
  expect((await container.runs.chunk(id, 1)).attempts).toHaveLength(1);
  await wholeTrace(container, id);
});

it("keeps no key of an adopted answer, wherever it stands", async () => {
  const container = await openContainer({ start: false, llm: { url: "http://127.0.0.1:9/v1", key: CANARY_KEY } });
  const { id } = await container.begin({ chunks: ["One.", "Two.", "Three."], sourceDate: DATE });
  const outcome = await container.runs.adopt(id, [
    answer(1, {
      text: JSON.stringify({ insights: [{ content: `It was ${EVERY_SPELLING}.` }] }),
      backend: CANARY_KEY,
      model: CANARY_KEY,
      source: `of ${CANARY_KEY}`,
      finishReason: CANARY_KEY,
    }),
    answer(2, { text: `{"${CANARY_KEY.replaceAll('"', "'")}":1} ${EVERY_SPELLING}` }),
    { id: nameOf(3), error: { message: `refused ${EVERY_SPELLING}` } },
  ]);
  expect(outcome).toMatchObject({ adopted: 1, invalid: 1, failed: 1 });
  const [attempts, chunks, artifacts, events, insights] = await Promise.all([
    container.database.attempt.findMany(),
    container.database.chunk.findMany(),
    container.database.artifact.findMany({ where: { kind: "result" } }),
    container.database.event.findMany(),
    container.database.insight.findMany(),
  ]);
  const all = JSON.stringify([outcome, attempts, chunks, artifacts, events, insights], (_, value) =>
    typeof value === "bigint" ? Number(value) : value,
  );
  expect(artifacts).toHaveLength(3);
  expect(spellingsIn(all)).toEqual([]);
  expect(spellingsIn(artifacts.map(({ body }) => body).join("\n"))).toEqual([]);
});
