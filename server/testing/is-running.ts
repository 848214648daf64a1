import { readFileSync } from "node:fs";

/** Whether the process works still. One that has ended and waits for its parent to notice does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(text.slice(text.lastIndexOf(")") + 2));
  } catch {
    // Gone meanwhile, or a system without /proc.
    return process.platform !== "linux";
  }
}
