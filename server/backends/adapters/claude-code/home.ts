/** The writable home of a profile, and the folder of one process in it. Readable by this user alone. */
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ProcessPlace } from "./command-line";

/** Of no process that is still at work: a request takes minutes. */
const LEFT_BEHIND_MS = 86_400_000;

const PRIVATE = 0o700;
const PRIVATE_FILE = 0o600;

export interface OpenPlace extends ProcessPlace {
  /** Empty; where the process "works". */
  workspace: string;
  /** Takes what is of this process away; the home stays. */
  remove(): Promise<void>;
}

/**
 * One home a provider, so that it stays the same installation for the service; one folder a process, so that two never meet.
 * Throws the file system's error.
 */
export async function openPlace(root: string, providerName: string, system: string): Promise<OpenPlace> {
  const base = path.join(root, `${providerName.replace(/[^a-z0-9-]/gi, "_").slice(0, 40)}-claude`);
  const home = path.join(base, "home");
  const config = path.join(base, "config");
  const processes = path.join(base, "processes");
  for (const folder of [root, base, home, config, processes]) await makePrivate(folder);
  await removeLeftBehind(config, processes);
  const own = await mkdtemp(path.join(processes, "process-"));
  const place = {
    home,
    config,
    temporary: path.join(own, "tmp"),
    workspace: path.join(own, "empty"),
    systemFile: path.join(own, "system.txt"),
    remove: () => rm(own, { recursive: true, force: true }),
  };
  try {
    await makePrivate(place.temporary);
    await makePrivate(place.workspace);
    await writeFile(place.systemFile, system, { mode: PRIVATE_FILE });
  } catch (error) {
    await place.remove();
    throw error;
  }
  return place;
}

/** What processes leave that were killed, or were one of many: a small file each time, for ever; folders when we are killed ourselves. */
async function removeLeftBehind(config: string, processes: string): Promise<void> {
  const before = Date.now() - LEFT_BEHIND_MS;
  const kinds: [string, RegExp][] = [
    [path.join(config, "sessions"), /\.json$/],
    [path.join(config, "plugins", "store"), /\.tmp\./],
    [processes, /^process-/],
  ];
  for (const [folder, pattern] of kinds) {
    for (const name of await readdir(/* turbopackIgnore: true */ folder).catch(() => [])) {
      if (!pattern.test(name)) continue;
      const entry = path.join(folder, name);
      const changedAt = await stat(/* turbopackIgnore: true */ entry).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.POSITIVE_INFINITY,
      );
      if (changedAt < before) await rm(/* turbopackIgnore: true */ entry, { recursive: true, force: true });
    }
  }
}

async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE });
  // The mode of mkdir passes the umask, and an older folder keeps its own.
  await chmod(folder, PRIVATE);
}
