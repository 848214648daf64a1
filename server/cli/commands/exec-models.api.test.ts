import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { resultArtifactSchema } from "@/server/artifacts/result-artifact.schema";
import {
  chatFrames,
  jsonAnswer,
  type LoopbackUpstream,
  sseAnswer,
  startLoopbackUpstream,
} from "@/server/testing/loopback-upstream";
import type { Terminal } from "../terminal";
import { exec } from "./exec";

const ANSWER = sseAnswer(chatFrames({ text: '{"insights":[]}' }));
const DOWN = jsonAnswer(503, { error: { message: "overloaded" } });

let root: string;
let lines: string[];
let problems: string[];
let terminal: Terminal;
let first: LoopbackUpstream;
let second: LoopbackUpstream;

async function upstream(): Promise<LoopbackUpstream> {
  const opened = await startLoopbackUpstream();
  onTestFinished(() => opened.close());
  opened.otherwise(ANSWER);
  return opened;
}

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "switchyard-exec-"));
  [lines, problems] = [[], []];
  terminal = {
    out: (line) => lines.push(line),
    err: (line) => problems.push(line),
    progress: () => undefined,
    cwd: root,
    interrupted: new AbortController().signal,
  };
  [first, second] = [await upstream(), await upstream()];
  vi.stubEnv("FIRST_KEY", "key-canary-first-11");
  vi.stubEnv("SECOND_KEY", "key-canary-second-22");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, force: true });
});

async function configure(mapping: string, concurrency = 8): Promise<void> {
  const text = `providers:
  first: { baseUrl: "${first.baseUrl}", apiKey: env:FIRST_KEY, concurrency: ${concurrency} }
  second: { baseUrl: "${second.baseUrl}", apiKey: env:SECOND_KEY }
models:
  default: mock/mock-1
  extract: ${mapping}
`;
  await writeFile(path.join(root, "models.yaml"), text);
}

async function requests(count: number): Promise<void> {
  await mkdir(path.join(root, "day/requests"), { recursive: true });
  for (let index = 1; index <= count; index++)
    await writeFile(
      path.join(root, `day/requests/chunk-000${index}.json`),
      JSON.stringify({
        version: "xkb.infer.v1",
        task: "memory_distill_extract",
        source_date: "2026-04-19",
        chunk_index: index,
        input: { system: "s", user: `Sentence ${index}.` },
        expect: { format: "json", schema: { insights: "array" } },
        meta: { runtime_dir: "r", created_at: "2026-04-21T00:00:00Z" },
      }),
    );
}

const CHAIN = "{ candidates: [first/m1, second/m2] }";
const run = (...more: string[]) =>
  exec(["day", "--config", "models.yaml", ...(more.includes("--concurrency") ? [] : ["--concurrency", "1"]), ...more], terminal);
const answeredBy = async (index: number) => {
  const text = await readFile(path.join(root, `day/results/chunk-000${index}.json`), "utf8");
  const { ok, backend, model, attempt } = resultArtifactSchema.parse(JSON.parse(text));
  return { ok, model: `${backend}/${model}`, attempt };
};

it("asks the first model of the scene while it answers", async () => {
  await configure(CHAIN);
  await requests(2);
  expect(await run()).toBe(0);
  expect(lines).toEqual(["2 done, 0 kept (already ok), 0 failed, of 2", "first/m1: 2 requests, 2 answered"]);
  expect(problems).toEqual([]);
  expect(second.requests).toEqual([]);
});

it("passes a file on when a model is down, leaves that one alone once it cools down, and says both", async () => {
  await configure(CHAIN);
  await requests(4);
  first.otherwise(DOWN);
  expect(await run()).toBe(0);
  expect([await answeredBy(1), await answeredBy(4)]).toEqual([
    { ok: true, model: "second/m2", attempt: 2 },
    { ok: true, model: "second/m2", attempt: 1 },
  ]);
  expect([first.requests.length, second.requests.length]).toEqual([3, 4]);
  expect(problems).toEqual([
    "first/m1 has failed chunk-0001.json, the next model takes over: first answered 503: overloaded",
    expect.stringMatching(/^first\/m1 is not asked: It cools down for 1\d s more: first answered 503: overloaded$/),
  ]);
  expect(lines).toEqual([
    "4 done, 0 kept (already ok), 0 failed, of 4",
    "first/m1: 3 requests, 0 answered",
    "second/m2: 4 requests, 4 answered",
  ]);
});

it("passes over a model without a key or that refuses, in JSON too", async () => {
  await configure("{ candidates: [first/m1, second/m2, mock/mock-1] }");
  await requests(1);
  vi.stubEnv("FIRST_KEY", "");
  second.otherwise(jsonAnswer(401, {}));
  expect(await run("--json")).toBe(0);
  expect(await answeredBy(1)).toEqual({ ok: true, model: "mock/mock-1", attempt: 2 });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      total: 1,
      succeeded: 1,
      kept: 0,
      failed: 0,
      failures: [],
      models: [
        { model: "second/m2", requests: 1, answers: 0 },
        { model: "mock/mock-1", requests: 1, answers: 1 },
      ],
      passedOver: [
        { model: "first/m1", reason: "env:FIRST_KEY (apiKey) is empty." },
        { model: "second/m2", reason: "second answered 401" },
        { model: "second/m2", reason: "It is unavailable: second answered 401" },
      ],
    },
  ]);
  expect(problems).toEqual([]);
});

it("ends when every model is down, after the attempts of the file", async () => {
  await configure(CHAIN);
  await requests(1);
  first.otherwise(DOWN);
  second.otherwise(DOWN);
  expect(await run("--max-attempts", "2")).toBe(1);
  // Passing on costs no attempt: each of the two attempts goes down the chain.
  expect([first.requests.length, second.requests.length]).toEqual([2, 2]);
  expect(await answeredBy(1)).toEqual({ ok: false, model: "second/m2", attempt: 4 });
});

it("does not pass on what the request itself is to blame for", async () => {
  await configure(CHAIN);
  await requests(1);
  first.otherwise(jsonAnswer(422, {}));
  expect(await run()).toBe(1);
  expect(second.requests).toEqual([]);
});

it("keeps to a model that is named", async () => {
  await configure(CHAIN);
  await requests(1);
  first.otherwise(jsonAnswer(401, {}));
  expect(await run("--model", "m9")).toBe(1);
  expect(first.requests.map(({ body }) => JSON.parse(body).model)).toEqual(["m9"]);
  expect(second.requests).toEqual([]);
});

it("takes turns, and never gives a provider more requests at once than it allows", async () => {
  await configure("{ strategy: round_robin, candidates: [first/m1, second/m2] }", 1);
  await requests(4);
  let underWay = 0;
  let most = 0;
  first.otherwise(async (exchange) => {
    underWay += 1;
    most = Math.max(most, underWay);
    // Long enough for every other lane to have come by.
    await second.received(1);
    await ANSWER(exchange);
    underWay -= 1;
  });
  expect(await run("--concurrency", "4")).toBe(0);
  expect(lines[0]).toBe("4 done, 0 kept (already ok), 0 failed, of 4");
  expect([most, first.requests.length, second.requests.length]).toEqual([1, 2, 2]);
});
