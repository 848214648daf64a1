import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { AppError } from "@/server/shared/app-error";

/** The table and its meaning are the Prisma CLI's: one row a migration, checksum = sha256 of migration.sql in hex. */
const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL, "logs" TEXT,
  "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp, "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`;

/**
 * Brings the database file to the newest schema, in one transaction, before anything listens. Safe to run from many
 * processes at once. Throws when an applied migration was edited or the file is newer than this program.
 * Returns the names applied now.
 */
export function migrate(file: string, folder: string): string[] {
  const connection = new Sqlite(file, { timeout: 30_000 });
  try {
    connection.pragma("journal_mode = WAL");
    connection.pragma("synchronous = FULL");
    // A table that is made anew is dropped in between, which must not delete the rows that refer to it.
    connection.pragma("foreign_keys = OFF");
    return connection.transaction(() => applyMissing(connection, folder)).immediate();
  } finally {
    connection.close();
  }
}

function applyMissing(connection: Sqlite.Database, folder: string): string[] {
  connection.exec(TABLE);
  const rows = connection
    .prepare<[], { migration_name: string; checksum: string }>(
      'SELECT migration_name, checksum FROM "_prisma_migrations" WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL',
    )
    .all();
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  const names = readdirSync(/* turbopackIgnore: true */ folder)
    .filter((entry) => /^\d{14}_/.test(entry))
    .sort();
  const unknown = [...applied.keys()].find((name) => !names.includes(name));
  if (unknown) {
    throw new AppError(
      "store_unavailable",
      `The database was made by a newer Switchyard (migration ${unknown} is not known here); start that version, or use another data folder.`,
    );
  }
  const insert = connection.prepare(
    'INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count) VALUES (?, ?, ?, ?, ?, 1)',
  );
  const done: string[] = [];
  for (const name of names) {
    const sql = readFileSync(path.join(/* turbopackIgnore: true */ folder, name, "migration.sql"), "utf8");
    const checksum = createHash("sha256").update(sql).digest("hex");
    const before = applied.get(name);
    if (before !== undefined) {
      if (before !== checksum)
        throw new AppError("store_unavailable", `Migration ${name} was edited after it was applied; restore its file.`);
      continue;
    }
    connection.exec(sql);
    const now = Date.now();
    insert.run(randomUUID(), checksum, name, now, now);
    done.push(name);
  }
  const dangling = done.length === 0 ? [] : connection.prepare<[], { table: string }>("PRAGMA foreign_key_check").all();
  if (dangling[0])
    throw new AppError(
      "store_unavailable",
      `A migration would leave rows of ${dangling[0].table} that refer to nothing; nothing was changed.`,
    );
  return done;
}
