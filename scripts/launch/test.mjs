// `npm test`: every tier that can run here, then the one line that counts them. `npm run test:codex`, `test:clis` and `test:live` name one tier.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { claudeBinary } from "./claude-cli.mjs";
import { codexBinary } from "./codex-cli.mjs";
import { openClawProgram } from "./openclaw-gateway.mjs";
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

/** Programs that a tier runs, each with the files that are about it. */
const PROGRAMS = {
  codex: [{ of: "codex", find: codexBinary, files: ".codex-test." }],
  // Hundreds of MB each: where one cannot be had, that is told and no failure. `always` also when the tier alone was asked for: the
  // gateway wants a Node of its own, which not every machine has.
  clis: [
    { of: "clis: Claude Code", find: claudeBinary, files: ".claude-test.", spared: "among-all" },
    { of: "clis: OpenClaw gateway", find: openClawProgram, files: ".openclaw-test.", spared: "always" },
  ],
  live: hasLiveKey() ? [{ of: "live", find: codexBinary, files: ".live-test." }] : [],
};

for (const name of tiers) {
  console.log(`\n── ${name}`);
  const here = await programsHere(name);
  // A tier without programs runs whole; one of several programs runs the part whose programs are here.
  if (here === null || here.length > 0) tier(name, name === "browser" ? browser() : vitest(name, here ?? []));
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

/** `files` as vitest takes them: any part of a path. */
function vitest(name, files) {
  const report = path.join(reports, `${name}.json`);
  const out = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return {
    args: [bin("vitest/vitest.mjs"), "run", "--project", name, ...out, ...files],
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

/** What is about the programs of a tier that are here or could be fetched; null for a tier without any. Tells of the others. */
async function programsHere(name) {
  const programs = PROGRAMS[name] ?? [];
  if (programs.length === 0) return null;
  const here = [];
  for (const { of, find, files, spared } of programs) {
    const problem = await problemOf(find);
    // Whoever says that there is no network knows what is left out.
    const isNoFailure = spared === "always" || (named.length === 0 && (spared || process.env.SWITCHYARD_OFFLINE?.trim()));
    if (problem === null) here.push(files);
    else if (isNoFailure) notRun.push(`${of}: not run (${problem})`);
    else {
      failures.push(`${of}: ${problem}`);
      failed += 1;
    }
  }
  return here;
}

/** Why a pinned program is not here and cannot be fetched; null when it is here. */
async function problemOf(find) {
  try {
    await find({ fetch: !process.env.SWITCHYARD_OFFLINE?.trim() });
    return null;
  } catch (error) {
    return error.message;
  }
}
