/** Three providers with keys of their own on real sockets: chain, cooldown, explanation and trace must tell one story. */
import { expect, it, onTestFinished } from "vitest";
import type { PinnedRoute } from "@/server/config/pinned-route.schema";
import {
  chatFrames,
  jsonAnswer,
  type LoopbackUpstream,
  type Script,
  sseAnswer,
  startLoopbackUpstream,
} from "@/server/testing/loopback-upstream";
import { openContainer, type TestContainer, untilResting, wholeTrace } from "@/server/testing/test-container";
import { waitFor } from "@/server/testing/wait-for";

const KEYS = { FIRST_KEY: "key-canary-first-11", SECOND_KEY: "key-canary-second-22", THIRD_KEY: "key-canary-third-33" };

async function threeUpstreams(): Promise<[LoopbackUpstream, LoopbackUpstream, LoopbackUpstream]> {
  const open = async () => {
    const upstream = await startLoopbackUpstream();
    onTestFinished(() => upstream.close());
    upstream.otherwise(sseAnswer(chatFrames({ text: '{"insights":[]}' })));
    return upstream;
  };
  return [await open(), await open(), await open()];
}

function documentOf(upstreams: readonly LoopbackUpstream[], mapping: string): string {
  const [first, second, third] = upstreams.map(({ baseUrl }) => baseUrl);
  return `providers:
  first: { baseUrl: "${first}", apiKey: env:FIRST_KEY }
  second: { baseUrl: "${second}", apiKey: "\${SECOND_KEY}" }
  third: { baseUrl: "${third}", apiKey: env:THIRD_KEY }
models:
  default: mock/mock-1
  extract: ${mapping}
`;
}

const CHAIN = "{ candidates: [first/m1, second/m2, third/m3] }";

async function open(mapping: string, variables: Record<string, string> = KEYS) {
  const upstreams = await threeUpstreams();
  const container = await openContainer({ config: { text: documentOf(upstreams, mapping), variables } });
  return { container, upstreams };
}

const chunks = (count: number) => Array.from({ length: count }, (_, at) => `Sentence ${at} of this run.`);

async function begin(container: TestContainer, count: number, options: Record<string, number> = {}) {
  const { id } = await container.begin({
    scene: "extract",
    chunks: chunks(count),
    options: { concurrency: 1, backoffMs: 0, ...options },
  });
  return id;
}

async function attemptsOf(container: TestContainer, id: string) {
  const { items } = await container.runs.chunks(id, { limit: 100 });
  return items.map(({ attempts }) => attempts.map(({ backend, failureKind }) => [backend, failureKind]));
}

const authorizations = ({ requests }: LoopbackUpstream) => [...new Set(requests.map(({ headers }) => headers.authorization))];

