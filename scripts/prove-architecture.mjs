// Proves that every boundary rule bites: copies the tree, plants one violation a rule, and expects each to be caught by its rule.
// A silent checker is worse than none (with an unsupported TypeScript it reads no module and reports a clean tree).
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = process.cwd();
const copy = path.join(root, ".cache", "prove-architecture");

/** file, its only line, the rule that must catch it; `extra` are files the violation needs. */
const PLANTED = [
  [
    "server/shared/planted-layer.ts",
    'import type { Database } from "@/server/db/client"; export type V = Database;',
    "layer-shared",
  ],
  [
    "server/db/planted-layer.ts",
    'import type { RequestArtifact } from "@/server/artifacts/request-artifact.schema"; export type V = RequestArtifact;',
    "layer-db",
  ],
  [
    "server/artifacts/planted-layer.ts",
    'import type { ConfigDocument } from "@/server/config/config-document.schema"; export type V = ConfigDocument;',
    "layer-artifacts",
  ],
  [
    "server/config/planted-layer.ts",
    'import type { Backend } from "@/server/backends/backend"; export type V = Backend;',
    "layer-config",
  ],
  [
    "server/events/planted-layer.ts",
    'import type { Backend } from "@/server/backends/backend"; export type V = Backend;',
    "layer-events",
  ],
  [
    "server/backends/planted-layer.ts",
    'import type { InferenceProvider } from "@/server/inference/inference-provider"; export type V = InferenceProvider;',
    "layer-backends",
  ],
  [
    "server/inference/planted-layer.ts",
    'import { chunkText } from "@/server/pipeline/chunk"; export const v = chunkText;',
    "layer-inference",
  ],
  [
    "server/pipeline/planted-layer.ts",
    'import type { RunService } from "@/server/runs/run-service"; export type V = RunService;',
    "layer-pipeline",
  ],
  [
    "server/workflows/planted-layer.ts",
    'import type { RunService } from "@/server/runs/run-service"; export type V = RunService;',
    "layer-workflows",
  ],
  [
    "server/workflows/planted-provider.ts",
    'import type { ConfigDocument } from "@/server/config/config-document.schema"; export type V = ConfigDocument;',
    "workflows-know-no-provider",
  ],
  [
    "server/runs/planted-layer.ts",
    'import type { AppRouter } from "@/server/api/root"; export type V = AppRouter;',
    "layer-runs",
  ],
  [
    "server/runs/planted-container.ts",
    'import type { Container } from "@/server/container"; export type V = Container;',
    "container-is-the-top",
  ],
  [
    "server/runs/planted-db.ts",
    'import { openDatabase } from "@/server/db/client"; export const v = openDatabase;',
    "only-stores-touch-db",
  ],
  ["server/config/planted.schema.ts", 'import fs from "node:fs"; export const v = fs;', "schema-files-are-pure"],
  ["server/config/planted.rules.ts", 'import { z } from "zod"; export const v = z;', "rules-files-need-nothing"],
  [
    "server/runs/planted-door.ts",
    'import { planted } from "@/server/backends/transport/planted-leaf"; export const v = planted;',
    "module-root-is-the-door",
  ],
  [
    "server/backends/adapters/mock/planted-island.ts",
    'import { createExtractiveBackend } from "../extractive/adapter"; export const v = createExtractiveBackend;',
    "adapters-are-islands",
  ],
  [
    "server/backends/planted-table.ts",
    'import { createMockBackend } from "./adapters/mock/adapter"; export const v = createMockBackend;',
    "only-the-table-knows-adapters",
  ],
  [
    "server/runs/planted-process.ts",
    'import process from "node:child_process"; export const v = process;',
    "processes-start-in-one-place",
  ],
  [
    "components/runs/planted-server.ts",
    'import { loadEnv } from "@/server/env"; export const v = loadEnv;',
    "ui-imports-only-rules",
  ],
  [
    "components/runs/planted-island.ts",
    'import { v as other } from "@/components/planted-feature/leaf"; export const v = other;',
    "ui-features-are-islands",
  ],
  [
    "components/ui/planted-leaf.ts",
    'import { v as other } from "@/components/planted-feature/leaf"; export const v = other;',
    "ui-primitives-are-leaves",
  ],
  ["app/planted-entry.ts", 'import { loadEnv } from "@/server/env"; export const v = loadEnv;', "app-enters-through-api"],
  [
    "components/runs/planted-app.ts",
    'import { v as other } from "@/app/planted-entry"; export const v = other;',
    "nobody-imports-app",
  ],
  [
    "server/runs/planted-testing.ts",
    'import { planted } from "@/server/testing/planted-leaf"; export const v = planted;',
    "tests-stay-out-of-production",
  ],
  ["server/shared/planted-circle-a.ts", 'import { b } from "./planted-circle-b"; export const a: unknown = b;', "no-circular"],
  [
    "server/runs/planted-barrel.ts",
    'import { v as other } from "@/server/planted-barrel/index"; export const v = other;',
    "no-barrels",
  ],
];
const SUPPORT = {
  "server/backends/transport/planted-leaf.ts": "export const planted = 1;",
  "server/testing/planted-leaf.ts": "export const planted = 1;",
  "components/planted-feature/leaf.ts": "export const v = 1;",
  "server/shared/planted-circle-b.ts": 'import { a } from "./planted-circle-a"; export const b: unknown = a;',
  "server/planted-barrel/index.ts": "export const v = 1;",
};

function plant(file, line) {
  const target = path.join(copy, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, `${line}\n`);
}

rmSync(copy, { recursive: true, force: true });
mkdirSync(copy, { recursive: true });
for (const entry of ["app", "server", "components", "tsconfig.json", "package.json", ".dependency-cruiser.cjs"]) {
  if (existsSync(path.join(root, entry))) cpSync(path.join(root, entry), path.join(copy, entry), { recursive: true });
}
symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"), "dir");
for (const [file, line] of PLANTED) plant(file, line);
for (const [file, line] of Object.entries(SUPPORT)) plant(file, line);

const cruise = spawnSync(
  process.execPath,
  [
    path.join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs"),
    "app",
    "server",
    "components",
    "--config",
    ".dependency-cruiser.cjs",
    "--output-type",
    "json",
  ],
  { cwd: copy, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
);
rmSync(copy, { recursive: true, force: true });
const { summary } = JSON.parse(cruise.stdout);
const missed = PLANTED.filter(
  ([file, , rule]) => !summary.violations.some((violation) => violation.from === file && violation.rule.name === rule),
);
for (const [file, , rule] of missed) console.error(`not caught: ${rule} (planted in ${file})`);
console.log(
  `boundary rules that bite: ${PLANTED.length - missed.length} of ${PLANTED.length} (${summary.totalCruised} modules read)`,
);
process.exit(missed.length === 0 ? 0 : 1);
