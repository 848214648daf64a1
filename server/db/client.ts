import { mkdirSync } from "node:fs";
import path from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaClient } from "./generated/client";

export type Database = PrismaClient;

/** The database file inside a data folder. A backup is a copy of the folder. */
export function databaseFile(dataDir: string): string {
  return path.join(/* turbopackIgnore: true */ dataDir, "switchyard.db");
}

export function ensureDataDir(dataDir: string): void {
  mkdirSync(/* turbopackIgnore: true */ dataDir, { recursive: true, mode: 0o700 });
}

/** Prisma over the file, for reads. Every write goes through the writer thread (writer.ts). */
export async function openDatabase(file: string): Promise<Database> {
  const database = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${file}` }) });
  // The adapter comes up with the driver's defaults; reads beside a writing thread need WAL and patience.
  await database.$queryRawUnsafe("PRAGMA journal_mode=WAL");
  await database.$queryRawUnsafe("PRAGMA busy_timeout=5000");
  return database;
}
