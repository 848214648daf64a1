import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "@playwright/test";

/** The built app on a data folder of its own. One worker: the tests share the server, each makes its own runs. */
const port = Number(process.env.E2E_PORT ?? 4399);
process.env.E2E_DATA_DIR ??= mkdtempSync(path.join(tmpdir(), "switchyard-e2e-"));

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results/browser",
  workers: 1,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // In this order: a newcomer meets an empty store, everybody else what is there.
  projects: [
    { name: "newcomer", testMatch: /first-visit/ },
    { name: "operator", testIgnore: /first-visit/ },
  ],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    trace: "retain-on-failure",
    locale: "en-GB",
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: [
        "--no-sandbox",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
  webServer: {
    command: "node scripts/launch/start.mjs",
    url: `http://127.0.0.1:${port}/api/health`,
    timeout: 600_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
    env: {
      PORT: String(port),
      SWITCHYARD_DATA_DIR: process.env.E2E_DATA_DIR,
      HOST: "",
      SWITCHYARD_TOKEN: "",
      SWITCHYARD_URL: "",
      SWITCHYARD_CONFIG: "",
      SWITCHYARD_SECRETS_DIR: "",
      LLM_API_URL: "",
      LLM_API_KEY: "",
      LOG_LEVEL: "warn",
    },
  },
});
