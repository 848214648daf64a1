/** The writable home of a profile: generated files, sessions, and a folder for temporary ones beside it. Readable by this user alone. */
import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type CodexConfig, configToml, isKnownToCodex, modelCatalog } from "./config-files";

export interface CodexHome {
  /** CODEX_HOME. */
  path: string;
  /** TMPDIR of the child: Codex objects to a home below it. */
  temporary: string;
  /** Below it each run's shell has a home of its own: HOME of the child itself holds the generated files. */
  shells: string;
  /** An empty folder that chunks "work" in. */
  emptyWorkspace: string;
}

const PRIVATE = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Makes the folders and writes the generated files anew. One home a provider and configuration: sessions of a run are found again
 * after a restart, and two configurations never meet. Throws the file system's error.
 */
export async function prepareHome(root: string, config: Omit<CodexConfig, "catalogPath">): Promise<CodexHome> {
  const key = createHash("sha256").update(JSON.stringify(config)).digest("hex").slice(0, 12);
  const base = path.join(root, `${folderName(config.providerName)}-${key}`);
  const home = {
    path: path.join(base, "home"),
    temporary: path.join(base, "tmp"),
    shells: path.join(base, "shells"),
    emptyWorkspace: path.join(base, "empty"),
  };
  for (const folder of [root, base, home.path, home.temporary, home.shells, home.emptyWorkspace]) await makePrivate(folder);
  const catalogPath = isKnownToCodex(config.baseUrl) ? null : path.join(home.path, "models.json");
  if (catalogPath !== null) await writeWhole(catalogPath, modelCatalog(config.model, config.contextWindow));
  await writeWhole(path.join(home.path, "config.toml"), configToml({ ...config, catalogPath }));
  return home;
}

/** HOME of the commands of one run. Not their TMPDIR: Codex's helper outside the sandbox keeps its list of mounts there. */
export function shellHomeOf(home: CodexHome, runId: string): string {
  return path.join(home.shells, folderName(runId));
}

/** Empty, whatever a server that was killed has left there. */
export async function makeShellHome(folder: string): Promise<void> {
  await removeShellHome(folder);
  await makePrivate(folder);
}

export async function removeShellHome(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE });
  // The mode of mkdir passes the umask, and an older folder keeps its own.
  await chmod(folder, PRIVATE);
}

/** Codex's own log grows without bound (gigabytes were reported). Removed while no process of ours uses the home. */
export async function pruneLogs(home: CodexHome): Promise<void> {
  for (const name of await readdir(home.path)) {
    if (/^logs_\d+\.sqlite/.test(name)) await rm(path.join(home.path, name), { force: true });
  }
}

/** Another process that starts at the same time reads the old file or the new one, never half of it. */
async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(temporary, text, { mode: PRIVATE_FILE });
  await rename(temporary, file);
}

function folderName(providerName: string): string {
  return providerName.replace(/[^a-z0-9-]/gi, "_").slice(0, 40);
}
