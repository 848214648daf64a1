/** Agent runs over REST: order, further turns, questions, download; and what is refused, with its sentence. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AgentRunDetail, agentRunDetailSchema } from "@/server/runs/agent-run.schema";
import { type ApiContainer, apiRequest, openApiContainer } from "@/server/testing/api-container";
import { writeFakeAppServer } from "@/server/testing/fake-app-server-command";
import { agentDocument } from "@/server/testing/open-agents";
import { waitFor } from "@/server/testing/wait-for";
import { handleRest } from "./rest-handler";
import { handleTrpc } from "./trpc-handler";

const KEY = "sk-canary-api-5e4d3c2b1a0f";
const QUESTION = "[[fake:asks:item/commandExecution/requestApproval]]";

let open: ApiContainer;
let done: string;
let programFolder: string;

async function rest(method: string, target: string, body?: unknown) {
  const response = await handleRest(apiRequest(method, `/api/v1/${target}`, body));
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

async function create(prompt: string, more: object = {}): Promise<AgentRunDetail> {
  const answer = await rest("POST", "runs", { kind: "thread", backend: "codex", prompt, ...more });
  expect(answer.status, answer.text).toBe(201);
  const run = agentRunDetailSchema.parse(answer.json());
  expect(answer.headers.get("location")).toBe(`/api/v1/runs/${run.id}`);
  return run;
}

const until = (id: string, what: string, isWanted: (run: AgentRunDetail) => boolean) =>
  waitFor(what, async () => {
    const run = agentRunDetailSchema.parse((await rest("GET", `runs/${id}`)).json());
    return isWanted(run) ? run : null;
  });
const rested = (id: string) =>
  until(
    id,
    "the run rests",
    ({ status, commands }) => status !== "running" && commands.every((command) => command.endedAt !== null),
  );

beforeAll(async () => {
  vi.stubEnv("CODEX_KEY", KEY);
  vi.stubEnv("MINIMAX_KEY", KEY);
  programFolder = mkdtempSync(path.join(tmpdir(), "switchyard-fake-"));
  open = await openApiContainer({ SWITCHYARD_CODEX_BIN: writeFakeAppServer(programFolder, "ok") });
  mkdirSync(path.join(open.dataDir, "repos"));
  const text = agentDocument(path.join(open.dataDir, "repos"));
  await open.container.config.importText({ text, author: "test", comment: "", source: "command_line" });
  open.container.agentExecutor.start();
  done = (await create("hello")).id;
  await rested(done);
});
afterAll(async () => {
  await open.close();
  rmSync(programFolder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

describe("an agent run", () => {
  it("is ordered, read and found in the list", async () => {
    const run = await create("Say it.", { name: "Mine", executionPolicy: { sandbox: "workspace-write", timeoutMs: 60_000 } });
    expect(run).toMatchObject({
      kind: "thread",
      name: "Mine",
      status: "queued",
      policy: { sandbox: "workspace-write", network: false, approval: "never" },
    });
    expect(await rested(run.id)).toMatchObject({ status: "completed", reply: "Reply to Say it." });
    const { items } = (await rest("GET", "runs?backend=codex")).json();
    expect(items.map(({ id }: { id: string }) => id)).toContain(run.id);
  });

  it("takes a further turn, and tells its commands", async () => {
    const run = await create("one");
    await rested(run.id);
    const ordered = await rest("POST", `runs/${run.id}/commands`, { type: "turn", prompt: "two" });
    expect([ordered.status, ordered.json()]).toMatchObject([202, { index: 1, type: "turn", status: "queued", preview: "two" }]);
    expect(await rested(run.id)).toMatchObject({ reply: "Reply to two" });
    const { items } = (await rest("GET", `runs/${run.id}/commands`)).json();
    expect(items).toMatchObject([{ status: "completed" }, { status: "completed" }]);
  });

  it("is interrupted, goes on, and is cancelled", async () => {
    const run = await create("[[fake:silent-turn]]");
    await until(run.id, "the turn runs", ({ threadId }) => threadId !== null);
    const order = await rest("POST", `runs/${run.id}/commands`, { type: "interrupt", reason: "enough" });
    expect([order.status, order.json().type]).toEqual([202, "interrupt"]);
    expect(await rested(run.id)).toMatchObject({ status: "paused", statusReason: "enough" });
    const cancelled = await rest("POST", `runs/${run.id}/cancel`, { reason: "no longer needed" });
    expect([cancelled.status, cancelled.json().status]).toEqual([200, "cancelled"]);
  });

  it("asks, and is answered", async () => {
    const run = await create(QUESTION, { executionPolicy: { approval: "on-request" } });
    await until(run.id, "a question", ({ waitingFor }) => waitingFor === "approval");
    const { items } = (await rest("GET", `runs/${run.id}/approvals`)).json();
    expect(items).toMatchObject([{ kind: "command", status: "pending", subject: "/bin/bash -c 'true'" }]);
    const target = `runs/${run.id}/approvals/${items[0].id}`;
    const answer = await rest("POST", target, { decision: "accept", by: "Ana" });
    expect([answer.status, answer.json()]).toMatchObject([200, { status: "accepted", decidedBy: "Ana" }]);
    const again = await rest("POST", target, { decision: "decline" });
    expect([again.status, again.json().error]).toMatchObject([
      409,
      { code: "conflict", message: "The question is closed already: it is accepted." },
    ]);
    expect(await rested(run.id)).toMatchObject({ status: "completed", waitingFor: null });
  });

  it("is downloaded event by event, one JSON a line", async () => {
    const answer = await rest("GET", `runs/${done}/events.jsonl`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
    expect(answer.headers.get("content-disposition")).toContain(`${done}.jsonl`);
    const lines = answer.text.split("\n");
    expect(lines.pop()).toBe("");
    const events = lines.map((line) => JSON.parse(line));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    expect(events.at(-1)).toMatchObject({ type: "command_ended", payload: { status: "completed" } });
    expect(events).toEqual((await rest("GET", `runs/${done}/events?limit=500`)).json().items);
  });
});

interface Told {
  status: number;
  code: string;
  message: string;
}

async function restError(method: string, target: string, body?: unknown): Promise<Told> {
  const answer = await rest(method, target, body);
  const { code, message } = answer.json().error;
  return { status: answer.status, code, message };
}

async function trpcError(procedure: string, input: object, method = "POST"): Promise<Told> {
  const whole = { json: input };
  const request =
    method === "GET"
      ? apiRequest("GET", `/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(whole))}`)
      : apiRequest("POST", `/api/trpc/${procedure}`, whole);
  const response = await handleTrpc(request);
  const { error } = JSON.parse(await response.text());
  return { status: response.status, code: error.json.data.appCode, message: error.json.message };
}

const ORDER = { kind: "thread", backend: "codex", prompt: "x" };

describe("is refused over REST and tRPC alike", () => {
  it.each<[string, object, number, string, RegExp]>([
    [
      "a policy that is too wide",
      { executionPolicy: { network: true } },
      403,
      "policy_refused",
      /^Network access is not allowed: set agents\.network/,
    ],
    [
      "a workspace elsewhere",
      { executionPolicy: { workspace: "/etc" } },
      403,
      "policy_refused",
      /^The workspace \/etc lies in none of the folders/,
    ],
    [
      "a provider that is no agent",
      { backend: "minimax-api" },
      403,
      "policy_refused",
      /^minimax-api is no agent: its kind is openai-chat\./,
    ],
    ["an unknown provider", { backend: "nobody" }, 422, "unknown_backend", /nobody/],
    ["an empty prompt", { prompt: " \n" }, 400, "invalid_input", /must not be empty/],
    [
      "a prompt that is too long",
      { prompt: "x".repeat(200_001) },
      400,
      "invalid_input",
      /must not be longer than 200000 characters/,
    ],
    ["another workflow", { workflow: "develop" }, 400, "invalid_input", /workflow/],
    ["an unknown field", { yolo: true }, 400, "invalid_input", /yolo/],
    ["an unknown field of the policy", { executionPolicy: { writableRoots: ["/"] } }, 400, "invalid_input", /writableRoots/],
    ["an unknown approval", { executionPolicy: { approval: "always" } }, 400, "invalid_input", /approval/],
    ["too short a time", { executionPolicy: { timeoutMs: 1 } }, 400, "invalid_input", /timeoutMs/],
  ])("an order with %s", async (_what, more, status, code, message) => {
    const order = { ...ORDER, ...more };
    const first = await restError("POST", "runs", order);
    expect(first).toMatchObject({ status, code });
    expect(first.message).toMatch(message);
    expect(await trpcError("agents.create", order)).toEqual(first);
  });

  it.each<[string, () => [string, object], () => [string, object], number, string]>([
    [
      "a turn of an unknown run",
      () => ["runs/run_none/commands", { type: "turn", prompt: "x" }],
      () => ["agents.command", { id: "run_none", order: { type: "turn", prompt: "x" } }],
      404,
      "not_found",
    ],
    [
      "an interrupt of nothing",
      () => [`runs/${done}/commands`, { type: "interrupt" }],
      () => ["agents.command", { id: done, order: { type: "interrupt" } }],
      409,
      "conflict",
    ],
    [
      "an unknown order",
      () => [`runs/${done}/commands`, { type: "steer" }],
      () => ["agents.command", { id: done, order: { type: "steer" } }],
      400,
      "invalid_input",
    ],
    [
      "an answer to no question",
      () => [`runs/${done}/approvals/apr_none`, { decision: "accept" }],
      () => ["agents.decide", { id: done, approvalId: "apr_none", decision: "accept" }],
      404,
      "not_found",
    ],
    [
      "an answer that is none",
      () => [`runs/${done}/approvals/apr_none`, { decision: "maybe" }],
      () => ["agents.decide", { id: done, approvalId: "apr_none", decision: "maybe" }],
      400,
      "invalid_input",
    ],
  ])("%s", async (_what, overRest, overTrpc, status, code) => {
    const first = await restError("POST", ...overRest());
    expect(first).toMatchObject({ status, code });
    // What tRPC wraps an order in is named in the path of a problem, and nowhere else.
    const second = await trpcError(...overTrpc());
    expect({ ...second, message: second.message.replaceAll("order.", "") }).toEqual(first);
  });

  it("what only a distill run, or only an agent run, has", async () => {
    const distill = await open.container.runs.create({ kind: "distill", backend: "mock", text: "A sentence." });
    expect(await restError("GET", `runs/${distill.id}/commands`)).toMatchObject({
      status: 409,
      code: "conflict",
      message: `The run ${distill.id} is no agent run.`,
    });
    expect(await trpcError("agents.get", { id: distill.id }, "GET")).toMatchObject({ status: 409, code: "conflict" });
    for (const action of ["pause", "resume", "retry", "finish"])
      expect(await restError("POST", `runs/${done}/${action}`), action).toMatchObject({ status: 409, code: "conflict" });
  });
});
