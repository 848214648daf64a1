/**
 * The thread of prep-pool.ts: runs one pure pipeline function a message and answers with its value or its error. Plain JavaScript
 * because a thread begins without a loader; it registers tsx and imports the TypeScript beside it.
 */
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import { register } from "tsx/esm/api";

// The alias `@/` is read from the project's own settings, wherever the process was started.
register({ tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)) });

const MODULES = { previewRun: "./plan-run.ts", planRun: "./plan-run.ts", consolidate: "./consolidate.ts" };

parentPort?.on("message", async ({ id, job, input }) => {
  try {
    const module = await import(new URL(MODULES[job], import.meta.url).href);
    parentPort?.postMessage({ id, ok: true, value: module[job](input) });
  } catch (error) {
    const isError = error instanceof Error;
    const code = isError && "code" in error && typeof error.code === "string" ? error.code : undefined;
    const details = isError && "details" in error ? error.details : undefined;
    parentPort?.postMessage({ id, ok: false, error: { message: isError ? error.message : String(error), code, details } });
  }
});
