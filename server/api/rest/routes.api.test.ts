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
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

async function finished(text: string, rest: Record<string, unknown> = {}) {
  const created = await call("POST", "runs", {
    kind: "distill",
    backend: "mock",
    sourceDate: "2026-04-19",
    text,
    backoffMs: 0,
    ...rest,
  });
  expect(created.status).toBe(201);
  return untilRunRests(open.container, created.body.id);
}

const NOTE = "We moved the database to Oslo. The old host was too slow. Nobody noticed.";

describe("POST /api/v1/runs", () => {
  it("makes a run and says where it is", async () => {
    const { status, headers, body } = await call("POST", "runs", {
      kind: "distill",
      name: "April",
      sourceDate: "2026-04-19",
      text: NOTE,
      backend: "mock",
      model: "mock-9",
      maxAttempts: 2,
      concurrency: 3,
    });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/runs/${body.id}`);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toMatchObject({
      kind: "distill",
      name: "April",
      sourceDate: "2026-04-19",
      backend: "mock",
      model: "mock-9",
      counts: { total: 1 },
    });
    const { body: run } = await call("GET", `runs/${body.id}`);
    expect(run.options).toMatchObject({ maxAttempts: 2, concurrency: 3, timeoutMs: 120_000, backoffMs: 1_000 });
    await untilRunRests(open.container, body.id);
  });

  it("takes the default backend when none is named", async () => {
    const { body } = await call("POST", "runs", { kind: "distill", text: NOTE });
    expect(body.backend).toBe("extractive");
    await untilRunRests(open.container, body.id);
  });
});

describe("GET /api/v1/runs", () => {
  it("pages newest first by cursor, without gap or repeat", async () => {
    for (const name of ["page a", "page b", "page c"]) await finished(NOTE, { name });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { status, body }: { status: number; body: { items: { name: string }[]; nextCursor: string | null } } = await call(
        "GET",
        `runs?limit=2&search=page${cursor ? `&cursor=${cursor}` : ""}`,
      );
      expect(status).toBe(200);
      expect(body.items.length).toBeLessThanOrEqual(2);
      seen.push(...body.items.map((item) => item.name));
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen).toEqual(["page c", "page b", "page a"]);
  });

  it("filters by status, given as a list or again", async () => {
    const run = await finished(`${NOTE} [[mock:fail=backend-failed]]`, { name: "will fail" });
    expect(run.status).toBe("incomplete");
    for (const query of ["status=incomplete,paused", "status=paused&status=incomplete"]) {
      const { body } = await call("GET", `runs?${query}`);
      expect(new Set(body.items.map((item: { status: string }) => item.status))).toEqual(new Set(["incomplete"]));
    }
  });
});

describe("one run", () => {
  it("shows counts that sum to the total, chunks, attempts, request and result", async () => {
    const run = await finished(`${NOTE} [[mock:fail-times=1:provider-unavailable]]`);
    const { body } = await call("GET", `runs/${run.id}`);
    expect(body).toMatchObject({
      status: "completed",
      counts: { total: 1, queued: 0, running: 0, succeeded: 1, failed: 0, cancelled: 0 },
      retries: 1,
      errorGroups: [],
      tokens: { cached: 0, cacheWrite: 0, reasoning: 0 },
      cost: { known: [{ amount: 0, currency: "USD", about: false }], unknown: [], unknownAttempts: 0, revision: 1 },
    });
    const { body: list } = await call("GET", `runs/${run.id}/chunks`);
    expect(list).toMatchObject({ items: [{ index: 1, status: "succeeded", acceptedAttempt: 2 }], nextAfterIndex: null });
    const { body: chunk } = await call("GET", `runs/${run.id}/chunks/1`);
    expect(chunk.request).toMatchObject({ version: "xkb.infer.v1", source_date: "2026-04-19", chunk_index: 1 });
    const free = { state: "known", amount: 0, currency: "USD", about: false, source: "in_process", price: null };
    expect(chunk.attempts).toMatchObject([{ cost: free }, { cost: free, cachedTokens: null, costUsd: null }]);
    expect(chunk.result).toMatchObject({ version: "xkb.result.v1", ok: true, backend: "mock", attempt: 2 });
    expect(
      chunk.attempts.map((attempt: { number: number; status: string; result: { ok: boolean } }) => [
        attempt.number,
        attempt.status,
        attempt.result.ok,
      ]),
    ).toEqual([
      [1, "failed", false],
      [2, "succeeded", true],
    ]);
    const artifact = await handleRest(apiRequest("GET", `/api/v1/runs/${run.id}/artifacts/${chunk.requestArtifact.id}`));
    expect(artifact.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const bytes = Buffer.from(await artifact.arrayBuffer());
    expect(bytes.byteLength).toBe(chunk.requestArtifact.bytes);
    expect(JSON.parse(bytes.toString())).toEqual(chunk.request);
  });

  it("gives the insights and the staged Markdown", async () => {
    const run = await finished(NOTE);
    const { body } = await call("GET", `runs/${run.id}/insights`);
    expect(body).toMatchObject({ partial: false, coverage: { done: 1, total: 1 } });
    expect(body.items.length).toBe(run.insights);
    const markdown = await handleRest(apiRequest("GET", `/api/v1/runs/${run.id}/staged.md`));
    expect(markdown.headers.get("content-disposition")).toBe(`attachment; filename="${run.id}.md"`);
    expect(await markdown.text()).toContain("We moved the database to Oslo.");
  });

  it("retries what failed, and names what it skips", async () => {
    const run = await finished(`${NOTE} [[mock:fail-times=1:backend-failed]]`);
    expect(run.status).toBe("incomplete");
    expect((await call("POST", `runs/${run.id}/retry`, { chunks: [1, 7] })).body).toEqual({
      requeued: 1,
      skipped: [{ chunk: 7, reason: "there is no such chunk" }],
    });
    expect((await untilRunRests(open.container, run.id)).status).toBe("completed");
    expect((await call("POST", `runs/${run.id}/retry`, { chunks: [1] })).body).toEqual({
      requeued: 0,
      skipped: [{ chunk: 1, reason: "it has succeeded already" }],
    });
    const beyond = Number.MAX_SAFE_INTEGER;
    expect((await call("POST", `runs/${run.id}/retry`, { chunks: [beyond] })).body).toEqual({
      requeued: 0,
      skipped: [{ chunk: beyond, reason: "there is no such chunk" }],
    });
    expect(await call("POST", `runs/${run.id}/retry`)).toMatchObject({
      status: 409,
      body: { error: { code: "conflict", message: "No chunk of this run has failed, so there is nothing to retry." } },
    });
  });

  it("finishes with gaps", async () => {
    const run = await finished(`${NOTE} [[mock:fail=backend-failed]]`);
    const { status, body } = await call("POST", `runs/${run.id}/finish`, { reason: "Good enough." });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "completed", counts: { failed: 1 } });
    expect(Date.parse(body.gapsAcceptedAt)).toBeGreaterThan(0);
  });

  it("pauses, resumes and cancels", async () => {
    const { body: run } = await call("POST", "runs", { kind: "distill", backend: "mock", text: `${NOTE} [[mock:hang]]` });
    expect((await call("POST", `runs/${run.id}/pause`, { reason: "Lunch." })).body).toMatchObject({
      status: "paused",
      statusReason: "Lunch.",
    });
    expect((await call("POST", `runs/${run.id}/pause`)).body.error).toMatchObject({
      code: "conflict",
      message: "Only a queued or running run can be paused; this one is paused.",
      details: { status: "paused" },
    });
    expect(["queued", "running"]).toContain((await call("POST", `runs/${run.id}/resume`)).body.status);
    expect((await call("POST", `runs/${run.id}/cancel`, {})).body).toMatchObject({
      status: "cancelled",
      statusReason: "Cancelled by the operator.",
    });
    expect((await call("POST", `runs/${run.id}/resume`)).status).toBe(409);
  });
});

describe("GET …/events", () => {
  it("pages the whole trace by afterSeq, gapless", async () => {
    const run = await finished(`${NOTE} [[mock:events=30]]`);
    const seqs: number[] = [];
    let afterSeq = 0;
    for (let more = true; more; ) {
      const { body } = await call("GET", `runs/${run.id}/events?afterSeq=${afterSeq}&limit=7`);
      expect(body.items.length).toBeLessThanOrEqual(7);
      seqs.push(...body.items.map((item: { seq: number }) => item.seq));
      afterSeq = body.nextAfterSeq;
      more = body.hasMore;
    }
    expect(seqs).toEqual(Array.from({ length: run.lastSeq }, (_, at) => at + 1));
    expect((await call("GET", `runs/${run.id}/events?afterSeq=${run.lastSeq}`)).body).toEqual({
      items: [],
      nextAfterSeq: run.lastSeq,
      hasMore: false,
    });
  });

  it("clamps the limit to 500 and has 100 by default", async () => {
    const run = await finished(`${NOTE} [[mock:events=600]]`);
    expect((await call("GET", `runs/${run.id}/events?limit=100000`)).body.items).toHaveLength(500);
    expect((await call("GET", `runs/${run.id}/events?limit=99999999999999999999`)).body.items).toHaveLength(500);
    for (const slip of ["0", "-1", "1e2", "0x10", "1.5", "ten"]) {
      expect((await call("GET", `runs/${run.id}/events?limit=${slip}`)).status).toBe(400);
    }
    expect((await call("GET", `runs/${run.id}/events`)).body.items).toHaveLength(100);
    expect((await call("GET", `runs/${run.id}/events?limit=1`)).body.items).toHaveLength(1);
  });

  it("filters by type and chunk", async () => {
    const run = await finished(NOTE);
    const { body } = await call("GET", `runs/${run.id}/events?type=run_queued,run_completed`);
    expect(body.items.map((item: { type: string }) => item.type)).toEqual(["run_queued", "run_completed"]);
    const ofChunk = await call("GET", `runs/${run.id}/events?chunk=1`);
    expect(new Set(ofChunk.body.items.map((item: { chunk: number }) => item.chunk))).toEqual(new Set([1]));
  });
});

it("lists the backends without any secret", async () => {
  const { body } = await call("GET", "backends");
  type Row = { profile: string; backendKind: string; status: string };
  expect(body.items.map(({ profile, backendKind, status }: Row) => [profile, backendKind, status])).toEqual([
    ["extractive", "extractive", "unknown"],
    ["mock", "mock", "unknown"],
    ["openai-chat", "openai-chat", "not_configured"],
    ["openai", "openai-chat", "not_configured"],
    ["minimax-api", "openai-chat", "not_configured"],
    ["deepseek-api", "openai-chat", "not_configured"],
    ["openrouter", "openai-chat", "not_configured"],
    ["gemini", "openai-chat", "not_configured"],
    ["ollama", "openai-chat", "not_configured"],
    ["lm-studio", "openai-chat", "not_configured"],
    ["llama-cpp", "openai-chat", "not_configured"],
    ["vllm", "openai-chat", "not_configured"],
    ["openai-responses", "openai-responses", "not_configured"],
    ["openai-gpt", "openai-responses", "not_configured"],
    ["anthropic", "anthropic-messages", "not_configured"],
    ["codex", "codex-app-server-stdio", "not_configured"],
    ["deepseek", "codex-app-server-stdio", "not_configured"],
    ["minimax-m3", "codex-app-server-stdio", "not_configured"],
    ["claude-code", "claude-code-cli", "not_configured"],
    ["openclaw-auth", "openclaw-gateway", "not_configured"],
  ]);
  expect(body.items.find(({ profile }: Row) => profile === "codex")).toMatchObject({
    protocol: "codex-app-server-jsonrpc-stdio",
    transport: "stdio",
    command: "codex app-server --listen stdio://",
    requiredSecretKeys: ["apiKey"],
  });
});
