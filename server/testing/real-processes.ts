/** Processes of this machine as tests look for them: those that mention a folder or a mark. Linux only (/proc). */
import { readdirSync, readFileSync } from "node:fs";

export const onLinux = process.platform === "linux";

export interface SeenProcess {
  pid: number;
  /** Its command line; processes that have ended and were not fetched yet have none and are not seen. */
  command: string;
}

/** Whose environment or command line holds that text. */
export function processesOf(text: string): SeenProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const command = read(`/proc/${name}/cmdline`);
      const isMeant = command !== "" && (command.includes(text) || read(`/proc/${name}/environ`).includes(text));
      return isMeant ? [{ pid: Number(name), command: command.replaceAll("\0", " ").trim() }] : [];
    });
}

/** "" for what has ended meanwhile, and for what is not ours to read. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
