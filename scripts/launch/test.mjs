// `npm test`: every tier that can run here, then the one line that counts them.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { bin, ensureBuilt, ensureChromium, ensureGenerated, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureGenerated();
const chromium = ensureChromium();
ensureBuilt();

const reports = path.join(root, "test-results", "reports");
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
let passed = 0;
let failed = 0;

/** Runs one runner and adds up its report; a runner that broke without one counts as one failure. */
function tier(name, args, env, report, count) {
  console.log(`\n── ${name}`);
  const done = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  let counted = { passed: 0, failed: 0 };
  try {
    counted = count(JSON.parse(readFileSync(report, "utf8")));
  } catch (error) {
    console.error(`${name} left no report: ${error.message}`);
  }
  if (done.status !== 0 && counted.failed === 0) counted.failed = 1;
  passed += counted.passed;
  failed += counted.failed;
}

for (const project of ["unit", "contract", "store", "api", "component"]) {
  const report = path.join(reports, `${project}.json`);
  tier(
    project,
    [
      bin("vitest/vitest.mjs"),
      "run",
      "--project",
      project,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    { NODE_ENV: "test" },
    report,
    (json) => ({
      passed: json.numPassedTests,
      failed:
        json.numFailedTests +
        json.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length,
    }),
  );
}
const report = path.join(reports, "browser.json");
tier(
  "browser",
  [bin("@playwright/test/cli.js"), "test", "--reporter=list,json"],
  { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  report,
  ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
  }),
);

console.log(`\ntests: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
