import { execFile } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import pin from "@/server/backends/codex-cli.json";
import { codexBinary } from "./codex-cli.mjs";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const PROGRAM = "node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex";
const INSTALLED = `codex-${pin.version}`;

let folder: string;
let cache: string;
let npm: string;
let environment: { NODE_ENV: "test"; PATH: string; SWITCHYARD_CLI_CACHE: string };
const said: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "switchyard-codex-cli-"));
  cache = path.join(folder, "cache");
  mkdirSync(path.join(folder, "bin"));
  npm = path.join(folder, "bin", "npm");
  environment = {
    NODE_ENV: "test",
    PATH: `${path.join(folder, "bin")}:/usr/bin:/bin:${path.dirname(process.execPath)}`,
    SWITCHYARD_CLI_CACHE: cache,
  };
  said.length = 0;
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An npm that notes its arguments, does `before`, and installs a program that says `version`. */
function fakeNpm({ before = "", version = pin.version }: { before?: string; version?: string } = {}): void {
  const script = `#!/bin/sh
echo "$@" >> ${folder}/calls
prefix="$3"
${before}
mkdir -p "$prefix/${path.dirname(PROGRAM)}"
printf '#!/bin/sh\\necho codex-cli ${version}\\n' > "$prefix/${PROGRAM}"
chmod +x "$prefix/${PROGRAM}"
`;
  writeFileSync(npm, script);
  chmodSync(npm, 0o755);
}

const calls = () => readFileSync(path.join(folder, "calls"), "utf8").trim().split("\n");
const find = (fetch: boolean) =>
  codexBinary({ fetch, environment, npm, build: "linux-x64", say: (text) => void said.push(text) });

it("fetches the pinned version once, through npm", async () => {
  fakeNpm();
  const expected = path.join(cache, INSTALLED, PROGRAM);
  expect(await find(true)).toBe(expected);
  expect(await find(true)).toBe(expected);
  expect(await find(false)).toBe(expected);
  expect(calls()).toEqual([
    expect.stringMatching(
      new RegExp(`^install --prefix ${cache}/${INSTALLED}\\.partial-\\w+ .*--ignore-scripts .*@openai/codex@${pin.version}$`),
    ),
  ]);
  expect(readdirSync(cache)).toEqual([INSTALLED]);
  expect(said).toEqual([expect.stringContaining(`Codex CLI ${pin.version}`)]);
});

it("takes the cache folder of the system when none is named", async () => {
  fakeNpm();
  const { PATH } = environment;
  for (const [more, expected] of [
    [{ XDG_CACHE_HOME: path.join(folder, "xdg") }, path.join(folder, "xdg")],
    [{ HOME: path.join(folder, "home") }, path.join(folder, "home", ".cache")],
  ] as const) {
    const found = await codexBinary({
      fetch: true,
      environment: { PATH, ...more },
      npm,
      build: "linux-x64",
      say: () => undefined,
    });
    expect(found).toBe(path.join(expected, "switchyard", "clis", INSTALLED, PROGRAM));
  }
});

it("names the program of each machine that has a build, and those machines to the others", async () => {
  const absent = (build: string) => codexBinary({ fetch: false, environment, build });
  await expect(absent("darwin-arm64")).rejects.toThrow(`is not in ${path.join(cache, INSTALLED)}: run`);
  await expect(absent("sunos-x64")).rejects.toThrow(
    `There is no Codex CLI ${pin.version} for this machine (sunos-x64); the Codex backend runs on linux-x64, linux-arm64, darwin-x64, darwin-arm64.`,
  );
});

it("says what to do when it is absent and may not be fetched", async () => {
  await expect(find(false)).rejects.toThrow(
    `The Codex CLI ${pin.version} is not in ${path.join(cache, INSTALLED)}: run "node scripts/launch/codex-cli.mjs" to fetch it, or name the folder that has it in SWITCHYARD_CLI_CACHE.`,
  );
});

it("does not take half an install for a whole one, and replaces it", async () => {
  fakeNpm();
  const program = await find(true);
  truncateSync(program, 5);
  await expect(find(false)).rejects.toThrow(/is not in/);
  expect(await find(true)).toBe(program);
  rmSync(path.join(cache, INSTALLED, "installed.json"));
  await expect(find(false)).rejects.toThrow(/is not in/);
  expect(await find(true)).toBe(program);
  expect(readdirSync(cache)).toEqual([INSTALLED]);
});

it("leaves nothing behind when npm fails, tells npm's reason, and can be tried again", async () => {
  fakeNpm({ before: "echo 'npm error code ENOTFOUND' >&2; echo 'npm error network request failed' >&2; exit 1" });
  await expect(find(true)).rejects.toThrow(
    `The Codex CLI could not be fetched: "npm install @openai/codex@${pin.version}" ended with 1 (network request failed); the first fetch needs the network, check it and try again.`,
  );
  expect(readdirSync(cache)).toEqual([]);
  fakeNpm();
  expect(await find(true)).toBe(path.join(cache, INSTALLED, PROGRAM));
});

it("says that there is no npm", async () => {
  await expect(find(true)).rejects.toThrow(/there is no npm on PATH; install npm and try again/);
});

it("refuses an install without the program, and a program of another version", async () => {
  fakeNpm({ before: "exit 0" });
  await expect(find(true)).rejects.toThrow(/without the program for this machine/);
  fakeNpm({ version: "0.1.0" });
  await expect(find(true)).rejects.toThrow(/ended with 0 and said "codex-cli 0\.1\.0" instead of/);
  expect(readdirSync(cache)).toEqual([]);
});

it("removes installs that were abandoned, not those under way", async () => {
  fakeNpm();
  const names = [`${INSTALLED}.partial-old`, `${INSTALLED}.partial-new`];
  for (const name of names) mkdirSync(path.join(cache, name), { recursive: true });
  utimesSync(path.join(cache, `${INSTALLED}.partial-old`), 1, 1);
  await find(true);
  expect(readdirSync(cache).sort()).toEqual([INSTALLED, `${INSTALLED}.partial-new`]);
});

it("asks npm once for callers of one process", async () => {
  fakeNpm();
  const found = await Promise.all([find(true), find(true), find(true)]);
  expect(new Set(found)).toEqual(new Set([path.join(cache, INSTALLED, PROGRAM)]));
  expect(calls()).toHaveLength(1);
});

it.skipIf(process.platform !== "linux" || process.arch !== "x64")("two processes at once both end with a whole one", async () => {
  // Neither goes on before both are in the middle of their install.
  fakeNpm({ before: `: > ${folder}/inside-$$; until [ $(ls ${folder}/inside-* | wc -l) = 2 ]; do sleep 0.02; done` });
  const print = () =>
    promisify(execFile)(process.execPath, [path.join(import.meta.dirname, "codex-cli.mjs")], { env: environment });
  const printed = await Promise.all([print(), print()]);
  const expected = path.join(cache, INSTALLED, PROGRAM);
  expect(printed.map(({ stdout }) => stdout)).toEqual([`${expected}\n`, `${expected}\n`]);
  expect(calls()).toHaveLength(2);
  expect(readdirSync(cache)).toEqual([INSTALLED]);
});