it("goes down the chain, cools the first one down, and tells the same everywhere", async () => {
  const { container, upstreams } = await open(CHAIN);
  const [first, second, third] = upstreams;
  first.otherwise(jsonAnswer(503, { error: { message: "overloaded" } }));
  const id = await begin(container, 6);
  const run = await untilResting(container, id);
  expect([run.status, run.scene, run.configRevision, run.backend, run.model]).toEqual(["completed", "extract", 2, "first", "m1"]);
  const failed = ["first", "provider-unavailable"];
  const answered = ["second", null];
  expect(await attemptsOf(container, id)).toEqual([
    [failed, answered],
    [failed, answered],
    [failed, answered],
    [answered],
    [answered],
    [answered],
  ]);
  expect([first.requests.length, second.requests.length, third.requests.length]).toEqual([3, 6, 0]);
  // The list says whom the run may ask, its page who was asked and has answered.
  const { items } = await container.runs.list({ limit: 1 });
  expect(items.map(({ candidates }) => candidates)).toEqual([["first/m1", "second/m2", "third/m3"]]);
  expect((await container.runs.get(id)).asked).toEqual([
    {
      reference: "second/m2",
      attempts: 6,
      succeeded: 6,
      served: [{ model: "served-1", provider: null, attempts: 6 }],
    },
    { reference: "first/m1", attempts: 3, succeeded: 0, served: [] },
  ]);
  // Each provider got its own key and no other.
  expect(authorizations(first)).toEqual([`Bearer ${KEYS.FIRST_KEY}`]);
  expect(authorizations(second)).toEqual([`Bearer ${KEYS.SECOND_KEY}`]);

  const trace = await wholeTrace(container, id);
  const [cooling, ...more] = trace.filter(({ type }) => type === "cooldown_started");
  expect(more).toEqual([]);
  expect(cooling).toMatchObject({
    chunk: 3,
    payload: { provider: "first", model: "m1", failureKind: "provider-unavailable", failures: 3, milliseconds: 15_000 },
  });
  // By chunk: whether a retry or the next chunk goes first is not told.
  const routes = trace
    .filter(({ type }) => type === "route_decided")
    .map(({ chunk, payload }) => [chunk, payload.provider])
    .sort(([left], [right]) => Number(left) - Number(right));
  expect(routes).toEqual([
    [1, "first"],
    [1, "second"],
    [2, "first"],
    [2, "second"],
    [3, "first"],
    [3, "second"],
    [4, "second"],
    [5, "second"],
    [6, "second"],
  ]);
  const last = trace.findLast(({ type }) => type === "route_decided");
  expect(last?.payload.rejected).toEqual([
    { candidate: "first/m1", reason: expect.stringMatching(/^It cools down for 1\d s more: first answered 503: overloaded$/) },
    { candidate: "third/m3", reason: "It could be used; another one stands before it in the list." },
  ]);

  const why = await container.config.why("extract", {});
  expect([why.mappedBy, why.inherited, why.strategy, why.chosen, why.leastBad]).toEqual([
    "extract",
    false,
    "fallback_chain",
    "second/m2",
    false,
  ]);
  expect(why.candidates.map(({ reference, verdict }) => [reference, verdict])).toEqual([
    ["first/m1", "rejected"],
    ["second/m2", "chosen"],
    ["third/m3", "passed_over"],
  ]);
  expect(why.candidates[0]?.checks.filter(({ ok }) => !ok)).toEqual([
    { check: "cooldown", ok: false, message: expect.stringMatching(/after 3 failures in a row: first answered 503/) },
  ]);

  const [coolingNow, ...others] = await container.config.availability(["first/m1", "second/m2", "nobody/x", "second/m9"]);
  expect(coolingNow).toMatchObject({ reference: "first/m1", state: "cooling", reason: "first answered 503: overloaded" });
  expect(others).toEqual([
    { reference: "second/m2", state: "unknown", reason: "", coolsUntil: null },
    { reference: "second/m9", state: "unknown", reason: "", coolsUntil: null },
  ]);

  const cooldowns = await container.backends.cooldowns();
  expect(cooldowns).toMatchObject([{ provider: "first", model: "m1", failures: 3, failureKind: "provider-unavailable" }]);
  const { providers } = await container.backends.get("openai-chat");
  expect(providers.map(({ name, cooldowns: held, outcomes }) => [name, held.length, outcomes])).toEqual([
    ["first", 1, { succeeded: 0, failed: 3 }],
    ["second", 0, { succeeded: 6, failed: 0 }],
    ["third", 0, { succeeded: 0, failed: 0 }],
  ]);

  // Cleared by the operator, the first one is asked again, and when it answers it is the first again.
  first.otherwise(sseAnswer(chatFrames({ text: '{"insights":[]}' })));
  expect(await container.backends.clearCooldown("first", "m1")).toBe(true);
  expect((await container.config.why("extract", {})).chosen).toBe("first/m1");
  const next = await begin(container, 1);
  expect((await untilResting(container, next)).status).toBe("completed");
  expect(await attemptsOf(container, next)).toEqual([[["first", null]]]);
});

it("goes on with what waits as long as a provider asked, once the operator clears that", async () => {
  const { container, upstreams } = await open("first/m1");
  upstreams[0].next(jsonAnswer(429, {}, { "retry-after": "3000" }));
  upstreams[0].otherwise(sseAnswer(chatFrames({ text: '{"insights":[]}' })));
  const id = await begin(container, 1);
  await waitFor("the chunk waits", async () => (await container.runs.get(id)).waiting.backoff === 1);
  expect(await container.backends.clearCooldown("first", "m1")).toBe(true);
  expect((await untilResting(container, id)).status).toBe("completed");
  expect(upstreams[0].requests).toHaveLength(2);
  expect(await container.backends.clearCooldown("first", "m1")).toBe(false);
});

it.each<[string, Script, string]>([
  ["401", jsonAnswer(401, {}), "provider-auth-failed"],
  ["402", jsonAnswer(402, {}), "provider-rate-limited"],
  ["404", jsonAnswer(404, {}), "backend-failed"],
])(
  "passes a chunk on that the provider refuses with %s, and leaves the provider alone then",
  async (_status, script, failureKind) => {
    const { container, upstreams } = await open(CHAIN);
    upstreams[0].otherwise(script);
    const id = await begin(container, 3);
    expect((await untilResting(container, id)).status).toBe("completed");
    expect(await attemptsOf(container, id)).toEqual([
      [
        ["first", failureKind],
        ["second", null],
      ],
      [["second", null]],
      [["second", null]],
    ]);
    expect(await container.backends.cooldowns()).toEqual([]);
    const why = await container.config.why("extract", {});
    expect(why.candidates[0]).toMatchObject({
      verdict: "rejected",
      reason: expect.stringMatching(/^It is unavailable: first answered 4/),
    });
  },
);

