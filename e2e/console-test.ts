import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { startConsoleServer } from "./console-server";

interface Fixtures {
  /** What the page may print, where a test provokes it: browsers report refused requests by themselves. */
  expectedInConsole: RegExp | null;
  /** Fails the test when the page printed an error or warning, or threw. Set before the page opens anything. */
  quietConsole: undefined;
  api: RunApi;
}

interface WorkerFixtures {
  /** The address of a server that this worker has for itself: what one test configures, no test beside it meets. */
  ownServer: string;
}

export interface ApiRun {
  id: string;
  status: string;
  counts: { total: number; queued: number; running: number; succeeded: number; failed: number; cancelled: number };
  /** Only in the answer for one run. */
  waiting?: { slot: number; backoff: number };
}

/** Runs made over REST: a test's own data. */
export interface RunApi {
  create(body: {
    name: string;
    text: string;
    sourceDate?: string;
    backend?: string;
    model?: string;
    chunkTokens?: number;
    maxAttempts?: number;
    backoffMs?: number;
    concurrency?: number;
  }): Promise<ApiRun>;
  get(id: string): Promise<ApiRun>;
  /** Waits until the run has the status. */
  until(id: string, status: string): Promise<ApiRun>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  ownServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      const server = await startConsoleServer();
      await use(server.url);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ ownServer }, use) => use(ownServer),
  expectedInConsole: [null, { option: true }],
  quietConsole: [
    async ({ page, expectedInConsole }, use) => {
      const seen: string[] = [];
      // Judges how fast this machine is, not the page: said of every chunk that a busy machine runs seconds after the load event.
      const isSlowness = (line: string) => /was preloaded using link preload but not used within a few seconds/.test(line);
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") seen.push(`${message.type()}: ${message.text()}`);
      });
      page.on("pageerror", (error) => seen.push(`thrown: ${error.message}`));
      await use(undefined);
      const unexpected = seen.filter((line) => !isSlowness(line) && !expectedInConsole?.test(line));
      expect(unexpected, "the console stays quiet").toEqual([]);
    },
    { auto: true },
  ],
  api: async ({ request }, use) => {
    const api: RunApi = {
      async create(body) {
        const response = await request.post("/api/v1/runs", {
          data: { kind: "distill", backend: "mock", backoffMs: 50, ...body },
        });
        expect(response.status(), await response.text()).toBe(201);
        return response.json();
      },
      async get(id) {
        return (await request.get(`/api/v1/runs/${id}`)).json();
      },
      async until(id, status) {
        await expect.poll(async () => (await api.get(id)).status, { timeout: 60_000 }).toBe(status);
        return api.get(id);
      },
    };
    await use(api);
  },
});

/** Sections that become a chunk each (with small chunks), every one with the mock's marks. */
export function sections(marks: readonly string[]): string {
  return marks
    .map(
      (mark, at) =>
        `## Section ${at + 1}\n\nDecided in section ${at + 1}: the queue keeps the order of its chunks, because people compare days. The rule holds for every backend and every worker that serves it. ${mark}\n`,
    )
    .join("\n");
}

/** The page is there, axe finds nothing, and it does not scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  // Not by its role: while a dialog is open, the page behind it has none.
  await expect(page.locator("h1").first()).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(" ")).join(", ")}`),
  ).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow, "no sideways scroll").toBeLessThanOrEqual(0);
}

export { expect };
