import { defineConfig } from "@playwright/test";

/** On the built app; each worker has a server of its own (e2e/console-server.ts). The tests of a file share it, each makes its own runs. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results/browser",
  globalSetup: "./e2e/built-app.ts",
  workers: 2,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // Workers belong to one project: a newcomer meets an empty store, everybody else what is there.
  projects: [
    { name: "newcomer", testMatch: /first-visit/ },
    { name: "operator", testIgnore: /first-visit/ },
  ],
  use: {
    // No traces: recording every step takes half as long again, and `npx playwright test --trace on` makes one of what failed.
    screenshot: "only-on-failure",
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
});
