import { Worker } from "node:worker_threads";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterEach, expect, it, vi } from "vitest";
import { isAppError } from "@/server/shared/app-error";
import type { ConsolidateInput } from "./consolidate";
import { consolidate } from "./consolidate";
import { type PlanInput, planRun } from "./plan-run";
import { closePrepPool, consolidateOffThread, planOffThread, previewOffThread } from "./prep-pool";
import { prepare } from "./prepare";

afterEach(async () => {
  vi.useRealTimers();
  await closePrepPool();
});

const POOL = Symbol.for("switchyard.prep-pool");

/** The pool's thread, as the module keeps it on globalThis. */
function thread(): Worker | undefined {
  // The key is the module's own; this test alone looks behind its door.
  return (globalThis as { [POOL]?: { thread?: { worker: Worker } } })[POOL]?.thread?.worker;
}

/** Words, not numbers: lines that differ in a number alone would be dropped as repetitions. */
function nameOf(index: number): string {
  return Array.from(String(index), (digit) => "abcdefghij".charAt(Number(digit))).join("");
}

function input(sections: number, more: Partial<PlanInput> = {}): PlanInput {
  const text = Array.from(
    { length: sections },
    (_, index) => `## Section ${nameOf(index)}\n- The worker ${nameOf(index)} renews its lease every third of its length.\n\n`,
  ).join("");
  return {
    documents: [{ name: "day.md", text }],
    chunkTokens: 200,
    tokenizer: "pieces",
    tokenizerIsEstimate: true,
    knownSecrets: [],
    sourceDate: "2026-04-19",
    createdAt: Date.UTC(2026, 3, 20),
    ...more,
  };
}

it("prepares a small input at once, without a thread", async () => {
  expect(await planOffThread(input(3))).toEqual(planRun(input(3)));
  expect(thread()).toBeUndefined();
});

it("prepares a large input on the thread, with the same result", async () => {
  const large = input(1200);
  expect(await planOffThread(large)).toEqual(planRun(large));
  expect(thread()).toBeInstanceOf(Worker);
}, 30_000);

it("loads the vocabulary on the thread alone, however small the input", async () => {
  const prepared = await planOffThread(input(2, { tokenizer: "o200k" }));
  expect(prepared.report.tokenizer).toBe("o200k");
  expect(prepared.report.tokens).toBe(countTokens(prepared.cleaned.body));
  expect(thread()).toBeInstanceOf(Worker);
}, 30_000);

it("shows beforehand what it will report, small or large", async () => {
  for (const sections of [3, 1200]) expect(await previewOffThread(input(sections))).toEqual(prepare(input(sections)).report);
}, 30_000);

it("leaves the caller's thread free while it works", async () => {
  await planOffThread(input(1200));
  const pending = planOffThread(input(20_000));
  let turns = 0;
  let isDone = false;
  void pending.then(() => {
    isDone = true;
  });
  while (!isDone) {
    turns++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await pending).chunks.length).toBeGreaterThan(1000);
  expect(turns).toBeGreaterThan(50);
}, 30_000);

it("brings an AppError across with its code, sentence and details", async () => {
  const failure = await planOffThread({
    ...input(1200),
    documents: [{ name: "bad.md", text: `${"a".repeat(70_000)}\0` }],
  }).catch((error: unknown) => error);
  expect(isAppError(failure) && { code: failure.code, message: failure.message, details: failure.details }).toEqual({
    code: "invalid_input",
    message:
      "“bad.md” holds a NUL character at character offset 70000, so it is not plain text (a binary file, or UTF-16 without a mark?).",
    details: { offset: 70_000 },
  });
}, 30_000);

it("rejects what waits when the thread dies, and the next call has a new one", async () => {
  await planOffThread(input(1200));
  const first = thread();
  const waiting = Promise.allSettled([planOffThread(input(1300)), planOffThread(input(1400))]);
  await first?.terminate();
  const settled = await waiting;
  expect(settled.map((result) => (result.status === "rejected" ? String(result.reason) : result.status))).toEqual([
    "Error: The prep thread ended with code 1.",
    "Error: The prep thread ended with code 1.",
  ]);
  expect((await planOffThread(input(1200))).chunks.length).toBeGreaterThan(0);
  expect(thread()).not.toBe(first);
}, 30_000);

it("ends the thread after ten idle seconds, not after nine", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await planOffThread(input(1200));
  const worker = thread();
  const ended = new Promise<number>((resolve) => worker?.once("exit", resolve));
  vi.advanceTimersByTime(9_999);
  expect(thread()).toBe(worker);
  vi.advanceTimersByTime(1);
  expect(thread()).toBeUndefined();
  expect(await ended).toBe(1);
}, 30_000);

it("rejects what waits when it is closed, and may be closed twice", async () => {
  const waiting = planOffThread(input(1200)).catch(String);
  await closePrepPool();
  await closePrepPool();
  expect(await waiting).toBe("Error: The prep thread was closed.");
}, 30_000);

function results(count: number): ConsolidateInput {
  const prepared = prepare(input(count, { chunkTokens: 50 }));
  return {
    sourceDate: "2026-04-19",
    cleaned: prepared.cleaned,
    segments: prepared.segments,
    chunks: prepared.chunks,
    results: prepared.chunks.map(({ index }) => ({
      chunk: index,
      attempt: 1,
      result: {
        version: "xkb.result.v1",
        ok: true,
        backend: "mock",
        model: "mock",
        source_date: "2026-04-19",
        chunk_index: index,
        output: { insights: [{ content: `The worker ${nameOf(index)} renews its lease every third of its length.` }] },
        raw_text: "",
        timing_ms: 1,
        finished_at: "2026-04-19T10:00:00.000Z",
      },
    })),
    allowPartial: false,
  };
}

it.each([5, 700])(
  "consolidates %i sections with the same result, here or there",
  async (count) => {
    const work = results(count);
    expect(await consolidateOffThread(work)).toEqual(consolidate(work));
    expect(thread() === undefined).toBe(count === 5);
    expect(work.chunks.length < 200).toBe(count === 5);
  },
  30_000,
);
