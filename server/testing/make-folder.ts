import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is removed at the end of the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "switchyard-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
