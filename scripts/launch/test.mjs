// `npm test`: every tier that can run here, then the one line that counts them. `npm run test:codex`, `test:clis` and `test:live` name one tier.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { claudeBinary } from "./claude-cli.mjs";
import { codexBinary } from "./codex-cli.mjs";
import { bin, ensureBuilt, ensureChromium, ensureGenerated, ensureInstalled, fail, root } from "./setup.mjs";

const TIERS = ["unit", "contract", "store", "api", "component", "codex", "clis", "live", "browser"];
const named = process.argv.slice(2);
const unknown = named.filter((name) => !TIERS.includes(name));
if (unknown.length > 0) fail(`There is no tier ${unknown.join(", ")} of tests; there are ${TIERS.join(", ")}.`);
const tiers = TIERS.filter((name) => named.length === 0 || named.includes(name));

ensureInstalled();
ensureGenerated();
const chromium = tiers.includes("browser") ? ensureChromium() : "";
if (tiers.includes("browser")) ensureBuilt();

const reports = path.join(root, "test-results", "reports");
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
let passed = 0;
let failed = 0;
/** Names of tests that could not run here, with the reason in them. */
const notRun = [];

for (const name of tiers) {
  console.log(`\n── ${name}`);
  const problem = await missingProgram(name);
  if (problem === null) tier(name, name === "browser" ? browser() : vitest(name));
  else if (named.length === 0 && (process.env.SWITCHYARD_OFFLINE?.trim() || name === "clis")) {
    // Whoever says that there is no network knows what is left out. Claude Code is 400 MB: where it cannot be had, that is told and no failure.
    notRun.push(`${name}: not run (${problem})`);
  } else {
    console.error(`${name}: ${problem}`);
    failed += 1;
  }
}

if (notRun.length > 0) console.log(`\n${notRun.join("\n")}`);
console.log(`\ntests: ${passed} passed, ${failed} failed${notRun.length > 0 ? `, ${notRun.length} not run` : ""}`);
process.exit(failed === 0 && passed + notRun.length > 0 ? 0 : 1);

/** Runs one runner and adds up its report; a runner that broke without one counts as one failure. */
function tier(name, { args, env, report, count }) {
  const done = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  let counted = { passed: 0, failed: 0, notRun: [] };
  try {
    counted = count(JSON.parse(readFileSync(report, "utf8")));
  } catch (error) {
    console.error(`${name} left no report: ${error.message}`);
  }
  if (done.status !== 0 && counted.failed === 0) counted.failed = 1;
  passed += counted.passed;
  failed += counted.failed;
  notRun.push(...counted.notRun.map((test) => `${name}: ${test}`));
}

function vitest(name) {
  const report = path.join(reports, `${name}.json`);
  const out = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return {
    args: [bin("vitest/vitest.mjs"), "run", "--project", name, ...out],
    env: { NODE_ENV: "test" },
    report,
    count: ({ numPassedTests, numFailedTests, testResults }) => ({
      passed: numPassedTests,
      failed:
        numFailedTests +
        testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0).length,
      notRun: testResults.flatMap(({ assertionResults }) =>
        assertionResults.filter(({ status }) => status !== "passed" && status !== "failed").map(({ fullName }) => fullName),
      ),
    }),
  };
}

function browser() {
  const report = path.join(reports, "browser.json");
  return {
    args: [bin("@playwright/test/cli.js"), "test", "--reporter=list,json"],
    env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    report,
    count: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected, notRun: [] }),
  };
}

function hasLiveKey() {
  return Object.entries(process.env).some(([key, value]) => /^SWITCHYARD_LIVE_.+_KEY$/.test(key) && value?.trim());
}

/** Why the pinned program that a tier runs is not here and cannot be fetched; null when it is here, and for tiers without one. */
async function missingProgram(name) {
  const find = name === "clis" ? claudeBinary : name === "codex" || (name === "live" && hasLiveKey()) ? codexBinary : null;
  if (find === null) return null;
  try {
    await find({ fetch: !process.env.SWITCHYARD_OFFLINE?.trim() });
    return null;
  } catch (error) {
    return error.message;
  }
}
