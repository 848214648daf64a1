/** One measured side of the executor bench, in a process of its own: `bare` (an undici loop that stores nothing) or `switchyard` (everything durable). */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { createParser } from "eventsource-parser";
import { Agent, request } from "undici";
import { createContainer } from "../../server/container";
import { databaseFile } from "../../server/db/client";
import { loadEnv } from "../../server/env";
import { buildDistillRequest } from "../../server/pipeline/prompt";

const [side = "bare", port = "", count = "2000", slots = "64", latency = "200"] = process.argv.slice(2);
const N = Number(count);
const C = Number(slots);
const L = Number(latency);
const WARM_UP = 1_000;

/** A chunk of about 1,000 tokens, half of it Chinese. */
function chunkText(index: number): string {
  return `## Section ${index}\n\n${`Note ${index}: the worker renewed its lease in time and the queue kept its order. 任务在租约到期之前续租，队列保持了顺序，没有丢失任何分块。`.repeat(18)}\n\n`;
}

interface Figures {
  cpuMs: number;
  efficiency: number;
  loopP99Ms: number;
  rssMb: number;
}

function meter(): (served: number, wallMs?: number) => Figures {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const cpu = process.cpuUsage();
  const at = performance.now();
  return (served, wallMs = performance.now() - at) => {
    const used = process.cpuUsage(cpu);
    return {
      cpuMs: (used.user + used.system) / 1000 / served,
      efficiency: (served * L) / C / wallMs,
      loopP99Ms: loop.percentile(99) / 1e6,
      rssMb: process.memoryUsage.rss() / 1e6,
    };
  };
}

/** Writes a CPU profile of the measured part to the file that BENCH_PROFILE names. */
async function startProfile(): Promise<() => Promise<void>> {
  const file = process.env.BENCH_PROFILE;
  if (!file) return async () => undefined;
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.start");
  return async () => {
    const { profile } = await session.post("Profiler.stop");
    writeFileSync(file, JSON.stringify(profile));
  };
}

async function bare(): Promise<Figures> {
  const dispatcher = new Agent({ connections: C, pipelining: 1 });
  const bodies = Array.from({ length: N }, (_, index) => {
    const { input } = buildDistillRequest({
      sourceDate: "2026-01-01",
      chunkIndex: index + 1,
      chunkTotal: N,
      text: chunkText(index),
      runtimeDir: "r",
      createdAt: "2026-01-01T00:00:00Z",
    });
    return {
      model: "stub",
      messages: [
        { role: "system", content: input.system },
        { role: "user", content: input.user },
      ],
      stream: true,
      stream_options: { include_usage: true },
    };
  });
  async function call(index: number): Promise<string> {
    const response = await request(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify(bodies[index % N]),
      dispatcher,
      headers: { "content-type": "application/json" },
    });
    let text = "";
    const parser = createParser({
      onEvent: (event) => {
        if (event.data !== "[DONE]") text += JSON.parse(event.data).choices[0]?.delta.content ?? "";
      },
    });
    const decoder = new TextDecoder();
    for await (const piece of response.body) parser.feed(decoder.decode(piece as Uint8Array, { stream: true }));
    return text;
  }
  async function lanes(total: number): Promise<void> {
    let next = 0;
    await Promise.all(
      Array.from({ length: C }, async () => {
        while (next < total) JSON.parse(await call(next++));
      }),
    );
  }
  await lanes(WARM_UP);
  const stop = meter();
  await lanes(N);
  const figures = stop(N);
  await dispatcher.close();
  return figures;
}

async function switchyard(): Promise<Figures> {
  const folder = mkdtempSync(path.join(tmpdir(), "switchyard-bench-"));
  const api = { LLM_API_URL: `http://127.0.0.1:${port}/v1`, LLM_API_KEY: "bench-key-0123456789" };
  // Both are read when a request needs them, from the process itself.
  Object.assign(process.env, api);
  const env = loadEnv({
    SWITCHYARD_DATA_DIR: folder,
    ...api,
    LLM_MODEL: "stub",
    LOG_LEVEL: "error",
  });
  const container = await createContainer({ env });
  try {
    const order = async (total: number) => {
      const text = Array.from({ length: total }, (_, index) => chunkText(index)).join("");
      const [run] = await container.runs.start({
        documents: [{ name: "2026-01-01.md", text }],
        options: { concurrency: C, chunkTokens: 1_250 },
      });
      if (!run) throw new Error("no run");
      return run;
    };
    // A look that costs next to nothing, so that watching is not what is measured.
    const watcher = new Sqlite(databaseFile(folder), { readonly: true });
    const counts = watcher.prepare<[string], { succeeded: number; failed: number }>(
      'SELECT "succeeded", "failed" FROM "Run" WHERE "id" = ?',
    );
    const served = async (id: string, total: number) => {
      for (;;) {
        const run = counts.get(id);
        if (run && run.succeeded + run.failed >= total) return run;
        await delay(10);
      }
    };
    const warm = await order(WARM_UP);
    container.executor.start();
    await served(warm.id, warm.counts.total);
    while ((await container.runs.get(warm.id)).status !== "completed") await delay(25);
    // Prep is not what is measured: the run is made while the executor rests on it.
    const paused = await container.runs.start({
      documents: [{ name: "2026-01-02.md", text: Array.from({ length: N }, (_, index) => chunkText(index)).join("") }],
      options: { concurrency: C, chunkTokens: 1_250 },
    });
    const run = paused[0];
    if (!run) throw new Error("no run");
    const profile = await startProfile();
    const stop = meter();
    const began = performance.now();
    const done = await served(run.id, run.counts.total);
    const wall = performance.now() - began;
    const figures = stop(run.counts.total, wall);
    await profile();
    watcher.close();
    if (done.failed > 0) throw new Error(`${done.failed} chunks failed`);
    return figures;
  } finally {
    await container.close(1_000);
    rmSync(folder, { recursive: true, force: true });
  }
}

console.log(JSON.stringify(side === "bare" ? await bare() : await switchyard()));
process.exit(0);
