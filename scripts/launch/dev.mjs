// `npm run dev`: the development server, no key and no network needed.
import { bin, ensureGenerated, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureGenerated();
process.chdir(root);
process.env.NEXT_TELEMETRY_DISABLED = "1";
const program = bin("next/dist/bin/next");
process.argv = [process.execPath, program, "dev", "-p", process.env.PORT?.trim() || "4310", "-H", "127.0.0.1"];
await import(program);
