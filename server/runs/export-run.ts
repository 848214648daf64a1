import { readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import { insideRoot, writeFileWhole } from "@/server/artifacts/artifact-files";
import { attemptPath, requestPath, resultPath, runtimeDir } from "@/server/artifacts/artifact-paths";
import type { Database } from "@/server/db/client";
import { ChunksStore } from "./chunks.store";
import { RunsStore } from "./runs.store";

const PAGE = 200;

export interface Exported {
  /** The date's folder. */
  directory: string;
  /** Where the folder of another run of that date was moved to; null when there was none. */
  movedAside: string | null;
}

/**
 * Writes a run as the tree of X27/X38: manifest.json, cleaned.txt, requests/, results/ (the accepted, else the latest result of a
 * chunk; every other attempt under results/attempts/) and, once staged, insights.md and insights.json. What another run left
 * at that date is moved aside, never overwritten: it may hold paid answers.
 */
export async function exportRun(database: Database, id: string, root: string, now: number): Promise<Exported> {
  const runs = new RunsStore(database);
  const chunks = new ChunksStore(database);
  const { sourceDate, counts } = await runs.summary(id);
  const directory = insideRoot(root, runtimeDir(sourceDate));
  const movedAside = await moveAside(directory, id, now);
  await writeFileWhole(path.join(directory, OWNER_FILE), `${id}\n`);

  for (const [kind, name] of FILES) {
    const artifact = await runs.artifactOfKind(id, kind);
    if (artifact) await writeFileWhole(path.join(directory, name), artifact.body);
  }
  for (let after = 0; after < counts.total; after += PAGE) {
    for (const { chunk, body } of await chunks.requests(id, after, PAGE))
      await writeFileWhole(insideRoot(root, requestPath(sourceDate, chunk)), body);
    await exportResults(chunks, id, sourceDate, root, after);
  }
  return { directory, movedAside };
}

/** Says whose folder it is, so that an export of the same run goes over its own files only. */
const OWNER_FILE = ".switchyard-run";
const FILES = [
  ["manifest", "manifest.json"],
  ["cleaned", "cleaned.txt"],
  ["staged-markdown", "insights.md"],
  ["staged-json", "insights.json"],
] as const;

async function exportResults(chunks: ChunksStore, id: string, sourceDate: string, root: string, after: number): Promise<void> {
  const rows = await chunks.results(id, after, PAGE);
  for (let at = 0; at < rows.length; ) {
    const chunk = rows[at]?.chunk;
    const attempts = rows.slice(at).filter((row) => row.chunk === chunk);
    at += attempts.length;
    const canonical = attempts.find((row) => row.accepted) ?? attempts.at(-1);
    for (const row of attempts) {
      const relative = row === canonical ? resultPath(sourceDate, row.chunk) : attemptPath(sourceDate, row.chunk, row.attempt);
      await writeFileWhole(insideRoot(root, relative), row.body);
    }
  }
}

async function moveAside(directory: string, id: string, now: number): Promise<string | null> {
  const exists = await stat(directory).then(
    () => true,
    () => false,
  );
  if (!exists) return null;
  const owner = await readFile(path.join(directory, OWNER_FILE), "utf8").catch(() => "");
  if (owner.trim() === id) return null;
  const target = `${directory}.before-${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
  await rename(directory, target);
  return target;
}
