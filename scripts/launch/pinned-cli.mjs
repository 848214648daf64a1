// A command line program of a pinned version: found in a cache folder outside the repository, fetched there through npm when it is absent.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./setup.mjs";

/** Written last into an install; without it, or with a program of another size, the folder is half an install. */
const MARK = "installed.json";

/** An install that began so long ago and was never finished belongs to a process that is gone. */
const ABANDONED_MS = 86_400_000;

/** Fetches of this process that are under way, by folder. */
const underWay = new Map();

/**
 * @typedef {{
 *   name: string,
 *   backend: string,
 *   script: string,
 *   folder: string,
 *   version: string,
 *   builds: readonly string[],
 *   wanted: (build: string) => readonly string[],
 *   program: (build: string) => string,
 *   runs?: string,
 *   versionLine: string,
 * }} PinnedCli `name` and `backend` for people, `script` that fetches it, `folder` of an install, `builds` as `<platform>-<arch>`,
 *   the packages npm is asked for, where the program is in an install, the file in it that the program runs (when it is an interpreter),
 *   and what it says to `--version`.
 */

/** What the repository pins: the one place that names the version; the adapter imports the same file. */
export async function readPin(file) {
  return JSON.parse(await readFile(path.join(root, "server", "backends", file), "utf8"));
}

/**
 * The absolute path of the native program (not of a JavaScript launcher, which would put a process of its own between).
 * Throws one sentence when it is absent and `fetch` is false, when npm or the network fail, and on a machine without a build.
 *
 * @param {PinnedCli} cli
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
export async function pinnedBinary(
  cli,
  {
    fetch,
    environment = process.env,
    npm = "npm",
    build = `${process.platform}-${process.arch}`,
    say = (text) => void process.stderr.write(`switchyard: ${text}\n`),
  },
) {
  if (!cli.builds.includes(build)) {
    throw new Error(
      `There is no ${cli.name} ${cli.version} for this machine (${build}); the ${cli.backend} runs on ${cli.builds.join(", ")}.`,
    );
  }
  const folder = path.join(cacheFolder(environment), cli.folder);
  const program = cli.program(build);
  if (await isWhole(folder, program)) return path.join(folder, program);
  if (!fetch) {
    throw new Error(
      `The ${cli.name} ${cli.version} is not in ${folder}: run "node ${cli.script}" to fetch it, or name the folder that has it in SWITCHYARD_CLI_CACHE.`,
    );
  }
  let fetching = underWay.get(folder);
  if (!fetching) {
    fetching = install({ cli, folder, program, wanted: cli.wanted(build), npm, environment, say }).finally(() =>
      underWay.delete(folder),
    );
    underWay.set(folder, fetching);
  }
  await fetching;
  return path.join(folder, program);
}

/** Fetches what is missing and prints the path, when this file is the program that was started. */
export async function printPath(moduleUrl, find) {
  if (moduleUrl !== pathToFileURL(process.argv[1] ?? "").href) return;
  try {
    console.log(await find({ fetch: true }));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
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
async function install({ cli, folder, program, wanted, npm, environment, say }) {
  const cache = path.dirname(folder);
  await mkdir(cache, { recursive: true }).catch((error) => {
    throw new Error(
      `The folder ${cache} for the ${cli.name} could not be made (${error.code}); set SWITCHYARD_CLI_CACHE to one that can.`,
    );
  });
  await removeAbandoned(folder);
  const aside = await mkdtemp(`${folder}.partial-`);
  try {
    // A package of its own, so that npm looks no further up.
    await writeFile(path.join(aside, "package.json"), JSON.stringify({ private: true }));
    say(`fetching the ${cli.name} ${cli.version} into ${folder} (a few hundred MB, once) …`);
    await runNpm({ cli, wanted, npm, environment, aside });
    const bytes = await provenSize(cli, aside, path.join(aside, program));
    await writeFile(path.join(aside, MARK), JSON.stringify({ version: cli.version, bytes }));
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

async function runNpm({ cli, wanted, npm, environment, aside }) {
  const args = ["install", "--prefix", aside, "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund", ...wanted];
  const ended = await run(npm, args, environment);
  if (ended.code === 0) return;
  if (ended.code === "ENOENT") {
    throw new Error(`The ${cli.name} ${cli.version} could not be fetched: there is no npm on PATH; install npm and try again.`);
  }
  const reason = ended.errors.match(/^npm (?:error|ERR!) (?!code )(\S.*)$/m)?.[1];
  throw new Error(
    `The ${cli.name} could not be fetched: "npm install ${wanted.join(" ")}" ended with ${ended.code}${reason ? ` (${reason})` : ""}; the first fetch needs the network, check it and try again.`,
  );
}

/** That the program runs here and is the version asked for; its size in bytes. */
async function provenSize(cli, folder, program) {
  const size = await stat(program).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) {
    throw new Error(
      `npm installed the ${cli.name} ${cli.version} without the program for this machine (${path.basename(program)} is missing); try again.`,
    );
  }
  const args = [...(cli.runs === undefined ? [] : [path.join(folder, cli.runs)]), "--version"];
  const { code, output } = await run(program, args, {});
  if (code !== 0 || output.trim() !== cli.versionLine) {
    const command = [program, ...args].map((part) => path.basename(part)).join(" ");
    throw new Error(
      `The fetched ${cli.name} does not run on this machine: "${command}" ended with ${code} and said "${output.trim()}" instead of "${cli.versionLine}".`,
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
