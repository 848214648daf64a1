/** From what a provider says of its tokens to rows, sums and what it has cost: over a real socket and a real database. */
import { expect, it, onTestFinished } from "vitest";
import {
  chatFrames,
  jsonAnswer,
  type LoopbackUpstream,
  sseAnswer,
  startLoopbackUpstream,
} from "@/server/testing/loopback-upstream";
import { openContainer, type TestContainer, untilResting } from "@/server/testing/test-container";

const TEXT = '{"insights":[{"content":"We moved the database to Oslo."}]}';
const USAGE = {
  prompt_tokens: 1_000,
  completion_tokens: 200,
  prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 100 },
  completion_tokens_details: { reasoning_tokens: 150 },
};

async function openUpstream(): Promise<LoopbackUpstream> {
  const upstream = await startLoopbackUpstream();
  onTestFinished(() => upstream.close());
  return upstream;
}

const documentOf = (upstream: LoopbackUpstream, prices: string) => `providers:
  router: { profile: openai-chat, baseUrl: "${upstream.baseUrl}" }
models:
  default: router/big
${prices}`;

const PRICES = `prices:
  router/big: { input: 2, cachedInput: 0.5, cacheWrite: 2.5, output: 10 }
`;

async function runOf(container: TestContainer, chunks: readonly string[], maxAttempts = 1) {
  const { id } = await container.begin({ scene: "extract", chunks, options: { concurrency: 1, backoffMs: 0, maxAttempts } });
  await untilResting(container, id);
  return id;
}

/** 300 read anew, 600 from the cache, 100 into it, 200 said, of which 150 were thoughts. */
const ONE = (300 * 2 + 600 * 0.5 + 100 * 2.5 + 200 * 10) / 1e6;

it("keeps the parts of tokens apart in attempts and sums, and prices each once, failed answers too", async () => {
  const upstream = await openUpstream();
  upstream.next(sseAnswer(chatFrames({ text: "no JSON at all", usage: USAGE })));
  upstream.next(jsonAnswer(429, { error: { message: "slow down" } }));
  upstream.otherwise(sseAnswer(chatFrames({ text: TEXT, usage: USAGE })));
  const container = await openContainer({ config: { text: documentOf(upstream, PRICES) } });
  const id = await runOf(container, ["We moved the database to Oslo."], 3);
  const { attempts } = await container.runs.chunk(id, 1);
  const parts = { cachedTokens: 600, cacheWriteTokens: 100, reasoningTokens: 150, costUsd: null };
  const cost = { state: "known", currency: "USD", source: "table", price: "router/big", about: false };
  expect(attempts).toMatchObject([
    { failureKind: "backend-response-invalid", promptTokens: 1_000, ...parts, cost },
    { failureKind: "provider-rate-limited", promptTokens: null, cachedTokens: null, cost: { state: "none" } },
    { status: "succeeded", completionTokens: 200, ...parts, cost },
  ]);
  expect(attempts.map((each) => (each.cost.state === "known" ? each.cost.amount : null))).toEqual([ONE, null, ONE]);
  const run = await container.runs.get(id);
  expect(run.tokens).toEqual({
    prompt: 2_000,
    completion: 400,
    cached: 1_200,
    cacheWrite: 200,
    reasoning: 300,
    estimated: false,
  });
  expect(run.cost).toEqual({
    known: [{ amount: expect.closeTo(2 * ONE, 12), currency: "USD", about: false }],
    unknown: [],
    unknownAttempts: 0,
    revision: 2,
  });
  const [compared] = await container.runs.compare([id]);
  expect(compared?.cost).toEqual(run.cost);
});

it("says whose price is not known, and corrects what it said when the table is corrected", async () => {
  const upstream = await openUpstream();
  upstream.next(sseAnswer(chatFrames({ text: TEXT, usage: { ...USAGE, cost: 0.5 } })));
  upstream.otherwise(sseAnswer(chatFrames({ text: TEXT, usage: null })));
  const container = await openContainer({ config: { text: documentOf(upstream, "") } });
  const id = await runOf(container, ["One.", "Two.", "Three."]);
  // The first told its own; of the others the tokens were estimated here.
  expect((await container.runs.get(id)).cost).toEqual({
    known: [{ amount: 0.5, currency: "USD", about: false }],
    unknown: [{ reference: "router/big", reason: "no_price", attempts: 2 }],
    unknownAttempts: 2,
    revision: 2,
  });
  expect((await container.runs.chunk(id, 1)).attempts).toMatchObject([
    { costUsd: 0.5, cost: { amount: 0.5, source: "provider" } },
  ]);
  const text = documentOf(upstream, 'prices: { "router/*": { input: 1000000, output: 0, currency: EUR } }\n');
  await container.config.save({ text, baseRevision: 2, author: "test", comment: "" }, "api");
  const { tokens, cost } = await container.runs.get(id);
  expect(cost).toEqual({
    known: [
      { amount: tokens.prompt - 1_000, currency: "EUR", about: true },
      { amount: 0.5, currency: "USD", about: false },
    ],
    unknown: [],
    unknownAttempts: 0,
    revision: 3,
  });
});

it("counts what was answered inside this server as nothing, and an answer that was made elsewhere as not known", async () => {
  const container = await openContainer();
  const { id } = await container.begin({ chunks: ["One.", "Two. [[mock:fail=backend-failed]]"], options: { maxAttempts: 1 } });
  await untilResting(container, id);
  expect((await container.runs.get(id)).cost).toMatchObject({ known: [{ amount: 0 }], unknownAttempts: 0 });
  const answer = {
    id: "memory_distill_extract/2026-04-19/chunk-0002",
    text: TEXT,
    usage: { promptTokens: 9, completionTokens: 9 },
  };
  expect(await container.runs.adopt(id, [answer])).toMatchObject({ adopted: 1 });
  expect((await container.runs.get(id)).cost).toMatchObject({
    known: [{ amount: 0 }],
    unknown: [{ reference: "unknown/unknown", reason: "made_elsewhere", attempts: 1 }],
  });
});