/** Counts the requests that are under way at the same time once `isCounting` says so. */
function countedRefusal(status: number) {
  const counted = { underWay: 0, most: 0, isCounting: false };
  const script: Script = async (exchange) => {
    counted.underWay += 1;
    if (counted.isCounting) counted.most = Math.max(counted.most, counted.underWay);
    // Others that are on their way arrive first.
    await new Promise((resolve) => setImmediate(resolve));
    await jsonAnswer(status, {})(exchange);
    counted.underWay -= 1;
  };
  return { counted, script };
}

it("is refused those requests only that were under way when the first refusal came in", async () => {
  const { container, upstreams } = await open(CHAIN);
  const [first, second] = upstreams;
  // Nobody is answered before all four slots are taken.
  first.otherwise(async (exchange) => {
    await first.received(4);
    await jsonAnswer(401, {})(exchange);
  });
  const id = await begin(container, 12, { concurrency: 4 });
  const run = await untilResting(container, id);
  expect([run.status, run.counts.succeeded]).toEqual(["completed", 12]);
  expect([first.requests.length, second.requests.length]).toEqual([4, 12]);
});

it("sends one request at a time to a model that refuses when there is no other", async () => {
  const { container, upstreams } = await open("first/m1");
  const [first] = upstreams;
  const { counted, script } = countedRefusal(401);
  first.otherwise(async (exchange) => {
    await first.received(4);
    counted.isCounting = first.requests.length > 4;
    await script(exchange);
  });
  const id = await begin(container, 12, { concurrency: 4 });
  const run = await untilResting(container, id);
  expect([run.status, run.counts.failed, first.requests.length, counted.most]).toEqual(["incomplete", 12, 12, 1]);
  // With a key that is taken again, the first answer opens the way for all.
  first.otherwise(sseAnswer(chatFrames({ text: '{"insights":[]}' })));
  expect(await container.runs.retry(id)).toEqual({ requeued: 12, skipped: [] });
  expect((await untilResting(container, id)).status).toBe("completed");
});

it("remembers over a restart who refused, until it answers", async () => {
  const { container, upstreams } = await open(CHAIN);
  const [first, second] = upstreams;
  first.next(jsonAnswer(401, {}));
  expect((await untilResting(container, await begin(container, 1))).status).toBe("completed");
  await container.shut();
  const again = await openContainer({ dataDir: container.dataDir });
  const id = await begin(again, 2);
  expect((await untilResting(again, id)).status).toBe("completed");
  expect([first.requests.length, second.requests.length]).toEqual([1, 3]);
  expect(await again.config.availability(["first/m1"])).toEqual([
    { reference: "first/m1", state: "unavailable", reason: "first answered 401", coolsUntil: null },
  ]);
  // The operator knows better: it is asked again, answers, and stays the first.
  expect(await again.backends.clearCooldown("first", "m1")).toBe(true);
  expect((await untilResting(again, await begin(again, 1))).status).toBe("completed");
  await again.shut();
  const third = await openContainer({ dataDir: container.dataDir });
  expect((await untilResting(third, await begin(third, 1))).status).toBe("completed");
  expect([first.requests.length, second.requests.length]).toEqual([3, 3]);
});

it.each([400, 422])("does not pass on what the request itself is to blame for (%i)", async (status) => {
  const { container, upstreams } = await open(CHAIN);
  upstreams[0].otherwise(jsonAnswer(status, {}));
  const id = await begin(container, 1);
  expect((await untilResting(container, id)).status).toBe("incomplete");
  expect(await attemptsOf(container, id)).toEqual([[["first", "backend-failed"]]]);
  expect([upstreams[1].requests.length, upstreams[2].requests.length]).toEqual([0, 0]);
});

it.each([401, 402, 403, 404])("does not retry %i where there is nobody else", async (status) => {
  const { container, upstreams } = await open("first/m1");
  upstreams[0].otherwise(jsonAnswer(status, {}));
  const id = await begin(container, 1);
  expect((await untilResting(container, id)).status).toBe("incomplete");
  expect(upstreams[0].requests).toHaveLength(1);
});

