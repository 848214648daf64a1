// What every command does first: install, generate and build whatever is missing or stale. Plain Node, no dependencies.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
const STAMPS = path.join(root, "node_modules", ".stamps");

/** Everything the build reads; a change in any of it makes the build stale. */
const BUILD_INPUTS = [
  "app",
  "components",
  "server",
  "prisma/schema.prisma",
  "public",
  "instrumentation.ts",
  "proxy.ts",
  "next.config.ts",
  "postcss.config.mjs",
  "tsconfig.json",
  "package-lock.json",
];

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function say(text) {
  console.error(`switchyard: ${text}`);
}

/** Node's path of a package's own program. */
export function bin(file) {
  return path.join(root, "node_modules", file);
}

/** Runs a command to its end. Its output goes to stderr, so that stdout stays a command's own. */
function run(command, args, env = {}) {
  return spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], env: { ...process.env, ...env } });
}

function hashOf(entries) {
  const sum = createHash("sha256").update(process.versions.modules);
  const visit = (entry) => {
    const absolute = path.join(root, entry);
    if (!existsSync(absolute)) return;
    if (statSync(absolute).isDirectory()) {
      for (const name of readdirSync(absolute).sort()) visit(path.join(entry, name));
    } else if (!/\.(test|contract-test|codex-test|claude-test|openclaw-test|live-test)\.tsx?$/.test(entry)) {
      sum.update(entry).update("\0").update(readFileSync(absolute));
    }
  };
  entries.forEach(visit);
  return sum.digest("hex");
}

/** Does `work` unless `output` is there and was made from these very inputs. */
function whenStale(name, inputs, output, work) {
  const stamp = path.join(STAMPS, name);
  const want = hashOf(inputs);
  if (existsSync(path.join(root, output)) && existsSync(stamp) && readFileSync(stamp, "utf8") === want) return;
  work();
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stamp, want);
}

export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19) || major > 24) {
    fail(`Switchyard runs on Node 20.19 to 24; this is Node ${process.versions.node}. Install one of those and try again.`);
  }
}

export function ensureInstalled() {
  checkNode();
  whenStale("install", ["package-lock.json"], "node_modules/next", () => {
    say("installing packages (npm ci), about a minute; SQLite is compiled where no prebuilt binary can be had …");
    const npm = process.env.npm_execpath;
    const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
    const done = npm?.endsWith(".js") ? run(process.execPath, [npm, ...args]) : run("npm", args);
    if (done.status !== 0) {
      const compiler = ["python3", "make", "g++"].filter((tool) => spawnSync(tool, ["--version"], { stdio: "ignore" }).error);
      fail(
        compiler.length > 0
          ? `The packages could not be installed: if the output above speaks of better-sqlite3, there is neither a prebuilt SQLite binary for this machine nor a compiler (missing: ${compiler.join(", ")}); install python3, make and g++ and try again.`
          : "The packages could not be installed; the output above says why (the first install needs the network).",
      );
    }
  });
  const probe = spawnSync(process.execPath, ["-e", "const S=require('better-sqlite3');new S(':memory:').close()"], {
    cwd: root,
    encoding: "utf8",
  });
  if (probe.status !== 0) {
    fail(
      "SQLite's native part does not load on this machine: there was neither a prebuilt binary nor a compiler when it was installed. Install python3, make and g++, then run: npm rebuild better-sqlite3",
    );
  }
}

export function ensureGenerated() {
  whenStale(
    "generate",
    ["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"],
    "server/db/generated/client.ts",
    () => {
      say("generating the database client …");
      // Generating needs no engine, but the program looks for one; any executable satisfies it.
      const done = run(process.execPath, [bin("prisma/build/index.js"), "generate"], {
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: "1",
        CHECKPOINT_DISABLE: "1",
      });
      if (done.status !== 0) fail("The database client could not be generated; the output above says why.");
    },
  );
}

/** Builds aside and swaps: a failed build leaves the last good one in place. */
export function ensureBuilt() {
  whenStale("build", BUILD_INPUTS, ".next/BUILD_ID", () => {
    say("building the pages …");
    rmSync(path.join(root, ".next-aside"), { recursive: true, force: true });
    const done = run(process.execPath, [bin("next/dist/bin/next"), "build"], {
      NEXT_DIST_DIR: ".next-aside",
      NEXT_TELEMETRY_DISABLED: "1",
      NODE_ENV: "production",
    });
    if (done.status !== 0)
      fail("The pages could not be built; the output above says why. The last good build, if there was one, is still there.");
    rmSync(path.join(root, ".next"), { recursive: true, force: true });
    renameSync(path.join(root, ".next-aside"), path.join(root, ".next"));
  });
}

/** The system's Chromium; installed with apt when this is root, else one sentence. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  const isRoot = process.getuid?.() === 0;
  const hasApt = spawnSync("apt-get", ["--version"], { stdio: "ignore" }).status === 0;
  if (isRoot && hasApt) {
    say("installing Chromium and a Chinese font for the browser tests (apt-get) …");
    run("apt-get", ["update"]);
    run("apt-get", ["install", "-y", "chromium", "fonts-noto-cjk"], { DEBIAN_FRONTEND: "noninteractive" });
  }
  return (
    findChromium() ??
    fail(
      "The browser tests need Chromium: install it (Debian: apt-get install chromium fonts-noto-cjk) or set CHROMIUM_PATH to its program.",
    )
  );
}

function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  for (const name of ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]) {
    const where = spawnSync("which", [name], { encoding: "utf8" });
    if (where.status === 0) return where.stdout.trim();
  }
  return null;
}
