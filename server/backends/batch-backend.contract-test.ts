/** Every adapter that hands in many requests as one job does the same with them; the services are fakes on this machine. */
import { afterEach, describe, expect, it } from "vitest";
import { Secret } from "@/server/shared/secret";
import { buildSettings, usualModel } from "@/server/testing/build-settings";
import { CANARY_KEY, spellingsIn } from "@/server/testing/canary";
import { startFakeAnthropicBatches } from "@/server/testing/fake-anthropic-batches";
import { answered, type FakeBatches, GOOD_TEXT } from "@/server/testing/fake-batches";
import { startFakeOpenAiBatches } from "@/server/testing/fake-openai-batches";
import { jsonAnswer, startLoopbackUpstream } from "@/server/testing/loopback-upstream";
import { NO_HOST } from "@/server/testing/no-host";
import { createBackend } from "./adapter-table";
import { createAnthropicMessagesBackend } from "./adapters/anthropic-messages/adapter";
import { createOpenAiChatBackend } from "./adapters/openai-chat/adapter";
import { createOpenAiResponsesBackend } from "./adapters/openai-responses/adapter";
import { BackendError } from "./backend";
import type { BatchAnswer, BatchOrder, BatchProblem } from "./batch-backend";

const KINDS = [
  { profile: "openai", create: createOpenAiChatBackend, start: startFakeOpenAiBatches },
  { profile: "openai-gpt", create: createOpenAiResponsesBackend, start: startFakeOpenAiBatches },
  { profile: "anthropic", create: createAnthropicMessagesBackend, start: () => startFakeAnthropicBatches() },
] as const;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const signal = new AbortController().signal;

async function bench(kind: (typeof KINDS)[number], fake?: FakeBatches) {
  const service = fake ?? (await kind.start());
  const settings = { name: "svc", baseUrl: service.baseUrl, secretRefs: { apiKey: "env:LLM_API_KEY" }, batch: true as const };
  const backend = kind.create(buildSettings(kind.profile, settings), {});
  open.push(
    () => service.close(),
    () => backend.close(),
  );
  const { batch } = backend;
  if (!batch) throw new Error("the settings say that it takes batches");
  const access = { baseUrl: service.baseUrl, secrets: { apiKey: new Secret(CANARY_KEY, "env:LLM_API_KEY") } };
  const order = (count: number, mark = "bat_1"): BatchOrder => ({
    mark,
    owns: (id) => id.startsWith(`${mark}-`),
    count,
    async *requests() {
      for (let at = 0; at < count; at++) {
        yield {
          id: `${mark}-${at}`,
          model: usualModel(kind.profile),
          system: "Be brief.",
          user: `Text ${at}: 日記 "quoted"\nnext line`,
          expect: { format: "json" as const, schema: { insights: "array" } },
        };
      }
    },
  });
  const submit = async (count: number, mark?: string) => {
    const ordered = order(count, mark);
    return batch.submit(ordered, await batch.upload(ordered, access, signal), access, signal);
  };
  const collect = async (id: string) => {
    const all: (BatchAnswer | BatchProblem)[] = [];
    await batch.collect(id, async (answer) => void all.push(answer), access, signal);
    return all;
  };
  const jobOf = (id: string) => {
    const job = service.jobs.find((each) => each.id === id);
    if (!job) throw new Error(`the service has no job ${id}`);
    return job;
  };
  return { service, batch, access, order, submit, collect, jobOf };
}

async function failure(work: Promise<unknown>): Promise<BackendError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof BackendError)) throw new Error(`no BackendError: ${String(error)}`);
  return error;
}

