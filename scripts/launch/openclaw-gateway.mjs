// The pinned OpenClaw with a Node of its own, newer than the one that everything else is content with. `node scripts/launch/openclaw-gateway.mjs`
// fetches what is missing and prints the two paths that start it.
import path from "node:path";
import { pinnedBinary, printPath, readPin } from "./pinned-cli.mjs";

const PIN = await readPin("openclaw-gateway.json");

const ENTRY = path.join("node_modules", PIN.package, "openclaw.mjs");

const OPENCLAW = {
  name: "OpenClaw gateway",
  backend: "OpenClaw gateway of the tests",
  script: "scripts/launch/openclaw-gateway.mjs",
  folder: `openclaw-${PIN.version}`,
  version: PIN.version,
  // Where npm has a Node that it wants, in a package that holds nothing else.
  builds: Object.keys(PIN.node),
  wanted: (build) => [`${PIN.node[build].package}@${PIN.node[build].version}`, `${PIN.package}@${PIN.version}`],
  program: (build) => path.join("node_modules", PIN.node[build].package, "bin", "node"),
  runs: ENTRY,
  versionLine: PIN.versionLine,
};

/**
 * What starts it: `<node> <entry> gateway run`. Throws as `pinnedBinary` does.
 *
 * @param {Parameters<typeof pinnedBinary>[1]} options
 * @returns {Promise<{ node: string, entry: string }>}
 */
export async function openClawProgram(options) {
  const node = await pinnedBinary(OPENCLAW, options);
  // Out of node_modules/<package>/bin/node.
  return { node, entry: path.resolve(node, "..", "..", "..", "..", ENTRY) };
}

await printPath(import.meta.url, async (options) => {
  const { node, entry } = await openClawProgram(options);
  return `${node} ${entry}`;
});
