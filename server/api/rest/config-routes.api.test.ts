import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handleRest } from "@/server/api/rest-handler";
import { type ApiContainer, apiRequest, openApiContainer, untilRunRests } from "@/server/testing/api-container";

let open: ApiContainer;
beforeAll(async () => {
  open = await openApiContainer();
  open.container.executor.start();
});
afterAll(() => open.close());

async function call(method: string, path: string, body?: unknown) {
  const response = await handleRest(apiRequest(method, `/api/v1/${path}`, body));
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

const TEXT = "# ours\nmodels:\n  default: mock/mock-1\n";

it("the document is read, saved on its revision, listed, exported and rolled back", async () => {
  const { body: first } = await call("GET", "config");
  expect(first).toMatchObject({ number: 1, source: "start" });
  const saved = await call("PUT", "config", { text: TEXT, baseRevision: 1, author: "Ann", comment: "by program" });
  expect([saved.status, saved.body.number, saved.body.source]).toEqual([200, 2, "api"]);

  const stale = await call("PUT", "config", { text: `${TEXT}maxDepth: 1\n`, baseRevision: 1, author: "Bo" });
  expect([stale.status, stale.body.error.code, stale.body.error.details]).toEqual([409, "conflict", { current: 2 }]);

  const yaml = await call("GET", "config/yaml");
  expect([yaml.text, yaml.headers.get("content-disposition")]).toEqual([TEXT, 'attachment; filename="switchyard-config-2.yaml"']);

  const back = await call("POST", "config/rollback", { to: 1, baseRevision: 2, author: "Bo" });
  expect(back.body).toMatchObject({ number: 3, source: "rollback", rolledBackTo: 1, text: first.text });
  const list = await call("GET", "config/revisions?limit=2");
  expect([list.body.items.map(({ number }: { number: number }) => number), list.body.nextBefore]).toEqual([[3, 2], 2]);
  expect((await call("GET", "config/revisions/2")).body.text).toBe(TEXT);
  await call("PUT", "config", { text: TEXT, baseRevision: 3, author: "Ann" });
});

it("a document with errors is refused with all of them, and a draft is only looked at", async () => {
  const wrong = "models:\n  default: nobody/x\n  extract: mock\n";
  const refused = await call("PUT", "config", { text: wrong, baseRevision: 4, author: "Ann" });
  expect([refused.status, refused.body.error.code]).toEqual([422, "invalid_config"]);
  expect(
    refused.body.error.details.problems.map(({ code, line, column }: { code: string; line: number; column: number }) => [
      code,
      line,
      column,
    ]),
  ).toEqual([
    ["unknown_provider", 2, 12],
    ["bad_model_reference", 3, 12],
  ]);
  const checked = await call("POST", "config/check", { text: wrong });
  expect([checked.status, checked.body.usable, checked.body.problems.length]).toEqual([200, false, 2]);
  const impact = await call("POST", "config/impact", { text: TEXT.replace("mock-1", "mock-2") });
  expect(impact.body.scenes.map(({ scene, after }: { scene: string; after: string }) => [scene, after])).toContainEqual([
    "extract",
    "mock/mock-2",
  ]);
});

it("says which model a scene gets and why, and tries it", async () => {
  const why = await call("GET", "config/why/extract");
  expect(why.body).toMatchObject({
    scene: "extract",
    mappedBy: "default",
    inherited: true,
    chosen: "mock/mock-1",
    problem: null,
  });
  expect((await call("GET", "config/why/extract?revision=1")).body.chosen).toBe("extractive/extractive-1");
  const tried = await call("POST", "config/test", { scene: "extract" });
  expect(tried.body).toMatchObject({ reference: "mock/mock-1", ok: true, failureKind: null });
  expect((await call("POST", "config/test", { scene: "none" })).status).toBe(404);
  expect((await call("POST", "config/test", { reference: "nobody/x" })).body.error.code).toBe("invalid_input");
});

describe("runs by scene", () => {
  const order = {
    kind: "distill",
    sourceDate: "2026-04-19",
    text: "We moved the database to Oslo because the old host was slow.",
  };

  it("take the model of the scene and say so", async () => {
    const { body } = await call("POST", "runs", order);
    expect(body).toMatchObject({ scene: "extract", configRevision: 4, backend: "mock", model: "mock-1" });
    const run = await untilRunRests(open.container, body.id);
    expect([run.status, run.config.changedSince]).toEqual(["completed", false]);
  });

  it.each([
    [{ scene: "none" }, 422, "unknown_scene"],
    [{ backend: "none" }, 422, "unknown_backend"],
    [{ backend: "codex", model: "m" }, 422, "unknown_backend"],
    [{ scene: "extract", backend: "mock" }, 400, "invalid_input"],
  ])("are refused before anything is stored: %o", async (more, status, code) => {
    const refused = await call("POST", "runs", { ...order, ...more });
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
  });

  it("are retried under another model", async () => {
    const { body } = await call("POST", "runs", { ...order, text: `${order.text} [[mock:fail=backend-failed]]` });
    await untilRunRests(open.container, body.id);
    const retried = await call("POST", `runs/${body.id}/retry`, { with: { backend: "extractive" } });
    expect(retried.body).toEqual({ requeued: 1, skipped: [] });
    expect((await untilRunRests(open.container, body.id)).status).toBe("completed");
    const chunk = await call("GET", `runs/${body.id}/chunks/1`);
    expect(chunk.body.attempts.map(({ backend }: { backend: string }) => backend)).toEqual(["mock", "extractive"]);
    expect(chunk.body.result.backend).toBe("extractive");
    expect((await call("POST", `runs/${body.id}/retry`, { with: {} })).body.error.code).toBe("invalid_input");
  });
});

describe("providers", () => {
  it("are checked on demand, and cooldowns are listed and cleared", async () => {
    const { body } = await call("POST", "providers/mock/check");
    expect(body).toMatchObject({ state: "healthy", reason: "", by: "operator", capabilities: null });
    expect((await call("GET", "backends/mock")).body).toMatchObject({
      status: "healthy",
      providers: [{ name: "mock", scenes: ["default"] }],
    });
    expect((await call("GET", "backends/none")).status).toBe(404);
    expect((await call("POST", "providers/none/check")).status).toBe(404);
    expect((await call("GET", "cooldowns")).body).toEqual({ items: [] });
    expect((await call("POST", "cooldowns/clear", { provider: "mock", model: "mock-1" })).body).toEqual({ cleared: false });
  });

  it("are checked for what they can do when that is asked for, and every place shows it", async () => {
    const works = { outcome: "works", reason: "" };
    const all = { streaming: works, usage: works, structuredOutput: works, cancel: works };
    const checked = await call("POST", "providers/mock/check", { model: "mock-2", capabilities: true });
    expect(checked).toMatchObject({ status: 200, body: { model: "mock-2", state: "healthy", capabilities: all } });
    const { body: list } = await call("GET", "backends");
    const row = list.items.find(({ profile }: { profile: string }) => profile === "mock");
    const at = checked.body.checkedAt;
    expect(row.providers[0].evidence.cancel).toEqual({
      declared: true,
      checked: { ...works, at, model: "mock-2" },
      lastSeen: null,
    });
    expect(row.providers[0].evidence.streaming).toMatchObject({
      checked: { ...works, at, model: "mock-2" },
      lastSeen: { outcome: "works", chunk: 1, model: "mock-1" },
    });
    expect(row.providers[0].capabilityChecks).toEqual([{ model: "mock-2", at, findings: all }]);
    expect((await call("GET", "backends/mock")).body).toEqual(row);
  });

  it.each([
    [{ modle: "mock-1" }, 'there is no "modle" here'],
    [{ capabilities: "yes" }, "capabilities: must be true or false"],
    [{ model: " " }, "model: must not be empty"],
    [{ model: "m".repeat(201) }, "model: must have at most 200 characters"],
    [[], "must be an object"],
  ])("refuse a check that asks for %j", async (order, message) => {
    const refused = await call("POST", "providers/mock/check", order);
    expect([refused.status, refused.body.error]).toEqual([400, { code: "invalid_input", message }]);
  });
});