describe.each(KINDS)("batches of $profile", (kind) => {
  it("go out whole, as single requests would, but for the stream", async () => {
    const { submit, jobOf, service } = await bench(kind);
    const job = jobOf(await submit(3));
    expect(job.requests.map(({ customId }) => customId)).toEqual(["bat_1-0", "bat_1-1", "bat_1-2"]);
    expect(job.requests[1]?.body).toMatchObject({ model: usualModel(kind.profile) });
    expect(JSON.stringify(job.requests[1]?.body)).toContain("Text 1: 日記");
    expect(job.requests[1]?.body).not.toHaveProperty("stream");
    expect(job.requests[1]?.body).not.toHaveProperty("stream_options");
    for (const { headers, body } of service.upstream.requests) {
      if (headers["content-length"] !== undefined) expect(Number(headers["content-length"])).toBe(Buffer.byteLength(body));
      expect(spellingsIn(body)).toEqual([]);
    }
  });

  it("are told of while they go on, and give every answer when they have ended", async () => {
    const { submit, batch, access, jobOf, service, collect } = await bench(kind);
    const id = await submit(4);
    expect(await batch.poll(id, access, signal)).toMatchObject({ outcome: null, reason: "" });
    service.end(jobOf(id), "completed", (at) =>
      at === 1 ? { kind: "error", status: 400, type: "invalid_request_error", message: "bad prompt" } : answered(),
    );
    expect(await batch.poll(id, access, signal)).toMatchObject({
      outcome: "completed",
      counts: { total: 4, succeeded: 3, failed: 1 },
    });
    const answers = await collect(id);
    expect(new Set(answers.map((answer) => ("id" in answer ? answer.id : answer.problem)))).toEqual(
      new Set(["bat_1-0", "bat_1-1", "bat_1-2", "bat_1-3"]),
    );
    expect(answers.find((answer) => "id" in answer && answer.id === "bat_1-2")).toMatchObject({
      kind: "answered",
      result: {
        text: GOOD_TEXT,
        finishReason: "stop",
        servedModel: "served-1",
        usage: { promptTokens: 30, completionTokens: 9 },
      },
    });
    expect(answers.find((answer) => "id" in answer && answer.id === "bat_1-1")).toMatchObject({
      kind: "failed",
      failureKind: "backend-failed",
      message: expect.stringContaining("bad prompt"),
    });
  });

  it("that expired keep what was answered, and say what had no turn", async () => {
    const { submit, batch, access, jobOf, service, collect } = await bench(kind);
    const id = await submit(3);
    service.end(jobOf(id), "expired", (at) => (at === 0 ? answered() : { kind: "expired" }));
    expect(await batch.poll(id, access, signal)).toMatchObject({ outcome: "expired" });
    const kinds = new Map((await collect(id)).map((answer) => ("id" in answer ? [answer.id, answer.kind] : ["", "problem"])));
    expect([kinds.get("bat_1-0"), kinds.get("bat_1-1"), kinds.get("bat_1-2")]).toEqual(["answered", "expired", "expired"]);
  });

  it("are cancelled, and to cancel one that has ended is no failure", async () => {
    const { submit, batch, access, jobOf, service, collect } = await bench(kind);
    const id = await submit(2);
    await batch.cancelJob(id, access, signal);
    expect(await batch.poll(id, access, signal)).toMatchObject({ outcome: null, nativeState: expect.stringMatching(/^cancel/) });
    service.end(jobOf(id), "cancelled", (at) => (at === 1 ? answered() : { kind: "cancelled" }));
    expect(await batch.poll(id, access, signal)).toMatchObject({ outcome: "cancelled" });
    expect((await collect(id)).map((answer) => ("id" in answer ? answer.kind : "problem")).sort()).toEqual([
      "answered",
      "cancelled",
    ]);
    await batch.cancelJob(id, access, signal);
  });

  it("are found again by their mark once nobody knows their id, and nobody else's is taken for one", async () => {
    const { submit, batch, access, jobOf, service, order } = await bench(kind);
    const since = Date.now();
    const none = new Set<string>();
    expect(await batch.find(order(2), since, none, access, signal)).toEqual({ state: "absent" });
    service.end(service.addForeign(2), "completed", () => answered());
    service.addForeign(5);
    expect(await batch.find(order(2), since, none, access, signal)).toEqual({ state: "absent" });
    const id = await submit(2);
    service.end(service.addForeign(2), "completed", () => answered());
    service.end(jobOf(id), "completed", () => answered());
    expect(await batch.find(order(2), since, none, access, signal)).toEqual({ state: "found", nativeId: id });
  });

  it.each([
    [401, "provider-auth-failed"],
    [429, "provider-rate-limited"],
    [503, "provider-unavailable"],
  ] as const)("answered with %i fail as %s, without the key", async (status, failureKind) => {
    const { submit, batch, access, service } = await bench(kind);
    const id = await submit(1);
    service.broken = jsonAnswer(status, { error: { message: `no luck with ${CANARY_KEY}` } });
    const works = [() => submit(1), () => batch.poll(id, access, signal), () => batch.cancelJob(id, access, signal)];
    for (const work of works) {
      const error = await failure(work());
      expect([error.failureKind, error.httpStatus]).toEqual([failureKind, status]);
      expect(spellingsIn(error.message)).toEqual([]);
    }
  });

  it("answered with something else are a protocol error; with a redirect, one that is not followed", async () => {
    const { batch, access, service } = await bench(kind);
    service.broken = jsonAnswer(200, { hello: "there" });
    expect(await failure(batch.poll("x", access, signal))).toMatchObject({
      failureKind: "backend-protocol-error",
      message: "svc answered with something that is no batch.",
    });
    const elsewhere = await startLoopbackUpstream();
    open.push(() => elsewhere.close());
    service.broken = jsonAnswer(302, {}, { location: elsewhere.baseUrl });
    expect((await failure(batch.poll("x", access, signal))).message).toContain("a redirect, which is not followed");
    expect(elsewhere.requests).toEqual([]);
  });

  it("wait for whoever takes the answers, and end with its error", async () => {
    const { submit, batch, access, jobOf, service } = await bench(kind);
    const id = await submit(200);
    service.end(jobOf(id), "completed", () => answered(`{"insights":[],"pad":"${"x".repeat(20_000)}"}`));
    let taking = 0;
    let most = 0;
    let taken = 0;
    const take = async () => {
      taking += 1;
      most = Math.max(most, taking);
      await new Promise((resolve) => setImmediate(resolve));
      taking -= 1;
      taken += 1;
      if (taken === 150) throw new Error("enough");
    };
    await expect(batch.collect(id, take, access, signal)).rejects.toThrow("enough");
    expect([most, taken]).toEqual([1, 150]);
  });
});

