/** Where the Codex program is: the native one, not the script around it, which would hide the process and outlive it. */
import { constants } from "node:fs";
import { access, readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";

export type FoundCodex = { path: string } | { problem: string };

const HINT = "Install it (npm install -g @openai/codex) or name the program in SWITCHYARD_CODEX_BIN.";

/** `named` is the operator's own choice, else every folder of `searchPath` is looked through. */
export async function findCodex(named: string | undefined, searchPath: string): Promise<FoundCodex> {
  if (named !== undefined) {
    const native = await nativeOf(named);
    return native === null ? { problem: `Codex is not where SWITCHYARD_CODEX_BIN says (${named}). ${HINT}` } : { path: native };
  }
  for (const folder of searchPath.split(path.delimiter)) {
    if (folder === "") continue;
    const native = await nativeOf(path.join(folder, "codex"));
    if (native !== null) return { path: native };
  }
  return { problem: `Codex is not installed here: no program of that name is in PATH. ${HINT}` };
}

async function nativeOf(file: string): Promise<string | null> {
  let real: string;
  try {
    real = await realpath(/* turbopackIgnore: true */ file);
    if (!(await stat(/* turbopackIgnore: true */ real)).isFile()) return null;
    await access(/* turbopackIgnore: true */ real, constants.X_OK);
  } catch {
    return null;
  }
  if (!real.endsWith(".js")) return real;
  // npm's package: bin/codex.js beside its own node_modules, or hoisted next to it.
  const owner = path.dirname(path.dirname(real));
  const platform = `codex-${process.platform}-${process.arch}`;
  for (const folder of [path.join(owner, "node_modules", "@openai", platform), path.join(path.dirname(owner), platform)]) {
    const vendor = path.join(folder, "vendor");
    const triples = await readdir(/* turbopackIgnore: true */ vendor).catch(() => []);
    for (const triple of triples) {
      const native = await nativeOf(path.join(vendor, triple, "bin", process.platform === "win32" ? "codex.exe" : "codex"));
      if (native !== null) return native;
    }
  }
  return null;
}
