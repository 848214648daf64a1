/** The writing thread over a real file: what one unit's fault does to its group, and what locks, full disks and closing do to all. */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { projectRoot } from "@/server/shared/project-root";
import { makeFolder } from "@/server/testing/make-folder";
import { waitFor } from "@/server/testing/wait-for";
import { databaseFile } from "./client";
import { migrate } from "./migrate";
import { type WriteOp, Writer } from "./writer";

function open() {
  const file = databaseFile(makeFolder());
  migrate(file, path.join(projectRoot(), "prisma", "migrations", "sqlite"));
  const writer = new Writer(file);
  const reader = new Sqlite(file);
  onTestFinished(async () => {
    reader.close();
    await writer.close();
  });
  const workers = () =>
    reader
      .prepare<[], { id: string }>('SELECT "id" FROM "Worker" ORDER BY "id"')
      .all()
      .map(({ id }) => id);
  return { file, writer, reader, workers };
}

function lease(id: string, pid: number | null = 1): WriteOp {
  return { sql: "leaseWorker", args: [id, pid, "local", 1, 2] };
}

it("commits the units of many callers together and answers each with its own rows", async () => {
  const { writer, workers } = open();
  const outcomes = await Promise.all([writer.commit([lease("a")]), writer.commit([lease("b"), lease("c")])]);
  expect(outcomes).toEqual([
    { applied: true, rows: [[]] },
    { applied: true, rows: [[], []] },
  ]);
  expect(workers()).toEqual(["a", "b", "c"]);
});

it("undoes a refused unit whole and leaves the others of its group alone", async () => {
  const { writer, workers } = open();
  const before = writer.commit([lease("a")]);
  const broken = writer.commit([lease("b"), lease("c", null)]);
  const after = writer.commit([lease("d")]);
  await expect(broken).rejects.toThrow("write refused: NOT NULL constraint failed: Worker.pid");
  expect(await before).toMatchObject({ applied: true });
  expect(await after).toMatchObject({ applied: true });
  expect(workers()).toEqual(["a", "d"]);
  expect(writer.trouble).toBeNull();
});

it("tells a lost compare-and-set from a fault: rolled back whole, or ended where it stood", async () => {
  const { writer, workers } = open();
  const nothing: WriteOp = { sql: "dropWorker", args: ["nobody"] };
  const [lost, stopped] = await Promise.all([
    writer.commit([lease("a"), { ...nothing, none: "rollback" }, lease("b")]),
    writer.commit([lease("c"), { ...nothing, none: "stop" }, lease("d")]),
  ]);
  expect(lost).toEqual({ applied: false, at: 1 });
  expect(stopped).toMatchObject({ applied: true });
  expect(workers()).toEqual(["c"]);
});

it("waits for a lock of another connection and writes when it is gone", async () => {
  const { file, writer, workers } = open();
  const other = new Sqlite(file);
  other.exec("BEGIN IMMEDIATE");
  const late = writer.commit([lease("late")]);
  // Longer than the thread waits by itself: the group comes back refused and is sent again.
  const trouble = await waitFor("the trouble is told", () => writer.trouble);
  expect(trouble).toMatch(/^The database cannot be written \(SQLITE_BUSY: database is locked\); trying again\.$/);
  expect(workers()).toEqual([]);
  other.exec("COMMIT");
  other.close();
  expect(await late).toMatchObject({ applied: true });
  expect(writer.trouble).toBeNull();
  expect(workers()).toEqual(["late"]);
});

/** The soft limit of this process's file sizes, in bytes; only util-linux can set it from outside. */
function limitFileSize(bytes: number | "unlimited"): boolean {
  return spawnSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`]).status === 0;
}

it.runIf(limitFileSize("unlimited"))("keeps what a full disk refused and writes it when there is room", async () => {
  const { file, writer, workers } = open();
  const ignore = () => undefined;
  process.on("SIGXFSZ", ignore);
  onTestFinished(() => {
    limitFileSize("unlimited");
    process.off("SIGXFSZ", ignore);
  });
  await writer.commit([lease("first")]);
  limitFileSize(statSync(`${file}-wal`).size);
  const late = writer.commit([lease("late")]);
  const trouble = await waitFor("the trouble is told", () => writer.trouble);
  expect(trouble).toMatch(/^The database cannot be written \(SQLITE_(FULL|IOERR_WRITE): .+\); trying again\.$/);
  expect(workers()).toEqual(["first"]);
  limitFileSize("unlimited");
  expect(await late).toMatchObject({ applied: true });
  expect(writer.trouble).toBeNull();
  expect(workers()).toEqual(["first", "late"]);
});

it("ends once, flushes what was committed, and refuses what comes after", async () => {
  const { file, writer } = open();
  const last = writer.commit([lease("last")]);
  const [first, second] = [writer.close(), writer.close()];
  await Promise.all([last, first, second]);
  await expect(writer.commit([lease("after")])).rejects.toMatchObject({
    code: "store_unavailable",
    message: "The server is shutting down; nothing more is written.",
  });
  const reader = new Sqlite(file, { readonly: true });
  expect(reader.prepare('SELECT "id" FROM "Worker"').all()).toEqual([{ id: "last" }]);
  reader.close();
});

it("writes what is committed by whoever waited for the same flush", async () => {
  const { writer, workers } = open();
  const chained = writer.commit([lease("a")]).then(() => writer.commit([lease("b")]));
  const flushed = writer.flush().then(() => writer.commit([lease("c")]));
  const closed = writer.close();
  await Promise.all([chained, flushed, closed]);
  expect(workers()).toEqual(["a", "b", "c"]);
});

it("rejects everything when the thread dies", async () => {
  const folder = makeFolder();
  const writer = new Writer(path.join(folder, "no-such-folder", "x.db"));
  await expect(writer.commit([lease("a")])).rejects.toMatchObject({ code: "store_unavailable" });
  expect(writer.trouble).toMatch(/^The writing thread ended: /);
  await writer.flush();
  await writer.close();
});

it("beats for a worker until it is told to stop", async () => {
  const { writer, reader } = open();
  await writer.commit([lease("w")]);
  writer.beat("w", true);
  const until = () =>
    Number(reader.prepare<[], { leaseUntil: number }>('SELECT "leaseUntil" FROM "Worker"').get()?.leaseUntil ?? 0);
  await waitFor("a beat", () => until() > Date.now() + 2_000);
});