it("skips a provider without a key and says so, in the run and in the explanation", async () => {
  const { container, upstreams } = await open(CHAIN, { ...KEYS, FIRST_KEY: "" });
  const id = await begin(container, 1);
  expect((await untilResting(container, id)).status).toBe("completed");
  expect(await attemptsOf(container, id)).toEqual([[["second", null]]]);
  expect(upstreams[0].requests).toHaveLength(0);
  const why = await container.config.why("extract", {});
  expect(why.candidates[0]).toMatchObject({ verdict: "rejected", reason: "env:FIRST_KEY (apiKey) is empty." });
});

it("tries the least bad one when all are cooling, one request at a time, and goes on when it answers", async () => {
  const { container, upstreams } = await open("first/m1");
  const [first] = upstreams;
  first.next(...Array.from({ length: 4 }, () => jsonAnswer(503, {})));
  const id = await begin(container, 5, { concurrency: 4, maxAttempts: 6 });
  const run = await untilResting(container, id);
  expect([run.status, run.counts.succeeded]).toEqual(["completed", 5]);
  const trace = await wholeTrace(container, id);
  expect(trace.filter(({ type }) => type === "cooldown_started")).toHaveLength(1);
  expect(trace.filter(({ type }) => type === "cooldown_ended")).toHaveLength(1);
  const leastBad = trace.filter(({ type, payload }) => type === "route_decided" && payload.leastBad === true);
  expect(leastBad.length).toBeGreaterThan(0);
  expect(leastBad[0]?.payload.reason).toMatch(/^Nothing better is left. It cools down for \d+ s more: first answered 503$/);
});

const down = (times: number) => Array.from({ length: times }, () => jsonAnswer(503, {}));

it("uses up no attempts while every model is down, and finishes by itself when one is back", async () => {
  const { container, upstreams } = await open(CHAIN);
  const [first, second, third] = upstreams;
  first.next(...down(5));
  second.next(...down(5));
  third.next(...down(5));
  const id = await begin(container, 3, { concurrency: 2 });
  const run = await untilResting(container, id, 60_000);
  expect([run.status, run.counts.succeeded]).toEqual(["completed", 3]);
  // More failures were met on the way than three chunks of three attempts may have.
  expect(run.retries).toBeGreaterThan(9);
});

it("waits for the first that is free when all have asked to be left alone, and tries none of them before", async () => {
  const { container, upstreams } = await open(CHAIN);
  const [first, second, third] = upstreams;
  const limited = (seconds: number) => jsonAnswer(429, {}, { "retry-after": String(seconds) });
  first.next(limited(3_000));
  second.next(limited(2));
  third.next(limited(600));
  const id = await begin(container, 1);
  expect((await untilResting(container, id)).status).toBe("completed");
  expect(await attemptsOf(container, id)).toEqual([
    [
      ["first", "provider-rate-limited"],
      ["second", "provider-rate-limited"],
      ["third", "provider-rate-limited"],
      ["second", null],
    ],
  ]);
  expect([first.requests.length, second.requests.length, third.requests.length]).toEqual([1, 2, 1]);
});

it("does not hold a run up for the one request that tells whether a model is back", async () => {
  const { container, upstreams } = await open("{ candidates: [first/m1, second/m2] }");
  const [first, second] = upstreams;
  first.next(jsonAnswer(429, {}, { "retry-after": "1" }));
  expect((await untilResting(container, await begin(container, 1))).status).toBe("completed");
  await waitFor("the wait is over", async () => (await container.backends.cooldowns()).length === 0);
  // It answers once the others have been served elsewhere.
  first.otherwise(async (exchange) => {
    await second.received(4);
    await sseAnswer(chatFrames({ text: '{"insights":[]}' }))(exchange);
  });
  const id = await begin(container, 4, { concurrency: 4 });
  expect((await untilResting(container, id)).status).toBe("completed");
  expect(
    (await attemptsOf(container, id))
      .flat()
      .map(([backend]) => backend)
      .sort(),
  ).toEqual(["first", "second", "second", "second"]);
});

it("waits for a model that is down when the others refuse", async () => {
  const { container, upstreams } = await open(CHAIN);
  const [first, second, third] = upstreams;
  first.next(...down(5));
  second.otherwise(jsonAnswer(401, {}));
  third.otherwise(jsonAnswer(402, {}));
  const id = await begin(container, 3, { concurrency: 1, maxAttempts: 3 });
  const run = await untilResting(container, id, 60_000);
  expect([run.status, run.counts.succeeded]).toEqual(["completed", 3]);
  const attempts = await attemptsOf(container, id);
  expect(attempts.map((each) => each.at(-1))).toEqual([
    ["first", null],
    ["first", null],
    ["first", null],
  ]);
});

