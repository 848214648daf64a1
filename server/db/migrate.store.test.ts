import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import Sqlite from "better-sqlite3";
import { expect, it } from "vitest";
import { projectRoot } from "@/server/shared/project-root";
import { makeFolder } from "@/server/testing/make-folder";
import { databaseFile } from "./client";
import { migrate } from "./migrate";

const SCHEMA = path.join(projectRoot(), "prisma", "schema.prisma");
const FOLDER = path.join(projectRoot(), "prisma", "migrations", "sqlite");
const FIRST = "20261130000000_first";
const ALL = [
  FIRST,
  "20261130100000_claims",
  "20261130200000_config",
  "20261130300000_capability_checks",
  "20261130400000_refusals",
  "20261130500000_agent_runs",
  "20261130600000_normalization",
  "20261201000000_batch_jobs",
  "20261201000000_usage_parts",
];

/** A copy of the program's migrations that a test may change. */
function copyOfMigrations(): string {
  const copy = path.join(makeFolder(), "sqlite");
  cpSync(FOLDER, copy, { recursive: true });
  return copy;
}

function addMigration(folder: string, name: string, sql: string): void {
  mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, name, "migration.sql"), sql);
}

it("makes a new database, and does nothing the second time", () => {
  const file = databaseFile(makeFolder());
  expect(migrate(file, FOLDER)).toEqual(ALL);
  expect(migrate(file, FOLDER)).toEqual([]);
  const connection = new Sqlite(file, { readonly: true });
  expect(connection.pragma("journal_mode", { simple: true })).toBe("wal");
  expect(connection.prepare('SELECT COUNT(*) AS "runs" FROM "Run"').get()).toEqual({ runs: 0 });
  connection.close();
});

it("applies what a newer program adds, in the order of the names", () => {
  const file = databaseFile(makeFolder());
  migrate(file, FOLDER);
  const newer = copyOfMigrations();
  addMigration(newer, "20270102000000_third", 'INSERT INTO "Note" ("text") VALUES (\'third\');');
  addMigration(newer, "20270101000000_second", 'CREATE TABLE "Note" ("text" TEXT NOT NULL);');
  expect(migrate(file, newer)).toEqual(["20270101000000_second", "20270102000000_third"]);
});

it("keeps every row when it makes a table anew", () => {
  const file = databaseFile(makeFolder());
  const older = copyOfMigrations();
  for (const name of ALL.slice(1)) rmSync(path.join(older, name), { recursive: true });
  expect(migrate(file, older)).toEqual([FIRST]);
  const connection = new Sqlite(file);
  connection.exec(`INSERT INTO "Run" ("id", "kind", "name", "status", "sourceDate", "backend", "model", "options", "promptVersion", "prep", "total", "queued", "running", "createdAt", "updatedAt")
      VALUES ('run_1', 'distill', 'one', 'running', '2026-01-01', 'mock', 'm', '{}', 'v1', '{}', 1, 0, 1, 1, 1);
    INSERT INTO "Chunk" ("id", "runId", "index", "document", "status", "tokens", "start", "end", "sourceStart", "sourceEnd", "requestId", "queuedAt", "leaseOwner", "attempt")
      VALUES ('run_1.1', 'run_1', 1, 0, 'running', 5, 0, 5, 0, 5, 'art_1', 1, 'wrk_1', 1);
    INSERT INTO "Attempt" ("chunkId", "number", "runId", "chunkIndex", "status", "owner", "backend", "model", "requestId", "claimedAt")
      VALUES ('run_1.1', 1, 'run_1', 1, 'running', 'wrk_1', 'mock', 'm', 'req_1.1.1', 1);`);
  connection.close();
  expect(migrate(file, FOLDER)).toEqual(ALL.slice(1));
  const after = new Sqlite(file, { readonly: true });
  const row = after
    .prepare('SELECT c."leaseOwner", a."requestId" FROM "Chunk" AS c JOIN "Attempt" AS a ON a."chunkId" = c."id"')
    .get();
  expect(row).toEqual({ leaseOwner: "wrk_1", requestId: "req_1.1.1" });
  after.close();
});

it("takes the parts of tokens that earlier results tell over into the rows", () => {
  const file = databaseFile(makeFolder());
  const older = copyOfMigrations();
  rmSync(path.join(older, "20261201000000_usage_parts"), { recursive: true });
  migrate(file, older);
  const connection = new Sqlite(file);
  connection.exec(`INSERT INTO "Run" ("id", "kind", "name", "status", "sourceDate", "backend", "model", "options", "promptVersion", "prep", "total", "queued", "succeeded", "createdAt", "updatedAt")
      VALUES ('run_1', 'distill', 'one', 'completed', '2026-01-01', 'mock', 'm', '{}', 'v1', '{}', 1, 0, 1, 1, 1);
    INSERT INTO "Chunk" ("id", "runId", "index", "document", "status", "tokens", "start", "end", "sourceStart", "sourceEnd", "requestId", "queuedAt", "attempt")
      VALUES ('run_1.1', 'run_1', 1, 0, 'succeeded', 5, 0, 5, 0, 5, 'art_1', 1, 4);`);
  const attempt =
    connection.prepare(`INSERT INTO "Attempt" ("chunkId", "number", "runId", "chunkIndex", "status", "owner", "backend", "model", "requestId", "claimedAt", "promptTokens", "completionTokens", "resultId")
      VALUES ('run_1.1', ?, 'run_1', 1, 'failed', 'wrk_1', 'mock', 'm', 'req', 1, ?, ?, ?)`);
  const artifact = connection.prepare(`INSERT INTO "Artifact" VALUES (?, 'run_1', 'result', ?, 1, 'x', 1)`);
  for (const [number, body] of [
    '{"usage":{"promptTokens":100,"completionTokens":20,"cachedTokens":64,"reasoningTokens":12}}',
    '{"usage":{"promptTokens":100,"completionTokens":20,"cachedTokens":30,"cacheWriteTokens":7}}',
    "no JSON",
  ].entries()) {
    artifact.run(`art_r${number}`, body);
    attempt.run(number + 1, 100, 20, `art_r${number}`);
  }
  attempt.run(4, null, null, null);
  connection.close();
  expect(migrate(file, FOLDER)).toEqual(["20261201000000_usage_parts"]);
  const after = new Sqlite(file, { readonly: true });
  const parts = `"cachedTokens", "cacheWriteTokens", "reasoningTokens"`;
  expect(after.prepare(`SELECT ${parts}, "costUsd" FROM "Attempt" ORDER BY "number"`).raw().all()).toEqual([
    [64, null, 12, null],
    [30, 7, null, null],
    [null, null, null, null],
    [null, null, null, null],
  ]);
  expect(after.prepare(`SELECT ${parts} FROM "Run"`).raw().all()).toEqual([[94, 7, 12]]);
  after.close();
});

