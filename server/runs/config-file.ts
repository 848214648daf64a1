/** The file named by SWITCHYARD_CONFIG beside the document in the database: imported when it changed, never over newer edits. */
import { readFileSync } from "node:fs";
import { type ConfigRevisionsStore, configSha256 } from "@/server/config/config-revisions.store";
import type { ParseConfig } from "@/server/config/current-config";
import { usableDocument } from "@/server/config/usable-document";
import { AppError, isAppError } from "@/server/shared/app-error";
import type { Clock } from "@/server/shared/clock";
import type { ConfigFileView } from "./config-view.schema";

export interface ConfigFileDeps {
  store: ConfigRevisionsStore;
  parse: ParseConfig;
  clock: Clock;
  /** As the variable names it, and where that is. */
  file: { name: string; path: string };
}

type FileText = { text: string; sha256: string } | { problem: string };

/** The text of a configuration file; throws `not_found` or `invalid_encoding` with one sentence. */
export function readConfigText(file: { name: string; path: string }): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(/* turbopackIgnore: true */ file.path));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      throw new AppError("invalid_encoding", `${file.name} is not valid UTF-8.`, { cause: error });
    const why = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : String(code);
    throw new AppError("not_found", `${file.name} cannot be read: ${why}.`, { cause: error });
  }
}

function readConfigFile({ file, parse }: ConfigFileDeps): FileText {
  try {
    const text = readConfigText(file);
    usableDocument(parse, text, { file: file.name, note: "(SWITCHYARD_CONFIG)" });
    return { text, sha256: configSha256(text) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { problem: error.message };
  }
}

/** At start: imports the file when it differs from what was last imported and nobody has edited the document since. */
export async function importConfigFile(deps: ConfigFileDeps): Promise<{ imported: number | null; problem: string | null }> {
  const { store, clock, file } = deps;
  const read = readConfigFile(deps);
  if ("problem" in read) return { imported: null, problem: read.problem };
  const last = await store.file();
  if (last?.sha256 === read.sha256) return { imported: null, problem: null };
  const newest = await store.get(await store.newestNumber());
  if (newest && newest.sha256 === read.sha256) {
    await store.setFile({ path: file.name, sha256: read.sha256, revision: newest.number }, clock.now());
    return { imported: null, problem: null };
  }
  if (newest && newest.source !== "start" && newest.number !== last?.revision)
    return {
      imported: null,
      problem: `${file.name} (SWITCHYARD_CONFIG) has changed, and so has the configuration here (revision ${newest.number} by ${newest.author}): nothing was imported; decide on the configuration page.`,
    };
  const number = (newest?.number ?? 0) + 1;
  const appended = await store.append(
    { text: read.text, author: "Switchyard", comment: `Imported from ${file.name}`, source: "file", rolledBackTo: null },
    number,
    clock.now(),
  );
  // Another process was first: it read the same file.
  if (!appended) return { imported: null, problem: null };
  await store.setFile({ path: file.name, sha256: read.sha256, revision: number }, clock.now());
  return { imported: number, problem: null };
}

/** How file and document stand to each other now. */
export async function configFileView(deps: ConfigFileDeps): Promise<ConfigFileView> {
  const { store, file } = deps;
  const read = readConfigFile(deps);
  const last = await store.file();
  const base = { path: file.name, importedRevision: last?.revision ?? null, text: null };
  if ("problem" in read) return { ...base, state: "broken", message: read.problem };
  const newest = await store.get(await store.newestNumber());
  if (newest?.sha256 === read.sha256) return { ...base, state: "imported", message: "" };
  if (last?.sha256 === read.sha256)
    return {
      ...base,
      state: "superseded",
      message: `The document was edited here after ${file.name} was imported; the file is as it was.`,
    };
  if (newest && newest.source !== "start" && newest.number !== last?.revision)
    return {
      ...base,
      state: "conflict",
      message: last
        ? `${file.name} has changed since it was last imported, and the document was edited here. Nothing was overwritten; decide which one counts.`
        : `${file.name} was never imported, and the document was edited here. Nothing was overwritten; decide which one counts.`,
      text: read.text,
    };
  return { ...base, state: "superseded", message: `${file.name} has changed; it is imported at the next start.` };
}

/** The operator keeps the document: the file as it is now counts as seen. */
export async function keepDocument(deps: ConfigFileDeps): Promise<void> {
  const read = readConfigFile(deps);
  if ("problem" in read) return;
  const revision = await deps.store.newestNumber();
  await deps.store.setFile({ path: deps.file.name, sha256: read.sha256, revision }, deps.clock.now());
}
