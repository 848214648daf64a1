/**
 * Records conversations with the real Codex CLI for the tests of its adapter, one JSON a line, both directions:
 * `npx tsx scripts/record-fixture.mts [NAME…]` (all scenarios without a name; `--list` names them). Fetches the pinned CLI when
 * it is absent; the model is a scripted upstream on 127.0.0.1.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fixtureFolder } from "@/server/testing/read-fixture";
import { failureScenarios } from "./codex-fixtures/failure-scenarios";
import { processScenarios } from "./codex-fixtures/process-scenarios";
import { record } from "./codex-fixtures/record";
import { workScenarios } from "./codex-fixtures/work-scenarios";
import { codexBinary } from "./launch/codex-cli.mjs";

const all = [...workScenarios, ...processScenarios, ...failureScenarios];
const names = process.argv.slice(2);
if (names.includes("--list")) {
  console.log(all.map(({ name }) => name).join("\n"));
  process.exit(0);
}
const unknown = names.filter((name) => !all.some((scenario) => scenario.name === name));
if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(", ")}; "npx tsx scripts/record-fixture.mts --list" names those there are.`);
  process.exit(2);
}
const program = await codexBinary({ fetch: true });
await mkdir(fixtureFolder(), { recursive: true });
for (const scenario of all.filter(({ name }) => names.length === 0 || names.includes(name))) {
  for (const [name, lines] of await record(scenario, program)) {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await writeFile(path.join(fixtureFolder(), `${name}.jsonl`), text);
    console.log(`${name}: ${lines.length} lines, ${(text.length / 1024).toFixed(1)} KB`);
  }
}
