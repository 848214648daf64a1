import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import pin from "@/server/backends/claude-cli.json";
import { claudeBinary } from "./claude-cli.mjs";

// Each test starts processes, on a machine that may be busy. What it shares with the Codex CLI is tested there.
vi.setConfig({ testTimeout: 60_000 });

const PROGRAM = "node_modules/@anthropic-ai/claude-code-linux-x64/claude";

it("is the program's own package of the pinned version, for this machine", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "switchyard-claude-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const npm = path.join(folder, "npm");
  const script = `#!/bin/sh
echo "$@" >> ${folder}/calls
mkdir -p "$3/${path.dirname(PROGRAM)}"
printf '#!/bin/sh\\necho "${pin.version} (Claude Code)"\\n' > "$3/${PROGRAM}"
chmod +x "$3/${PROGRAM}"
`;
  writeFileSync(npm, script);
  chmodSync(npm, 0o755);
  const environment = { PATH: "/usr/bin:/bin", SWITCHYARD_CLI_CACHE: path.join(folder, "cache") };
  const find = (fetch: boolean) => claudeBinary({ fetch, environment, npm, build: "linux-x64", say: () => undefined });
  await expect(find(false)).rejects.toThrow(
    `The Claude Code CLI ${pin.version} is not in ${path.join(folder, "cache", `claude-code-${pin.version}`)}: run "node scripts/launch/claude-cli.mjs" to fetch it, or name the folder that has it in SWITCHYARD_CLI_CACHE.`,
  );
  const program = path.join(folder, "cache", `claude-code-${pin.version}`, PROGRAM);
  expect(await find(true)).toBe(program);
  expect(await find(false)).toBe(program);
  expect(readFileSync(path.join(folder, "calls"), "utf8")).toMatch(
    new RegExp(`^install --prefix \\S+ .*--ignore-scripts .*@anthropic-ai/claude-code-linux-x64@${pin.version}\n$`),
  );
});

it("names the machines that have one to the others", async () => {
  await expect(claudeBinary({ fetch: false, environment: {}, build: "win32-x64" })).rejects.toThrow(
    `There is no Claude Code CLI ${pin.version} for this machine (win32-x64); the Claude Code backend runs on linux-x64, linux-arm64, darwin-x64, darwin-arm64.`,
  );
});
