import { ensureBuilt } from "@/scripts/launch/setup.mjs";

/** Before the workers start their servers, which would each build it. */
// biome-ignore lint/style/noDefaultExport: Playwright's global set-up is one.
export default function builtApp(): void {
  ensureBuilt();
}
