// `npm run bench:NAME`: sets up what is missing, then runs one benchmark of scripts/bench.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ensureGenerated, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureGenerated();
const [name, ...rest] = process.argv.slice(2);
const done = spawnSync(process.execPath, ["--import", "tsx", path.join(root, "scripts", "bench", `${name}.mts`), ...rest], {
  cwd: root,
  stdio: "inherit",
});
process.exit(done.status ?? 1);
