import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";

const alias = { "@": path.resolve(import.meta.dirname) };
const setupFiles = ["server/testing/guards.ts"];

/**
 * Files of these tiers share the modules of their worker: half of the time went into loading them anew. Nothing of theirs mocks a
 * module, and what they put into the process (variables, globals, clocks) they take out. Pages do mock, so they stay apart.
 */
const together = { isolate: false };

/** Real programs with watchdogs of their own: they are given both cores. */
const alone = { fileParallelism: false };

/** One project a tier, so that the report names what ran. Store tests make a database each in a folder of their own. */
export default defineConfig({
  resolve: { alias },
  test: {
    // Vitest leaves one core to itself; most tiers wait more than they compute, and on two cores that is the other half of the machine.
    maxWorkers: availableParallelism(),
    projects: [
      {
        resolve: { alias },
        test: {
          ...together,
          name: "unit",
          include: ["{server,components,scripts,app}/**/*.test.ts"],
          exclude: ["**/*.store.test.ts", "**/*.api.test.ts", "**/node_modules/**"],
          setupFiles,
        },
      },
      {
        resolve: { alias },
        test: { ...together, name: "contract", include: ["server/**/*.contract-test.ts"], setupFiles, testTimeout: 30_000 },
      },
      {
        resolve: { alias },
        test: {
          ...alone,
          name: "codex",
          include: ["server/**/*.codex-test.ts"],
          setupFiles,
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        resolve: { alias },
        test: {
          ...alone,
          name: "clis",
          include: ["server/**/*.{claude,openclaw}-test.ts"],
          setupFiles,
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        resolve: { alias },
        test: { name: "live", include: ["server/**/*.live-test.ts"], setupFiles, testTimeout: 900_000 },
      },
      {
        resolve: { alias },
        test: { ...together, name: "store", include: ["server/**/*.store.test.ts"], setupFiles, testTimeout: 60_000 },
      },
      {
        resolve: { alias },
        test: { ...together, name: "api", include: ["server/**/*.api.test.ts"], setupFiles, testTimeout: 120_000 },
      },
      {
        resolve: { alias },
        test: { name: "component", include: ["components/**/*.test.tsx"], environment: "jsdom", setupFiles, testTimeout: 30_000 },
      },
    ],
  },
});