it.each([
  ["{ strategy: round_robin, candidates: [first/m1, second/m2, third/m3] }", [2, 2, 2]],
  ["{ strategy: best_score, requires: [coding], candidates: [first/m1, second/m2, third/m3] }", [0, 6, 0]],
])("chooses by another strategy: %s", async (mapping, counts) => {
  const upstreams = await threeUpstreams();
  const text = `${documentOf(upstreams, mapping).replace(/apiKey: "[^"]+"/, "apiKey: env:SECOND_KEY, profile: coder")}profiles:
  coder: { kind: openai-chat, scores: { coding: 0.9 } }
`;
  const container = await openContainer({ config: { text, variables: KEYS } });
  const id = await begin(container, 6);
  expect((await untilResting(container, id)).status).toBe("completed");
  expect(upstreams.map(({ requests }) => requests.length)).toEqual(counts);
});

it("goes on with what a run was pinned to when the document changes under it", async () => {
  const { container, upstreams } = await open("first/m1");
  await container.runs.list({ limit: 1 });
  const id = await begin(container, 2, { concurrency: 1 });
  await container.config.importText({
    text: documentOf(upstreams, "third/m3"),
    author: "Ann",
    comment: "",
    source: "command_line",
  });
  const run = await untilResting(container, id);
  expect(run.status).toBe("completed");
  expect(await attemptsOf(container, id)).toEqual([[["first", null]], [["first", null]]]);
  const { config } = await container.runs.get(id);
  expect([config.newestRevision, config.changedSince, config.today]).toEqual([3, true, ["third/m3"]]);
  expect(
    config.routes.map(({ scene, revision, candidates }) => [scene, revision, candidates.map(({ reference }) => reference)]),
  ).toEqual([["extract", 2, ["first/m1"]]]);
});

it("goes on under the name a run was pinned to when its provider is renamed", async () => {
  const { container, upstreams } = await open("first/m1");
  const [first] = upstreams;
  first.next(jsonAnswer(400, {}));
  const id = await begin(container, 2);
  expect((await untilResting(container, id)).counts.failed).toBe(1);
  const { text, number } = await container.config.current();
  const renamed = await container.config.edit(text, [{ renameProvider: { from: "first", to: "primary" } }]);
  await container.config.save({ text: renamed.text, baseRevision: number, author: "Ann", comment: "" }, "console");
  expect(await container.runs.retry(id)).toEqual({ requeued: 1, skipped: [] });
  expect((await untilResting(container, id)).status).toBe("completed");
  expect(await attemptsOf(container, id)).toEqual([
    [
      ["first", "backend-failed"],
      ["first", null],
    ],
    [["first", null]],
  ]);
  const next = await begin(container, 1);
  expect((await untilResting(container, next)).candidates).toEqual(["primary/m1"]);
  expect(await attemptsOf(container, next)).toEqual([[["primary", null]]]);
});

it("retries failed chunks under another provider, and keeps that for them alone", async () => {
  const { container, upstreams } = await open("first/m1");
  const [first, second] = upstreams;
  first.next(jsonAnswer(400, {}), sseAnswer(chatFrames({ text: '{"insights":[]}' })), jsonAnswer(400, {}));
  const id = await begin(container, 3);
  expect((await untilResting(container, id)).counts.failed).toBe(2);
  expect(await container.runs.retry(id, { chunks: [1], with: { backend: "second", model: "m9" } })).toEqual({
    requeued: 1,
    skipped: [],
  });
  await untilResting(container, id);
  expect(second.requests.map(({ body }) => JSON.parse(body).model)).toEqual(["m9"]);
  expect(await container.runs.retry(id, { with: { scene: "default" } })).toEqual({ requeued: 1, skipped: [] });
  expect((await untilResting(container, id)).status).toBe("completed");
  expect(await attemptsOf(container, id)).toEqual([
    [
      ["first", "backend-failed"],
      ["second", null],
    ],
    [["first", null]],
    [
      ["first", "backend-failed"],
      ["mock", null],
    ],
  ]);
  const { config } = await container.runs.get(id);
  expect(config.routes.map(({ scene, candidates }) => [scene, candidates[0]?.reference])).toEqual([
    ["extract", "first/m1"],
    [null, "second/m9"],
    ["default", "mock/mock-1"],
  ] satisfies [PinnedRoute["scene"], string][]);
  expect((await container.runs.changes(0)).runs.map(({ run: { candidates } }) => candidates)).toEqual([
    ["first/m1", "second/m9", "mock/mock-1"],
  ]);
});
