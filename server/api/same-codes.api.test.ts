/** The same failure has the same code and sentence over REST and over tRPC. */
import { isTrackedEnvelope } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiContainer, apiRequest, openApiContainer, untilRunRests } from "@/server/testing/api-container";
import { handleRest } from "./rest-handler";
import { createCaller } from "./root";
import { handleTrpc } from "./trpc-handler";

let open: ApiContainer;
let done: string;
beforeAll(async () => {
  open = await openApiContainer();
  open.container.executor.start();
  const run = await open.container.runs.create({ kind: "distill", backend: "mock", text: "A sentence." });
  done = (await untilRunRests(open.container, run.id)).id;
});
afterAll(() => open.close());

interface Told {
  status: number;
  code: string;
  message: string;
}

async function rest(method: string, path: string, body?: unknown): Promise<Told> {
  const response = await handleRest(apiRequest(method, `/api/v1/${path}`, body));
  const { error } = JSON.parse(await response.text());
  return { status: response.status, code: error.code, message: error.message };
}

async function trpc(method: "GET" | "POST", procedure: string, input: unknown): Promise<Told> {
  const whole = { json: input };
  const request =
    method === "GET"
      ? apiRequest("GET", `/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(whole))}`)
      : apiRequest("POST", `/api/trpc/${procedure}`, whole);
  const response = await handleTrpc(request);
  const text = await response.text();
  expect(text).not.toMatch(/"stack":"|\.ts:\d+/);
  const { error } = JSON.parse(text);
  return { status: response.status, code: error.json.data.appCode, message: error.json.message };
}

const document = { name: "a.md", text: "A sentence." };
const order = { backend: "mock", documents: [document] };
const body = { kind: "distill", backend: "mock", text: "A sentence." };

describe("REST and tRPC say the same of", () => {
  it.each<[string, () => Promise<Told>, () => Promise<Told>, number, string]>([
    ["an unknown run", () => rest("GET", "runs/run_none"), () => trpc("GET", "runs.get", { id: "run_none" }), 404, "not_found"],
    [
      "an unknown chunk",
      () => rest("GET", `runs/${done}/chunks/99`),
      () => trpc("GET", "chunks.get", { runId: done, index: 99 }),
      404,
      "not_found",
    ],
    [
      "events of an unknown run",
      () => rest("GET", "runs/run_none/events"),
      () => trpc("GET", "events.list", { runId: "run_none" }),
      404,
      "not_found",
    ],
    [
      "insights of an unknown run",
      () => rest("GET", "runs/run_none/insights"),
      () => trpc("GET", "runs.insights", { id: "run_none" }),
      404,
      "not_found",
    ],
    [
      "a retry with nothing failed",
      () => rest("POST", `runs/${done}/retry`),
      () => trpc("POST", "runs.retry", { id: done }),
      409,
      "conflict",
    ],
    [
      "a pause of a completed run",
      () => rest("POST", `runs/${done}/pause`),
      () => trpc("POST", "runs.pause", { id: done }),
      409,
      "conflict",
    ],
    [
      "a resume of a completed run",
      () => rest("POST", `runs/${done}/resume`),
      () => trpc("POST", "runs.resume", { id: done }),
      409,
      "conflict",
    ],
    [
      "a cancel of a completed run",
      () => rest("POST", `runs/${done}/cancel`),
      () => trpc("POST", "runs.cancel", { id: done }),
      409,
      "conflict",
    ],
    [
      "a finish of a completed run",
      () => rest("POST", `runs/${done}/finish`),
      () => trpc("POST", "runs.finish", { id: done }),
      409,
      "conflict",
    ],
    [
      "a field of another kind",
      () => rest("POST", "runs", { ...body, name: 7 }),
      () => trpc("POST", "runs.start", { ...order, name: 7 }),
      400,
      "invalid_input",
    ],
    [
      "an empty reason",
      () => rest("POST", `runs/${done}/cancel`, { reason: " " }),
      () => trpc("POST", "runs.cancel", { id: done, reason: " " }),
      400,
      "invalid_input",
    ],
    [
      "an unknown backend",
      () => rest("POST", "runs", { ...body, backend: "gpt" }),
      () => trpc("POST", "runs.start", { ...order, backend: "gpt" }),
      422,
      "unknown_backend",
    ],
    [
      "a wrong date",
      () => rest("POST", "runs", { ...body, sourceDate: "2026-02-30" }),
      () => trpc("POST", "runs.start", { ...order, sourceDate: "2026-02-30" }),
      400,
      "invalid_input",
    ],
    [
      "a name of two lines",
      () => rest("POST", "runs", { ...body, name: "a\nb" }),
      () => trpc("POST", "runs.start", { ...order, name: "a\nb" }),
      400,
      "invalid_input",
    ],
    [
      "a check of an unknown provider",
      () => rest("POST", "providers/none/check", { capabilities: true }),
      () => trpc("POST", "backends.check", { provider: "none", capabilities: true }),
      404,
      "not_found",
    ],
    [
      "a check with an unknown field",
      () => rest("POST", "providers/mock/check", { modle: "mock-1" }),
      () => trpc("POST", "backends.check", { provider: "mock", modle: "mock-1" }),
      400,
      "invalid_input",
    ],
    [
      "21 MiB of text",
      () => rest("POST", "runs", { ...body, text: "a".repeat(22_020_096) }),
      () => trpc("POST", "runs.start", { ...order, documents: [{ ...document, text: "a".repeat(22_020_096) }] }),
      413,
      "too_large",
    ],
  ])("%s", async (_what, overRest, overTrpc, status, code) => {
    const first = await overRest();
    expect(first).toMatchObject({ status, code });
    expect(await overTrpc()).toEqual(first);
  });
});

it("what tRPC itself refuses carries a code of ours", async () => {
  expect(await trpc("GET", "runs.nothing", {})).toMatchObject({ status: 404, code: "not_found" });
  const broken = await handleTrpc(apiRequest("GET", "/api/trpc/runs.get?input=%7B"));
  expect([broken.status, JSON.parse(await broken.text()).error.json.data.appCode]).toEqual([400, "invalid_input"]);
});

it("a broken store is the server's fault over both, and tells nothing", async () => {
  const run = await open.container.runs.create({ kind: "distill", backend: "mock", text: "A sentence." });
  await untilRunRests(open.container, run.id);
  await open.container.database.run.update({ where: { id: run.id }, data: { options: '{"maxAttempts":"canary-value"}' } });
  const told = { status: 500, code: "internal", message: "Something broke on the server; its log says what." };
  expect(await rest("GET", `runs/${run.id}`)).toEqual(told);
  expect(await trpc("GET", "runs.get", { id: run.id })).toEqual(told);
});

it("the live feed gives each change with its cursor and ends with the process", async () => {
  const stop = new AbortController();
  const caller = createCaller({ ...open.container, shutdown: stop.signal, sessionEndsAt: null });
  const feed = await caller.live.runs({ lastEventId: "0" });
  const iterator = feed[Symbol.asyncIterator]();
  const first = await iterator.next();
  const envelope: unknown = first.value;
  if (!isTrackedEnvelope(envelope)) throw new Error("the feed gave no tracked message");
  const [id, run] = envelope;
  expect(run).toMatchObject({ id: done });
  expect(Number(id)).toBeGreaterThan(0);
  stop.abort();
  for (let next = await iterator.next(); !next.done; ) next = await iterator.next();
});

it("the live feed first says where it begins to whoever brings no cursor, and then tells what changes from there", async () => {
  const stop = new AbortController();
  const caller = createCaller({ ...open.container, shutdown: stop.signal, sessionEndsAt: null });
  const iterator = (await caller.live.runs())[Symbol.asyncIterator]();
  const told = async () => {
    const { value }: { value?: unknown } = await iterator.next();
    if (!isTrackedEnvelope(value)) throw new Error("the feed gave no tracked message");
    return { cursor: Number(value[0]), run: value[1] };
  };
  const begin = await told();
  expect(begin.run).toBeNull();
  const created = await open.container.runs.create({ kind: "distill", backend: "mock", text: "A sentence." });
  const change = await told();
  expect(change.run).toMatchObject({ id: created.id });
  expect(change.cursor).toBeGreaterThan(begin.cursor);
  stop.abort();
  for (let next = await iterator.next(); !next.done; ) next = await iterator.next();
});
