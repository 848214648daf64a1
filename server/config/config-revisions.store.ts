import { createHash } from "node:crypto";
import type { Database } from "@/server/db/client";
import type { ConfigRevision } from "@/server/db/generated/client";
import type { Writer } from "@/server/db/writer";

export type RevisionSource = "start" | "console" | "api" | "command_line" | "file" | "rollback";

export interface NewRevision {
  text: string;
  author: string;
  comment: string;
  source: RevisionSource;
  rolledBackTo: number | null;
}

/** Prisma's code for a table that does not exist. */
const MISSING_TABLE = "P2021";

/** Epoch milliseconds. */
export interface StoredRevision extends NewRevision {
  number: number;
  sha256: string;
  bytes: number;
  createdAt: number;
}

/** The imported file, as it was when it was last looked at. */
export interface StoredConfigFile {
  path: string;
  sha256: string;
  /** The revision it became, or that was kept instead of it. */
  revision: number;
}

/** The newest revision where nothing else is open; null when there is none, or no table for it yet. */
export async function newestRevision(database: Database): Promise<{ number: number; text: string } | null> {
  try {
    return await database.configRevision.findFirst({ select: { number: true, text: true }, orderBy: { number: "desc" } });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === MISSING_TABLE) return null;
    throw error;
  }
}

export function configSha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Append-only. */
export class ConfigRevisionsStore {
  readonly #database: Database;
  readonly #writer: Writer;

  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  /** 0 = there is none yet. */
  async newestNumber(): Promise<number> {
    const newest = await this.#database.configRevision.findFirst({ select: { number: true }, orderBy: { number: "desc" } });
    return newest?.number ?? 0;
  }

  async get(number: number): Promise<StoredRevision | null> {
    const row = await this.#database.configRevision.findUnique({ where: { number } });
    return row ? toStored(row) : null;
  }

  /** Newest first. Texts are small, and lists of revisions short. */
  async list(before: number | undefined, limit: number): Promise<{ items: StoredRevision[]; nextBefore: number | null }> {
    const rows = await this.#database.configRevision.findMany({
      where: before === undefined ? {} : { number: { lt: before } },
      orderBy: { number: "desc" },
      take: limit + 1,
    });
    const page = rows.slice(0, limit);
    return { items: page.map(toStored), nextBefore: rows.length > limit ? (page.at(-1)?.number ?? null) : null };
  }

  /** Compare-and-set on the newest number; false when another revision was first. */
  async append(revision: NewRevision, number: number, now: number): Promise<boolean> {
    const { text, author, comment, source, rolledBackTo } = revision;
    const outcome = await this.#writer.commit([
      {
        sql: "insertRevision",
        args: [number, text, configSha256(text), author, comment, source, rolledBackTo, now, number - 1],
        none: "rollback",
      },
    ]);
    return outcome.applied;
  }

  async file(): Promise<StoredConfigFile | null> {
    return this.#database.configFile.findUnique({ where: { id: 1 }, select: { path: true, sha256: true, revision: true } });
  }

  async setFile(file: StoredConfigFile, now: number): Promise<void> {
    await this.#writer.commit([{ sql: "setConfigFile", args: [file.path, file.sha256, file.revision, now] }]);
  }
}

function toStored({ createdAt, source, ...row }: ConfigRevision): StoredRevision {
  // The column's CHECK lists the sources.
  return { ...row, source: source as RevisionSource, bytes: Buffer.byteLength(row.text), createdAt: Number(createdAt) };
}
