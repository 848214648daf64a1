// `npm test`: every tier that can run here, then the one line that counts them. `npm run test:codex`, `test:clis` and `test:live` name one tier.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
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
/** What failed, by tier and name, with the first line of why: a log of thousands of lines is read from its end. */
const failures = [];

for (const name of tiers) {
  console.log(`\n── ${name}`);
  const problem = await missingProgram(name);
  if (problem === null) tier(name, name === "browser" ? browser() : vitest(name));
  else if (named.length === 0 && (process.env.SWITCHYARD_OFFLINE?.trim() || name === "clis")) {
    // Whoever says that there is no network knows what is left out. Claude Code is 400 MB: where it cannot be had, that is told and no failure.
    notRun.push(`${name}: not run (${problem})`);
  } else {
    failures.push(`${name}: ${problem}`);
    failed += 1;
  }
}

if (notRun.length > 0) console.log(`\n${notRun.join("\n")}`);
if (failures.length > 0) console.error(`\nfailed:\n${failures.join("\n")}`);
console.log(`\ntests: ${passed} passed, ${failed} failed${notRun.length > 0 ? `, ${notRun.length} not run` : ""}`);
process.exit(failed === 0 && passed + notRun.length > 0 ? 0 : 1);

/** Runs one runner and adds up its report; a runner that broke without one counts as one failure. */
function tier(name, { args, env, report, count }) {
  const done = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  let counted = { passed: 0, failures: [], notRun: [] };
  try {
    counted = count(JSON.parse(readFileSync(report, "utf8")));
  } catch (error) {
    counted.failures.push(`it left no report: ${error.message}`);
  }
  // An error outside every test (one thrown after it, a leaked timer) fails the runner and no test.
  if (done.status !== 0 && counted.failures.length === 0)
    counted.failures.push(`the runner ended with ${done.status ?? done.signal}`);
  passed += counted.passed;
  failed += counted.failures.length;
  failures.push(...counted.failures.map((failure) => `${name}: ${failure}`));
  notRun.push(...counted.notRun.map((test) => `${name}: ${test}`));
}

function vitest(name) {
  const report = path.join(reports, `${name}.json`);
  const out = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return {
    args: [bin("vitest/vitest.mjs"), "run", "--project", name, ...out],
    env: { NODE_ENV: "test" },
    report,
    count: ({ numPassedTests, testResults }) => ({
      passed: numPassedTests,
      failures: testResults.flatMap(({ name: file, status, message, assertionResults }) => {
        const where = path.relative(root, file);
        if (status === "failed" && assertionResults.length === 0) return [`${where}: ${firstLine(message)}`];
        return assertionResults
          .filter((test) => test.status === "failed")
          .map(({ fullName, failureMessages }) => `${where}: ${fullName}: ${firstLine(failureMessages[0])}`);
      }),
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
    count: ({ stats, suites }) => ({ passed: stats.expected + stats.flaky, failures: unexpectedSpecs(suites), notRun: [] }),
  };
}

/** Playwright nests its suites: a file, then what describes within it. */
function unexpectedSpecs(suites = []) {
  return suites.flatMap(({ specs = [], suites: inner }) => [
    ...specs
      .filter(({ tests }) => tests.some(({ status }) => status === "unexpected"))
      .map(({ file, line, title, tests }) => `${file}:${line}: ${title}: ${firstLine(tests[0]?.results.at(-1)?.error?.message)}`),
    ...unexpectedSpecs(inner),
  ]);
}

function firstLine(text) {
  return stripVTControlCharacters(text ?? "no reason given")
    .trim()
    .split("\n", 1)[0];
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
