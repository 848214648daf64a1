/** The processes of one group, by the number of its leader. Names no runtime. */
import { readdir, readFile } from "node:fs/promises";

/** How long after a KILL the group may still be seen: the kernel needs a moment to take it down. */
const GONE_WITHIN_MS = 2_000;
const LOOK_AGAIN_MS = 20;

/** False when nobody is there any more. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    // EPERM: somebody is there who is not ours to signal.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Kills what the leader left behind, and says whether it is gone. */
export async function endGroup(leader: number): Promise<boolean> {
  const until = performance.now() + GONE_WITHIN_MS;
  while (signalGroup(leader, "SIGKILL")) {
    if (await isEnded(leader)) return true;
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return true;
}

/**
 * Whether those who can still be signalled have ended and only wait for their parent to notice, which for orphans is the system's
 * first process and may take seconds in a container. False where the system does not tell.
 */
async function isEnded(leader: number): Promise<boolean> {
  const names = await readdir("/proc").catch(() => []);
  const states = await Promise.all(names.map((name) => (/^\d+$/.test(name) ? stateOf(name, leader) : null)));
  const members = states.filter((state) => state !== null);
  return members.length > 0 && members.every((state) => state === "Z" || state === "X");
}

/** The letter of the process's state when it is of that group. The name in brackets may hold anything, so the last one counts. */
async function stateOf(pid: string, group: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [state, , pgrp] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return state !== undefined && Number(pgrp) === group ? state : null;
}
