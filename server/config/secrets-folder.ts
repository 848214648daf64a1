import { realpathSync } from "node:fs";
import path from "node:path";

/**
 * Whether a file stands below a folder (or is it), links followed on both sides. What does not exist stands where its nearest
 * folder does: the answer tells nothing of what there is outside. False when there is no such folder.
 */
export function standsIn(folder: string, file: string): boolean {
  const root = realPath(folder);
  if (root === null) return false;
  const way = path.relative(root, realPlace(file));
  return way === "" || (way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

function realPlace(file: string): string {
  const rest: string[] = [];
  // Ends at the root, which is there.
  for (let here = path.resolve(file); ; here = path.dirname(here)) {
    const real = realPath(here);
    if (real !== null) return path.join(real, ...rest);
    if (here === path.dirname(here)) return path.resolve(file);
    rest.unshift(path.basename(here));
  }
}

function realPath(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    // Not there, or not to be looked at: what reads it says which.
    return null;
  }
}
