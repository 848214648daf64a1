/** Where the Claude Code program is, and whether it is one that is known here. */
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import path from "node:path";
import pin from "@/server/backends/claude-cli.json";

export type FoundClaude = { path: string } | { problem: string };

const HINT = `Install it (npm install -g ${pin.package}@${pin.version}) or name the program in SWITCHYARD_CLAUDE_BIN.`;

/** `named` is the operator's own choice, else every folder of `searchPath` is looked through. */
export async function findClaude(named: string | undefined, searchPath: string): Promise<FoundClaude> {
  if (named !== undefined) {
    const native = await nativeOf(named);
    return native === null
      ? { problem: `Claude Code is not where SWITCHYARD_CLAUDE_BIN says (${named}). ${HINT}` }
      : { path: native };
  }
  for (const folder of searchPath.split(path.delimiter)) {
    if (folder === "") continue;
    const native = await nativeOf(path.join(folder, "claude"));
    if (native !== null) return { path: native };
  }
  return { problem: `Claude Code is not installed here: no program of that name is in PATH. ${HINT}` };
}

/** What is wrong with a program that answered `--version` with that text; null for one that is known here. */
export function versionProblem(program: string, said: string): string | null {
  const version = /^(\d+\.\d+\.\d+)\S* \(Claude Code\)$/.exec(said.trim())?.[1];
  if (version === undefined) return `The program ${program} is not Claude Code: it does not say its version. ${HINT}`;
  if (isBefore(version, pin.oldest))
    return `Claude Code ${version} (${program}) is older than ${pin.oldest}, the oldest that is known here. ${HINT}`;
  if (!isBefore(version, pin.before))
    return `Claude Code ${version} (${program}) is newer than what is known here, which ends before ${pin.before}. ${HINT}`;
  return null;
}

function isBefore(version: string, other: string): boolean {
  const [numbers, others] = [version, other].map((each) => each.split(".").map(Number));
  for (const [at, number] of (numbers ?? []).entries()) {
    const difference = number - (others?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
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
  // npm's package: bin/claude.exe is the program itself once the package's script has run, and else a text that says so. The program
  // lies beside it in either case, in a package of its own.
  if (path.basename(real) !== "claude.exe") return real;
  const owner = path.dirname(path.dirname(real));
  const platform = `claude-code-${process.platform}-${process.arch}`;
  for (const folder of [path.join(owner, "node_modules", "@anthropic-ai", platform), path.join(path.dirname(owner), platform)]) {
    const native = await nativeOf(path.join(folder, "claude"));
    if (native !== null) return native;
  }
  return real;
}
