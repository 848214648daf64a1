// `npm run check`: types, lint, boundaries and the proof that they bite, unused code. Stops at nothing, fails at the end.
import { spawnSync } from "node:child_process";
import { bin, ensureGenerated, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureGenerated();
const steps = [
  ["types", [bin("typescript/bin/tsc"), "--noEmit", "-p", "."]],
  ["lint (biome)", [bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."]],
  ["lint (types)", [bin("eslint/bin/eslint.js"), "--max-warnings=0", "."]],
  [
    "boundaries",
    [
      bin("dependency-cruiser/bin/dependency-cruise.mjs"),
      "app",
      "server",
      "components",
      "instrumentation.ts",
      "proxy.ts",
      "--config",
      ".dependency-cruiser.cjs",
    ],
  ],
  ["boundaries bite", ["scripts/prove-architecture.mjs"]],
  ["unused code", [bin("knip/bin/knip.js")]],
];
const broken = [];
for (const [name, args] of steps) {
  console.log(`── ${name}`);
  const done = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (done.status !== 0) broken.push(name);
}
if (broken.length > 0) {
  console.error(`check: not clean: ${broken.join(", ")}`);
  process.exit(1);
}
console.log("check: clean");
