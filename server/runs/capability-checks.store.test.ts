import { expect, it, onTestFinished } from "vitest";
import {
  chatFrames,
  jsonAnswer,
  type LoopbackUpstream,
  sseAnswer,
  startLoopbackUpstream,
} from "@/server/testing/loopback-upstream";
import { openContainer, type TestContainer } from "@/server/testing/test-container";

const START = Date.parse("2026-11-30T12:00:00.000Z");
const WORKS = { outcome: "works", reason: "" };
const ALL_WORK = { streaming: WORKS, usage: WORKS, structuredOutput: WORKS, cancel: WORKS };

async function open(more: { variables?: Record<string, string>; dataDir?: string; upstream?: LoopbackUpstream } = {}) {
  const upstream = more.upstream ?? (await startLoopbackUpstream());
  if (!more.upstream) {
    onTestFinished(() => upstream.close());
    upstream.otherwise(sseAnswer(chatFrames()));
  }
  const clock = { now: () => time.now };
  const time = { now: START };
  const text = `providers:
  loop: { baseUrl: "${upstream.baseUrl}", apiKey: env:LOOP_KEY }
models:
  default: loop/nine
  planner: loop/ten
`;
  const container = await openContainer({
    clock,
    start: false,
    config: { text, variables: more.variables ?? { LOOP_KEY: "key-canary-loop-11" } },
    ...(more.dataDir === undefined ? {} : { dataDir: more.dataDir }),
  });
  return { container, upstream, time };
}

async function loopOf(container: TestContainer) {
  const { providers } = await container.backends.get("openai-chat");
  const [loop] = providers;
  if (!loop) throw new Error("loop is not there");
  return loop;
}

const askedOf = ({ requests }: LoopbackUpstream) =>
  requests.map(({ body }) => {
    const { model, max_tokens } = JSON.parse(body);
    return [model, max_tokens];
  });

it("is made on demand only, tells of health too, and stands beside what is declared", async () => {
  const { container, upstream } = await open();
  expect((await loopOf(container)).evidence.streaming).toEqual({ declared: true, checked: null, lastSeen: null });
  expect(await container.backends.check("loop")).toMatchObject({ model: "nine", state: "healthy", capabilities: null });
  await container.prober.lookNow();
  expect(askedOf(upstream)).toEqual([["nine", 16]]);
  expect((await loopOf(container)).capabilityChecks).toEqual([]);

  const answer = await container.backends.check("loop", { capabilities: true });
  expect(answer).toEqual({
    model: "nine",
    state: "healthy",
    reason: "",
    latencyMs: expect.any(Number),
    checkedAt: "2026-11-30T12:00:00.000Z",
    by: "operator",
    capabilities: ALL_WORK,
  });
  expect(askedOf(upstream).slice(1)).toEqual([
    ["nine", 1_024],
    ["nine", 256],
  ]);
  const { capabilities: _asked, ...health } = answer;
  const loop = await loopOf(container);
  expect(loop.health).toEqual(health);
  const checked = { ...WORKS, at: "2026-11-30T12:00:00.000Z", model: "nine" };
  expect(loop.evidence).toEqual({
    streaming: { declared: true, checked, lastSeen: null },
    usage: { declared: true, checked, lastSeen: null },
    structuredOutput: { declared: false, checked, lastSeen: null },
    cancel: { declared: true, checked, lastSeen: null },
  });
});

it("is known to every process and after a restart", async () => {
  const { container, upstream } = await open();
  const { container: other } = await open({ dataDir: container.dataDir, upstream });
  expect((await loopOf(other)).capabilityChecks).toEqual([]);
  await container.backends.check("loop", { capabilities: true });
  const known = [{ model: "nine", at: "2026-11-30T12:00:00.000Z", findings: ALL_WORK }];
  expect((await loopOf(other)).capabilityChecks).toEqual(known);
  await container.shut();
  await other.shut();
  const { container: later } = await open({ dataDir: container.dataDir, upstream });
  const loop = await loopOf(later);
  expect([loop.capabilityChecks, loop.health?.state]).toEqual([known, "healthy"]);
});

