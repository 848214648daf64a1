/** A whole Switchyard over a data folder of its own, closed after the test with a look at what it left behind. */
import pino from "pino";
import { expect, onTestFinished, vi } from "vitest";
import { type Container, type ContainerOptions, createContainer } from "@/server/container";
import { loadEnv } from "@/server/env";
import type { StoredEvent } from "@/server/events/event.schema";
import type { RunSummary } from "@/server/runs/run.schema";
import { isResting, type RunStatus } from "@/server/runs/run-state.rules";
import { buildRun, type RunRecipe } from "./build-run";
import { makeFolder } from "./make-folder";
import { waitFor } from "./wait-for";

export interface TestContainerOptions extends Omit<ContainerOptions, "env" | "logger"> {
  /** Absent = a new one. */
  dataDir?: string;
  /** False leaves the executors at rest: nothing is claimed. */
  start?: boolean;
  /** The HTTP profile `llm-api`, with a key that the process really has. */
  llm?: { url: string; key: string; concurrency?: number };
  /** A configuration document that is imported first, and the variables it names. */
  config?: { text: string; variables?: Readonly<Record<string, string>> };
  /** What SWITCHYARD_CONFIG names. */
  configFile?: string;
  /** The program that agent runs start. */
  codexProgram?: string;
  /** Log lines of the level error that this test expects; each must contain one of these. */
  expectedErrors?: readonly string[];
}

export interface TestContainer extends Container {
  dataDir: string;
  /** What was logged at warn and above, as JSON lines. */
  logLines: readonly string[];
  /** Starts one run of the recipe. */
  begin(recipe: RunRecipe): Promise<RunSummary>;
  /** Closes now instead of at the end. */
  shut(graceMs?: number): Promise<void>;
}

export async function openContainer(options: TestContainerOptions = {}): Promise<TestContainer> {
  const { dataDir = makeFolder(), start = true, llm, config, configFile, codexProgram, expectedErrors = [], ...rest } = options;
  for (const [name, value] of Object.entries(config?.variables ?? {})) vi.stubEnv(name, value);
  if (llm) {
    // The values are read when a request needs them, from the process itself.
    vi.stubEnv("LLM_API_KEY", llm.key);
    vi.stubEnv("LLM_API_URL", llm.url);
  }
  const env = loadEnv({
    SWITCHYARD_DATA_DIR: dataDir,
    ...(configFile === undefined ? {} : { SWITCHYARD_CONFIG: configFile }),
    ...(codexProgram === undefined ? {} : { SWITCHYARD_CODEX_BIN: codexProgram }),
    ...(llm ? { LLM_API_URL: llm.url, LLM_API_KEY: llm.key, LLM_CONCURRENCY: String(llm.concurrency ?? 64) } : {}),
  });
  const logLines: string[] = [];
  const serializers = {
    error: (error: unknown) => (error instanceof Error ? `${error.message}\n${error.stack}` : String(error)),
  };
  const logger = pino({ level: "warn", base: null, serializers }, { write: (line: string) => void logLines.push(line) });
  const container = await createContainer({ ...rest, env, logger });
  const shut = async (graceMs = 0) => {
    await container.close(graceMs);
    const errors = logLines.filter((line) => JSON.parse(line).level >= (pino.levels.values.error ?? 50));
    expect(
      errors.filter((line) => !expectedErrors.some((known) => line.includes(known))),
      "nothing unexpected may be logged",
    ).toEqual([]);
    expect(container.executor.load, "no chunk may be held by a closed executor").toBe(0);
    expect(container.agentExecutor.load, "no turn may be held by a closed executor").toBe(0);
  };
  onTestFinished(async () => {
    await shut();
    vi.unstubAllEnvs();
  });
  if (config) await container.config.importText({ text: config.text, author: "test", comment: "", source: "command_line" });
  if (start) {
    container.executor.start();
    container.agentExecutor.start();
  }
  return {
    ...container,
    dataDir,
    logLines,
    shut,
    async begin(recipe) {
      const [run, ...more] = await container.runs.start(buildRun(recipe));
      if (!run || more.length > 0) throw new Error("the recipe did not make one run");
      expect(run.counts.total).toBe(recipe.chunks.length);
      return run;
    },
  };
}

/** Every state of the run that the change feed shows from now until it rests and nothing of it runs; the last one is returned. */
export async function untilResting(container: Pick<Container, "runs">, id: string, deadlineMs?: number): Promise<RunSummary> {
  return untilRun(container, id, "the run rests", (run) => isResting(run.status) && run.counts.running === 0, deadlineMs);
}

export async function untilStatus(container: Pick<Container, "runs">, id: string, status: RunStatus): Promise<RunSummary> {
  return untilRun(container, id, `the run is ${status}`, (run) => run.status === status);
}

/**
 * Follows the change feed until the run is as wanted. At every step the parts of its counts must sum to the total. The first
 * look is at the run itself, since what it waits for may have happened already.
 */
export async function untilRun(
  container: Pick<Container, "runs">,
  id: string,
  what: string,
  isWanted: (run: RunSummary) => boolean,
  deadlineMs?: number,
): Promise<RunSummary> {
  let { cursor } = await container.runs.changes(-1);
  let latest: RunSummary = await container.runs.get(id);
  return waitFor(
    `${what} (${id})`,
    async () => {
      if (isWanted(latest)) return latest;
      const page = await container.runs.changes(cursor);
      cursor = page.cursor;
      for (const { run } of page.runs) {
        if (run.id !== id) continue;
        expectCountsToSum(run);
        latest = run;
        if (isWanted(run)) return run;
      }
      return null;
    },
    deadlineMs,
  );
}

export function expectCountsToSum(run: RunSummary): void {
  const { total, ...parts } = run.counts;
  expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total);
}

const ENDINGS = new Set(["inference_completed", "inference_failed", "inference_timeout"]);

/** `chunk.attempt` of what has not exactly one ending for each start. */
function unendedRequests(items: readonly StoredEvent[]): string[] {
  const open = new Map<string, number>();
  for (const { type, chunk, attempt } of items) {
    const step = type === "inference_started" ? 1 : ENDINGS.has(type) ? -1 : 0;
    if (step !== 0) open.set(`${chunk}.${attempt}`, (open.get(`${chunk}.${attempt}`) ?? 0) + step);
  }
  return [...open].filter(([, count]) => count !== 0).map(([request]) => request);
}

/** The whole trace; its sequence must be 1, 2, 3 … */
export async function wholeTrace(container: Pick<Container, "runs">, id: string) {
  const items = [];
  for (let afterSeq = 0; ; ) {
    const page = await container.runs.events(id, { afterSeq, limit: 500 });
    items.push(...page.items);
    afterSeq = page.nextAfterSeq;
    if (!page.hasMore) break;
  }
  expect(items.map(({ seq }) => seq)).toEqual(items.map((_, at) => at + 1));
  const { lastSeq, counts } = await container.runs.get(id);
  expect(items.length).toBe(lastSeq);
  if (counts.running === 0) expect(unendedRequests(items), "requests that were started and neither ended nor failed").toEqual([]);
  const counted = await container.runs.eventCounts(id);
  expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(items.length);
  return items;
}
