// The pinned Claude Code. `node scripts/launch/claude-cli.mjs` fetches what is missing and prints the path of the program.
import path from "node:path";
import { pinnedBinary, printPath, readPin } from "./pinned-cli.mjs";

const PIN = await readPin("claude-cli.json");

const CLAUDE = {
  name: "Claude Code CLI",
  backend: "Claude Code backend",
  script: "scripts/launch/claude-cli.mjs",
  folder: `claude-code-${PIN.version}`,
  version: PIN.version,
  builds: ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"],
  // The package of the program itself: the one around it wants a newer Node than the program, and copies it in a script.
  wanted: (build) => [`${PIN.package}-${build}@${PIN.version}`],
  program: (build) => path.join("node_modules", `${PIN.package}-${build}`, "claude"),
  versionLine: `${PIN.version} (Claude Code)`,
};

/**
 * The path of the program; see `pinnedBinary`.
 *
 * @param {Parameters<typeof pinnedBinary>[1]} options
 * @returns {Promise<string>}
 */
export function claudeBinary(options) {
  return pinnedBinary(CLAUDE, options);
}

await printPath(import.meta.url, claudeBinary);