it("leaves all unchecked when the first request is refused, and says why in place of what was found before", async () => {
  const { container, upstream } = await open();
  await container.backends.check("loop", { capabilities: true });
  upstream.otherwise(jsonAnswer(401, { error: { message: "wrong key key-canary-loop-11" } }));
  const { state, reason, capabilities } = await container.backends.check("loop", { capabilities: true });
  const unchecked = { outcome: "not_checked", reason: "loop answered 401: wrong key [redacted env:LOOP_KEY]" };
  expect([state, reason, capabilities]).toEqual([
    "unavailable",
    unchecked.reason,
    { streaming: unchecked, usage: unchecked, structuredOutput: unchecked, cancel: unchecked },
  ]);
  expect(upstream.requests).toHaveLength(3);
  expect((await loopOf(container)).evidence.usage.checked).toEqual({
    ...unchecked,
    at: "2026-11-30T12:00:00.000Z",
    model: "nine",
  });
});

it("asks nobody without a key", async () => {
  const { container, upstream } = await open({ variables: { LOOP_KEY: "" } });
  const { state, capabilities } = await container.backends.check("loop", { capabilities: true });
  expect([state, capabilities?.cancel]).toEqual([
    "unavailable",
    {
      outcome: "not_checked",
      reason: "providers.loop.apiKey: env:LOOP_KEY is missing: the environment variable LOOP_KEY is set but empty.",
    },
  ]);
  expect(upstream.requests).toEqual([]);
});

it("is kept for each model; the newest one counts, and one that ends late takes nothing from it", async () => {
  const { container, upstream, time } = await open();
  time.now = START + 1_000;
  await container.backends.check("loop", { capabilities: true, model: "ten" });
  upstream.next(sseAnswer(chatFrames({ usage: null })));
  time.now = START + 2_000;
  await container.backends.check("loop", { capabilities: true });
  const usage = { outcome: "failed", reason: "The reply came without token counts." };
  const loop = await loopOf(container);
  expect(loop.capabilityChecks).toEqual([
    { model: "nine", at: "2026-11-30T12:00:02.000Z", findings: { ...ALL_WORK, usage } },
    { model: "ten", at: "2026-11-30T12:00:01.000Z", findings: ALL_WORK },
  ]);
  expect(loop.evidence.usage.checked).toEqual({ ...usage, at: "2026-11-30T12:00:02.000Z", model: "nine" });
  // By a process whose clock is behind.
  time.now = START;
  await container.backends.check("loop", { capabilities: true });
  expect((await loopOf(container)).capabilityChecks).toEqual(loop.capabilityChecks);
});

it("is remembered for the last twenty models of a provider", async () => {
  const { container, time } = await open();
  await container.backends.check("mock", { capabilities: true });
  for (let number = 1; number <= 22; number += 1) {
    time.now = START + number;
    await container.backends.check("loop", { capabilities: true, model: `model-${number}` });
  }
  const models = (await loopOf(container)).capabilityChecks.map(({ model }) => model);
  expect(models).toEqual(Array.from({ length: 20 }, (_, at) => `model-${22 - at}`));
  const { providers } = await container.backends.get("mock");
  expect(providers[0]?.capabilityChecks).toHaveLength(1);
});

it("is made once for all who ask for it meanwhile; another one is another check", async () => {
  const { container, upstream } = await open();
  const answers = await Promise.all([
    container.backends.check("loop", { capabilities: true }),
    container.backends.check("loop", { capabilities: true, model: "nine" }),
    container.backends.check("loop", { capabilities: true, model: "ten" }),
    container.backends.check("loop"),
  ]);
  expect(answers.map(({ model, capabilities }) => [model, capabilities])).toEqual([
    ["nine", ALL_WORK],
    ["nine", ALL_WORK],
    ["ten", ALL_WORK],
    ["nine", null],
  ]);
  expect(askedOf(upstream).sort()).toEqual([
    ["nine", 1_024],
    ["nine", 16],
    ["nine", 256],
    ["ten", 1_024],
    ["ten", 256],
  ]);
});

it("has nothing to ask for where no model is named, and keeps nothing", async () => {
  const { container, upstream } = await open();
  await container.config.importText({
    text: `providers:\n  loop: { baseUrl: "${upstream.baseUrl}", apiKey: env:LOOP_KEY }\nmodels:\n  default: mock/mock-1\n`,
    author: "Ann",
    comment: "",
    source: "command_line",
  });
  const reason = "No scene names a model of loop and its profile has none, so there is nothing to ask for.";
  const { model, state, capabilities } = await container.backends.check("loop", { capabilities: true });
  expect([model, state, capabilities?.streaming]).toEqual(["", "unknown", { outcome: "not_checked", reason }]);
  expect((await loopOf(container)).capabilityChecks).toEqual([]);
  expect(upstream.requests).toEqual([]);
});
