/** The configuration as revisions: saves that collide, rollbacks, impact, what an evaluation tells, the file beside the database. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { chatFrames, jsonAnswer, sseAnswer, startLoopbackUpstream } from "@/server/testing/loopback-upstream";
import { makeFolder } from "@/server/testing/make-folder";
import { openContainer, type TestContainer, untilResting } from "@/server/testing/test-container";

const TWO = `# ours
models:
  default: mock/mock-1 # cheap
  extract: extractive/extractive-1
`;
const BY = { author: "Ann", comment: "two scenes" };

const save = (container: TestContainer, text: string, baseRevision: number, more = BY) =>
  container.config.save({ text, baseRevision, ...more }, "console");

const quiet = () => openContainer({ start: false });

describe("revisions", () => {
  it("begin with a document that works without any set-up", async () => {
    const container = await quiet();
    const first = await container.config.current();
    expect(first).toMatchObject({
      number: 1,
      author: "Switchyard",
      comment: "First start",
      source: "start",
      rolledBackTo: null,
      file: null,
    });
    expect((await container.config.why("extract", {})).chosen).toBe("extractive/extractive-1");
    expect((await container.config.evaluate({})).problems).toEqual([]);
  });

  it("are appended with author and comment, comments and all, and listed newest first", async () => {
    const container = await quiet();
    const saved = await save(container, TWO, 1);
    expect(saved).toMatchObject({ number: 2, author: "Ann", comment: "two scenes", source: "console", text: TWO });
    expect(await container.config.current()).toMatchObject({ number: 2, text: TWO });
    const { items, nextBefore } = await container.config.revisions({ limit: 1 });
    expect([items.map(({ number }) => number), nextBefore]).toEqual([[2], 2]);
    expect(await container.config.revisions({ before: 2, limit: 5 })).toMatchObject({ items: [{ number: 1 }], nextBefore: null });
    await expect(container.config.revision(9)).rejects.toMatchObject({ code: "not_found" });
  });

  it("refuse a save that started from an older one, and say which is newest", async () => {
    const container = await quiet();
    await save(container, TWO, 1);
    await expect(save(container, `${TWO}maxDepth: 2\n`, 1)).rejects.toMatchObject({ code: "conflict", details: { current: 2 } });
    await expect(save(container, TWO, 7)).rejects.toMatchObject({ code: "invalid_input" });
    // Of many at once exactly one is first.
    const all = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => save(container, `${TWO}maxDepth: ${at}\n`, 2)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await container.config.current()).number).toBe(3);
  });

  it("do not grow by a save that changes nothing", async () => {
    const container = await quiet();
    await save(container, TWO, 1);
    expect((await save(container, TWO, 2)).number).toBe(2);
    const imported = { text: TWO, author: "Ann", comment: "", source: "command_line" as const };
    expect((await container.config.importText(imported)).number).toBe(2);
  });

  it("are rolled back to by a new one with the old text", async () => {
    const container = await quiet();
    const { text } = await container.config.current();
    await save(container, TWO, 1);
    expect(await container.config.rollback({ to: 1, baseRevision: 2, author: "Bo", comment: "wrong" })).toMatchObject({
      number: 3,
      text,
      source: "rollback",
      rolledBackTo: 1,
      author: "Bo",
    });
    await expect(container.config.rollback({ to: 1, baseRevision: 2, author: "Bo", comment: "" })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("never hold a document with an error, nor a key", async () => {
    const container = await quiet();
    await expect(save(container, "models: { extract: nobody/x }", 1)).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(/^The configuration has an error\. line 1, models\.extract: /),
      details: { problems: [{ code: "no_default" }, { code: "unknown_provider" }] },
    });
    const key = "sk-canary-7f3a9b2c4d5e6f70a1b2";
    const pasted = await save(container, `providers:\n  openai: { apiKey: ${key} }\n`, 1).catch((error: unknown) => error);
    expect(pasted).toMatchObject({
      code: "invalid_config",
      details: { problems: [{ code: "unused_provider" }, { code: "literal_key" }] },
    });
    const inComment = await save(container, `${TWO}# old key: ${key}\n`, 1).catch((error: unknown) => error);
    expect(inComment).toMatchObject({ details: { problems: [{ code: "key_in_text" }] } });
    expect(JSON.stringify([pasted, inComment, String(pasted), String(inComment)])).not.toContain("canary");
    expect((await container.config.current()).number).toBe(1);
  });

  it("keep a key out of author and comment", async () => {
    const container = await quiet();
    const saved = await save(container, TWO, 1, { author: "Ann", comment: "uses sk-canary-7f3a9b2c4d5e6f70a1b2 now" });
    expect(saved.comment).toBe("uses [redacted api-key] now");
  });
});

describe("an evaluation", () => {
  it("looks at key files below SWITCHYARD_SECRETS_DIR only, as does a request", async () => {
    const folder = makeFolder();
    const inside = path.join(folder, "mount", "key");
    const outside = path.join(folder, "key");
    mkdirSync(path.join(folder, "mount"));
    for (const file of [inside, outside]) writeFileSync(file, "key-of-no-one-3");
    vi.stubEnv("SWITCHYARD_SECRETS_DIR", path.join(folder, "mount"));
    const container = await quiet();
    const text = `providers:
  a: { baseUrl: http://127.0.0.1:1/v1, apiKey: "file:${inside}" }
  b: { baseUrl: http://127.0.0.1:1/v1, apiKey: "file:${outside}" }
models: { default: a/m, planner: b/m }
`;
    const { providers, problems } = await container.config.evaluate({ text });
    expect(providers.map(({ name, keyState }) => [name, keyState]).slice(0, 2)).toEqual([
      ["a", "set"],
      ["b", "outside"],
    ]);
    expect(problems.map(({ path: where, message }) => [where, message])).toEqual([
      ["providers.b.apiKey", `file:${outside} is outside, so this provider cannot be asked.`],
    ]);
    expect(await container.config.test({ reference: "b/m" }, { text }, AbortSignal.timeout(10_000))).toMatchObject({
      failureKind: "secret-unavailable",
      message: `providers.b.apiKey: file:${outside} is outside: only files in the folder of SWITCHYARD_SECRETS_DIR are read.`,
    });
  });

  it("tells scenes with what they inherit, providers with the state of their key, and warns", async () => {
    vi.stubEnv("SET_KEY", "key-of-no-one-1");
    vi.stubEnv("SPACED_KEY", " key-of-no-one-2 ");
    const container = await quiet();
    const text = `providers:
  a: { baseUrl: http://127.0.0.1:1/v1, apiKey: env:SET_KEY }
  b: { baseUrl: http://127.0.0.1:1/v1, apiKey: env:SPACED_KEY }
  c: { baseUrl: "\${NO_SUCH_BASE}/v1", apiKey: env:NO_SUCH_KEY }
models:
  default: a/m
  summarizer: { candidates: [b/m, c/m] }
  mine: mock/mock-1
`;
    const evaluation = await container.config.evaluate({ text });
    expect(evaluation.usable).toBe(true);
    expect(evaluation.problems.map(({ severity, code, path: where }) => [severity, code, where])).toEqual([
      ["warning", "secret_not_set", "providers.b.apiKey"],
      ["warning", "secret_not_set", "providers.c.apiKey"],
      ["warning", "variable_not_set", "providers.c.baseUrl"],
    ]);
    expect(
      evaluation.scenes.map(({ scene, inherited, builtIn, candidates }) => [
        scene,
        inherited,
        builtIn,
        candidates.map(({ reference }) => reference),
      ]),
    ).toEqual([
      ["default", false, true, ["a/m"]],
      ["extract", true, true, ["a/m"]],
      ["supervisor", true, true, ["a/m"]],
      ["planner", true, true, ["a/m"]],
      ["summarizer", false, true, ["b/m", "c/m"]],
      ["mine", false, false, ["mock/mock-1"]],
    ]);
    expect(evaluation.providers.map(({ name, keyState, declared, scenes }) => [name, keyState, declared, scenes])).toEqual([
      ["a", "set", true, ["default"]],
      ["b", "stray_whitespace", true, ["summarizer"]],
      ["c", "missing", true, ["summarizer"]],
      ["extractive", null, false, []],
      ["mock", null, false, ["mine"]],
    ]);
    expect(evaluation.limits).toEqual({ supervisor: { enabled: false, interval: 3 }, maxRounds: 20, maxDepth: 3, workflows: [] });
  });

  it("shows what can be read of a draft with an error", async () => {
    const container = await quiet();
    const evaluation = await container.config.evaluate({ text: "models: { default: mock/m, extract: nobody/x }\nmaxDeph: 2\n" });
    expect([evaluation.usable, evaluation.problems.map(({ code }) => code)]).toEqual([
      false,
      ["unknown_provider", "unknown_key"],
    ]);
    expect(evaluation.scenes.find(({ scene }) => scene === "extract")?.problem).toContain('there is no provider "nobody"');
    const unreadable = await container.config.evaluate({ text: "models: [" });
    expect([unreadable.usable, unreadable.scenes]).toEqual([false, []]);
  });
});

it("the impact of a draft: scenes, providers, and runs that keep what they have", async () => {
  const container = await quiet();
  await save(container, TWO, 1);
  const { id } = await container.begin({ scene: "extract", chunks: [""] });
  await container.begin({ scene: "default", chunks: [""] });
  const impact = await container.config.impact(
    `providers:\n  box: { baseUrl: http://127.0.0.1:1/v1 }\n${TWO.replace("extractive/extractive-1", "box/m")}`,
  );
  expect(impact).toEqual({
    prices: [],
    scenes: [{ scene: "extract", before: "extractive/extractive-1", after: "box/m" }],
    providers: [{ name: "box", change: "added" }],
    limits: [],
    runs: [{ id, name: expect.any(String), status: "queued", scene: "extract", revision: 2 }],
    runCount: 1,
  });
  expect(await container.config.impact(TWO)).toEqual({
    prices: [],
    scenes: [],
    providers: [],
    limits: [],
    runs: [],
    runCount: 0,
  });
  // A change of a provider touches the scenes that use it, though they name the same models.
  const slower = await container.config.impact(`providers:\n  mock: { concurrency: 1 }\n${TWO}`);
  expect([slower.scenes, slower.providers, slower.runCount]).toEqual([[], [{ name: "mock", change: "changed" }], 1]);
});

it("an edit keeps comments, and a path that leads nowhere is refused", async () => {
  const container = await quiet();
  expect(await container.config.edit(TWO, [{ path: ["models", "extract"], value: "mock/m2" }])).toEqual({
    text: TWO.replace("extractive/extractive-1", "mock/m2"),
  });
  await expect(container.config.edit(TWO, [{ path: ["models", "default", "x"], value: 1 }])).rejects.toMatchObject({
    code: "invalid_input",
  });
});

describe("a test of a model", () => {
  it("is one small real call that tells what came", async () => {
    const upstream = await startLoopbackUpstream();
    upstream.next(
      sseAnswer(chatFrames({ text: '{"ok":true}', model: "served-9" })),
      jsonAnswer(401, { error: { message: "no" } }),
    );
    vi.stubEnv("BOX_KEY", "key-of-no-one-3");
    const container = await quiet();
    const text = `providers: { box: { baseUrl: "${upstream.baseUrl}", apiKey: env:BOX_KEY } }\nmodels: { default: box/m }\n`;
    const { signal } = new AbortController();
    expect(await container.config.test({ scene: "extract" }, { text }, signal)).toMatchObject({
      reference: "box/m",
      ok: true,
      servedModel: "served-9",
      text: '{"ok":true}',
      usage: { promptTokens: 11, completionTokens: 7 },
    });
    expect(await container.config.test({ reference: "box/other" }, { text }, signal)).toMatchObject({
      reference: "box/other",
      ok: false,
      failureKind: "provider-auth-failed",
      message: "box answered 401: no",
    });
    expect(upstream.requests.map(({ body }) => JSON.parse(body).model)).toEqual(["m", "other"]);
    vi.stubEnv("BOX_KEY", "");
    expect(await container.config.test({ scene: "extract" }, { text }, signal)).toMatchObject({
      ok: false,
      failureKind: "secret-unavailable",
    });
    await upstream.close();
  });

  it("lists what a provider offers, or says why not", async () => {
    const upstream = await startLoopbackUpstream();
    upstream.next(jsonAnswer(200, { data: [{ id: "b" }, { id: "a" }] }), jsonAnswer(404, {}), jsonAnswer(503, {}));
    const container = await quiet();
    const text = `providers: { box: { baseUrl: "${upstream.baseUrl}" } }\n`;
    const ask = () => container.config.offeredModels("box", { text }, new AbortController().signal);
    expect(await ask()).toEqual({ offered: true, models: ["a", "b"], message: "" });
    expect(await ask()).toEqual({ offered: false, models: [], message: "box has no list of its models." });
    expect(await ask()).toEqual({ offered: false, models: [], message: "box answered 503" });
    await expect(container.config.offeredModels("none", { text }, new AbortController().signal)).rejects.toMatchObject({
      code: "not_found",
    });
    await upstream.close();
  });
});

describe("model servers of this machine", () => {
  it("are those that answer with their models, but for those that are configured", async () => {
    const [found, configured, without, key, broken] = await Promise.all(Array.from({ length: 5 }, () => startLoopbackUpstream()));
    if (!found || !configured || !without || !key || !broken) throw new Error("five upstreams");
    found.next(jsonAnswer(200, { data: [{ id: "qwen:4b" }, { id: "llama:8b" }] }));
    without.next(jsonAnswer(404, {}));
    key.next(jsonAnswer(401, { error: { message: "no key" } }));
    broken.next(jsonAnswer(200, "what?"));
    const profile = (name: string, { baseUrl }: { baseUrl: string }) =>
      `  ${name}: { kind: openai-chat, baseUrl: "${baseUrl}" }\n`;
    const text = `profiles:
  ollama: { baseUrl: "${found.baseUrl}" }
  lm-studio: { baseUrl: "${configured.baseUrl}" }
  llama-cpp: { baseUrl: "${without.baseUrl}" }
  vllm: { baseUrl: "${broken.baseUrl}" }
${profile("keyed", key)}${profile("elsewhere", { baseUrl: "https://models.example/v1" })}providers:
  mine: { profile: lm-studio }
models: { default: mine/x }
`;
    const container = await quiet();
    await save(container, text, 1);
    expect(await container.config.localServers(new AbortController().signal)).toEqual([
      { profile: "ollama", baseUrl: found.baseUrl, models: ["llama:8b", "qwen:4b"], modelCount: 2 },
    ]);
    expect(configured.requests).toHaveLength(0);
    expect(found.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await Promise.all([found, configured, without, key, broken].map((upstream) => upstream.close()));
  });
});

describe("the file beside the database", () => {
  function files(text: string) {
    const folder = makeFolder();
    const file = path.join(folder, "config.yaml");
    writeFileSync(file, text);
    const dataDir = path.join(folder, "data");
    mkdirSync(dataDir);
    const open = (expectedErrors: readonly string[] = []) =>
      openContainer({ dataDir, start: false, configFile: file, expectedErrors });
    return { write: (next: string) => writeFileSync(file, next), open };
  }
  const stateOf = async (container: TestContainer) => {
    const { number, file } = await container.config.current();
    return [number, file?.state, file?.importedRevision];
  };

  it("is imported at the first start, and anew only when it has changed", async () => {
    const { write, open } = files(TWO);
    const first = await open();
    expect(await first.config.current()).toMatchObject({ number: 2, source: "file", text: TWO, file: { state: "imported" } });
    await first.shut();
    const second = await open();
    expect(await stateOf(second)).toEqual([2, "imported", 2]);
    await second.shut();
    write(`${TWO}maxDepth: 1\n`);
    const third = await open();
    expect(await stateOf(third)).toEqual([3, "imported", 3]);
  });

  it("leaves edits of an operator alone while it stays as it is", async () => {
    const { open } = files(TWO);
    const first = await open();
    await save(first, `${TWO}maxDepth: 9\n`, 2);
    expect(await stateOf(first)).toEqual([3, "superseded", 2]);
    await first.shut();
    const second = await open();
    expect(await stateOf(second)).toEqual([3, "superseded", 2]);
  });

  it("is a conflict for a person when both have changed; either way out settles it", async () => {
    const { write, open } = files(TWO);
    const first = await open();
    await save(first, `${TWO}maxDepth: 9\n`, 2);
    await first.shut();
    write(`${TWO}maxDepth: 1\n`);
    const second = await open(["has changed, and so has the configuration here (revision 3 by Ann): nothing was imported"]);
    const { file, text } = await second.config.current();
    expect([file?.state, file?.text, text]).toEqual(["conflict", `${TWO}maxDepth: 1\n`, `${TWO}maxDepth: 9\n`]);
    // Ours is kept: the next start says nothing more.
    expect(await second.config.keepDocument()).toMatchObject({ state: "superseded", text: null });
    await second.shut();
    const third = await open();
    expect(await stateOf(third)).toEqual([3, "superseded", 3]);
    // The file is taken: its text is saved, and counts as imported.
    await save(third, `${TWO}maxDepth: 1\n`, 3);
    expect(await stateOf(third)).toEqual([4, "imported", 4]);
  });

  it.each([
    [
      "models: { extract: nobody/x }\n",
      /:1:20 \(SWITCHYARD_CONFIG\) has an error\. models\.extract: There is no provider "nobody"; /,
    ],
    ["maxRounds: 3\nmodels: [\n", /:2:9 \(SWITCHYARD_CONFIG\) has an error\. The bracket that opens here is never closed; /],
  ])("is not imported with an error, whose place is said, and the document stays (%#)", async (text, said) => {
    const { open } = files(text);
    const container = await open(["has an error"]);
    const { number, file } = await container.config.current();
    expect([number, file?.state]).toEqual([1, "broken"]);
    expect(file?.message).toMatch(said);
  });
});

it("a check by the clock asks what scenes use, once, and leaves alone what has just answered in a run", async () => {
  const upstream = await startLoopbackUpstream();
  upstream.otherwise(sseAnswer(chatFrames({ text: '{"insights":[]}' })));
  let now = Date.now();
  const text = `providers:
  used: { baseUrl: "${upstream.baseUrl}" }
  idle: { baseUrl: "${upstream.baseUrl}" }
models: { default: used/m }
`;
  const container = await openContainer({ config: { text }, clock: { now: () => now }, start: false });
  const checksOf = async (name: string) =>
    (await container.backends.list()).items.flatMap(({ providers }) => providers).find((each) => each.name === name)?.health ??
    null;
  expect(await checksOf("used")).toBeNull();
  container.prober.look();
  await vi.waitFor(async () => expect(await checksOf("used")).toMatchObject({ state: "healthy", by: "background" }));
  expect(await checksOf("idle")).toBeNull();
  expect(upstream.requests).toHaveLength(1);

  // Ten minutes later a run has just answered: nothing is asked.
  now += 11 * 60_000;
  const { id } = await container.begin({ scene: "extract", chunks: [""] });
  container.executor.start();
  expect((await untilResting(container, id)).status).toBe("completed");
  await container.prober.lookNow();
  expect(upstream.requests).toHaveLength(2);

  // The operator asks: it is asked at once, and a wrong key shows.
  upstream.otherwise(jsonAnswer(401, { error: { message: "wrong key" } }));
  const check = await container.backends.check("used");
  expect(check).toMatchObject({ state: "unavailable", reason: "used answered 401: wrong key", by: "operator" });
  expect(
    (await container.config.why("extract", {})).candidates[0]?.checks.find(({ check: name }) => name === "health"),
  ).toMatchObject({
    ok: false,
  });
  await expect(container.backends.check("none")).rejects.toMatchObject({ code: "not_found" });
  await upstream.close();
});
