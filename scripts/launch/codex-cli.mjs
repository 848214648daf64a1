// The pinned Codex CLI: found in a cache folder outside the repository, fetched there through npm when it is absent.
// `node scripts/launch/codex-cli.mjs` fetches what is missing and prints the path of the program.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./setup.mjs";

/** The one place that names the version; the adapter imports the same file. */
const PIN = JSON.parse(await readFile(path.join(root, "server", "backends", "codex-cli.json"), "utf8"));

/** Written last into an install; without it, or with a program of another size, the folder is half an install. */
const MARK = "installed.json";

/** An install that began so long ago and was never finished belongs to a process that is gone. */
const ABANDONED_MS = 86_400_000;

/** As the package's own launcher chooses among its optional packages. */
const BUILDS = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

/** Fetches of this process that are under way, by folder. */
const underWay = new Map();

/**
 * The absolute path of the native program (not of the JavaScript launcher, which would put a process of its own between).
 * Throws one sentence when it is absent and `fetch` is false, when npm or the network fail, and on a machine without a build.
 *
 * @param {{
 *   fetch: boolean,
 *   environment?: Readonly<Record<string, string | undefined>>,
 *   npm?: string,
 *   build?: string,
 *   say?: (text: string) => void,
 * }} options `fetch`: get it through npm when it is absent. The others are for tests: where the cache is told, which npm is run,
 *   `<platform>-<arch>`, and who hears that a download has begun.
 * @returns {Promise<string>}
 */
export async function codexBinary({
  fetch,
  environment = process.env,
  npm = "npm",
  build = `${process.platform}-${process.arch}`,
  say = (text) => void process.stderr.write(`switchyard: ${text}\n`),
}) {
  const triple = BUILDS[build];
  if (!triple) {
    throw new Error(
      `There is no Codex CLI ${PIN.version} for this machine (${build}); the Codex backend runs on ${Object.keys(BUILDS).join(", ")}.`,
    );
  }
  const folder = path.join(cacheFolder(environment), `codex-${PIN.version}`);
  const program = path.join("node_modules", `${PIN.package}-${build}`, "vendor", triple, "bin", "codex");
  if (await isWhole(folder, program)) return path.join(folder, program);
  if (!fetch) {
    throw new Error(
      `The Codex CLI ${PIN.version} is not in ${folder}: run "node scripts/launch/codex-cli.mjs" to fetch it, or name the folder that has it in SWITCHYARD_CLI_CACHE.`,
    );
  }
  let fetching = underWay.get(folder);
  if (!fetching) {
    fetching = install({ folder, program, npm, environment, say }).finally(() => underWay.delete(folder));
    underWay.set(folder, fetching);
  }
  await fetching;
  return path.join(folder, program);
}

function cacheFolder(environment) {
  if (environment.SWITCHYARD_CLI_CACHE) return path.resolve(environment.SWITCHYARD_CLI_CACHE);
  const cache = environment.XDG_CACHE_HOME || path.join(environment.HOME || os.homedir(), ".cache");
  return path.join(path.resolve(cache), "switchyard", "clis");
}

async function isWhole(folder, program) {
  try {
    const { bytes } = JSON.parse(await readFile(path.join(folder, MARK), "utf8"));
    return (await stat(path.join(folder, program))).size === bytes;
  } catch {
    return false;
  }
}

/** Everything happens in a folder of this process's own; the last step is one rename, and who comes second takes what is there. */
async function install({ folder, program, npm, environment, say }) {
  const cache = path.dirname(folder);
  await mkdir(cache, { recursive: true }).catch((error) => {
    throw new Error(
      `The folder ${cache} for the Codex CLI could not be made (${error.code}); set SWITCHYARD_CLI_CACHE to one that can.`,
    );
  });
  await removeAbandoned(folder);
  const aside = await mkdtemp(`${folder}.partial-`);
  try {
    // A package of its own, so that npm looks no further up.
    await writeFile(path.join(aside, "package.json"), JSON.stringify({ private: true }));
    say(`fetching the Codex CLI ${PIN.version} into ${folder} (a few hundred MB, once) …`);
    await runNpm({ npm, environment, aside });
    const bytes = await provenSize(path.join(aside, program));
    await writeFile(path.join(aside, MARK), JSON.stringify({ version: PIN.version, bytes }));
    await putInPlace(aside, folder, program);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function removeAbandoned(folder) {
  for (const name of await readdir(path.dirname(folder))) {
    const partial = path.join(path.dirname(folder), name);
    if (!partial.startsWith(`${folder}.partial-`)) continue;
    const age = Date.now() - (await stat(partial).then(({ mtimeMs }) => mtimeMs, Date.now));
    if (age > ABANDONED_MS) await rm(partial, { recursive: true, force: true });
  }
}

async function runNpm({ npm, environment, aside }) {
  const wanted = `${PIN.package}@${PIN.version}`;
  const args = ["install", "--prefix", aside, "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund", wanted];
  const ended = await run(npm, args, environment);
  if (ended.code === 0) return;
  if (ended.code === "ENOENT") {
    throw new Error(`The Codex CLI ${PIN.version} could not be fetched: there is no npm on PATH; install npm and try again.`);
  }
  const reason = ended.errors.match(/^npm (?:error|ERR!) (?!code )(\S.*)$/m)?.[1];
  throw new Error(
    `The Codex CLI could not be fetched: "npm install ${wanted}" ended with ${ended.code}${reason ? ` (${reason})` : ""}; the first fetch needs the network, check it and try again.`,
  );
}

/** That the program runs here and is the version asked for; its size in bytes. */
async function provenSize(program) {
  const size = await stat(program).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) {
    throw new Error(
      `npm installed the Codex CLI ${PIN.version} without the program for this machine (${path.basename(program)} is missing); try again.`,
    );
  }
  const { code, output } = await run(program, ["--version"], {});
  if (code !== 0 || output.trim() !== `codex-cli ${PIN.version}`) {
    throw new Error(
      `The fetched Codex CLI does not run on this machine: "codex --version" ended with ${code} and said "${output.trim()}" instead of "codex-cli ${PIN.version}".`,
    );
  }
  return size;
}

async function putInPlace(aside, folder, program) {
  for (;;) {
    try {
      await rename(aside, folder);
      return;
    } catch (error) {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    }
    if (await isWhole(folder, program)) return;
    // Half an install stands there: it leaves the place in one step, so that nobody ever sees it shrink.
    const broken = await mkdtemp(`${folder}.partial-`);
    await rename(folder, path.join(broken, "broken")).catch((error) => {
      if (error.code !== "ENOENT") throw error;
    });
    await rm(broken, { recursive: true, force: true });
  }
}

/** Runs to the end; `code` is the exit code, the signal, or the reason it did not start. */
async function run(command, args, env) {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const heard = { output: "", errors: "" };
  child.stdout.on("data", (piece) => {
    heard.output += piece;
  });
  child.stderr.on("data", (piece) => {
    heard.errors += piece;
  });
  try {
    const [code, signal] = await once(child, "close");
    return { ...heard, code: code ?? signal };
  } catch (error) {
    return { ...heard, code: error.code };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    console.log(await codexBinary({ fetch: true }));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
