// `npm run -s switchyard -- …`: sets up what is missing (on stderr), then runs the command in this very process.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ensureGenerated, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureGenerated();
process.chdir(root);
const { register } = await import("tsx/esm/api");
register();
await import(pathToFileURL(path.join(root, "server", "cli", "main.ts")).href);