it("of Anthropic are not fetched from another server than the provider's own", async () => {
  const elsewhere = await startLoopbackUpstream();
  open.push(() => elsewhere.close());
  const [, , kind] = KINDS;
  const { submit, jobOf, service, collect } = await bench(kind, await startFakeAnthropicBatches(elsewhere.baseUrl));
  const id = await submit(1);
  service.end(jobOf(id), "completed", () => answered());
  expect(await failure(collect(id))).toMatchObject({
    failureKind: "backend-protocol-error",
    message:
      "svc says that the answers lie on another server; they were not fetched, since the key goes to its own address only.",
  });
  expect(elsewhere.requests).toEqual([]);
});

it("of Anthropic that still run may be the one that is looked for, which is said", async () => {
  const [, , kind] = KINDS;
  const { submit, batch, access, order } = await bench(kind);
  const id = await submit(2);
  const find = (others: Set<string>) => batch.find(order(2), Date.now(), others, access, signal);
  expect(await find(new Set())).toEqual({ state: "unsure", candidates: 1 });
  expect(await find(new Set([id]))).toEqual({ state: "absent" });
});

it("are offered by the providers' own addresses, and by others where the configuration says so", () => {
  const batchOf = (profile: string, more: Parameters<typeof buildSettings>[1]) =>
    createBackend(buildSettings(profile, more), NO_HOST).batch !== undefined;
  expect(batchOf("openai", { baseUrl: null })).toBe(true);
  expect(batchOf("openai", { baseUrl: "https://eu.api.openai.com/v1" })).toBe(true);
  expect(batchOf("anthropic", { baseUrl: "https://api.minimax.io/anthropic" })).toBe(false);
  expect(batchOf("deepseek-api", { baseUrl: null })).toBe(false);
  expect(batchOf("openai-chat", { baseUrl: "https://api.openai.com.example.org/v1" })).toBe(false);
  expect(batchOf("extractive", {})).toBe(false);
});