it("refuses a migration that leaves rows without what they refer to", () => {
  const file = databaseFile(makeFolder());
  const broken = copyOfMigrations();
  addMigration(broken, "20270101000000_broken", `INSERT INTO "EventRollup" VALUES ('run_none', 'x', 0, 1);`);
  expect(() => migrate(file, broken)).toThrow(
    "A migration would leave rows of EventRollup that refer to nothing; nothing was changed.",
  );
  expect(migrate(file, FOLDER)).toEqual(ALL);
});

it("refuses a database of a newer program", () => {
  const file = databaseFile(makeFolder());
  const newer = copyOfMigrations();
  addMigration(newer, "20270101000000_second", 'CREATE TABLE "Note" ("text" TEXT NOT NULL);');
  migrate(file, newer);
  expect(() => migrate(file, FOLDER)).toThrow(
    "The database was made by a newer Switchyard (migration 20270101000000_second is not known here); start that version, or use another data folder.",
  );
});

it("refuses a migration that was edited after it was applied", () => {
  const file = databaseFile(makeFolder());
  migrate(file, FOLDER);
  const edited = copyOfMigrations();
  const sql = path.join(edited, FIRST, "migration.sql");
  writeFileSync(sql, `${readFileSync(sql, "utf8")}-- one more thought\n`);
  expect(() => migrate(file, edited)).toThrow(`Migration ${FIRST} was edited after it was applied; restore its file.`);
});

it("applies all of what is missing or nothing", () => {
  const file = databaseFile(makeFolder());
  const broken = copyOfMigrations();
  addMigration(broken, "20270101000000_second", 'CREATE TABLE "Note" ("text" TEXT NOT NULL);\nINSERT INTO "Nowhere" VALUES (1);');
  expect(() => migrate(file, broken)).toThrow("no such table: Nowhere");
  expect(migrate(file, FOLDER)).toEqual(ALL);
});

it("leaves a database in which Prisma's own engine sees its history applied and its schema, without drift", async () => {
  const file = databaseFile(makeFolder());
  migrate(file, FOLDER);
  // The engine is a WebAssembly module that Prisma's command line loads in just this way.
  const engine = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasm = createRequire(import.meta.url)
    .resolve("@prisma/schema-engine-wasm")
    .replace(/schema_engine\.js$/, "schema_engine_bg.wasm");
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm), { "./schema_engine_bg.js": engine });
  engine.__wbg_set_wasm(instance.exports);
  const begin = instance.exports.__wbindgen_start;
  if (typeof begin !== "function") throw new Error("the engine has another form than expected");
  begin();

  const content = readFileSync(SCHEMA, "utf8");
  const files = [{ path: SCHEMA, content }];
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaBetterSqlite3({ url: `file:${file}` }));
  const prisma = await engine.SchemaEngine.new({ datamodels: [[SCHEMA, content]] }, () => undefined, factory);
  const migrationDirectories = readdirSync(FOLDER)
    .filter((name) => /^\d{14}_/.test(name))
    .map((name) => ({
      path: name,
      migrationFile: {
        path: "migration.sql",
        content: { tag: "ok" as const, value: readFileSync(path.join(FOLDER, name, "migration.sql"), "utf8") },
      },
    }));
  const lockfile = { path: "migration_lock.toml", content: 'provider = "sqlite"\n' };
  const migrationsList = { baseDir: FOLDER, lockfile, shadowDbInitScript: "", migrationDirectories };
  const filters = { externalTables: [], externalEnums: [] };
  expect(await prisma.applyMigrations({ migrationsList, filters })).toEqual({ appliedMigrationNames: [] });
  const history = await prisma.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters });
  expect(history).toMatchObject({ history: null, failedMigrationNames: [], editedMigrationNames: [], hasMigrationsTable: true });
  const differenceTo = (schema: string) =>
    prisma.diff({
      from: { tag: "schemaDatasource", files, configDir: path.dirname(SCHEMA) },
      to: { tag: "schemaDatamodel", files: [{ path: SCHEMA, content: schema }] },
      script: true,
      exitCode: true,
      filters,
    });
  expect((await differenceTo(content)).exitCode).toBe(0);
  expect((await differenceTo(content.replace("model Run {", "model Run {\n  drifted String?"))).exitCode).toBe(2);
});
