import { readFileSync } from "node:fs";
import path from "node:path";

const PACKAGE_NAME = "switchyard";

let found: string | undefined;

/**
 * The folder that holds this project's package.json, looked for from the working directory upwards. In a bundle
 * `import.meta.url` is not the place of the source, so files that are loaded by path (threads, migrations) are found from here.
 */
export function projectRoot(): string {
  found ??= findProjectRoot(process.cwd());
  return found;
}

/** As `projectRoot`, from a folder of the caller's choice and not remembered. Throws when no folder above it is the project's. */
export function findProjectRoot(from: string): string {
  for (let folder = path.resolve(/* turbopackIgnore: true */ from); ; folder = path.dirname(folder)) {
    if (packageNameIn(folder) === PACKAGE_NAME) return folder;
    if (folder === path.dirname(folder)) {
      throw new Error(`No package.json named "${PACKAGE_NAME}" in ${from} or above it: start the program inside its own folder.`);
    }
  }
}

function packageNameIn(folder: string): unknown {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path.join(/* turbopackIgnore: true */ folder, "package.json"), "utf8"));
    return typeof parsed === "object" && parsed !== null && "name" in parsed ? parsed.name : undefined;
  } catch {
    return undefined;
  }
}
