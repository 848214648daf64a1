// The pinned Codex CLI. `node scripts/launch/codex-cli.mjs` fetches what is missing and prints the path of the program.
import path from "node:path";
import { pinnedBinary, printPath, readPin } from "./pinned-cli.mjs";

const PIN = await readPin("codex-cli.json");

/** As the package's own launcher chooses among its optional packages. */
const BUILDS = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

const CODEX = {
  name: "Codex CLI",
  backend: "Codex backend",
  script: "scripts/launch/codex-cli.mjs",
  folder: `codex-${PIN.version}`,
  version: PIN.version,
  builds: Object.keys(BUILDS),
  wanted: () => [`${PIN.package}@${PIN.version}`],
  program: (build) => path.join("node_modules", `${PIN.package}-${build}`, "vendor", BUILDS[build], "bin", "codex"),
  versionLine: `codex-cli ${PIN.version}`,
};

/**
 * The path of the program; see `pinnedBinary`.
 *
 * @param {Parameters<typeof pinnedBinary>[1]} options
 * @returns {Promise<string>}
 */
export function codexBinary(options) {
  return pinnedBinary(CODEX, options);
}

await printPath(import.meta.url, codexBinary);
